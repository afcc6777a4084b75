"""A collection over HTTP: the answers, the errors, and an update while it serves."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from fastapi.testclient import TestClient

from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.web.collection_app import LiveCollection, create_collection_app
from naturalproofs.apps.web.requests import Limits
from naturalproofs.data import primer_folder


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "collection"
    collect([primer_folder()], folder, lambda tasks: map(read_project, tasks))
    return folder


@pytest.fixture
def live(address: Path) -> LiveCollection:
    return LiveCollection(OpenCollection.open(str(address)))


@pytest.fixture
def client(live: LiveCollection) -> TestClient:
    return TestClient(create_collection_app(live), raise_server_exceptions=False)


def test_search(client: TestClient) -> None:
    answer = client.get("/api/v1/search", params={"q": "Lagrange", "k": 3})
    assert answer.status_code == 200
    first = answer.json()["items"][0]
    assert (first["label"], first["corpus"]) == ("thm:lagrange", "primer")


def test_suggest(client: TestClient) -> None:
    asked = {"text": "Every group of prime order is cyclic.", "k": 5}
    items = client.post("/api/v1/suggest", json=asked).json()["items"]
    assert "cor:prime-order-cyclic" in [item["label"] for item in items]
    assert all(item["reasons"] for item in items)
    about = client.post("/api/v1/suggest", json={"statement": "primer:thm:lagrange", "k": 5}).json()["items"]
    assert about
    assert "primer:thm:lagrange" not in [item["id"] for item in about]
    assert client.post("/api/v1/suggest", json={"text": "a group", "corpora": ["none"]}).json()["items"] == []


def test_statement(client: TestClient) -> None:
    found = client.get("/api/v1/statements/primer:thm:lagrange").json()
    assert found["title"] == "Lagrange"
    assert found["proofs"][0]["references"]
    cited = client.get(f"/api/v1/statements/{found['proofs'][0]['references'][0]}").json()
    assert "primer:thm:lagrange" in cited["used_by"]


def test_errors(client: TestClient) -> None:
    assert client.get("/api/v1/statements/primer:none").status_code == 404
    assert client.get("/api/v1/search").status_code == 422
    assert client.get("/api/v1/search", params={"q": "x" * 1000}).status_code == 422
    assert client.post("/api/v1/suggest", json={"text": " "}).status_code == 422
    assert client.get("/api/v1/search", params={"q": "element", "category": "zoology"}).json()["total"] == 0
    assert client.get("/", params={"q": "element category:sets"}).status_code == 200
    assert client.get("/nowhere").status_code == 404
    # Quotes end no string of a filter.
    assert client.get("/api/v1/statements/a' OR '1'='1").status_code == 404
    assert client.get("/api/v1/search", params={"q": "group corpus:x'y"}).json()["items"] == []


def test_page_health_and_metrics(client: TestClient) -> None:
    page = client.get("/", params={"q": "<script> Lagrange"})
    assert "thm:lagrange" in page.text
    assert "<script>" not in page.text
    assert client.get("/").status_code == 200
    assert client.get("/health").json()["status"] == "ok"
    assert "naturalproofs" in client.get("/metrics").text


def test_a_full_queue_is_refused(live: LiveCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, released, search = threading.Event(), threading.Event(), OpenCollection.search

    def held(*arguments: Any, **named: Any) -> Any:
        begun.set()
        released.wait(300)
        return search(*arguments, **named)

    monkeypatch.setattr(OpenCollection, "search", held)
    app = create_collection_app(live, limits=Limits(at_once=1, waiting=0, seconds=300))
    with TestClient(app, raise_server_exceptions=False) as client, ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.get, "/api/v1/search", params={"q": "group"})
        begun.wait(300)
        answer = client.get("/api/v1/search", params={"q": "group"})
        released.set()
        assert first.result(300).status_code == 200
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_a_new_commit_is_served(tmp_path: Path) -> None:
    folder, new = tmp_path / "c", tmp_path / "new"
    collect([primer_folder()], folder, lambda tasks: map(read_project, tasks))
    live = LiveCollection(OpenCollection.open(str(folder)))
    client = TestClient(create_collection_app(live))
    before = client.get("/health").json()["commit"]
    new.mkdir()
    text = r"\newtheorem{theorem}{T}\begin{theorem} A compact operator has a nonzero eigenvalue. \end{theorem}"
    (new / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    collect([new], folder, lambda tasks: map(read_project, tasks))
    assert client.get("/api/v1/search", params={"q": "Lagrange"}).status_code == 200
    assert live.refresh()
    assert not live.refresh()
    assert client.get("/health").json()["commit"] > before
    assert client.get("/api/v1/search", params={"q": "compact operator"}).json()["items"][0]["corpus"] == "new"
