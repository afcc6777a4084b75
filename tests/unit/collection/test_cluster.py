"""A Ray cluster of two nodes: the same rows and trees, and no request fails, though workers and nodes are killed.

Each test runs a script in a process of its own, since a process that has used Ray cannot be forked by other tests.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.collections.tables import Collection

TESTS = Path(__file__).parents[2]
LIMIT = 1800
"""Seconds after which a script is given up."""
MARK = "NATURALPROOFS_TEST_CLUSTER"
"""A variable of the environment by which all processes of a cluster are known."""
large = pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="large: set NATURALPROOFS_LARGE=1")


def run(script: str, *arguments: str | Path) -> str:
    """What a script prints; whatever happens, none of its processes is left."""
    mark = uuid4().hex
    environment = os.environ | {"PYTHONPATH": str(TESTS), MARK: mark}
    command = [sys.executable, "-m", f"support.{script}", *map(str, arguments)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    finally:
        for process in marked(mark):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout


def marked(mark: str) -> Iterator[int]:
    """The processes that have a mark in their environment."""
    for process in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                yield int(process.name)


def rows(address: Path, table: str) -> list[str]:
    found = Collection.open(address).table(table).to_table().to_pylist()
    return sorted(repr({**row, "seconds": 0, "stamp": ""}) for row in found)


def assert_equal_rows(sources: Path, folder: Path) -> None:
    """Read in one process, and on a cluster that loses a worker and a node."""
    printed = run("cluster_reading", sources, folder / "cluster")
    report = collect([sources], folder / "one", lambda tasks: map(read_project, tasks))
    assert printed.splitlines()[-1] == f"{report.read} read, {report.failed} failed"
    for table in ("statements", "edges", "projects", "duplicates"):
        assert rows(folder / "one", table) == rows(folder / "cluster", table)
    found = [OpenCollection.open(str(folder / name)).search("number prime") for name in ("one", "cluster")]
    assert found[0].total == found[1].total > 0


def test_reading_loses_nothing(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    for number in range(6):
        (sources / f"project{number}").mkdir(parents=True)
        text = rf"\newtheorem{{lemma}}{{Lemma}}\begin{{lemma}} Number {number} is prime. \end{{lemma}}"
        document = rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}"
        (sources / f"project{number}" / "main.tex").write_text(document)
    (sources / "bad.tar.gz").write_bytes(b"\x1f\x8b")
    assert_equal_rows(sources, tmp_path)


@large
def test_reading_all_open_projects_loses_nothing(real_source: Callable[[str], Path], tmp_path: Path) -> None:
    assert_equal_rows(real_source("projects"), tmp_path)


def test_serving_fails_no_request(tmp_path: Path) -> None:
    run("cluster_serving", tmp_path)


def test_a_service_that_no_process_of_ours_keeps_up(tmp_path: Path) -> None:
    run("cluster_deploying", tmp_path)


@large
def test_new_replicas_fail_no_request(tmp_path: Path) -> None:
    run("cluster_serving", tmp_path, "restart")


@large
def test_training_queries_on_the_cluster(tmp_path: Path) -> None:
    run("cluster_training", tmp_path)
