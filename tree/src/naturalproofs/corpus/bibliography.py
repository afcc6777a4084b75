"""The bibliography of a corpus, and who uses which result of another work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import source_encoding, source_files, source_text
from naturalproofs.io.files import current_bytes
from naturalproofs.io.listing import lies_in, path_of, written_paths
from naturalproofs.records import SOURCES, BibliographyEntry, Statement, StatementId
from naturalproofs.sources.latex import OutsideReference, find_outside, read_bib, read_items, resource_names
from naturalproofs.sources.reading.text_files import decode

Part: TypeAlias = Literal["title", "note", "statement", "proof"]
_LARGEST = 50_000_000
"""Longer files are not read."""


class OutsideUse(NamedTuple):
    """A statement that uses a result of another work."""

    statement: StatementId
    part: Part
    """Where the citation stands."""
    cited: OutsideReference


def outside_uses(statement: Statement) -> Iterator[OutsideUse]:
    """What a statement and its proofs use of other works, in order and with repeats."""
    parts: list[tuple[Part, str]] = [
        *(("title" if note.kind == SOURCES else "note", "\n".join(note.lines)) for note in statement.notes),
        ("statement", statement.text),
        *(("proof", proof.text) for proof in statement.proofs),
    ]
    for part, text in parts:
        for cited in find_outside(text):
            yield OutsideUse(statement.id, part, cited)


@dataclass(frozen=True, slots=True)
class OutsideCounts:
    """How much a corpus uses of other works."""

    works: int
    results: int
    """Results with a place, each once."""
    uses: int
    statements: int
    """Statements that use something."""


_SINGLE_FILES = frozenset({"proofwiki", "naturalproofs-json"})
"""Sources that are one big file, which lists no bibliography and is not read into memory for one."""


def outside_counts(uses: Iterable[OutsideUse]) -> OutsideCounts:
    """Count works, results and uses."""
    found = list(uses)
    results = Counter((use.cited.key, use.cited.place) for use in found)
    return OutsideCounts(
        len({key for key, _ in results}),
        sum(bool(place) for _, place in results),
        len(found),
        len({use.statement for use in found}),
    )


def bibliography(corpus: Corpus) -> tuple[BibliographyEntry, ...]:
    """The entries that a corpus was stored with, or all that its source lists."""
    if corpus.works or corpus.root is None or corpus.provenance.source in _SINGLE_FILES:
        return corpus.works
    files = source_files(corpus)
    entries: dict[str, BibliographyEntry] = {}
    names: set[str] = set()
    encoding = source_encoding(corpus)
    for source in (source_text(file, encoding) for file in files):
        names.update(resource_names(source))
        if "\\bibitem" in source:
            entries |= {entry.key: entry for entry in read_items(source)}
    folders = resource_folders(corpus.root, (file.path for file in corpus.inputs))
    for name in sorted(names):
        text = read_resource(corpus.root, folders, name, encoding)
        entries |= {entry.key: entry for entry in read_bib(text or "")}
    if names and not entries:
        made = (file.with_suffix(".bbl") for file in files if _is_readable(file.with_suffix(".bbl"), corpus.root))
        entries = {entry.key: entry for file in made for entry in read_items(source_text(file, encoding))}
    return tuple(entries.values())


def cited_entries(corpus: Corpus) -> tuple[BibliographyEntry, ...]:
    """The entries that statements or proofs cite."""
    entries = bibliography(corpus)
    if not entries:
        return ()
    used = {use.cited.key for statement in corpus.statements for use in outside_uses(statement)}
    return tuple(entry for entry in entries if entry.key in used)


def resource_folders(root: Path, paths: Iterable[str]) -> Sequence[Path]:
    """The folders in which files of entries are looked for: that of the project, and those of its files."""
    base = root.resolve()
    return list(dict.fromkeys([base, *((base / path_of(path)).parent for path in paths)]))


def read_resource(root: Path, folders: Iterable[Path], name: str, encoding: str = "") -> str | None:
    """The text of a file of entries; None if it is not in the project."""
    if "\\" in name or "#" in name:
        return None
    for folder in folders:
        for file in (folder / path for one in (name, f"{name}.bib") for path in written_paths(one, encoding)):
            if file.suffix == ".bib" and _is_readable(file, root):
                return decode(current_bytes(file), encoding).text or ""
    return None


def _is_readable(file: Path, root: Path) -> bool:
    try:
        return lies_in(file, root) and file.is_file() and file.stat().st_size <= _LARGEST
    except (OSError, ValueError):
        return False
