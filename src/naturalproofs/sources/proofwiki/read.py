"""The source itself: a dump becomes a draft."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.collector import collector_paused
from naturalproofs.io.hashing import sha256_file
from naturalproofs.markup.mediawiki.dump import Page, Progress, Site, read_dump
from naturalproofs.records import KINDS, Anchor, Diagnostic, Draft, InputFile, Rules, Statement
from naturalproofs.sources.proofwiki.fixed import FixedReader
from naturalproofs.sources.proofwiki.paper import PaperReader
from naturalproofs.sources.proofwiki.wiki import Wiki


class Reader(Protocol):
    """Pages read by one set of rules."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What was wrong in the pages."""

    def statements(self) -> Iterable[Statement]:
        """Give the statements."""

    def anchors(self) -> dict[str, Anchor]:
        """Give what every title stands for."""


def read_proofwiki(
    path: Path, *, rules: Rules = "fixed", name: str = "proofwiki", progress: Progress | None = None
) -> Draft:
    """Read a MediaWiki export written in ProofWiki's conventions.

    Args:
        path: The dump: XML, plain or packed as .gz, .bz2 or .xz.
        rules: ``fixed`` reads what the authors meant; ``paper`` reads as the published data set was made.
        name: The corpus's name, which every statement's id begins with.
        progress: Called with the bytes of the file read so far and in all.

    Raises:
        SourceNotFound: The path is no file.
        BadSchema: The file is no export, or is cut short, damaged or hostile.
    """
    if path.is_dir():
        raise SourceNotFound(f"{path}: is a folder; give the path of the dump itself, such as {path / 'latest.xml.gz'}")
    with collector_paused():
        dump = _Dump(read_dump(path, progress=progress, everything=rules == "paper"))
        reader: Reader = PaperReader(dump, name) if rules == "paper" else FixedReader(Wiki(dump), name)
        statements = tuple(sorted(reader.statements(), key=lambda statement: KINDS.index(statement.kind)))
        anchors = reader.anchors()
    source = InputFile(path.name, path.stat().st_size, sha256_file(path))
    return Draft(statements, anchors, tuple(reader.diagnostics), (source,), _about(dump.site))


class _Dump(Iterator[Site | Page]):
    """The parts of a dump as they pass, and the wiki's name once it has gone by."""

    def __init__(self, parts: Iterator[Site | Page]) -> None:
        self.parts = parts
        self.site = ""

    def __next__(self) -> Site | Page:
        part = next(self.parts)
        if isinstance(part, Site):
            self.site = part.name
        return part


def _about(site: str) -> dict[str, str]:
    """What is known of another wiki in the same conventions: its name, and that its terms are its own."""
    if not site or site == "ProofWiki":
        return {}
    return {"title": site, "authors": f"The contributors of {site}", "licence": "", "url": "", "citation": ""}
