"""The connection to a Ray cluster."""

from __future__ import annotations

from typing import Any

from naturalproofs.errors import ClusterNotReachable, MissingExtra


def connect(address: str) -> Any:
    """Ray, connected to a cluster.

    Args:
        address: ``ray`` for the cluster that ``RAY_ADDRESS`` names or that runs on this machine, and for a new one if
            there is none; ``ray://HOST:PORT`` for the client port of a cluster; ``HOST:PORT`` for its head node.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise MissingExtra("a Ray cluster", "scale") from error

    if not ray.is_initialized():
        place = {} if address == "ray" else {"address": address}
        try:
            ray.init(**place, log_to_driver=False, logging_level="error", include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ClusterNotReachable(f"{address}: no Ray cluster answers there ({reason})") from error
    return ray
