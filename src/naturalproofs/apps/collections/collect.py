"""Collect: read projects into a collection, resume where it stopped, and report."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, starmap
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from naturalproofs.apps.collections.indexing import Spread, update_indexes, with_vectors, word_counts
from naturalproofs.apps.collections.papers import arxiv_id, link_papers, read_about, unversioned
from naturalproofs.apps.collections.read import (
    Limits,
    ProjectSource,
    ReadProject,
    ReadTask,
    Rows,
    find_projects,
    named,
    project_stamp,
    read_in_worker,
)
from naturalproofs.apps.collections.tables import (
    DUPLICATES,
    PROJECTS,
    TERMS,
    Collection,
    Versions,
    Writer,
    fragments,
    writing,
)
from naturalproofs.io.cluster import RETRIES, cluster_failed, connect
from naturalproofs.io.listing import path_of
from naturalproofs.progress import Progress, silent

Runner: TypeAlias = Callable[[Iterable[ReadTask]], Iterator[ReadProject]]
"""Reads projects somewhere: in worker processes, on a cluster."""
ROWS = 50_000
"""Statements after which a commit is made."""
PART = 10_000
"""Statements, about, that one worker writes of them."""
PROJECTS_AT_ONCE = 2_000
"""Projects after which a commit is made."""
SECONDS = 600.0
"""Time after which a commit is made."""


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
    links: int = 0
    """References from a statement of one project to one of another."""
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
    about: Path | None = None,
    progress: Progress = silent,
    spread: Spread = starmap,
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
        about: A file that says who wrote them and when, see `papers.read_about`.
        progress: Called with the number of projects done, and their rate.
        spread: Applies a function to arguments somewhere: writes rows, and builds indexes.
    """
    sought = list(find_projects(sources))
    report = CollectReport()
    with writing(address) as writer:
        known = {row["name"]: row for row in writer.tables["projects"].to_table().to_pylist()}
        found = sorted(named(sought, {name: row["path"] for name, row in known.items()}), key=_reading_order)
        if about is not None:
            found = _described(found, about)
        batch = _Batch(writer, known, spread)
        began, done = time.monotonic(), 0

        def tell(project: ReadProject) -> None:
            nonlocal done
            done += 1
            _count(report, project, known.get(project.source.name, {}))
            progress(done, len(found), _rate(done, report, time.monotonic() - began))

        def tasks() -> Iterator[ReadTask]:
            for one in found:
                source, row = replace(one, stamp=project_stamp(one)), known.get(one.former or one.name, {})
                again = retry and row.get("status") == "failed"
                same = row.get("hash") and (row["path"], row["stamp"]) == (source.place, source.stamp)
                if same and not again:
                    tell(ReadProject(source, "unchanged"))
                else:
                    yield ReadTask(source, "" if again else row.get("hash", ""), limits or Limits())

        try:
            for project in run(tasks()):
                tell(project)
                batch.add(project)
        finally:
            # Also when it is interrupted: what was read is not read again.
            batch.write()
        finish(writer, progress=progress, spread=spread)
        for name in ("statements", "edges", "links", "duplicates"):
            setattr(report, name, writer.tables[name].count_rows())
    return report


def _described(projects: Sequence[ProjectSource], about: Path) -> list[ProjectSource]:
    """Projects with what a file says of them, by their names or arXiv ids."""
    ids = (unversioned(arxiv_id(one.name.rpartition("/")[2])) for one in projects)
    keys = [(one.name, key.removeprefix("arxiv:")) for one, key in zip(projects, ids, strict=True)]
    works = read_about(about, {key for each in keys for key in each})
    return [
        replace(one, about=works.get(name) or works.get(key)) for one, (name, key) in zip(projects, keys, strict=True)
    ]


def finish(writer: Writer, *, rebuild: bool = False, progress: Progress = silent, spread: Spread = starmap) -> None:
    """Bring duplicates and indexes up to date with the statements, or build all indexes again, and commit."""
    if not writer.finished:
        mark_duplicates(writer)
        link_papers(writer)
    if rebuild or not writer.finished or TERMS not in writer.tables:
        update_indexes(writer, progress, rebuild=rebuild, spread=spread)
    writer.finished = True
    writer.commit()


def _reading_order(project: ProjectSource) -> tuple[int, int]:
    """Folders, then archives with the largest first: a large project that is read last leaves other workers idle.

    Entries of a bulk archive keep their order, so that it is read from front to back.
    """
    if project.size:
        return 2, 0
    path = path_of(project.path)
    return (0, 0) if path.is_dir() else (1, -path.stat().st_size)


def _count(report: CollectReport, project: ReadProject, known: Mapping[str, Any]) -> None:
    """Count a project; one that failed before and has not changed is still one that fails."""
    failed = project.status == "unchanged" and known["status"] == "failed"
    status, message = ("failed", known["message"]) if failed else (project.status, project.message)
    setattr(report, status, getattr(report, status) + 1)
    report.seconds += project.seconds
    report.statements += project.sizes.get("statements", 0)
    if message:
        report.problems[project.source.name] = message


def _rate(done: int, report: CollectReport, seconds: float) -> str:
    rate = done / seconds if seconds else 0.0
    failed = f", {report.failed:,} failed" if report.failed else ""
    return f"{done:,} projects, {rate:.1f} a second, {report.statements:,} statements{failed}"


@dataclass(slots=True)
class _Batch:
    """Projects that were read and are not committed yet."""

    writer: Writer
    known: dict[str, dict[str, Any]]
    """The rows of the projects that are in the collection."""
    spread: Spread = starmap
    projects: list[ReadProject] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    """Rows of projects whose statements stay: found elsewhere or with newer times, or not readable any more."""
    rows: int = 0
    since: float = field(default_factory=time.monotonic)
    """When the last commit was made."""

    def add(self, project: ReadProject) -> None:
        """Keep a project, and commit when there are enough."""
        source, before = project.source, self.known.get(project.source.name, {})
        if project.status == "unchanged":
            self.seen.append(before | {"path": source.place, "stamp": source.stamp})
            return
        if project.status == "failed" and before.get("statements"):
            # What was read before stays until the project can be read again.
            failure = {"status": "failed", "message": project.message, "hash": project.hash, "stamp": source.stamp}
            self.seen.append(before | failure)
            return
        self.projects.append(project)
        self.rows += project.sizes.get("statements", 0)
        late = time.monotonic() - self.since >= SECONDS
        if self.rows >= ROWS or len(self.projects) >= PROJECTS_AT_ONCE or late:
            self.write()

    def write(self) -> None:
        """Replace the projects in the tables, and commit."""
        projects, seen, self.projects, self.seen, self.rows = self.projects, self.seen, [], [], 0
        if not projects and not seen:
            return
        made = [_row(one) for one in projects]
        delete_projects(self.writer, [row["name"] for row in made if row["name"] in self.known])
        self.writer.delete("projects", "name", [row["name"] for row in seen])
        self.writer.append("projects", pa.Table.from_pylist([*made, *seen], PROJECTS))
        self.known.update({row["name"]: row for row in made})
        if projects:
            self._add(projects)
        self.writer.commit()
        self.since = time.monotonic()

    def _add(self, projects: Sequence[ReadProject]) -> None:
        """Let workers write the rows, and add what they have written to each table at once."""
        parts: dict[int, list[Any]] = {}
        before = 0
        for one in projects:
            if one.sizes:
                parts.setdefault(before // PART, []).append(one.rows)
                before += one.sizes["statements"]
        collection, added = self.writer.written, dict[str, list[Any]]()
        places = (collection.address, collection.versions)
        for written in self.spread(write_part, [(*places, *rows) for rows in parts.values()]):
            for name, some in written.items():
                added.setdefault(name, []).extend(some)
        for name, some in added.items():
            self.writer.extend(name, some)
        self.writer.finished = False


def write_part(address: str, versions: Versions, *rows: Rows) -> dict[str, list[Any]]:
    """Write the rows of some projects as fragments for each table, which no version of it has yet."""
    collection = Collection(address, versions)
    tables = {name: pa.concat_tables(some) for name, some in zip(Rows._fields, zip(*rows, strict=True), strict=True)}
    tables["words"] = word_counts(tables["statements"])
    tables["statements"] = with_vectors(collection, tables["statements"])
    return {name: fragments(table, collection.table(name)) for name, table in tables.items()}


def delete_projects(writer: Writer, names: Sequence[str]) -> None:
    """Delete the rows of some projects."""
    for table in ("statements", "edges", "words", "citations", "macros"):
        writer.delete(table, "project", names)
    writer.delete("projects", "name", names)


def _row(project: ReadProject) -> dict[str, Any]:
    source, about = project.source, project.about
    return {
        "name": source.name, "path": source.place, "stamp": source.stamp, "hash": project.hash,
        "status": project.status, "message": project.message, "seconds": project.seconds,
        **{name: project.sizes.get(name, 0) for name in ("statements", "edges", "citations")},
        "title": about.title, "authors": list(about.authors), "year": about.year, "subjects": list(about.subjects),
        "licence": about.licence, "ids": list(about.ids),
    }  # fmt: skip


def mark_duplicates(writer: Writer) -> None:
    """List the statements whose text stands in another project too, the one in the first project by name excepted."""
    table = writer.tables["statements"]
    rows = table.to_table(columns=["fingerprint", "project"])
    rows = rows.append_column("row", pa.array(np.arange(len(rows))))
    # By text, then by the name of the project, then in order: the first of a group is the original.
    rows = rows.sort_by([(name, "ascending") for name in ("fingerprint", "project", "row")])
    prints = rows["fingerprint"].to_numpy()
    starts = np.flatnonzero(np.diff(prints, prepend=prints[:1] + 1))
    firsts = rows.take(np.repeat(starts, np.diff([*starts, len(prints)])))
    other = pc.not_equal(rows["project"], firsts["project"])
    ids = [table.take(part["row"].to_pylist(), columns=["id"])["id"] if len(part) else pa.array([], pa.string())
           for part in (rows.filter(other), firsts.filter(other))]  # fmt: skip
    found = {"id": ids[0], "project": rows["project"].filter(other), "first": ids[1]}
    writer.overwrite("duplicates", pa.table(found, DUPLICATES))


# Worker processes on this machine that read projects.

ATTEMPTS = 3
"""Workers that a project may end before it is given up."""
RECYCLED = 500
"""Projects that one worker process reads."""


def read_locally(tasks: Iterable[ReadTask], workers: int, recycled: int = RECYCLED) -> Iterator[ReadProject]:
    """Read projects with worker processes; results come in the order in which they are ready.

    Args:
        tasks: The projects; they are taken from here when a worker is free.
        workers: How many processes.
        recycled: How many projects a process reads before another one takes its place.
    """
    waiting = iter(tasks)
    again: deque[tuple[ReadTask, int]] = deque()
    pool: list[_Worker] = []
    try:
        while True:
            while len(pool) < workers and (attempt := _next(again, waiting)) is not None:
                pool.append(_Worker(recycled).give(attempt))
            if not pool:
                return
            ready = wait([worker.connection for worker in pool])
            for worker in [one for one in pool if one.connection in ready]:
                found = worker.take()
                if found is None:
                    pool.remove(worker)
                    task, number = worker.attempt
                    if number < ATTEMPTS:
                        again.append((task, number + 1))
                    else:
                        yield _given_up(task, worker.process)
                    continue
                following = None if worker.is_used_up else _next(again, waiting)
                if following is None:
                    pool.remove(worker)
                    worker.stop()
                else:
                    worker.give(following)
                yield found
    finally:
        for worker in pool:
            worker.stop(now=True)


def _next(again: deque[tuple[ReadTask, int]], waiting: Iterator[ReadTask]) -> tuple[ReadTask, int] | None:
    """A project, and how often it was given to a worker, with this time."""
    return again.popleft() if again else next(((task, 1) for task in waiting), None)


def _given_up(task: ReadTask, process: BaseProcess) -> ReadProject:
    process.join()
    code = process.exitcode or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    message = f"the process that read it ended {ATTEMPTS} times, the last time by {how}; memory may be too small"
    return ReadProject(task.source, "failed", "", message)


class _Worker:
    """A process that reads one project at a time."""

    attempt: tuple[ReadTask, int]

    def __init__(self, recycled: int) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self._left = recycled

    @property
    def is_used_up(self) -> bool:
        """Whether it has read as many projects as it may."""
        return self._left <= 0

    def give(self, attempt: tuple[ReadTask, int]) -> _Worker:
        """Let it read a project; a process that has died meanwhile shows it in `take`."""
        self.attempt, self._left = attempt, self._left - 1
        with suppress(OSError):
            self.connection.send(attempt[0])
        return self

    def take(self) -> ReadProject | None:
        """What it has read; None if it has died."""
        try:
            found: ReadProject = self.connection.recv()
        except (EOFError, OSError):
            return None
        return found

    def stop(self, *, now: bool = False) -> None:
        """End the process."""
        self.connection.close()
        if now:
            self.process.kill()
        self.process.join()


def _work(connection: Connection) -> None:
    """Read projects until the parent closes the connection or ends."""
    # Ctrl-C reaches all processes of a terminal; the parent ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            connection.send(read_in_worker(connection.recv()))


# Reading on a Ray cluster: the same tasks as with worker processes, on as many machines as the cluster has.

AHEAD = 4
"""Tasks that are handed to the cluster for each of its cores."""


def read_on_cluster(tasks: Iterable[ReadTask], address: str) -> Iterator[ReadProject]:
    """Read projects on a cluster; results come in the order in which they are ready, and their rows stay there."""
    ray, read = connect(address), read_in_worker

    def read_apart(task: ReadTask) -> tuple[ReadProject, Rows]:
        found = read(task)
        return replace(found, rows=None), found.rows

    run = ray.remote(num_cpus=1, max_retries=RETRIES, max_calls=RECYCLED, num_returns=2)(read_apart)
    waiting = iter(tasks)
    running: dict[Any, tuple[ReadTask, Any]] = {}
    while True:
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        for task in islice(waiting, max(0, most - len(running))):
            found, rows = run.remote(task)
            running[found] = task, rows
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            task, rows = running.pop(reference)
            try:
                yield replace(ray.get(reference), rows=rows)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
                message = f"its worker on the cluster ended {RETRIES + 1} times ({type(error).__name__})"
                yield ReadProject(task.source, "failed", "", message)
            except ray.exceptions.RayError as error:
                raise cluster_failed(address, error) from error
