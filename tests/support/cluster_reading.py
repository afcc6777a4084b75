"""Read projects on a cluster of two nodes, of which a worker and then a node die while they read; then write and index.

Run as a script, ``cluster_reading.py SOURCES COLLECTION``, by a process of its own: what Ray starts ends with it.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import ray

from naturalproofs.apps.collections import collect as reading
from naturalproofs.apps.collections.collect import CollectReport, collect
from naturalproofs.apps.collections.read import ReadProject, ReadTask, read_in_worker
from naturalproofs.io.cluster import starmap_on_cluster
from support.ray_cluster import two_nodes

LIMIT = 300
"""Seconds after which a condition that does not come true is given up."""


def collect_though_they_die(sources: Path, output: Path) -> CollectReport:
    """Collect on two nodes; the first task ends its worker, and the second node dies while it reads its first task."""
    with TemporaryDirectory() as folder, two_nodes() as cluster:
        worker_died, node_reads = Path(folder, "worker-died"), Path(folder, "node-reads")
        second = cluster.nodes[1].node_id

        def remove_second_node() -> None:
            wait_for(node_reads.exists)
            cluster.remove_node(cluster.nodes.pop(), allow_graceful=False)

        def run(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
            killer = threading.Thread(target=remove_second_node)
            killer.start()
            yield from reading.read_on_cluster(tasks, cluster.address)
            killer.join()
            assert worker_died.exists()

        reading.read_in_worker = killed(worker_died, node_reads, second)
        return collect([sources], output, run, spread=partial(starmap_on_cluster, cluster.address))


def killed(worker_died: Path, node_reads: Path, second: str) -> Callable[[ReadTask], ReadProject]:
    """A reader of projects whose process is killed once, and which then waits on the second node for its end."""

    def read(task: ReadTask) -> ReadProject:
        if not worker_died.exists():
            worker_died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if ray.get_runtime_context().get_node_id() == second:
            node_reads.touch()
            time.sleep(LIMIT)
        # The first node waits, so that it cannot read everything before the second one begins.
        wait_for(node_reads.exists)
        return read_in_worker(task)

    return read


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.05)


if __name__ == "__main__":
    found = collect_though_they_die(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{found.read} read, {found.failed} failed")  # noqa: T201
