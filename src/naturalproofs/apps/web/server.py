"""Starting and stopping the server: in this process, or with several worker processes.

A worker is never killed for being slow: on a busy machine a new worker may take long to load its corpora. Only the end
of its process leads to a restart. A worker that ends before it was ready is restarted after a growing delay. Workers
are forked from a process that has imported everything, which saves most of the time until a new one is ready.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import h11
import uvicorn
from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Message, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.web.app import LOCAL, behind_middleware, create_app
from naturalproofs.apps.web.collection_app import LiveCollection, create_collection_app
from naturalproofs.apps.web.requests import LIMITS, RequestError
from naturalproofs.apps.web.site import LiveSite, Site
from naturalproofs.apps.web.templating import API
from naturalproofs.errors import ClusterNotReachable, SourceNotFound
from naturalproofs.io.cluster import connect
from naturalproofs.progress import Progress, silent
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import read_macro_files

STOPPING = 5
"""Seconds that answers under way have when the server is stopped."""
ANY = ("0.0.0.0", "::")
"""Addresses that mean all interfaces."""
LONGEST_DELAY = 60.0
"""Seconds between two starts of a worker that never becomes ready."""

PRELOADED = (
    "naturalproofs.apps.web.server",
    "naturalproofs.workspace.methods",
    "naturalproofs.workspace.search.index",
    "naturalproofs.ranking.hybrid.scorer",
    "scipy.sparse",
)
"""Modules that are imported before workers are forked, without the site's state: no thread and no file is shared."""

log = logging.getLogger("naturalproofs.apps.web")


@dataclass(frozen=True, slots=True)
class Serving:
    """What to serve, and where."""

    paths: tuple[Path, ...]
    method: str | None = None
    runs: Path | None = None
    cache: bool = True
    host: str = "127.0.0.1"
    workers: int = 1
    macros: tuple[Path, ...] = ()
    """Files that define macros which corpora use."""
    allowed: tuple[str, ...] = ()
    """Further names accepted in the Host header; a star means any."""
    token: str = ""
    """What requests must carry; nothing if empty."""

    @property
    def hosts(self) -> frozenset[str]:
        """The names accepted in the Host header; empty means any."""
        if "*" in self.allowed:
            return frozenset()
        own = set() if self.host in ANY else {self.host.lower()}
        return LOCAL | own | {name.lower() for name in self.allowed}

    @property
    def warning(self) -> str:
        """A line for the user if other machines can reach the server but every one of their requests is refused."""
        if self.host not in ANY or self.allowed:
            return ""
        names = ", ".join(sorted(self.hosts))
        return (
            f"requests are answered only if they name this server {names}; "
            "add --allow-host NAME for every other name or address, or --allow-host '*' for any"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class TimedProtocol(H11Protocol):
    """HTTP with a time limit for the head of a request."""

    head_seconds: ClassVar[float] = LIMITS.head_seconds
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Keep the timer while a head is incomplete, the first one or a later one; the middleware times the body."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._deadline is None and not self.transport.is_closing():
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._deadline = self.loop.call_later(self.head_seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


OPTIONS: dict[str, Any] = {
    "http": TimedProtocol,
    "ws": "none",
    "log_level": "warning",
    "server_header": False,
    "limit_concurrency": LIMITS.connections,
    "timeout_keep_alive": 15,
    "timeout_graceful_shutdown": STOPPING,
}


def open_site(serving: Serving, progress: Progress = silent) -> Site:
    """Open everything that is served, and prepare what the first answers need."""
    workspace = Workspace.open(serving.paths, method=serving.method, cache=serving.cache, progress=progress)
    site = Site.of(workspace, macros=read_macro_files(serving.macros), runs=serving.runs)
    workspace.prepare(search=True, progress=progress)
    return site


def bind(host: str, port: int) -> socket.socket:
    """A socket with an address; it accepts connections as soon as a server runs."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise SourceNotFound(f"{host}:{port}: cannot be listened at ({error.strerror}); try --port") from error
    return listener


def serve(site: Site, serving: Serving, listener: socket.socket) -> None:
    """Serve in this process until interrupted; answers under way are finished first."""
    serve_app(_application(site, serving), listener)


def serve_app(app: ASGIApp, listener: socket.socket) -> None:
    """Serve an application in this process until interrupted."""
    with suppress(KeyboardInterrupt):
        uvicorn.Server(uvicorn.Config(app, **OPTIONS)).run([listener])


def serve_with_workers(serving: Serving, listener: socket.socket) -> None:
    """Serve with several processes until interrupted; each opens the site from the cache."""
    receiver, sender = Pipe(duplex=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sender.send(None))
    get_context("forkserver").set_forkserver_preload([*PRELOADED])
    # Clients wait while a worker starts, and are not refused.
    listener.listen(LIMITS.connections)
    Supervisor(lambda: Worker(serving, listener), serving.workers).run(receiver, STOPPING + 5)


def _application(site: Site, serving: Serving) -> ASGIApp:
    live = LiveSite(site)
    live.watch()
    return create_app(live, hosts=serving.hosts, token=serving.token)


class Worker(ForkServerProcess):
    """A process that serves on a listening socket of its parent."""

    def __init__(self, serving: Serving, listener: socket.socket) -> None:
        """Start it."""
        super().__init__(daemon=True)
        self._serving, self._listener, self._ready = serving, listener, get_context("forkserver").Event()
        self.start()

    def is_ready(self) -> bool:
        """Whether it has opened the site."""
        return self._ready.is_set()

    def run(self) -> None:
        """Serve, in the new process, until it is terminated or its parent has ended."""
        # Ctrl-C reaches all processes of a terminal; the parent stops its workers itself.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        server = uvicorn.Server(uvicorn.Config(_application(open_site(self._serving), self._serving), **OPTIONS))
        self._ready.set()
        threading.Thread(target=_stop_with_parent, args=(server,), daemon=True).start()
        server.run([self._listener])


def _stop_with_parent(server: uvicorn.Server) -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        server.should_exit = True


@dataclass(slots=True)
class _Slot:
    """One of the workers, or the time of its next start."""

    worker: Worker | None = None
    failures: int = 0
    start_at: float = 0.0


class Supervisor:
    """Keeps a number of workers running."""

    def __init__(self, start: Callable[[], Worker], count: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Bind the function that starts a worker; `check` or `run` starts the first ones."""
        self._start, self._clock = start, clock
        self._slots = [_Slot() for _ in range(count)]

    @property
    def workers(self) -> list[Worker]:
        """The workers that were started and have not been replaced yet."""
        return [slot.worker for slot in self._slots if slot.worker is not None]

    def run(self, stop: Connection, seconds: float) -> None:
        """Supervise until something arrives at `stop`; then give answers under way `seconds` to finish."""
        while not stop.poll():
            delay = self.check()
            wait([stop, *(worker.sentinel for worker in self.workers)], delay)
        self.stop(seconds)

    def check(self) -> float | None:
        """Replace workers that ended; the seconds until a delayed start is due, if there is one."""
        now = self._clock()
        for slot in self._slots:
            if slot.worker is not None:
                if slot.worker.is_alive():
                    continue
                slot.failures = 0 if slot.worker.is_ready() else slot.failures + 1
                delay = min(2.0 ** (slot.failures - 1), LONGEST_DELAY) if slot.failures else 0.0
                log.warning("a worker ended; another one starts%s", f" in {delay:g} s" if delay else "")
                slot.worker, slot.start_at = None, now + delay
            if slot.start_at <= now:
                slot.worker = self._start()
        return min((slot.start_at - now for slot in self._slots if slot.worker is None), default=None)

    def stop(self, seconds: float) -> None:
        """Terminate all workers; kill those that have not ended in time."""
        end = self._clock() + seconds
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.join(max(0.0, end - self._clock()))
            if worker.is_alive():
                worker.kill()
                worker.join()


# A collection served by replicas on a Ray cluster: each opens the whole collection, and this process shares requests.

APPLICATION = "naturalproofs"
"""The name of the application that `deploy` starts; another one of this name takes its place."""
AT_ONCE = 4
"""Requests that one replica works on."""
QUEUED = 64
"""Requests that wait; more are refused."""
PATIENCE = 60.0
"""Seconds for which a request is given to other replicas while replicas die."""
PAUSE = 0.2
"""Seconds between two attempts."""
ROUTES = ("/", "/health", f"{API}/openapi.json", f"{API}/search", f"{API}/suggest", f"{API}/statements/{{name:path}}",
          "/statement/{name:path}", "/graph/{name:path}", "/works/{name:path}", "/static/{name}")  # fmt: skip
"""What is passed on, each counted by itself."""


class Answer(NamedTuple):
    """The response of a replica."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Replica:
    """What Ray Serve runs: the application of a collection, which follows its commits."""

    def __init__(self, address: str, hosts: frozenset[str] = frozenset(), token: str = "") -> None:
        """Open the last commit."""
        self.live = live_collection(address)
        self.app = create_collection_app(self.live, hosts=hosts, token=token)

    async def answer(self, scope: dict[str, Any], body: bytes) -> Answer:
        """Answer one request."""
        return await asgi_answer(self.app, scope, body)

    async def __call__(self, request: Request) -> Response:
        """Answer a request that one of Ray's proxies has taken."""
        return _response(await self.answer(_plain(request.scope), await request.body()))

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
    check_cores(place, replicas, name)
    return serve.run(deployed(replicas).bind(address), name=name, route_prefix=None)


def check_cores(place: str, replicas: int, name: str) -> None:
    """Raise if other applications leave too few cores; Ray itself waits for cores without end."""
    cores = int(connect(place).cluster_resources().get("CPU", 0))
    others = {one: found for one, (_, _, found) in applications(place).items() if one != name and found}
    held = f", of which {', '.join(others)} hold {sum(others.values())}" if others else ""
    if cores - sum(others.values()) < replicas:
        raise ClusterNotReachable(
            f"{place}: the cluster has {cores} cores{held}, and each of {replicas} replicas needs one"
        )


def deploy(address: str, place: str, *, replicas: int, host: str, port: int, **access: Any) -> None:
    """Start or replace the service that Ray Serve keeps up without this process: its proxies take the connections.

    Args:
        address: The collection, as all machines of the cluster see it.
        place: The cluster.
        replicas: How many.
        host: Address to listen on, of every machine that has a replica.
        port: Its port.
        access: As for `create_collection_app`.
    """
    if not place.startswith("ray://"):
        OpenCollection.open(address)  # Here it is one line; in a replica Ray would try it again and again.
    connect(place, running=True)
    from ray import serve

    serve.start(proxy_location="EveryNode", http_options={"host": host, "port": port})
    check_cores(place, replicas, APPLICATION)
    serve.run(deployed(replicas).bind(address, **access), name=APPLICATION, route_prefix="/")


def applications(place: str) -> dict[str, tuple[str, str, int]]:
    """The applications of Ray Serve on a cluster: the state of each, what it says, and how many replicas it has."""
    connect(place, running=True)
    from ray import serve

    return {
        name: (
            one.status.value,
            one.message,
            sum(sum(each.replica_states.values()) for each in one.deployments.values()),
        )
        for name, one in serve.status().applications.items()
    }


def deployed(replicas: int) -> Any:
    """The replicas as Ray Serve runs them."""
    from ray import serve

    return serve.deployment(
        Replica,
        name="replica",
        num_replicas=replicas,
        max_ongoing_requests=AT_ONCE,
        max_queued_requests=QUEUED,
        health_check_timeout_s=120,
        graceful_shutdown_timeout_s=30,
    )


def application(args: dict[str, str]) -> Any:
    """What a config of Ray Serve names as ``import_path``; Ray's own proxies take the connections.

    Args:
        args: ``collection``, its address; ``hosts``, accepted names in the Host header, separated by commas, any if it
            is not given; ``token``, what requests must carry, nothing if it is not given.
    """
    hosts = frozenset(filter(None, args.get("hosts", "").split(",")))
    return deployed(1).bind(args["collection"], hosts, args.get("token", ""))


def _response(answer: Answer) -> Response:
    response = Response(answer.body, answer.status)
    response.raw_headers = answer.headers
    return response


def stop_replicas(name: str) -> None:
    """End an application; the cluster goes on."""
    from ray import serve

    serve.delete(name)


def front_app(handle: Any, *, hosts: frozenset[str] = frozenset(), token: str = "") -> ASGIApp:
    """The application that gives requests to replicas.

    Args:
        handle: The handle of the replicas.
        hosts: Accepted names in the Host header; any if empty.
        token: What requests must carry; nothing if empty.
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
                return _response(answer)

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    for route in ROUTES:
        app.add_api_route(route, forward, methods=["POST" if route.endswith("/suggest") else "GET"])
    return behind_middleware(app, hosts, LIMITS, token)


def _plain(scope: Scope) -> dict[str, Any]:
    """What a replica needs of a request, without objects of this process."""
    names = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path")
    return {name: scope[name] for name in names if name in scope} | {"headers": list(scope["headers"])}
