"""The interface of sources, and the table of known ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from naturalproofs.errors import UnknownName
from naturalproofs.progress import Progress, silent

if TYPE_CHECKING:
    from naturalproofs.records import Draft, Rules


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """Provenance of a source that is known before reading it."""

    name: str
    title: str
    authors: str
    licence: str
    url: str
    citation: str = ""
    revision: str = ""
    """The revision used in the paper, if the source does not state it."""
    split: str = "leaf"
    """The default split recipe."""
    archives: bool = False
    """Whether the source may be given as an archive, which is unpacked first, or as standard input."""


class Source(Protocol):
    """Reads one kind of raw source."""

    @property
    def info(self) -> SourceInfo:
        """Provenance of the source."""
        ...

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read everything at the path into statements with unresolved mentions."""
        ...


SOURCES: dict[str, str] = {
    "proofwiki": "naturalproofs.sources.wiki.source:PROOFWIKI",
    "stacks": "naturalproofs.sources.textbooks:STACKS",
    "trench": "naturalproofs.sources.textbooks:TRENCH",
    "stein": "naturalproofs.sources.textbooks:STEIN",
    "latex": "naturalproofs.sources.latex:LATEX",
    "pretext": "naturalproofs.sources.pretext.pretext:PRETEXT",
    "markdown": "naturalproofs.sources.markdown.markdown:MARKDOWN",
    "naturalproofs-json": "naturalproofs.benchmark.naturalproofs_json:NATURALPROOFS_JSON",
}
"""Sources by name, imported on demand."""


OUTLINES: dict[str, str] = {
    "latex": "naturalproofs.sources.latex:count_statements",
    "pretext": "naturalproofs.sources.pretext.pretext:count_statements",
    "markdown": "naturalproofs.sources.markdown.markdown:count_statements",
}
"""Functions that count the statements of a source at a path cheaply, without reading them properly.

Each takes a file or a folder and returns the number of statements in every file of its format there, by path relative
to the folder, those without statements included; nothing if there is no such file. A path is of the source that finds
most, the first of those that find the same.
"""
RELEVANT = 0.1
"""A further source of a folder is read if it has this part of the statements."""


def outlines(path: Path) -> dict[str, Mapping[str, int]]:
    """The number of statements in each file at a path, by source; sources that have no files there are left out."""
    found = {}
    for name, function in OUTLINES.items():
        module, attribute = function.split(":")
        if counts := getattr(import_module(module), attribute)(path):
            found[name] = counts
    return found


def detect_sources(path: Path) -> list[str]:
    """The sources of a file or folder that a user gives without saying what it is: those with a relevant share."""
    counts = {name: sum(files.values()) for name, files in outlines(path).items()}
    ranked = sorted(counts, key=lambda name: -counts[name])
    least = RELEVANT * sum(counts.values())
    return ranked[:1] + [name for name in ranked[1:] if 0 < least <= counts[name]] or ["latex"]


def detect_source(path: Path) -> str:
    """The source of a path that has most statements."""
    return detect_sources(path)[0]


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise UnknownName(f"no source is called {name!r}; there are: {', '.join(SOURCES)}")
    module, attribute = SOURCES[name].split(":")
    return cast(Source, getattr(import_module(module), attribute))
