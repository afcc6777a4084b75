"""Starting and stopping: one worker, or several that share what was prepared on disk."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from naturalproofs.web.app import LOCAL, create_app
from naturalproofs.web.limits import LIMITS
from naturalproofs.web.macros import read_macro_files
from naturalproofs.web.middleware import App
from naturalproofs.web.runs import load_tasks
from naturalproofs.web.site import Site
from naturalproofs.web.watch import Watcher
from naturalproofs.workspace.library import Library

SETTINGS = "NATURALPROOFS_SERVE"
"""How workers, which are processes of their own, are told what to serve."""
STOPPING = 5
"""Seconds that answers under way have when the server is stopped."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What to serve, and where."""

    paths: tuple[str, ...]
    method: str | None = None
    runs: str | None = None
    cache: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    macros: tuple[str, ...] = ()
    """Files that define commands which corpora use."""
    allowed: tuple[str, ...] = ()
    """Further names under which the server is known; a star means any."""


class PatientProtocol(H11Protocol):
    """HTTP that does not wait for ever for the head of a request."""

    patience: ClassVar[float] = LIMITS.head_seconds
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on while a head is incomplete, the first one or a later one; the door waits for the body."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._deadline is None and not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is left to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.patience, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def open_site(serving: Serving) -> Site:
    """Open all that is to be served, and make what the first answers need."""
    library = Library.open(serving.paths, method=serving.method)
    tasks = load_tasks(Path(serving.runs) if serving.runs else None)
    cache = Path(serving.cache) if serving.cache else None
    site = Site(library, tasks=tasks, cache=cache, macros=read_macro_files(serving.macros))
    site.warm()
    return site


def application(site: Site, serving: Serving) -> App:
    """What answers, following the files of projects as they are edited."""
    Watcher(site, serving.paths, serving.method).start()
    return create_app(site, hosts=_hosts(serving))


def worker() -> App:
    """The application of one worker, as its surroundings say."""
    serving = msgspec.json.decode(os.environ[SETTINGS], type=Serving)
    return application(open_site(serving), serving)


def serve(serving: Serving, ready: Callable[[], None]) -> None:
    """Serve until interrupted; answers under way are finished first.

    Args:
        serving: What, and where.
        ready: Called once all is open.
    """
    # With several workers, this process makes what is kept, so that they only open it.
    site = open_site(serving)
    ready()
    options: dict[str, Any] = {
        "host": serving.host,
        "port": serving.port,
        "http": PatientProtocol,
        "ws": "none",
        "log_level": "warning",
        "server_header": False,
        "limit_concurrency": LIMITS.connections,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": STOPPING,
    }
    if serving.workers == 1:
        uvicorn.run(application(site, serving), **options)
        return
    del site
    os.environ[SETTINGS] = msgspec.json.encode(serving).decode()
    uvicorn.run("naturalproofs.web.server:worker", factory=True, workers=serving.workers, **options)


def _hosts(serving: Serving) -> frozenset[str]:
    if "*" in serving.allowed or (serving.host in ("0.0.0.0", "::") and not serving.allowed):
        return frozenset()
    return LOCAL | {serving.host.lower()} | {name.lower() for name in serving.allowed}
