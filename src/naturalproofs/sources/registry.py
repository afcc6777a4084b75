"""The interface of sources, and the table of known ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from naturalproofs.errors import UnknownName
from naturalproofs.io.decoding import decode_toml
from naturalproofs.progress import Progress, silent

if TYPE_CHECKING:
    from naturalproofs.records import Draft, Rules


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known of a source before reading it; ``data/sources.toml`` has those of the sources here."""

    name: str
    title: str
    authors: str = ""
    licence: str = ""
    url: str = ""
    citation: str = ""
    revision: str = ""
    """The revision used in the paper, if the source does not state it."""
    split: str = "leaf"
    """The default split recipe."""
    archives: bool = False
    """Whether the source may be given as an archive, which is unpacked first, or as standard input."""
    paper: bool = False
    """Whether the rules of the paper's parsers are known for it."""


@cache
def source_info(name: str) -> SourceInfo:
    """What is known of the source of this name."""
    table = decode_toml(files("naturalproofs.data").joinpath("sources.toml").read_text("utf-8"))
    return SourceInfo(name, **table[name])


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


OUTLINES: dict[str, str] = {
    "lean": "naturalproofs.sources.lean:count_statements",
    "planetmath": "naturalproofs.sources.planetmath:count_statements",
    "latex": "naturalproofs.sources.latex:choice.count_statements",
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
        if counts := attrgetter(attribute)(import_module(module))(path):
            found[name] = counts
    return found


def detect_sources(path: Path) -> list[str]:
    """The sources of a file or folder that a user gives without saying what it is: those with a relevant share.

    A file counts for the source with more statements, if two sources read it.
    """
    found, read, sources = outlines(path), dict[str, int](), list[str]()
    for name in sorted(found, key=lambda name: -sum(found[name].values())):
        own = sum(count for file, count in found[name].items() if file not in read)
        if not sources or 0 < RELEVANT * (own + sum(read.values())) <= own:
            sources.append(name)
            read |= found[name]
    return sources or ["latex"]


def detect_source(path: Path) -> str:
    """The source of a path that has most statements."""
    return detect_sources(path)[0]


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise UnknownName(f"no source is called {name!r}; there are: {', '.join(SOURCES)}")
    module, attribute = SOURCES[name].split(":")
    return cast(Source, getattr(import_module(module), attribute))
