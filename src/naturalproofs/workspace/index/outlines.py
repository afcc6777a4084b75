"""The documents of a project without their texts: what they are called, what they were read from, what they name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from naturalproofs.latex.cache import CachedDocument, CachedFile, CachedLookup, Other
from naturalproofs.latex.documents import Document
from naturalproofs.records import Diagnostic

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Outline:
    """A document without its texts."""

    main: str
    length: int
    others: tuple[Other, ...]
    files: tuple[CachedFile, ...]
    discovered: int
    lookups: tuple[CachedLookup, ...]
    diagnostics: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, kept: CachedDocument) -> Outline:
        """The outline of a document that was read."""
        return cls(kept.main, kept.length, kept.others, kept.files, kept.discovered, kept.lookups, kept.diagnostics)

    @property
    def document(self) -> Document:
        """The document, not opened."""
        return Document(self.main, self.length, self.others)


@dataclass(frozen=True, slots=True)
class KeptOutlines:
    """Outlines as they are kept: most documents of a project name the same others, and look for the same files."""

    outlines: tuple[Outline, ...]
    """Without what is in the lists below."""
    others: tuple[tuple[Other, ...], ...]
    lookups: tuple[tuple[CachedLookup, ...], ...]
    shared: tuple[tuple[int, int], ...]
    """Which of them each outline has."""

    @classmethod
    def of(cls, outlines: Iterable[Outline]) -> KeptOutlines:
        """Pack outlines."""
        given = tuple(outlines)
        others, first = _distinct([one.others for one in given])
        lookups, second = _distinct([one.lookups for one in given])
        bare = tuple(replace(one, others=(), lookups=()) for one in given)
        return cls(bare, others, lookups, tuple(zip(first, second, strict=True)))

    def unpacked(self) -> tuple[Outline, ...]:
        """The outlines."""
        return tuple(
            replace(one, others=self.others[first], lookups=self.lookups[second])
            for one, (first, second) in zip(self.outlines, self.shared, strict=True)
        )


def _distinct(values: Sequence[Value]) -> tuple[tuple[Value, ...], list[int]]:
    """The different ones among values, and which of them each is; most are the very same, and long to compare."""
    known: dict[Value, int] = {}
    seen: dict[int, int] = {}
    for value in values:
        if id(value) not in seen:
            seen[id(value)] = known.setdefault(value, len(known))
    return tuple(known), [seen[id(value)] for value in values]


def input_files(outlines: Iterable[Outline], ordered: Sequence[Outline]) -> dict[str, CachedFile]:
    """The files of documents: first those that finding out about them took, then those read, in reading order."""
    files: dict[str, CachedFile] = {}
    discovered = (file for outline in outlines for file in outline.files[: outline.discovered])
    for file in (*discovered, *(file for outline in ordered for file in outline.files)):
        files.setdefault(file.path, file)
    return files
