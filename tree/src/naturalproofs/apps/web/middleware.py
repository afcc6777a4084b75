"""ASGI middleware: limits on heads and bodies, Host, token, security headers, metrics, and errors as responses."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode

from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from naturalproofs import __version__
from naturalproofs.apps.web.requests import LIMITS, Limits, RequestError, request_error
from naturalproofs.io.files import sha256_bytes

ErrorResponse: TypeAlias = Callable[[Scope, RequestError], Response]
"""From a request and its error to a response."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the latency histogram, in seconds."""

log = logging.getLogger("naturalproofs.apps.web")


class Metrics:
    """Requests by route and status, with their latencies."""

    def __init__(self) -> None:
        """Start counting."""
        self.started = time.time()
        self.running = 0
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one response; the route is that of a handler, so that clients cannot add counters."""
        self._requests[method, route, status] += 1
        self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
        self._sums[route] = self._sums.get(route, 0.0) + seconds

    def text(self) -> str:
        """All metrics in the text format."""
        lines = [
            "# HELP naturalproofs_info The version and the process of the worker that answers.",
            "# TYPE naturalproofs_info gauge",
            f'naturalproofs_info{{version="{__version__}",pid="{os.getpid()}"}} 1',
            "# HELP naturalproofs_start_time_seconds When the worker started, in seconds since 1970.",
            "# TYPE naturalproofs_start_time_seconds gauge",
            f"naturalproofs_start_time_seconds {self.started:.3f}",
            "# HELP naturalproofs_requests_running Requests that are being answered.",
            "# TYPE naturalproofs_requests_running gauge",
            f"naturalproofs_requests_running {self.running}",
            "# HELP naturalproofs_requests_total Requests answered.",
            "# TYPE naturalproofs_requests_total counter",
        ]
        lines += [
            f'naturalproofs_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
            for (method, route, status), number in sorted(self._requests.items())
        ]
        lines += [
            "# HELP naturalproofs_request_seconds How long answers took.",
            "# TYPE naturalproofs_request_seconds histogram",
        ]
        for route, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, number in zip((*map(str, BOUNDS), "+Inf"), buckets, strict=True):
                total += number
                lines.append(f'naturalproofs_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
            lines.append(f'naturalproofs_request_seconds_sum{{route="{route}"}} {self._sums[route]:.6f}')
            lines.append(f'naturalproofs_request_seconds_count{{route="{route}"}} {total}')
        return "\n".join(lines) + "\n"


class Middleware:
    """Checks each request before the application sees it, and completes each response."""

    def __init__(
        self,
        app: ASGIApp,
        error_response: ErrorResponse,
        metrics: Metrics,
        hosts: frozenset[str],
        limits: Limits = LIMITS,
        token: str = "",
    ) -> None:
        """Wrap an application.

        Args:
            app: The application.
            error_response: How an error is answered.
            metrics: The counters.
            hosts: Accepted names in the Host header; empty means any. The check stops DNS rebinding: a web page
                elsewhere that points its own name to this machine must not read a private paper.
            limits: The limits of a request.
            token: What a request must carry in its address, in the cookie that the first page sets, or as a bearer's
                token; empty for a server that everybody may ask.
        """
        self._app, self._error_response, self._metrics = app, error_response, metrics
        self._hosts, self._limits, self._token = hosts, limits, token
        # Cookies are shared by all servers of one machine.
        self._cookie = f"naturalproofs-{sha256_bytes(token.encode())[:8]}"

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
            if self._token and (first := self._check_token(scope)):
                await first(scope, receive, send)
                return
            body = await self._read_body(scope, receive)
            await self._app(scope, _replay(body, receive), send)
        except Exception as error:
            refusal = request_error(error)
            if refusal.status == 500:
                log.exception("%s %s failed", scope["method"], scope["path"])
            if not status():
                response = self._error_response(scope, refusal)
                if refusal.status in (400, 408, 413, 431):
                    # What follows on the connection may be the rest of this request.
                    response.headers["connection"] = "close"
                await response(scope, receive, send)

    def _check_head(self, scope: Scope) -> None:
        headers = scope["headers"]
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._limits.address:
            raise RequestError(414, "the address is too long", "address")
        size = sum(len(name) + len(value) for name, value in headers)
        if len(headers) > self._limits.headers or size > self._limits.header_bytes:
            raise RequestError(431, "the request has too many or too large headers", "headers")
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in headers}:
            # Proxies disagree on where such a body ends (request smuggling).
            message = "a request has either Content-Length or Transfer-Encoding, not both"
            raise RequestError(400, message, "headers")
        if self._hosts and _host(headers) not in self._hosts:
            message = "this server is not known under that name; see --allow-host"
            raise RequestError(421, message, "Host")

    def _check_token(self, scope: Scope) -> Response | None:
        """Refuse a request without the token; the address of a first visit is answered by a cookie."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        bearer = headers.get(b"authorization", "").removeprefix("Bearer ")
        cookie = cookie_parser(headers.get(b"cookie", "")).get(self._cookie, "")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        in_address = next((value for name, value in query if name == "token"), "")
        known = [secrets.compare_digest(one.encode(), self._token.encode()) for one in (bearer, cookie, in_address)]
        if not any(known) and scope["path"] != "/health":
            message = "this server asks for a token: open the address that it printed when it started"
            raise RequestError(401, message, "token")
        if not known[2] or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return None
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        # One slash only: an address that begins with two would lead to another server.
        response = RedirectResponse(f"/{scope['path'].lstrip('/')}" + (f"?{rest}" if rest else ""), 303)
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="lax")
        return response

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
                        raise RequestError(400, "the body ended early", "body")
                    size += len(message.get("body", b""))
                    if size <= limit:
                        parts.append(message.get("body", b""))
                    if not message.get("more_body") or size > DRAINED * limit:
                        break
        except TimeoutError as error:
            raise RequestError(408, "the body did not arrive in time", "body") from error
        if size > limit:
            raise RequestError(413, f"the body is larger than {limit // 1024} KB", "body")
        return b"".join(parts)


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
