"""What a source is, and the table of those we know."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from naturalproofs.errors import UnknownName
from naturalproofs.records import Draft, Rules

Progress: TypeAlias = Callable[[int, int], None]
"""Called with work done and work in all."""


def silent(done: int, total: int) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known about a source before it is read: provenance as data."""

    name: str
    title: str
    authors: str
    licence: str
    url: str
    citation: str = ""
    revision: str = ""
    """The revision the paper used, where the source itself does not tell."""
    split: str = "leaf"
    """The split recipe that is usual for it."""


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
    "proofwiki": "naturalproofs.sources.proofwiki.source:PROOFWIKI",
    "stacks": "naturalproofs.sources.stacks:STACKS",
    "trench": "naturalproofs.sources.trench:TRENCH",
    "stein": "naturalproofs.sources.stein:STEIN",
    "latex": "naturalproofs.sources.latex.project:LATEX",
    "naturalproofs-json": "naturalproofs.sources.naturalproofs_json:NATURALPROOFS_JSON",
}
"""Sources by name, imported when asked for."""


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise UnknownName(f"no source is called {name!r}; there are: {', '.join(SOURCES)}")
    module, attribute = SOURCES[name].split(":")
    return cast(Source, getattr(import_module(module), attribute))
