"""Requests: their limits, the queue that their work waits in, and errors as clients see them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs

import anyio
from fastapi import Request

from naturalproofs.errors import NaturalProofsError, NoExercise, NotGiven, UnknownName

T = TypeVar("T")
PART = "x-part"
"""The header by which a script asks for the part of a page that changes."""


CODES = {
    400: "bad-request",
    404: "not-found",
    405: "wrong-method",
    408: "too-slow-client",
    413: "too-large",
    414: "too-large",
    421: "wrong-host",
    422: "not-valid",
    431: "too-large",
    500: "our-fault",
    503: "busy",
}
"""Codes for programs, by status."""


STATUSES: dict[type[NaturalProofsError], int] = {
    UnknownName: 404,
    NotGiven: 422,
    NoExercise: 422,
}
"""The errors that a client can do something about."""


class RequestError(NaturalProofsError):
    """A request that cannot be answered: a status, a code for programs, one line for people."""

    def __init__(self, status: int, message: str, where: str = "", code: str = "") -> None:
        """State what is wrong, and in which part of the request."""
        super().__init__(message)
        self.status, self.message, self.where = status, message, where
        self.code = code or CODES.get(status, "refused")

    def to_dict(self) -> dict[str, dict[str, str]]:
        """The JSON form."""
        return {"error": {"code": self.code, "message": self.message, "where": self.where}}


def request_error(error: Exception) -> RequestError:
    """The error that a client gets for an exception; unexpected ones are logged and not disclosed."""
    if isinstance(error, RequestError):
        return error
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), None)
    if status is not None:
        return RequestError(status, str(error))
    if isinstance(error, TimeoutError):
        return RequestError(503, "the answer took too long; ask for less, or try again later", code="too-slow")
    return RequestError(500, "something went wrong here; the server's log says what")


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
    fields: int = 2_000
    """Fields of a form; each statement that a reader knows is one."""
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


async def read_form(request: Request) -> dict[str, list[str]]:
    """The form in the body of a request; the middleware has limited its size."""
    try:
        fields = parse_qs((await request.body()).decode("utf-8"), keep_blank_values=True, max_num_fields=LIMITS.fields)
    except (UnicodeDecodeError, ValueError) as error:
        raise RequestError(400, "the form cannot be read", "body") from error
    if any(ord(char) < 32 and char not in "\t\n\r" for values in fields.values() for value in values for char in value):
        raise RequestError(422, "the text holds control characters", "body")
    return fields


class WorkQueue:
    """Runs work in threads, a few at a time, with a bounded queue and a deadline.

    A thread cannot be stopped. When the time is over, its result is dropped, and its slot is free when it has ended.
    """

    def __init__(self, limits: Limits) -> None:
        """Bind the limits."""
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.at_once, "answer")
        self._slots: tuple[asyncio.AbstractEventLoop, anyio.CapacityLimiter] | None = None

    async def run(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Do the work in a thread within the time limit; that for long work, if it is."""
        loop, slots = self._slots_here()
        if slots.available_tokens <= 0 and slots.statistics().tasks_waiting >= self._limits.waiting:
            raise RequestError(503, "too many questions at once; try again in a moment")
        slot = object()

        def free(_: object) -> None:
            # The loop may have ended before the thread.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(slots.release_on_behalf_of, slot)

        with anyio.fail_after(self._limits.long_seconds if long else self._limits.seconds):
            await slots.acquire_on_behalf_of(slot)
            running = self._threads.submit(copy_context().run, work)
            running.add_done_callback(free)
            return await asyncio.wrap_future(running)

    def _slots_here(self) -> tuple[asyncio.AbstractEventLoop, anyio.CapacityLimiter]:
        """The running event loop and its slots: a limiter belongs to one loop, while the threads outlive it."""
        loop = asyncio.get_running_loop()
        if self._slots is None or self._slots[0] is not loop:
            self._slots = loop, anyio.CapacityLimiter(self._limits.at_once)
        return self._slots


def queued(*, long: bool = False) -> Callable[[Callable[..., T]], Callable[..., Awaitable[T]]]:
    """Make a route's handler of a function of the current site and of what the request gives.

    The function runs in a thread of the application's queue, with the time limit for long work if it is.
    """

    def decorate(work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        async def handler(request: Request, **values: Any) -> T:
            state = request.app.state
            result: T = await state.queue.run(lambda: work(state.live.site, **values), long=long)
            return result

        # The framework reads the parameters of the route from the signature.
        signature = inspect.signature(work, eval_str=True)
        given = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
        _, *others = signature.parameters.values()
        handler.__signature__ = signature.replace(parameters=[given, *others])  # type: ignore[attr-defined]
        handler.__name__, handler.__doc__ = work.__name__, work.__doc__
        return handler

    return decorate
