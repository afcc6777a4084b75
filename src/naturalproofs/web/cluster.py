"""A collection served by replicas on a Ray cluster: each opens the whole collection, and Ray Serve shares the requests.

Every replica looks for new commits itself and answers from the old one until the new one is open, so an update fails no
request. A replica that dies is replaced; requests that it had not answered are sent to another one. Requests beyond
what the replicas and their queue hold are refused with 503.
"""

from __future__ import annotations

from typing import Any

from starlette.types import ASGIApp

from naturalproofs.collection.answers import OpenCollection
from naturalproofs.collection.cluster import connect
from naturalproofs.web.collection_app import LiveCollection, create_collection_app

NAME = "naturalproofs"
"""The name of the application on the cluster."""
AT_ONCE = 4
"""Requests that one replica works on."""
QUEUED = 64
"""Requests that wait in one proxy; more are refused."""


def collection_app(address: str, hosts: frozenset[str]) -> ASGIApp:
    """The application of a collection, which follows its commits."""
    opened = OpenCollection.open(address)
    opened.prepare()
    live = LiveCollection(opened)
    live.watch()
    return create_collection_app(live, hosts=hosts)


def start_replicas(
    address: str, place: str, *, replicas: int, host: str, port: int, hosts: frozenset[str] = frozenset()
) -> Any:
    """Start or update the application on a cluster; returns when its replicas answer.

    Args:
        address: The collection, as all machines of the cluster see it.
        place: The cluster, as in `naturalproofs.collection.cluster.connect`.
        replicas: How many.
        host: The address that the proxies listen on.
        port: Their port.
        hosts: Accepted names in the Host header; any if empty.
    """
    connect(place)
    from ray import serve

    def build() -> ASGIApp:
        return collection_app(address, hosts)

    serve.start(http_options={"host": host, "port": port, "request_timeout_s": 60})
    deployment = serve.deployment(
        serve.ingress(build)(_Ingress),
        name=NAME,
        num_replicas=replicas,
        max_ongoing_requests=AT_ONCE,
        max_queued_requests=QUEUED,
        health_check_timeout_s=120,
        graceful_shutdown_timeout_s=30,
    )
    return serve.run(deployment.bind(), name=NAME, route_prefix="/")


def stop_replicas() -> None:
    """End the application; the cluster goes on."""
    from ray import serve

    serve.delete(NAME)


class _Ingress:
    """What Ray Serve makes a replica of."""
