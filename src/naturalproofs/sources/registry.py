"""The interface of sources, and the table of known ones."""

from __future__ import annotations

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
    "lean": "naturalproofs.sources.lean:LEAN",
    "planetmath": "naturalproofs.sources.planetmath:PLANETMATH",
    "naturalproofs-json": "naturalproofs.benchmark.naturalproofs_json:NATURALPROOFS_JSON",
}
"""Sources by name, imported on demand."""


DETECTORS: dict[str, str] = {
    "lean": "naturalproofs.sources.lean:is_lean",
    "planetmath": "naturalproofs.sources.planetmath:is_planetmath",
    "pretext": "naturalproofs.sources.pretext.pretext:is_pretext",
    "markdown": "naturalproofs.sources.markdown.markdown:is_markdown",
}
"""Functions that say whether a path is of a source, by its name, asked in this order; all else is LaTeX."""


def detect_source(path: Path) -> str:
    """The name of the source of a file or folder that a user gives without saying what it is."""
    for name, detector in DETECTORS.items():
        module, attribute = detector.split(":")
        if getattr(import_module(module), attribute)(path):
            return name
    return "latex"


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise UnknownName(f"no source is called {name!r}; there are: {', '.join(SOURCES)}")
    module, attribute = SOURCES[name].split(":")
    return cast(Source, getattr(import_module(module), attribute))
