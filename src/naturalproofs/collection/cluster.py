"""Reading on a Ray cluster: the same tasks as with worker processes, on as many machines as the cluster has.

All machines need this package in the same version, and must see the sources under the same paths. What a worker has
read goes to the driver, the one writer of the collection. Ray repeats the tasks of a worker or a machine that died.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from naturalproofs.collection.read import ReadProject, ReadTask, read_in_worker
from naturalproofs.errors import ClusterNotReachable
from naturalproofs.io.cluster import connect
from naturalproofs.io.names import name_of, path_of

AHEAD = 4
"""Tasks that are handed to the cluster for each of its cores."""
RETRIES = 5
"""Times that a task is repeated whose worker or machine died."""
RECYCLED = 500
"""Tasks that one worker process runs."""


def read_on_cluster(tasks: Iterable[ReadTask], address: str) -> Iterator[ReadProject]:
    """Read projects on a cluster; results come in the order in which they are ready."""
    ray = connect(address)
    run = ray.remote(num_cpus=1, max_retries=RETRIES, max_calls=RECYCLED)(read_in_worker)
    waiting = iter(tasks)
    running: dict[Any, ReadTask] = {}
    while True:
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        running.update({run.remote(_absolute(task)): task for task in islice(waiting, max(0, most - len(running)))})
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            task = running.pop(reference)
            try:
                yield replace(ray.get(reference), source=task.source)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
                message = f"its worker on the cluster ended {RETRIES + 1} times ({type(error).__name__})"
                yield ReadProject(task.source, "failed", "", message)
            except ray.exceptions.RayError as error:
                raise ClusterNotReachable(
                    f"{address}: the cluster failed ({type(error).__name__}); run the command again, it goes on"
                ) from error


def _absolute(task: ReadTask) -> ReadTask:
    """The same project by its whole path, since workers run in other folders."""
    return replace(task, source=replace(task.source, path=name_of(path_of(task.source.path).absolute())))
