"""Labels and references as they stand in the files, with their columns, also outside of statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.io.unsaved import current_bytes
from naturalproofs.latex import TokenKind, Vocabulary, scan
from naturalproofs.latex.files import decode
from naturalproofs.latex.scanner import Positions
from naturalproofs.latex.vocabulary import REFERENCES

_WORDS = Vocabulary(references={**REFERENCES, "pageref": "one", "cpageref": "list", "Cpageref": "list"})
_MANY = {name for name, style in _WORDS.references.items() if style in ("list", "range")}


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
        """The key where labels are local to their file, as several documents side by side have them."""
        name = self.path.rpartition("/")[2]
        return f"{name.rpartition('.')[0] or name}-{self.key}"


def occurrences(opened: LoadedCorpus) -> list[Occurrence]:
    """Every label and reference of a LaTeX project; none if only the corpus is at hand."""
    if opened.root is None:
        return []
    found: list[Occurrence] = []
    for file in opened.corpus.inputs:
        path = opened.root / file.path
        if path.suffix in (".tex", "") and path.is_file() and (text := decode(current_bytes(path)).text):
            found.extend(_in_file(file.path, text))
    return found


@lru_cache(maxsize=256)
def _in_file(path: str, text: str) -> tuple[Occurrence, ...]:
    """Those of one file; an editor asks again after every change of another."""
    return tuple(_found(path, text))


def _found(path: str, text: str) -> Iterator[Occurrence]:
    positions = Positions(text)
    for token in scan(text, _WORDS).tokens:
        if token.kind not in (TokenKind.LABEL, TokenKind.REFERENCE):
            continue
        keys = token.argument.split(",") if token.name in _MANY else [token.argument]
        line, column = positions.line_column(token.start)
        for key in filter(None, map(str.strip, keys)):
            # A macro's parameter or result is known only to TeX.
            if "#" not in key and "\\" not in key:
                yield Occurrence(path, line, column, key, token.kind is TokenKind.LABEL)
