"""Connecting to a cluster that is not there."""

import socket

import pytest

pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.errors import ClusterNotReachable
from naturalproofs.io.cluster import connect


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_nothing_listens_there(scheme: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(ClusterNotReachable, match="no Ray cluster answers there"):
            connect(f"{scheme}127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["head", "head:", ":6379", "ray://head:port", "head:99999999999"])
def test_not_an_address(address: str) -> None:
    with pytest.raises(ClusterNotReachable):
        connect(address)
