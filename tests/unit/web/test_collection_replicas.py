"""Replicas on a Ray cluster of two nodes: no request fails while a replica is killed and the collection is updated."""

import json
import os
import signal
import socket
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.collection.collect import collect
from naturalproofs.collection.read import read_project
from naturalproofs.data import primer_folder
from support.ray_cluster import two_nodes, workers_of

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="large: set NATURALPROOFS_LARGE=1"),
]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_no_request_fails(tmp_path: Path) -> None:
    from naturalproofs.web.cluster import start_replicas

    collect([primer_folder()], tmp_path / "c", lambda tasks: map(read_project, tasks))
    port = free_port()

    def ask(path: str) -> dict[str, object]:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=100) as answer:
            found: dict[str, object] = json.loads(answer.read())
            return found

    with two_nodes(2) as cluster:
        start_replicas(str(tmp_path / "c"), cluster.address, replicas=2, host="127.0.0.1", port=port)
        expected = ask("/api/v1/search?q=Lagrange&k=3")
        replicas = [
            one
            for node in cluster.nodes
            for one in workers_of(node)
            if b"ServeReplica" in Path(f"/proc/{one}/cmdline").read_bytes()
        ]
        assert len(replicas) == 2
        os.kill(replicas[0], signal.SIGKILL)
        for _ in range(20):
            assert ask("/api/v1/search?q=Lagrange&k=3") == expected
        before = ask("/health")["commit"]
        (tmp_path / "new").mkdir()
        text = r"\newtheorem{theorem}{T}\begin{theorem} A compact operator has an eigenvalue. \end{theorem}"
        document = rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}"
        (tmp_path / "new" / "a.tex").write_text(document)
        collect([tmp_path / "new"], tmp_path / "c", lambda tasks: map(read_project, tasks))
        while ask("/health")["commit"] == before:
            assert ask("/api/v1/search?q=Lagrange&k=1")["items"]
        with suppress(ProcessLookupError):
            os.kill(replicas[1], signal.SIGKILL)
        for _ in range(5):
            assert ask("/api/v1/search?q=Lagrange&k=1")["items"]
