"""ASGI middleware: limits on heads and bodies, the Host check, security headers, metrics, and errors as responses."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from naturalproofs.web.errors import RequestError, request_error
from naturalproofs.web.limits import LIMITS, Limits
from naturalproofs.web.metrics import Metrics

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
ErrorBody: TypeAlias = Callable[[Scope, RequestError], tuple[bytes, bytes]]
"""From a request and its error to a content type and a body."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: dict[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
DRAINED = 64
"""A body up to this many times the limit is read and discarded, so that the client can read the error."""

log = logging.getLogger("naturalproofs.web")


class Middleware:
    """Checks each request before the application sees it, and completes each response."""

    def __init__(
        self, app: App, error_body: ErrorBody, metrics: Metrics, hosts: frozenset[str], limits: Limits = LIMITS
    ) -> None:
        """Wrap an application.

        Args:
            app: The application.
            error_body: How an error is written.
            metrics: The counters.
            hosts: Accepted names in the Host header; empty means any. The check stops DNS rebinding: a web page
                elsewhere that points its own name to this machine must not read a private paper.
            limits: The limits of a request.
        """
        self._app, self._error_body, self._metrics, self._hosts, self._limits = app, error_body, metrics, hosts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0
        if scope["method"] == "HEAD":
            # Answered like GET; the server omits the body.
            scope = {**scope, "method": "GET"}

        async def complete(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name.lower() for name, _ in message["headers"]}
                added = [(name, value) for name, value in SECURITY_HEADERS.items() if name not in present]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        self._metrics.running += 1
        try:
            await self._answer(scope, receive, complete, lambda: status)
        finally:
            self._metrics.running -= 1
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.count(_method(scope), route, status, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, status: Callable[[], int]) -> None:
        try:
            self._check_head(scope)
            body = await self._read_body(scope, receive)
            await self._app(scope, _replay(body, receive), send)
        except Exception as error:
            refusal = request_error(error)
            if refusal.status == 500:
                log.exception("%s %s failed", scope["method"], scope["path"])
            if not status():
                await self._refuse(scope, refusal, send)

    def _check_head(self, scope: Scope) -> None:
        headers = scope["headers"]
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._limits.address:
            raise RequestError(414, "too-large", "the address is too long", "address")
        size = sum(len(name) + len(value) for name, value in headers)
        if len(headers) > self._limits.headers or size > self._limits.header_bytes:
            raise RequestError(431, "too-large", "the request has too many or too large headers", "headers")
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in headers}:
            # Proxies disagree on where such a body ends (request smuggling).
            message = "a request has either Content-Length or Transfer-Encoding, not both"
            raise RequestError(400, "bad-request", message, "headers")
        if self._hosts and _host(headers) not in self._hosts:
            message = "this server is not known under that name; see --allow-host"
            raise RequestError(421, "wrong-host", message, "Host")

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body: it is small, and slow clients occupy no worker thread while it is read."""
        if scope["method"] in ("GET", "OPTIONS") and not _has_body(scope):
            return b""
        parts: list[bytes] = []
        size, limit = 0, self._limits.body
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RequestError(400, "bad-request", "the body ended early", "body")
                    size += len(message.get("body", b""))
                    if size <= limit:
                        parts.append(message.get("body", b""))
                    if not message.get("more_body") or size > DRAINED * limit:
                        break
        except TimeoutError as error:
            raise RequestError(408, "too-slow-client", "the body did not arrive in time", "body") from error
        if size > limit:
            raise RequestError(413, "too-large", f"the body is larger than {limit // 1024} KB", "body")
        return b"".join(parts)

    async def _refuse(self, scope: Scope, error: RequestError, send: Send) -> None:
        media_type, body = self._error_body(scope, error)
        headers = [(b"content-type", media_type), (b"content-length", str(len(body)).encode())]
        if error.status in (400, 408, 413, 431):
            # What follows on the connection may be the rest of this request.
            headers.append((b"connection", b"close"))
        if error.status == 503:
            headers.append((b"retry-after", b"2"))
        await send({"type": "http.response.start", "status": error.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _host(headers: list[tuple[bytes, bytes]]) -> str:
    """The host name that a request was sent to, without the port."""
    value = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
    name = value.rpartition("]")[0].lstrip("[") if value.startswith("[") else value.partition(":")[0]
    return name.lower()


def _has_body(scope: Scope) -> bool:
    """Whether the head announces a body."""
    return any(name in (b"content-length", b"transfer-encoding") and value != b"0" for name, value in scope["headers"])


def _method(scope: Scope) -> str:
    """The method for the metrics; unusual ones share a name, so that clients cannot add counters."""
    return scope["method"] if scope["method"] in ("GET", "POST", "OPTIONS") else "other"


def _replay(body: bytes, receive: Receive) -> Receive:
    """A receive channel that gives the body at once, and then what the server sends."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
