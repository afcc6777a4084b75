"""The limits of requests, and the queue that enforces those on concurrency and time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio
import anyio.to_thread

from naturalproofs.web.errors import RequestError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request may cost."""

    body: int = 64 * 1024
    """Bytes of a body."""
    address: int = 16 * 1024
    """Bytes of a URL with its query."""
    headers: int = 100
    """Header fields of a request."""
    header_bytes: int = 32 * 1024
    """Bytes of all header fields together."""
    text: int = 20_000
    """Characters of a theorem."""
    query: int = 500
    """Characters of a search."""
    k: int = 100
    """Items in one list."""
    nodes: int = 60
    """Statements in one drawing."""
    path: int = 500
    """Steps of a reading path."""
    names: int = 50
    """Statements, corpora or other names that one request may list."""
    seconds: float = 15.0
    """Time for an answer, waiting included."""
    long_seconds: float = 90.0
    """The same for what is computed once: statistics and the drawing of a whole corpus."""
    head_seconds: float = 10.0
    """Time to send the head of a request."""
    body_seconds: float = 10.0
    """Time to send the body."""
    at_once: int = 2
    """Answers computed at the same time in one worker; more threads would only wait for the interpreter lock."""
    waiting: int = 256
    """Requests that may wait in one worker; more are refused at once."""
    connections: int = 1000
    """Open connections of one worker."""


LIMITS = Limits()


class WorkQueue:
    """Runs work in threads, a few at a time, with a bounded queue and a deadline."""

    def __init__(self, limits: Limits) -> None:
        """Bind the limits."""
        self._limits = limits
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """Do the work in a thread within `seconds`, by default the usual limit."""
        # A limiter belongs to the event loop that is running when it is made.
        limiter = self._limiter = self._limiter or anyio.CapacityLimiter(self._limits.at_once)
        if limiter.statistics().tasks_waiting >= self._limits.waiting:
            raise RequestError(503, "busy", "too many questions at once; try again in a moment")
        with anyio.fail_after(seconds or self._limits.seconds):
            # A thread cannot be stopped; a late result is dropped.
            return await anyio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True)
