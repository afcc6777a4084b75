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
    "proofwiki": "naturalproofs.wiki.source:PROOFWIKI",
    "stacks": "naturalproofs.latex.books:STACKS",
    "trench": "naturalproofs.latex.books:TRENCH",
    "stein": "naturalproofs.latex.books:STEIN",
    "latex": "naturalproofs.latex.project:LATEX",
    "naturalproofs-json": "naturalproofs.tasks.naturalproofs_json:NATURALPROOFS_JSON",
}
"""Sources by name, imported on demand."""


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise UnknownName(f"no source is called {name!r}; there are: {', '.join(SOURCES)}")
    module, attribute = SOURCES[name].split(":")
    return cast(Source, getattr(import_module(module), attribute))
