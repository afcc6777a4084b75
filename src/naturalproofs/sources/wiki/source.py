"""The ProofWiki source: reads a dump into a draft by either set of rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import sha256_file
from naturalproofs.io.listing import name_of
from naturalproofs.io.memory import DiskList, collector_paused
from naturalproofs.progress import Progress, silent
from naturalproofs.records import KINDS, Draft, InputFile, Rules, Statement
from naturalproofs.sources.registry import SourceInfo, source_info
from naturalproofs.sources.wiki.dump import Site, read_dump
from naturalproofs.sources.wiki.fixed import FixedReader
from naturalproofs.sources.wiki.paper import PaperReader
from naturalproofs.sources.wiki.wiki import Wiki


def read_proofwiki(
    path: Path, *, rules: Rules = "fixed", name: str = "proofwiki", progress: Progress = silent
) -> Draft:
    """Read a MediaWiki export written in ProofWiki's conventions.

    Args:
        path: The dump: XML, plain or packed as .gz, .bz2 or .xz.
        rules: ``fixed`` reads what the authors meant; ``paper`` reproduces the published data set.
        name: The name of the corpus, which is the prefix of statement ids.
        progress: Called with the bytes of the file read so far and in total.

    Raises:
        SourceNotFound: The path is not a file.
        BadSchema: The file is not an export, or is truncated, damaged or hostile.
    """
    if path.is_dir():
        raise SourceNotFound(f"{path}: is a folder; give the path of the dump itself, such as {path / 'latest.xml.gz'}")
    with collector_paused():
        site, pages = read_dump(path, progress=progress, everything=rules == "paper")
        reader = PaperReader(pages, name) if rules == "paper" else FixedReader(Wiki(site, pages), name)
        statements = _by_kind(reader.statements())
        anchors = reader.anchors()
    source = InputFile(name_of(path.name), path.stat().st_size, sha256_file(path))
    return Draft(statements, anchors, tuple(reader.diagnostics), (source,), _about(site))


def _by_kind(statements: Iterable[Statement]) -> DiskList[Statement]:
    """Write statements to disk, theorems before definitions before others."""
    kinds = bytearray()

    def with_kinds() -> Iterator[Statement]:
        for statement in statements:
            kinds.append(KINDS.index(statement.kind))
            yield statement

    return DiskList(Statement, with_kinds(), key=kinds.__getitem__)


def _about(site: Site) -> dict[str, str]:
    """Provenance of another wiki with the same conventions: its name; its licence is not known."""
    name = site.name
    if not name or name == "ProofWiki":
        return {}
    return {"title": name, "authors": f"The contributors of {name}", "licence": "", "url": "", "citation": ""}


@dataclass(frozen=True, slots=True)
class ProofWiki:
    """A MediaWiki export of ProofWiki, or of a wiki written in its conventions."""

    info: SourceInfo

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read a dump."""
        return read_proofwiki(path, rules=rules, name=name, progress=progress)


PROOFWIKI = ProofWiki(source_info("proofwiki"))
