"""Collect: read projects into a collection, resume where it stopped, and report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from naturalproofs.collection.indexing import update_indexes, with_vectors
from naturalproofs.collection.projects import ProjectSource, find_projects
from naturalproofs.collection.read import Limits, ReadProject, ReadTask
from naturalproofs.collection.schemas import DUPLICATES, PROJECTS
from naturalproofs.collection.tables import TERMS, Writer, writing
from naturalproofs.io.names import path_of
from naturalproofs.progress import Progress, silent

Runner: TypeAlias = Callable[[Iterable[ReadTask]], Iterator[ReadProject]]
"""Reads projects somewhere: in worker processes, on a cluster."""
ROWS = 50_000
"""Statements after which a commit is made."""
PROJECTS_AT_ONCE = 2_000
"""Projects after which a commit is made."""


@dataclass(slots=True)
class CollectReport:
    """What became of the projects."""

    read: int = 0
    unchanged: int = 0
    empty: int = 0
    failed: int = 0
    statements: int = 0
    """In the collection, after all."""
    edges: int = 0
    duplicates: int = 0
    """Statements whose text stands in an earlier project too."""
    seconds: float = 0.0
    """Of processor time for reading."""
    problems: dict[str, str] = field(default_factory=dict)
    """Why a project was not read, by its name."""


def collect(
    sources: Sequence[Path],
    address: str | Path,
    run: Runner,
    *,
    limits: Limits | None = None,
    retry: bool = False,
    index: bool = True,
    progress: Progress = silent,
) -> CollectReport:
    """Read the projects of some sources into a collection.

    Projects that have not changed since they were read, or since they failed, are skipped. Other projects of the
    collection stay as they are.

    Args:
        sources: Projects, archives, and folders of them.
        address: The collection, which is made if it is not there.
        run: Reads projects somewhere.
        limits: What one project may use.
        retry: Whether to read projects again that failed before.
        index: Whether to bring the indexes up to date afterwards.
        progress: Called with the number of projects done, and their rate.
    """
    found = sorted(find_projects(sources), key=_reading_order)
    report = CollectReport()
    with writing(address) as writer:
        known = _known_hashes(writer, retry=retry)
        tasks = (ReadTask(one, known.get(one.name, ""), limits or Limits()) for one in found)
        batch = _Batch(writer, known)
        began = time.monotonic()
        for done, project in enumerate(run(tasks), start=1):
            _count(report, project)
            batch.add(project)
            progress(done, len(found), _rate(done, report, time.monotonic() - began))
        batch.write()
        if batch.changed:
            mark_duplicates(writer)
        if index and (batch.changed or TERMS not in writer.tables):
            update_indexes(writer, progress)
        writer.commit()
        report.statements, report.edges, report.duplicates = (
            writer.tables[name].count_rows() for name in ("statements", "edges", "duplicates")
        )
    return report


def _reading_order(project: ProjectSource) -> tuple[int, int]:
    """Folders, then archives with the largest first: a large project that is read last leaves other workers idle.

    Entries of a bulk archive keep their order, so that it is read from front to back.
    """
    if project.size:
        return 2, 0
    path = path_of(project.path)
    return (0, 0) if path.is_dir() else (1, -path.stat().st_size)


def _known_hashes(writer: Writer, *, retry: bool) -> dict[str, str]:
    rows = writer.tables["projects"].to_table(columns=["name", "hash", "status"]).to_pylist()
    return {row["name"]: "" if retry and row["status"] == "failed" else row["hash"] for row in rows}


def _count(report: CollectReport, project: ReadProject) -> None:
    setattr(report, project.status, getattr(report, project.status) + 1)
    report.seconds += project.seconds
    report.statements += project.statements.num_rows
    if project.message:
        report.problems[project.source.name] = project.message


def _rate(done: int, report: CollectReport, seconds: float) -> str:
    rate = done / seconds if seconds else 0.0
    failed = f", {report.failed:,} failed" if report.failed else ""
    return f"{done:,} projects, {rate:.1f} a second, {report.statements:,} statements{failed}"


@dataclass(slots=True)
class _Batch:
    """Projects that were read and are not committed yet."""

    writer: Writer
    known: dict[str, str]
    """Projects that are in the collection, with their hashes."""
    projects: list[ReadProject] = field(default_factory=list)
    rows: int = 0
    changed: bool = False

    def add(self, project: ReadProject) -> None:
        """Keep a project, and commit when there are enough."""
        if project.status == "unchanged":
            return
        self.projects.append(project)
        self.rows += project.statements.num_rows
        if self.rows >= ROWS or len(self.projects) >= PROJECTS_AT_ONCE:
            self.write()

    def write(self) -> None:
        """Replace the projects in the tables, and commit."""
        if not self.projects:
            return
        names = [one.source.name for one in self.projects]
        replaced = [name for name in names if name in self.known]
        for table, column in (("statements", "project"), ("edges", "project"), ("projects", "name")):
            self.writer.delete(table, column, replaced)
        statements = pa.concat_tables([one.statements for one in self.projects])
        self.writer.append("statements", with_vectors(self.writer, statements))
        self.writer.append("edges", pa.concat_tables([one.edges for one in self.projects]))
        self.writer.append("projects", pa.Table.from_pylist([_row(one) for one in self.projects], PROJECTS))
        self.writer.commit()
        self.known.update({one.source.name: one.hash for one in self.projects})
        self.projects, self.rows, self.changed = [], 0, True


def _row(project: ReadProject) -> dict[str, Any]:
    source: ProjectSource = project.source
    return {
        "name": source.name, "path": source.path, "hash": project.hash, "status": project.status,
        "message": project.message, "seconds": project.seconds, "statements": project.statements.num_rows,
        "edges": project.edges.num_rows, "title": project.title, "licence": project.licence,
    }  # fmt: skip


def mark_duplicates(writer: Writer) -> None:
    """List the statements whose text stands in another project too, the one in the first project by name excepted."""
    rows = writer.tables["statements"].to_table(columns=["fingerprint", "project"])
    prints = rows["fingerprint"].to_numpy()
    projects, names = _codes(rows["project"])
    # By text, then by the name of the project, then in order: the first of a group is the original.
    order = np.lexsort((np.arange(len(prints)), projects, prints))
    prints, projects = prints[order], projects[order]
    starts = np.flatnonzero(np.concatenate([[True], prints[1:] != prints[:-1]])) if len(prints) else np.zeros(0, int)
    group = np.repeat(np.arange(len(starts)), np.diff([*starts, len(prints)]))
    repeated = np.flatnonzero(projects != projects[starts][group])
    keys = writer.tables["statements"]
    wanted = np.stack([order[repeated], order[starts[group[repeated]]]]) if len(repeated) else np.zeros((2, 0), int)
    ids = [keys.take(part.tolist(), columns=["id"])["id"].to_pylist() if len(part) else [] for part in wanted]
    found = {"id": ids[0], "project": [names[at] for at in projects[repeated].tolist()], "first": ids[1]}
    writer.overwrite("duplicates", pa.table(found, DUPLICATES))


def _codes(column: pa.ChunkedArray) -> tuple[np.ndarray[Any, Any], list[str]]:
    """The rank of each value among the sorted distinct ones, and these."""
    encoded = column.combine_chunks().dictionary_encode()
    names: list[str] = encoded.dictionary.to_pylist()
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(np.array(names, dtype=object), kind="stable")] = np.arange(len(names))
    return rank[encoded.indices.to_numpy()], sorted(names)
