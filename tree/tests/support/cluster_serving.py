"""Ask replicas on a cluster of two nodes, while replicas, a node and the collection change: no request may fail.

Run as a script, ``cluster_serving.py FOLDER [restart]``, by a process of its own: what Ray starts ends with it.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.web import server as serving
from naturalproofs.apps.web.server import Answer, Replica, asgi_answer, front_app, start_replicas, stop_replicas
from naturalproofs.apps.web.templating import API
from naturalproofs.data import primer_folder
from support.ray_cluster import two_nodes, workers_of

QUERIES = ("q=Lagrange&k=3", "q=cyclic+group", "q=quotient", "q=prime")
HELD = "q=held"
"""A query that is answered when a file of this name is beside the collection."""
BEYOND = 100
"""Requests beyond those that replicas work on and those that wait."""
REFUSED = 10
"""How many of them must be refused; on a busy machine Ray accepts a few more than its limit."""


class HeldReplica(Replica):
    """A replica with a query that takes as long as a test wants."""

    def __init__(self, address: str) -> None:
        """Note where the file is looked for."""
        super().__init__(address)
        self.free = Path(address).parent / HELD

    async def answer(self, scope: dict[str, Any], body: bytes) -> Answer:
        """Answer one request."""
        while scope["query_string"] == HELD.encode() and not self.free.exists():
            await asyncio.sleep(0.05)
        return await super().answer(scope, body)


def serve_though_they_die(folder: Path, *, restart: bool) -> None:
    """Serve the Primer on two nodes; optionally restart the replicas during the requests."""
    collect([primer_folder()], folder / "c", lambda tasks: map(read_project, tasks))
    serving.Replica = HeldReplica  # type: ignore[misc]
    # A replica may take long to start where other tests run.
    serving.PATIENCE = 300.0
    with two_nodes() as cluster:
        app = front_app(_start(folder, cluster))
        try:
            asyncio.run(_refuse_what_is_too_much(app, folder))
            asyncio.run(_ask_and_kill(app, cluster, folder, restart=restart))
        finally:
            stop_replicas("test")


def _start(folder: Path, cluster: Any) -> Any:
    return start_replicas(str(folder / "c"), cluster.address, replicas=2, name="test")


async def _ask(app: ASGIApp, path: str, query: str = "") -> Answer:
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    return await asgi_answer(app, scope, b"")


async def _search(app: ASGIApp, query: str) -> Answer:
    return await _ask(app, f"{API}/search", query)


async def _refuse_what_is_too_much(app: ASGIApp, folder: Path) -> None:
    """What is beyond the queue is refused at once, the rest is answered."""
    accepted = 2 * serving.AT_ONCE + serving.QUEUED
    pending = {asyncio.create_task(_search(app, HELD)) for _ in range(accepted + BEYOND)}
    refused: set[asyncio.Task[Answer]] = set()
    while len(refused) < REFUSED:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        refused |= done
    for one in refused:
        assert one.result().status == 503, one
        assert (b"retry-after", b"2") in one.result().headers
    (folder / HELD).touch()
    statuses = [answer.status for answer in await asyncio.gather(*pending)]
    assert set(statuses) <= {200, 503}
    assert statuses.count(200) >= serving.QUEUED
    assert (await _search(app, QUERIES[0])).status == 200


async def _ask_and_kill(app: ASGIApp, cluster: Any, folder: Path, *, restart: bool) -> None:
    """Not while a replica is killed, nor while a new commit is opened, nor while a node dies with its replica."""
    answers: asyncio.Queue[tuple[str, Answer]] = asyncio.Queue()

    async def keep_asking(query: str) -> None:
        while True:
            answers.put_nowait((query, await _search(app, query)))

    async def answered(number: int) -> None:
        for _ in range(number):
            query, answer = await answers.get()
            assert answer.status == 200, answer
            assert _first(answer) == expected[query]

    expected = {query: _first(await _search(app, query)) for query in QUERIES}
    asking = [asyncio.create_task(keep_asking(query)) for query in QUERIES]
    await answered(4)
    os.kill(_replicas(cluster)[0], signal.SIGKILL)
    await answered(12)
    before = await _commit(app)
    await asyncio.to_thread(_add_a_project, folder)
    while await _commit(app) == before:
        await answered(1)
    if restart:
        await asyncio.to_thread(_start, folder, cluster)
        await answered(12)
    await asyncio.to_thread(cluster.remove_node, cluster.nodes.pop(), allow_graceful=False)
    await answered(12)
    for task in asking:
        task.cancel()
    while not answers.empty():
        await answered(1)
    metrics = (await _ask(app, "/metrics")).body.decode()
    assert f'route="{API}/search",status="200"' in metrics
    assert 'status="500"' not in metrics


def _first(answer: Answer) -> Any:
    return json.loads(answer.body)["items"][0]


async def _commit(app: ASGIApp) -> int:
    found: int = json.loads((await _ask(app, "/health")).body)["commit"]
    return found


def _add_a_project(folder: Path) -> None:
    text = r"\newtheorem{theorem}{T}\begin{theorem} A compact operator has an eigenvalue. \end{theorem}"
    (folder / "new").mkdir()
    (folder / "new" / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    collect([folder / "new"], folder / "c", lambda tasks: map(read_project, tasks))


def _replicas(cluster: Any) -> list[int]:
    """The process ids of the replicas."""
    found = [one for node in cluster.nodes for one in workers_of(node)]
    return [one for one in found if b"ServeReplica" in Path(f"/proc/{one}/cmdline").read_bytes()]


if __name__ == "__main__":
    serve_though_they_die(Path(sys.argv[1]), restart="restart" in sys.argv)
