"""The life of a collection: what is in it, removing projects, and maintenance of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import starmap
from pathlib import Path
from typing import Any

from naturalproofs.apps.collections.collect import delete_projects, finish
from naturalproofs.apps.collections.indexing import Spread
from naturalproofs.apps.collections.tables import TAG, Collection, Writer, lance_errors, writing
from naturalproofs.errors import CollectionDamaged, UnknownName
from naturalproofs.io.listing import name_of
from naturalproofs.progress import Progress, silent

KEPT = timedelta(hours=1)
"""How long versions that are not the last commit are kept for those who still read them."""
NAMED = 3
"""Projects that a message names."""


@dataclass(frozen=True, slots=True)
class CollectionStatus:
    """What is in a collection."""

    commit: int
    finished: bool
    """Whether indexes and duplicates are up to date; if not, the next `collect` brings them."""
    statements: int
    references: int
    links: int
    """References from a statement of one project to one of another."""
    duplicates: int
    parts: int
    """Pieces of the table of statements; maintenance makes one of many."""
    projects: dict[str, int]
    """How many there are by what became of them."""
    problems: dict[str, str]
    """Why a project was not read, by its name."""


def collection_status(address: str | Path) -> CollectionStatus:
    """What the last commit holds."""
    collection = Collection.open(address)
    with lance_errors(collection.address):
        rows = collection.table("projects").to_table(columns=["name", "status", "message"]).to_pylist()
        return CollectionStatus(
            commit=collection.versions.number,
            finished=collection.versions.finished,
            statements=collection.count(),
            references=collection.count("edges"),
            links=collection.count("links"),
            duplicates=collection.count("duplicates"),
            parts=len(collection.table("statements").get_fragments()),
            projects=dict(Counter(row["status"] for row in rows)),
            problems={row["name"]: row["message"] for row in rows if row["status"] == "failed"},
        )


def remove_projects(address: str | Path, sources: Sequence[str], progress: Progress = silent) -> list[str]:
    """Remove projects, and give their names.

    Args:
        address: The collection.
        sources: Names of projects, or paths: where a project is or was, or a folder or bulk archive above it.
        progress: Called while indexes are brought up to date.
    """
    Collection.open(address)
    with writing(address) as writer:
        rows = writer.tables["projects"].to_table(columns=["name", "path"]).to_pylist()
        chosen: set[str] = set()
        for source in sources:
            place = name_of(Path(source).resolve())
            found = [
                row["name"]
                for row in rows
                if source == row["name"] or place == row["path"] or row["path"].startswith(f"{place}/")
            ]
            if not found:
                raise UnknownName(f"{source}: the collection {address} has no project of this name or from this path")
            chosen.update(found)
        delete_projects(writer, sorted(chosen))
        writer.finished = False
        finish(writer, progress=progress)
    return sorted(chosen)


def maintain(address: str | Path, progress: Progress = silent, spread: Spread = starmap) -> int:
    """Check the tables, join their pieces, build the indexes again and remove old versions; gives the bytes removed.

    The last commit is kept, and for an hour what was replaced.
    """
    Collection.open(address)
    with writing(address) as writer:
        verify(writer)
        for name in writer.tables:
            with writer.rows_kept(name, moved=True) as table:
                # Lance does not join pieces that are in different parts of an index.
                for index in table.describe_indices():
                    table.drop_index(index.name)
                table.optimize.compact_files()
        finish(writer, rebuild=True, progress=progress, spread=spread)
        # On a disk nobody else is writing, so that what belongs to no version is left over from a killed writer.
        alone = "://" not in writer.address
        return sum(_clean(table, alone) for table in (*writer.tables.values(), writer.commits))


def verify(writer: Writer) -> None:
    """Read all rows, and compare their number with what was read from each project."""
    rows = writer.tables["projects"].to_table().to_pylist()
    for name in ("statements", "edges", "citations"):
        counts: Counter[str] = Counter()
        for batch in writer.tables[name].to_batches():
            counts.update(batch["project"].to_pylist())
        expected = {row["name"]: row[name] for row in rows if row[name]}
        wrong = sorted(one for one in counts.keys() | expected.keys() if counts[one] != expected.get(one, 0))
        if wrong:
            shown = ", ".join(wrong[:NAMED]) + (" …" if len(wrong) > NAMED else "")
            raise CollectionDamaged(
                f"{writer.address}: rows are missing from the table {name!r} or too many, in {shown}; "
                "remove these projects with --remove and collect them again"
            )


def _clean(table: Any, alone: bool) -> int:
    """Remove the versions of a table before this one, if they are old enough, and files of none if nobody writes."""
    for tag, found in table.tags.list().items():
        if tag.startswith(TAG) and found["version"] < table.version:
            table.tags.delete(tag)
    done = table.cleanup_old_versions(KEPT, delete_unverified=alone, error_if_tagged_old_versions=False)
    return int(done.bytes_removed)
