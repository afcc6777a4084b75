"""The door: every request passes it, and every answer leaves through it with the headers that keep a browser safe."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from naturalproofs.web.limits import LIMITS, Limits
from naturalproofs.web.metrics import Metrics
from naturalproofs.web.problems import Problem, our_fault, problem_of

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Refusal: TypeAlias = Callable[[Scope, Problem], tuple[bytes, bytes]]
"""From a request and what is wrong with it to a content type and a body."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: dict[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
DRAINED = 64
"""How many times the limit is read and thrown away, so that a client that sends too much still hears why."""

log = logging.getLogger("naturalproofs.web")


class Guard:
    """Limits bodies, checks whom the request was meant for, counts, and lets no error out as it is."""

    def __init__(
        self, app: App, refusal: Refusal, metrics: Metrics, hosts: frozenset[str], limits: Limits = LIMITS
    ) -> None:
        """Bind the application behind the door.

        Args:
            app: What answers.
            refusal: How to say that something is wrong.
            metrics: Where to count.
            hosts: Names under which the server is known; empty means any. A page elsewhere that makes its own name
                point to this machine must not read a private paper.
            limits: What a request may cost.
        """
        self._app, self._refusal, self._metrics, self._hosts, self._limits = app, refusal, metrics, hosts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0
        if scope["method"] == "HEAD":
            # The same answer; the server leaves its body out.
            scope = {**scope, "method": "GET"}

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name.lower() for name, _ in message["headers"]}
                added = [(name, value) for name, value in HEADERS.items() if name not in present]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        self._metrics.running += 1
        try:
            await self._answer(scope, receive, dressed, lambda: status)
        finally:
            self._metrics.running -= 1
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.count(_method(scope), route, status, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, status: Callable[[], int]) -> None:
        try:
            self._check_head(scope)
            body = await self._body(scope, receive)
            await self._app(scope, _replay(body, receive), send)
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                log.exception("%s %s failed", scope["method"], scope["path"])
                problem = our_fault()
            if not status():
                await self._refuse(scope, problem, send)

    def _check_head(self, scope: Scope) -> None:
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._limits.address:
            raise Problem(414, "too-large", "the address is too long", "address")
        if not self._hosts:
            return
        named = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
        name = named.rpartition("]")[0].lstrip("[") if named.startswith("[") else named.partition(":")[0]
        if name.lower() not in self._hosts:
            raise Problem(421, "wrong-host", "this server is not known under that name; see --allow-host", "Host")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, or a refusal: a body is small, and reading it first keeps slow clients out of the works."""
        if scope["method"] in ("GET", "OPTIONS") and not _announced(scope):
            return b""
        parts: list[bytes] = []
        size, most = 0, self._limits.body
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Problem(400, "bad-request", "the body ended early", "body")
                    size += len(message.get("body", b""))
                    if size <= most:
                        parts.append(message.get("body", b""))
                    if not message.get("more_body") or size > DRAINED * most:
                        break
        except TimeoutError as error:
            raise Problem(408, "too-slow-client", "the body did not arrive in time", "body") from error
        if size > most:
            raise Problem(413, "too-large", f"the body is larger than {most // 1024} KB", "body")
        return b"".join(parts)

    async def _refuse(self, scope: Scope, problem: Problem, send: Send) -> None:
        kind, body = self._refusal(scope, problem)
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        if problem.status in (408, 413):
            headers.append((b"connection", b"close"))
        if problem.status == 503:
            headers.append((b"retry-after", b"2"))
        await send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _announced(scope: Scope) -> bool:
    """Whether a body follows the head."""
    return any(name in (b"content-length", b"transfer-encoding") and value != b"0" for name, value in scope["headers"])


def _method(scope: Scope) -> str:
    """The method, if it is a usual one: a client must not be able to make the list of counters longer."""
    return scope["method"] if scope["method"] in ("GET", "POST", "OPTIONS") else "other"


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body at once, and after it whatever the server says."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
