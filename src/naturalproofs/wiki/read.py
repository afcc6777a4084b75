"""The source itself: a dump becomes a draft."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.collector import collector_paused
from naturalproofs.io.disk_list import DiskList
from naturalproofs.io.hashing import sha256_file
from naturalproofs.progress import Progress
from naturalproofs.records import KINDS, Anchor, Diagnostic, Draft, InputFile, Rules, Statement
from naturalproofs.wiki.contents import Page, Site
from naturalproofs.wiki.drafts import StatementDraft
from naturalproofs.wiki.dump import read_dump
from naturalproofs.wiki.fixed import FixedReader
from naturalproofs.wiki.paper import PaperReader
from naturalproofs.wiki.wiki import Wiki


class Reader(Protocol):
    """Pages read by one set of rules."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What was wrong in the pages."""

    def statements(self) -> Iterable[Statement | StatementDraft]:
        """Give the statements."""

    def anchors(self) -> Mapping[str, Anchor]:
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
        parts = read_dump(path, progress=progress, everything=rules == "paper")
        site = next(parts)
        dump = chain([site], parts)
        reader: Reader = PaperReader(dump, name) if rules == "paper" else FixedReader(Wiki(dump), name)
        statements = _by_kind(reader.statements())
        anchors = reader.anchors()
    source = InputFile(path.name, path.stat().st_size, sha256_file(path))
    return Draft(statements, anchors, tuple(reader.diagnostics), (source,), _about(site))


def _by_kind(statements: Iterable[Statement | StatementDraft]) -> DiskList[Statement]:
    """Write statements down, theorems before definitions before others."""
    kinds = bytearray()

    def noted() -> Iterator[Statement | StatementDraft]:
        for statement in statements:
            kinds.append(KINDS.index(statement.kind))
            yield statement

    return DiskList(Statement, noted(), key=kinds.__getitem__)


def _about(site: Site | Page) -> dict[str, str]:
    """What is known of another wiki in the same conventions: its name, and that its terms are its own."""
    name = site.name if isinstance(site, Site) else ""
    if not name or name == "ProofWiki":
        return {}
    return {"title": name, "authors": f"The contributors of {name}", "licence": "", "url": "", "citation": ""}
