"""Collecting on a Ray cluster of two nodes: the same rows, though workers and a node are killed."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.collection.cluster import read_on_cluster
from naturalproofs.collection.collect import collect
from naturalproofs.collection.read import ReadProject, ReadTask, read_project
from naturalproofs.collection.tables import Collection
from naturalproofs.data import primer_folder
from support.ray_cluster import two_nodes, workers_of

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with two_nodes() as running:
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


@pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="large: set NATURALPROOFS_LARGE=1")
def test_all_open_projects(cluster: Any, real_source: Callable[[str], Path], tmp_path: Path) -> None:
    projects = real_source("projects")
    one = collect([projects], tmp_path / "one", lambda tasks: map(read_project, tasks), index=False)
    two = collect([projects], tmp_path / "two", lambda tasks: read_on_cluster(tasks, cluster.address), index=False)
    assert one.read == two.read > 40
    for table in ("statements", "edges", "duplicates"):
        assert rows(tmp_path / "one", table) == rows(tmp_path / "two", table)


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

    one = collect([sources, primer_folder()], tmp_path / "one", lambda tasks: map(read_project, tasks))
    two = collect([sources, primer_folder()], tmp_path / "two", killing)
    assert (two.read, two.failed, two.problems) == (one.read, one.failed, one.problems)
    assert (one.read, one.failed) == (13, 1)
    for table in ("statements", "edges", "projects", "duplicates"):
        assert rows(tmp_path / "one", table) == rows(tmp_path / "two", table)
