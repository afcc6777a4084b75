"""Worker processes: started together, restarted when they end, stopped together.

A worker is never killed for being slow: on a busy machine a new worker may take long to load its corpora. Only the end
of its process leads to a restart. A worker that ends before it was ready is restarted after a growing delay.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Protocol

LONGEST_DELAY = 60.0
"""Seconds between two starts of a worker that never becomes ready."""

log = logging.getLogger("naturalproofs.web")


class Worker(Protocol):
    """A process that serves."""

    @property
    def sentinel(self) -> int:
        """A handle that becomes readable when the process ends."""

    def is_alive(self) -> bool:
        """Whether the process runs."""

    def is_ready(self) -> bool:
        """Whether it has begun to serve."""

    def terminate(self) -> None:
        """Ask it to finish its answers and end."""

    def kill(self) -> None:
        """End it at once."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""


@dataclass(slots=True)
class _Slot:
    """One of the workers, or the time of its next start."""

    worker: Worker | None = None
    failures: int = 0
    start_at: float = 0.0


class Supervisor:
    """Keeps a number of workers running."""

    def __init__(self, start: Callable[[], Worker], count: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Bind the function that starts a worker; `check` or `run` starts the first ones."""
        self._start, self._clock = start, clock
        self._slots = [_Slot() for _ in range(count)]

    @property
    def workers(self) -> list[Worker]:
        """The workers that were started and have not been replaced yet."""
        return [slot.worker for slot in self._slots if slot.worker is not None]

    def run(self, stop: Connection, seconds: float) -> None:
        """Supervise until something arrives at `stop`; then give answers under way `seconds` to finish."""
        while not stop.poll():
            delay = self.check()
            wait([stop, *(worker.sentinel for worker in self.workers)], delay)
        self.stop(seconds)

    def check(self) -> float | None:
        """Replace workers that ended; the seconds until a delayed start is due, if there is one."""
        now = self._clock()
        for slot in self._slots:
            if slot.worker is not None:
                if slot.worker.is_alive():
                    continue
                slot.failures = 0 if slot.worker.is_ready() else slot.failures + 1
                delay = min(2.0 ** (slot.failures - 1), LONGEST_DELAY) if slot.failures else 0.0
                log.warning("a worker ended; another one starts%s", f" in {delay:g} s" if delay else "")
                slot.worker, slot.start_at = None, now + delay
            if slot.start_at <= now:
                slot.worker = self._start()
        return min((slot.start_at - now for slot in self._slots if slot.worker is None), default=None)

    def stop(self, seconds: float) -> None:
        """Terminate all workers; kill those that have not ended in time."""
        end = self._clock() + seconds
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.join(max(0.0, end - self._clock()))
            if worker.is_alive():
                worker.kill()
                worker.join()
