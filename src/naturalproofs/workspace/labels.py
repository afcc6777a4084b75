"""Labels and references where they are written in the files of a project, also outside of statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from naturalproofs.latex.citations import PAGE_REFERENCES, find_keys
from naturalproofs.latex.scanner import Positions
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Anchor, Statement

_REFERENCES = {**REFERENCES, **PAGE_REFERENCES}


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A key where it is written."""

    path: str
    line: int
    column: int
    key: str
    is_label: bool

    @property
    def local_key(self) -> str:
        """The key with the name of its file, as several documents in one folder have them."""
        return local_key(self.path, self.key)


def local_key(path: str, key: str) -> str:
    """A key with the name of its file before it."""
    name = path.rpartition("/")[2]
    return f"{name.rpartition('.')[0] or name}-{key}"


@dataclass(frozen=True)
class LabelIndex:
    """All occurrences of keys in a project, and what each label stands for."""

    anchors: Mapping[str, Anchor]
    texts: Mapping[str, str]
    """The files of the project by path."""

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All labels and references, file by file."""
        return tuple(one for path, text in self.texts.items() for one in _in_file(path, text))

    @cached_property
    def definitions(self) -> dict[str, Occurrence]:
        """Where each label is written, by its name in the whole project; the first place if it is written twice."""
        return {self.absolute(one.path, one.key): one for one in reversed(self.occurrences) if one.is_label}

    @cached_property
    def citations(self) -> dict[str, list[Occurrence]]:
        """Where each label is cited."""
        found: dict[str, list[Occurrence]] = {}
        for one in self.occurrences:
            if not one.is_label:
                found.setdefault(self.absolute(one.path, one.key), []).append(one)
        return found

    @cached_property
    def columns(self) -> dict[tuple[str, int, str], int]:
        """Columns by file, line and key, both as written and as the whole project knows it."""
        rows = [(one, key) for one in reversed(self.occurrences) for key in (one.key, one.local_key)]
        return {(one.path, one.line, key): one.column for one, key in rows}

    def absolute(self, path: str, key: str) -> str:
        """The name in the whole project of a key as a file writes it."""
        local = local_key(path, key)
        return local if local in self.anchors else key

    def cited_keys(self, statements: Iterator[Statement]) -> frozenset[str]:
        """Every key that is cited anywhere: in statements, in proofs, or in the text around them."""
        found = {key for one in self.occurrences if not one.is_label for key in (one.key, one.local_key)}
        for statement in statements:
            found.update(mention.target for mention in statement.mentions)
            found.update(mention.target for proof in statement.proofs for mention in proof.mentions)
        return frozenset(found)


@lru_cache(maxsize=256)
def _in_file(path: str, text: str) -> tuple[Occurrence, ...]:
    """The occurrences of one file; cached, since an editor asks again after every change of another file."""
    return tuple(_scan(path, text))


def _scan(path: str, text: str) -> Iterator[Occurrence]:
    positions = Positions(text)
    for one in find_keys(text, _REFERENCES):
        line, column = positions.line_column(one.start)
        for key in one.keys:
            # The parameter or result of a macro is not known here.
            if "#" not in key.key and "\\" not in key.key:
                yield Occurrence(path, line, column, key.key, one.is_label)
