"""The application: pages, JSON interface, health and metrics behind the middleware."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Scope

from naturalproofs import __version__
from naturalproofs.apps.web import api, corpus_pages, pages, results_pages, teaching_pages
from naturalproofs.apps.web.middleware import Metrics, Middleware
from naturalproofs.apps.web.models import Health
from naturalproofs.apps.web.requests import LIMITS, PART, Limits, RequestError, WorkQueue, request_error
from naturalproofs.apps.web.site import Live, LiveSite, Site
from naturalproofs.apps.web.templating import API, render
from naturalproofs.errors import NaturalProofsError

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names of a server on one's own machine."""
_HEADINGS = {
    401: "A token is needed",
    404: "Not found",
    413: "Too much at once",
    503: "Busy just now",
    500: "Something went wrong",
}


_COMPLAINTS = {
    "extra_forbidden": "is not a known field",
    "greater_than_equal": "must be at least {ge}",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "less_than_equal": "must be at most {le}",
    "int_from_float": "must be a whole number",
    "list_type": "must be a list",
    "literal_error": "must be {expected}",
    "missing": "is missing",
    "string_pattern_mismatch": "holds control characters",
    "string_too_long": "has more than {max_length} characters",
    "string_too_short": "is empty",
    "string_type": "must be a string",
    "model_attributes_type": "must be an object",
    "string_unicode": "is not valid text",
    "too_long": "has more than {max_length} entries",
}
"""Validation errors in plain words, by their type."""


def create_app(
    site: Site | LiveSite, *, hosts: frozenset[str] = frozenset(), limits: Limits = LIMITS, token: str = ""
) -> ASGIApp:
    """The application for a site.

    Args:
        site: What is served; a live site follows the files of its projects.
        hosts: Accepted names in the Host header; any if empty.
        limits: The limits of a request.
        token: What requests must carry; nothing if empty.
    """
    live = site if isinstance(site, LiveSite) else LiveSite(site)
    app = new_app("Find the results a proof needs.", live, limits)
    routers = (api.router, pages.router, corpus_pages.router, teaching_pages.router, results_pages.router)
    for router in routers:
        app.include_router(router)

    @app.get("/health", tags=["server"])
    async def health() -> Health:
        """Say that the server works."""
        return Health(status="ok", version=__version__, corpora=len(live.site.corpora))

    return behind_middleware(app, hosts, limits, token)


def new_app(description: str, live: Live[Any], limits: Limits) -> FastAPI:
    """An application without routes; the handlers made by `queued` answer from its state."""
    app = FastAPI(
        title="naturalproofs",
        version=__version__,
        description=f"{description} Errors are `{{error: {{code, message, where}}}}`.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.live, app.state.queue = live, WorkQueue(limits)
    return app


def behind_middleware(app: FastAPI, hosts: frozenset[str], limits: Limits, token: str = "") -> ASGIApp:
    """The application with its errors as answers, its limits and its metrics."""
    metrics = Metrics()

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def show_metrics() -> PlainTextResponse:
        """Give the counters of the worker that answers, for Prometheus."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    app.add_exception_handler(NaturalProofsError, _exception)
    app.add_exception_handler(TimeoutError, _exception)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _http_exception)
    # Answered here, raised again by the framework, and logged by the middleware.
    app.add_exception_handler(Exception, _exception)
    compressed = GZipMiddleware(app, minimum_size=2_000, compresslevel=5)
    return Middleware(compressed, _error_response, metrics, hosts, limits, token)


def _error_response(scope: Scope, error: RequestError) -> Response:
    """JSON for programs, a page for people, plain text for scripts of a page."""
    headers = {"retry-after": "2"} if error.status == 503 else {}
    if str(scope.get("path", "")).startswith(("/api/", "/health", "/metrics")):
        return Response(msgspec.json.encode(error.to_dict()), error.status, headers, media_type="application/json")
    if PART.encode() in dict(scope.get("headers", ())):
        return PlainTextResponse(error.message.encode("utf-8", "replace"), error.status, headers)
    heading = _HEADINGS.get(error.status, "This cannot be answered")
    page = render("error.html", heading=heading, message=_sentence(error.message))
    return HTMLResponse(page.encode("utf-8", "replace"), error.status, headers)


async def _exception(request: Request, error: Exception) -> Response:
    return _error_response(request.scope, request_error(error))


def _sentence(message: str) -> str:
    """A message with a capital letter, unless it begins with a name."""
    return message[:1].upper() + message[1:] if message.partition(" ")[0].isalpha() else message


async def _not_valid(request: Request, error: Exception) -> Response:
    """One line about the first thing that is wrong; what was sent is not repeated."""
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()))
    unreadable = first.get("type") == "json_invalid"
    message = "the body is not JSON" if unreadable else _complaint(first)
    return _error_response(request.scope, RequestError(400 if unreadable else 422, message[:300], where[:200]))


def _complaint(problem: dict[str, Any]) -> str:
    """What is wrong with a value, in words."""
    name = next((part for part in reversed(problem.get("loc", ())) if isinstance(part, str)), "a value")
    name = "the query" if name == "q" else name
    text = _COMPLAINTS.get(str(problem.get("type")), "is not valid")
    return f"{name} {text.format_map(problem.get('ctx') or {})}"


async def _http_exception(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = {
        400: "the request cannot be read",
        404: "there is nothing here",
        405: "this address does not take that method",
    }.get(status, "refused")
    answer = _error_response(request.scope, RequestError(status, message, request.url.path[:200]))
    if isinstance(error, HTTPException) and error.headers:
        answer.headers.update(error.headers)
    return answer
