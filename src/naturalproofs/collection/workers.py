"""Worker processes on this machine that read projects.

The parent knows which project each worker reads. A worker that dies, whatever kills it, loses nothing: its project is
read again by another one, and a project that has ended several workers is reported. Workers are replaced after a number
of projects, so that memory which a library does not give back cannot grow.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from naturalproofs.collection.read import ReadProject, ReadTask, read_in_worker

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
    again: deque[_Attempt] = deque()
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
                    attempt = worker.attempt
                    if attempt.number < ATTEMPTS:
                        again.append(_Attempt(attempt.task, attempt.number + 1))
                    else:
                        yield _given_up(attempt, worker.process)
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


@dataclass(frozen=True, slots=True)
class _Attempt:
    task: ReadTask
    number: int = 1


def _next(again: deque[_Attempt], waiting: Iterator[ReadTask]) -> _Attempt | None:
    if again:
        return again.popleft()
    task = next(waiting, None)
    return _Attempt(task) if task is not None else None


def _given_up(attempt: _Attempt, process: BaseProcess) -> ReadProject:
    process.join()
    code = process.exitcode or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    message = f"the process that read it ended {ATTEMPTS} times, the last time by {how}; memory may be too small"
    return ReadProject(attempt.task.source, "failed", "", message)


class _Worker:
    """A process that reads one project at a time."""

    attempt: _Attempt

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

    def give(self, attempt: _Attempt) -> _Worker:
        """Let it read a project; a process that has died meanwhile shows it in `take`."""
        self.attempt, self._left = attempt, self._left - 1
        with suppress(OSError):
            self.connection.send(attempt.task)
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
