"""Work on a Ray cluster. Its machines need this package in the same version."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from naturalproofs.errors import ClusterNotReachable, MissingExtra

ItemT = TypeVar("ItemT")
SharedT = TypeVar("SharedT")
ResultT = TypeVar("ResultT")
CONNECTING = 20.0
"""Seconds in which the head node must accept a connection."""
RETRIES = 5
"""Times that a task is repeated whose worker or machine died."""
TOGETHER = 16
"""Items that a worker is given at a time."""


def connect(address: str, *, running: bool = False) -> Any:
    """Ray, connected to a cluster.

    Args:
        address: ``ray`` for the cluster that ``RAY_ADDRESS`` names or that runs on this machine, and for a new one if
            there is none; ``ray://HOST:PORT`` for the client port of a cluster; ``HOST:PORT`` for its head node.
        running: Whether to refuse to start a new one, which would end with this process.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise MissingExtra("a Ray cluster", "scale") from error

    if not ray.is_initialized():
        if address != "ray":
            _refuse_dead(address)
        place = {} if address == "ray" and not running else {"address": "auto" if address == "ray" else address}
        try:
            ray.init(**place, log_to_driver=False, logging_level="error", include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ClusterNotReachable(f"{address}: no Ray cluster answers there ({reason})") from error
    return ray


def _refuse_dead(address: str) -> None:
    """Raise if nothing listens at an address; Ray itself tries for ten minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ClusterNotReachable(f"{address}: not the address of a cluster; write ray, HOST:PORT or ray://HOST:PORT")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECTING):
            pass
    except (OSError, OverflowError) as error:
        raise ClusterNotReachable(f"{address}: no Ray cluster answers there ({error})") from error


def cluster_failed(place: str, error: Exception) -> ClusterNotReachable:
    """What to say about an error of the cluster."""
    return ClusterNotReachable(f"{place}: the cluster failed ({type(error).__name__}); run the command again")


def starmap_on_cluster(
    place: str, function: Callable[..., ResultT], items: Iterable[tuple[Any, ...]]
) -> Iterator[ResultT]:
    """Apply a function to arguments, some of which may be results on the cluster; in the order of the items."""
    ray = connect(place)
    run = ray.remote(num_cpus=1, max_retries=RETRIES)(function)
    for reference in [run.remote(*arguments) for arguments in items]:
        try:
            yield ray.get(reference)
        except ray.exceptions.RayTaskError:
            raise  # An error of the function itself.
        except ray.exceptions.RayError as error:
            raise cluster_failed(place, error) from error


def map_on_cluster(
    place: str, function: Callable[[SharedT, ItemT], ResultT], shared: SharedT, items: Iterable[ItemT]
) -> Iterator[ResultT]:
    """Apply a function to items, which all are kept in memory; the results are in the order of the items.

    Args:
        place: The cluster, as in `connect`.
        function: A function of a module, which workers import.
        shared: Its first argument, which is brought to every machine once.
        items: Its second argument.
    """
    held, waiting = connect(place).put(shared), list(items)
    parts = [(function, held, waiting[first : first + TOGETHER]) for first in range(0, len(waiting), TOGETHER)]
    for found in starmap_on_cluster(place, _apply, parts):
        yield from found


def _apply(function: Callable[[SharedT, ItemT], ResultT], shared: SharedT, items: Sequence[ItemT]) -> list[ResultT]:
    return [function(shared, item) for item in items]
