"""A collection served by replicas on a Ray cluster: each opens the whole collection, and this process shares requests.

The process that runs ``naturalproofs serve`` takes the connections and gives each request to a replica by Ray Serve.
All requests only read, so a request whose replica or machine died before it answered is given to another one: the
client sees nothing of it. A replica that dies is replaced. Every replica looks for new commits itself and answers from
the old one until the new one is open, so an update fails no request. Requests beyond what the replicas and their queue
hold are refused with 503.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Message, Scope

from naturalproofs.collection.answers import OpenCollection
from naturalproofs.io.cluster import connect
from naturalproofs.web.app import behind_middleware
from naturalproofs.web.collection_app import LiveCollection, create_collection_app
from naturalproofs.web.requests import LIMITS, RequestError
from naturalproofs.web.templating import API

AT_ONCE = 4
"""Requests that one replica works on."""
QUEUED = 64
"""Requests that wait; more are refused."""
PATIENCE = 60.0
"""Seconds for which a request is given to other replicas while replicas die."""
PAUSE = 0.2
"""Seconds between two attempts."""
ROUTES = ("/", "/health", f"{API}/openapi.json", f"{API}/search", f"{API}/suggest", f"{API}/statements/{{name:path}}")
"""What is passed on, each counted by itself."""


class Answer(NamedTuple):
    """The response of a replica."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Replica:
    """What Ray Serve runs: the application of a collection, which follows its commits."""

    def __init__(self, address: str) -> None:
        """Open the last commit."""
        self.live = live_collection(address)
        self.app = create_collection_app(self.live)

    async def answer(self, scope: dict[str, Any], body: bytes) -> Answer:
        """Answer one request."""
        return await asgi_answer(self.app, scope, body)

    def check_health(self) -> None:
        """Raise if the tables cannot be opened; Ray then replaces this replica."""
        self.live.site.collection.count()


def live_collection(address: str) -> LiveCollection:
    """A collection that follows its commits."""
    opened = OpenCollection.open(address)
    opened.prepare()
    live = LiveCollection(opened)
    live.watch()
    return live


async def asgi_answer(app: ASGIApp, scope: dict[str, Any], body: bytes) -> Answer:
    """The response of an application to one request."""
    sent = [{"type": "http.request", "body": body, "more_body": False}]
    status, headers, parts = 500, [], []

    async def receive() -> Message:
        if sent:
            return sent.pop()
        # The connection stays open until the answer is there.
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message.get("headers", ()))
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return Answer(status, headers, b"".join(parts))


def start_replicas(address: str, place: str, *, replicas: int, name: str) -> Any:
    """Start or update the replicas on a cluster; returns their handle when they answer.

    Args:
        address: The collection, as all machines of the cluster see it.
        place: The cluster, as in `naturalproofs.io.cluster.connect`.
        replicas: How many.
        name: The name of the application on the cluster; one of the same name is replaced, replica by replica.
    """
    connect(place)
    from ray import serve

    serve.start(proxy_location="Disabled")
    deployment = serve.deployment(
        Replica,
        name="replica",
        num_replicas=replicas,
        max_ongoing_requests=AT_ONCE,
        max_queued_requests=QUEUED,
        health_check_timeout_s=120,
        graceful_shutdown_timeout_s=30,
    )
    return serve.run(deployment.bind(address), name=name, route_prefix=None)


def stop_replicas(name: str) -> None:
    """End the replicas; the cluster goes on."""
    from ray import serve

    serve.delete(name)


def front_app(handle: Any, *, hosts: frozenset[str] = frozenset()) -> ASGIApp:
    """The application that gives requests to replicas.

    Args:
        handle: The handle of the replicas.
        hosts: Accepted names in the Host header; any if empty.
    """
    from ray.exceptions import RayActorError
    from ray.serve.exceptions import BackPressureError

    async def forward(request: Request) -> Response:
        scope, body = _plain(request.scope), await request.body()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = Answer(*await handle.answer.remote(scope, body))
            except BackPressureError as error:
                raise RequestError(503, "too many requests are waiting; try again in a moment") from error
            except RayActorError as error:
                if time.monotonic() > until:
                    raise RequestError(503, "no replica answers; try again in a moment") from error
                await asyncio.sleep(PAUSE)
            else:
                response = Response(answer.body, answer.status)
                response.raw_headers = answer.headers
                return response

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    for route in ROUTES:
        app.add_api_route(route, forward, methods=["POST" if route.endswith("/suggest") else "GET"])
    return behind_middleware(app, hosts, LIMITS)


def _plain(scope: Scope) -> dict[str, Any]:
    """What a replica needs of a request, without objects of this process."""
    names = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path")
    return {name: scope[name] for name in names if name in scope} | {"headers": list(scope["headers"])}
