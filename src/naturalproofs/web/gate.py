"""Work that takes a while is done in threads, a few at a time; whoever would wait too long is told so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from naturalproofs.web.limits import Limits
from naturalproofs.web.problems import Problem

T = TypeVar("T")


class Gate:
    """Lets a few answers be worked on at once."""

    def __init__(self, limits: Limits) -> None:
        """Bind the limits."""
        self._limits = limits
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """Do the work in a thread, in turn and in time: as long as usual, unless told."""
        # A limiter belongs to the loop that is running when it is made.
        limiter = self._limiter = self._limiter or anyio.CapacityLimiter(self._limits.at_once)
        if limiter.statistics().tasks_waiting >= self._limits.waiting:
            raise Problem(503, "busy", "too many questions at once; try again in a moment")
        with anyio.fail_after(seconds or self._limits.seconds):
            # A thread cannot be stopped; its answer is dropped if it comes too late.
            return await anyio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True)
