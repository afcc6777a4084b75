"""A Ray cluster of two nodes on this machine; run as a script, it prints the address and stays until it is stopped."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEMORY = 100 << 20
"""Bytes of the object store of a node."""
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Nodes are slow to answer when all cores are busy; only dead ones, which refuse connections, are to be given up.
    "RAY_health_check_timeout_ms": "60000",
    "RAY_health_check_period_ms": "1000",
    "RAY_raylet_start_wait_time_s": "240",
    # Otherwise workers get almost no processor time while other tests run.
    "RAY_worker_niceness": "0",
}


@contextlib.contextmanager
def two_nodes(cores: int = 1) -> Iterator[Any]:
    """A head node and a second one, which is `nodes[1]`."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import ray
    from ray.cluster_utils import Cluster

    options = {"num_cpus": cores, "object_store_memory": MEMORY, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=options)
    try:
        # This process belongs to the head node, so that it survives the second one.
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
        cluster.nodes = [cluster.head_node]
        add_node(cluster, cores)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def add_node(cluster: Any, cores: int) -> None:
    """Add a node, the last of `nodes`."""
    cluster.nodes.append(cluster.add_node(num_cpus=cores, object_store_memory=MEMORY))


def workers_of(node: Any) -> list[int]:
    """The process ids of the workers of a node that run tasks or wait for them."""
    (raylet,) = [one.process.pid for one in node.all_processes["raylet"]]
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            name = (process / "cmdline").read_bytes()
            # A node ends itself without its agents.
            if name.startswith(b"ray::") and b"Agent" not in name and int(fields[1]) == raylet:
                found.append(int(process.name))
    return found


if __name__ == "__main__":
    with two_nodes(int(sys.argv[1]) if len(sys.argv) > 1 else 1) as running:
        print(running.address, flush=True)  # noqa: T201
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
