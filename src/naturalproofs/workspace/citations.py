"""Labels and citations: where they are written in the files of a project, and how a statement is cited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.latex.citations import PAGE_REFERENCES, find_citations, find_keys, keyed_macros
from naturalproofs.latex.definitions import USES
from naturalproofs.latex.display import Macro, plain_unicode, read_macros
from naturalproofs.latex.scanner import Positions
from naturalproofs.latex.vocabulary import REFERENCES, KeyStyle
from naturalproofs.records import Anchor, Mention, Statement
from naturalproofs.workspace.formats import Format, format_of
from naturalproofs.workspace.render import printed_name

_WITH_WORD = frozenset({"cref", "Cref", "autoref", "zcref", "zcpageref", "vref", "Vref", "thref"})
"""Commands that print the word before the number themselves."""
_COMMON = (*sorted(_WITH_WORD), "ref", USES)
_DELIMITED = re.compile(r"\\(?:[gex]?def|WithSuffix)(?![a-zA-Z])")
"""Definitions that the macros for display leave out."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A key where it is written."""

    path: str
    line: int
    column: int
    key: str
    is_label: bool
    is_certain: bool = True
    """False if a macro makes the key only in some cases."""

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
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """The macros of the project."""
    references: Mapping[str, KeyStyle] = field(default_factory=dict)
    """Further commands that cite, as the project's settings give them."""

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All labels and references, file by file; those that the author's macros make stand where they are called."""
        references = {**REFERENCES, **PAGE_REFERENCES, **self.references}
        if USES not in self.macros or self.macros[USES].parameters:
            references[USES] = "list"
        delimited = read_macros((text for text in self.texts.values() if _DELIMITED.search(text)), delimited=True)
        macros = keyed_macros({**self.macros, **delimited}, references)
        known = (tuple(references.items()), tuple(macros.values()))
        return tuple(one for path, text in self.texts.items() for one in _in_file(path, text, *known))

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


@lru_cache(maxsize=256)
def _in_file(
    path: str, text: str, references: tuple[tuple[str, KeyStyle], ...], macros: tuple[Macro, ...]
) -> tuple[Occurrence, ...]:
    """The occurrences of one file; cached, since an editor asks again after every change of another file."""
    if (own := format_of(path)) is not None:
        return tuple(Occurrence(path, one.line, one.column, one.key, one.is_label) for one in own.find_keys(text))
    positions = Positions(text)
    return tuple(
        Occurrence(path, *positions.line_column(one.start), key.key, one.is_label, one.certain)
        for one in find_keys(text, dict(references), macros={macro.name: macro for macro in macros})
        for key in one.keys
        # The parameter of a macro is not known here, nor is what only TeX computes.
        if "#" not in key.key and "\\" not in key.key
    )


class CitationSite(NamedTuple):
    """A citing command: its span in the text, and what it cites."""

    start: int
    end: int
    mentions: tuple[Mention, ...]


def citation_sites(text: str, mentions: Sequence[Mention]) -> list[CitationSite]:
    """The commands of a text that cite; nothing if they do not match the mentions one to one.

    A macro may cite, or a citation may be words ("Theorem 2.1"); these have no site.
    """
    commands = [mention for mention in mentions if mention.surface in REFERENCES]
    found = [one for one in find_citations(text) if not one.repeated]
    if sum(len(one.keys) for one in found) != len(commands):
        return []
    sites, at = [], 0
    for one in found:
        sites.append(CitationSite(one.start, one.end, tuple(commands[at : at + len(one.keys)])))
        at += len(one.keys)
    return sites


@dataclass(frozen=True, slots=True)
class Citing:
    """The citation style of a project, or the name of another work."""

    command: str = "cref"
    """The command by which the project cites statements."""
    work: str = ""
    """The title of the work, if it is not the project itself: its statements are cited in words."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """For several documents in one folder: the prefix that other documents put before the labels of a file."""
    file: str = ""
    """The file in which the author is writing."""
    root: Path | None = None
    macros: Mapping[str, Macro] = field(default_factory=dict)
    format: Format | None = None
    """The format of the project, if it is not LaTeX."""

    def citation(self, statement: Statement) -> str:
        """What to paste."""
        if self.work:
            words = printed_name(statement)
            name = words if statement.number else statement.title or words
            return f"{self.work}, {f'tag {statement.tag}' if statement.tag else name}"
        if has_generated_label(statement):
            return printed_name(statement)
        path = statement.origin.path if statement.origin else ""
        label = statement.label.removeprefix(self.prefixes.get(path, "")) if path == self.file else statement.label
        if self.format is not None:
            return self.format.citation(statement, label)
        if self.command in _WITH_WORD or self.command == USES:
            return f"\\{self.command}{{{label}}}"
        return f"{(statement.form or statement.kind).capitalize()}~\\{self.command}{{{label}}}"

    def where(self, statement: Statement) -> str:
        """File and line, as they can be opened from the working directory."""
        if statement.origin is None:
            return ""
        path = statement.origin.path if self.root is None else (self.root / statement.origin.path).as_posix()
        return f"{path}:{statement.origin.line}"

    def plain(self, source: str) -> str:
        """A title as Unicode text."""
        return plain_unicode(source, dict(self.macros)) if source else ""


def citing_command(corpus: Corpus) -> str:
    """The command by which a project mostly cites its statements."""
    surfaces: Counter[str] = Counter()
    for statement in corpus.statements:
        for mentions in (statement.mentions, *(proof.mentions for proof in statement.proofs)):
            surfaces.update(mention.surface for mention in mentions if mention.reference is not None)
    return max(_COMMON, key=lambda name: surfaces[name]) if any(surfaces[name] for name in _COMMON) else "cref"


def label_prefixes(corpus: Corpus) -> dict[str, str]:
    """The prefix of the labels of each file, where several documents are one project: ``algebra-``."""
    labels: dict[str, list[str]] = {}
    for statement in corpus.statements:
        if statement.origin and not has_generated_label(statement):
            labels.setdefault(statement.origin.path, []).append(statement.label)
    prefixes = {path: f"{PurePosixPath(path).stem}-" for path in labels}
    if len(labels) < 2 or any(not s.startswith(prefixes[path]) for path, found in labels.items() for s in found):
        return {}
    return prefixes
