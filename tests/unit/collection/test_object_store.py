"""A collection in an object store, by a server that speaks S3 on this machine."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
pytest.importorskip("boto3", reason="needs moto: pip install 'moto[server]'")
pytest.importorskip("moto.server", reason="needs moto: pip install 'moto[server]'")

import boto3
from moto.server import ThreadedMotoServer

from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.collections.tables import Collection, Writer
from naturalproofs.errors import CollectionDamaged, OutputInTheWay

ADDRESS = "s3://tests/collection"
SETTINGS = {
    "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true",
    # A store that is down is not asked for minutes.
    "OBJECT_STORE_CLIENT_MAX_RETRIES": "1", "OBJECT_STORE_CLIENT_RETRY_TIMEOUT": "2",
}  # fmt: skip


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    # Reading of instance metadata, and proxies, must not be tried.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT", f"http://{host}:{port}")
    boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT"]).create_bucket(Bucket="tests")
    yield running
    running.stop()


def project(folder: Path, what: str) -> Path:
    folder.mkdir(parents=True)
    text = rf"\newtheorem{{lemma}}{{Lemma}}\begin{{lemma}}\label{{a}} Every {what} is solvable. \end{{lemma}}"
    (folder / "main.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    return folder


def ids() -> set[str]:
    return set(Collection.open(ADDRESS).table("statements").to_table(columns=["id"])["id"].to_pylist())


def test_two_writers_and_a_store_that_is_down(server: Any, tmp_path: Path) -> None:
    def collected(source: Path) -> int:
        return collect([source], ADDRESS, lambda tasks: map(read_project, tasks)).read

    assert collected(project(tmp_path / "a", "group")) == 1
    # A second writer is refused, and what the first one has committed stays.
    first, second = Writer(ADDRESS), Writer(ADDRESS)
    row = first.tables["statements"].to_table()
    with pytest.raises((OutputInTheWay, OSError)):
        first.append("statements", row.set_column(0, "id", [["x:1"]]))
        first.commit()
        second.append("statements", row.set_column(0, "id", [["y:1"]]))
        second.commit()
    assert ids() == {"a:a", "x:1"}
    # No answer is not "no collection".
    port = server.get_host_and_port()[1]
    server.stop()
    later = project(tmp_path / "b", "ring")
    with pytest.raises((CollectionDamaged, OSError)):
        collected(later)
    with pytest.raises((CollectionDamaged, OSError)):
        OpenCollection.open(ADDRESS)
    again = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    again.start()
    try:
        assert ids() == {"a:a", "x:1"}
        assert collected(later) == 1
        assert ids() == {"a:a", "x:1", "b:a"}
        assert OpenCollection.open(ADDRESS).search("ring").total == 1
    finally:
        again.stop()
