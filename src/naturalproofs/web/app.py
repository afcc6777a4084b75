"""The application: pages, the JSON interface, health and metrics behind one door."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException

from naturalproofs import __version__
from naturalproofs.errors import NaturalProofsError
from naturalproofs.web.addresses import API
from naturalproofs.web.api import api_router
from naturalproofs.web.gate import Gate
from naturalproofs.web.guard import App, Guard, Scope
from naturalproofs.web.limits import LIMITS, Limits
from naturalproofs.web.metrics import Metrics
from naturalproofs.web.models import Health
from naturalproofs.web.pages.problem import problem_page
from naturalproofs.web.problems import CODES, Problem, our_fault, problem_of
from naturalproofs.web.routes import page_router
from naturalproofs.web.site import Site

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names that a server on one's own machine has."""


def create_app(site: Site, *, hosts: frozenset[str] = frozenset(), limits: Limits = LIMITS) -> App:
    """The application for a site.

    Args:
        site: What is served.
        hosts: Names under which the server is known; any if empty.
        limits: What a request may cost.
    """
    metrics, gate = Metrics(), Gate(limits)
    app = FastAPI(
        title="naturalproofs",
        version=__version__,
        description="Find the results a proof needs. Errors are `{error: {code, message, where}}`.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(api_router(site, gate))
    app.include_router(page_router(site, gate))

    @app.get("/health", tags=["server"])
    async def health() -> Health:
        """Say that the server works."""
        return Health(status="ok", version=__version__, corpora=len(site.rooms))

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def show_metrics() -> PlainTextResponse:
        """Give the counters of the worker that answers, for Prometheus."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    app.add_exception_handler(NaturalProofsError, _known)
    app.add_exception_handler(TimeoutError, _known)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _by_status)
    # Answered here, raised again by the framework, and logged at the door.
    app.add_exception_handler(Exception, _known)
    return Guard(app, _refusal, metrics, hosts, limits)


def _refusal(scope: Scope, problem: Problem) -> tuple[bytes, bytes]:
    """JSON for programs, a page for people."""
    if str(scope.get("path", "")).startswith(("/api/", "/health", "/metrics")):
        return b"application/json", msgspec.json.encode(problem.to_dict())
    headers = dict(scope.get("headers", ()))
    if b"x-part" in headers:
        return b"text/plain; charset=utf-8", problem.message.encode("utf-8", "replace")
    return b"text/html; charset=utf-8", problem_page(problem).encode("utf-8", "replace")


def _response(request: Request, problem: Problem) -> Response:
    kind, body = _refusal(request.scope, problem)
    headers = {"retry-after": "2"} if problem.status == 503 else {}
    return Response(body, problem.status, headers, media_type=kind.decode())


async def _known(request: Request, error: Exception) -> Response:
    # What the user's files do wrong is found at the start; now it would be our own mistake.
    return _response(request, problem_of(error) or our_fault())


async def _not_valid(request: Request, error: Exception) -> Response:
    """One line about the first thing that is wrong; what was sent is not repeated."""
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()))
    unreadable = first.get("type") == "json_invalid"
    status, code = (400, "bad-request") if unreadable else (422, "not-valid")
    message = "the body is not JSON" if unreadable else str(first.get("msg", "a value is not valid"))
    return _response(request, Problem(status, code, message[:300], where[:200]))


async def _by_status(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = {404: "there is nothing here", 405: "this address does not take that method"}.get(status, "refused")
    if status == 400:
        message = "the request cannot be read"
    answer = _response(request, Problem(status, CODES.get(status, "refused"), message, request.url.path[:200]))
    if isinstance(error, HTTPException) and error.headers:
        answer.headers.update(error.headers)
    return answer
