"""A Ray cluster of two nodes: the same rows and trees, and no request fails, though workers and nodes are killed."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.types import ASGIApp

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.collection.cluster import read_on_cluster
from naturalproofs.collection.collect import collect
from naturalproofs.collection.read import ReadProject, ReadTask, read_project
from naturalproofs.collection.tables import Collection
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.data import primer_folder
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.tasks.dataset import train_set
from naturalproofs.tasks.make import Recipe, make_splits
from naturalproofs.tasks.protocols import protocol
from naturalproofs.web.cluster import Answer, asgi_answer, front_app, start_replicas, stop_replicas
from support.ray_cluster import add_node, two_nodes, workers_of

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="large: set NATURALPROOFS_LARGE=1"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with two_nodes(2) as running:
        yield running


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for number in range(12):
        (folder / f"project{number}").mkdir()
        text = rf"\newtheorem{{lemma}}{{Lemma}}\begin{{lemma}} Number {number} is prime. \end{{lemma}}"
        document = rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}"
        (folder / f"project{number}" / "main.tex").write_text(document)
    (folder / "bad.tar.gz").write_bytes(b"\x1f\x8b")
    return folder


def rows(address: Path, table: str) -> list[str]:
    found = Collection.open(address).table(table).to_table().to_pylist()
    return sorted(repr({**row, "seconds": 0}) for row in found)


def test_equal_rows_though_workers_and_a_node_die(cluster: Any, sources: Path, tmp_path: Path) -> None:
    def killing(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        for number, found in enumerate(read_on_cluster(tasks, cluster.address)):
            if number in {1, 4}:
                for worker in [one for node in cluster.nodes for one in workers_of(node)]:
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
            if number == 6:
                cluster.remove_node(cluster.nodes.pop(), allow_graceful=False)
            yield found
        add_node(cluster, 2)

    one = collect([sources, primer_folder()], tmp_path / "one", lambda tasks: map(read_project, tasks))
    two = collect([sources, primer_folder()], tmp_path / "two", killing)
    assert (two.read, two.failed, two.problems) == (one.read, one.failed, one.problems)
    assert (one.read, one.failed) == (13, 1)
    for table in ("statements", "edges", "projects", "duplicates"):
        assert rows(tmp_path / "one", table) == rows(tmp_path / "two", table)


def test_training_queries_on_the_cluster(cluster: Any, primer: Corpus, tmp_path: Path) -> None:
    train = train_set(primer, make_splits(primer, Recipe("leaf", 0, 1.0, None)), protocol("clean"))
    settings = Hybrid(enough=1, questions=24, folds=2, dimensions=16, pool=50)
    here = settings.training_table(train, seed=0)
    context = TrainContext(tmp_path, cluster=cluster.address)
    there = settings.training_table(train, seed=0, context=context)
    assert here is not None
    assert there is not None
    for one, other in ((here.rows, there.rows), (here.held_out, there.held_out)):
        assert one.names == other.names
        assert one.examples == other.examples
        assert np.array_equal(one.values, other.values)
        assert np.array_equal(one.weights, other.weights)


def test_no_request_fails(cluster: Any, tmp_path: Path) -> None:
    """Not while a replica is killed, nor while a new commit is opened, nor while a node dies with its replica."""
    collect([primer_folder()], tmp_path / "c", lambda tasks: map(read_project, tasks))
    app = front_app(start_replicas(str(tmp_path / "c"), cluster.address, replicas=2, name="test"))
    try:
        asyncio.run(_ask_and_kill(app, cluster, tmp_path))
    finally:
        stop_replicas("test")


async def _ask_and_kill(app: ASGIApp, cluster: Any, folder: Path) -> None:
    answers: asyncio.Queue[tuple[str, Answer]] = asyncio.Queue()

    async def ask(path: str, query: str = "") -> Answer:
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
        return await asgi_answer(app, scope, b"")

    async def keep_asking(query: str) -> None:
        while True:
            answers.put_nowait((query, await ask("/api/v1/search", query)))

    async def answered(number: int) -> None:
        for _ in range(number):
            query, answer = await answers.get()
            assert answer.status == 200, answer
            assert json.loads(answer.body)["items"][0] == expected[query]

    queries = ["q=Lagrange&k=3", "q=cyclic+group", "q=quotient", "q=prime"]
    expected = {query: json.loads((await ask("/api/v1/search", query)).body)["items"][0] for query in queries}
    asking = [asyncio.create_task(keep_asking(query)) for query in queries]
    await answered(4)
    os.kill(replicas(cluster)[0], signal.SIGKILL)
    await answered(12)
    before = json.loads((await ask("/health")).body)["commit"]
    await asyncio.to_thread(_add_a_project, folder)
    while json.loads((await ask("/health")).body)["commit"] == before:
        await answered(1)
    await asyncio.to_thread(cluster.remove_node, cluster.nodes.pop(), allow_graceful=False)
    await answered(12)
    for task in asking:
        task.cancel()
    metrics = (await ask("/metrics")).body.decode()
    assert 'route="/api/v1/search",status="200"' in metrics
    assert 'status="5' not in metrics


def _add_a_project(folder: Path) -> None:
    text = r"\newtheorem{theorem}{T}\begin{theorem} A compact operator has an eigenvalue. \end{theorem}"
    (folder / "new").mkdir()
    (folder / "new" / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    collect([folder / "new"], folder / "c", lambda tasks: map(read_project, tasks))


def replicas(cluster: Any) -> list[int]:
    """The process ids of the replicas."""
    found = [one for node in cluster.nodes for one in workers_of(node)]
    return [one for one in found if b"ServeReplica" in Path(f"/proc/{one}/cmdline").read_bytes()]


def test_all_open_projects(cluster: Any, real_source: Callable[[str], Path], tmp_path: Path) -> None:
    projects = real_source("projects")
    one = collect([projects], tmp_path / "one", lambda tasks: map(read_project, tasks), index=False)
    two = collect([projects], tmp_path / "two", lambda tasks: read_on_cluster(tasks, cluster.address), index=False)
    assert one.read == two.read > 40
    for table in ("statements", "edges", "duplicates"):
        assert rows(tmp_path / "one", table) == rows(tmp_path / "two", table)
