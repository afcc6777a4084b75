"""The JSON interface, asked in process."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

import naturalproofs
from naturalproofs.apps.web.app import LOCAL, create_app
from naturalproofs.workspace import Workspace
from support.web_server import primer_site

V1 = "/api/v1"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(primer_site()), raise_server_exceptions=False) as made:
        yield made


def test_suggestions_have_what_one_needs(client: TestClient) -> None:
    answer = client.post(f"{V1}/suggest", json={"text": "Every subgroup of a cyclic group is cyclic.", "k": 4})
    items = answer.json()["items"]
    assert answer.status_code == 200
    assert len(items) == 4
    assert items[0]["label"] == "prop:subgroup-cyclic"
    assert items[0]["citation"] == "\\cref{prop:subgroup-cyclic}"
    assert items[0]["reasons"][0]["text"]


def test_a_statement_of_a_corpus_gets_only_what_may_be_used(client: TestClient) -> None:
    items = client.post(f"{V1}/suggest", json={"statement": "primer:thm:lagrange", "k": 50}).json()["items"]
    corpus = primer_site().corpora[0]
    place = corpus.find("thm:lagrange").place.position
    assert all(corpus.by_id[item["id"]].place.position < place for item in items)
    assert "primer:lem:coset-size" in [item["id"] for item in items]


def test_what_is_cited_already_is_not_suggested_again(client: TestClient) -> None:
    asked = {"text": "Every subgroup of a cyclic group is cyclic.", "k": 5}
    first = client.post(f"{V1}/suggest", json=asked).json()["items"][0]["id"]
    again = client.post(f"{V1}/suggest", json={**asked, "cited": [first]}).json()["items"]
    assert first not in [item["id"] for item in again]


def test_search_gives_marks_that_fit(client: TestClient) -> None:
    found = client.get(f"{V1}/search", params={"q": "compact", "k": 3, "kind": "definition"}).json()
    hit = found["items"][0]
    assert hit["label"] == "def:compact"
    assert {item["kind"] for item in found["items"]} == {"definition"}
    assert [hit["snippet"][a:b].lower() for a, b in hit["marks"]] == ["compact"] * len(hit["marks"])
    assert found["total"] >= len(found["items"])


def test_a_statement_is_whole(client: TestClient) -> None:
    found = client.get(f"{V1}/statements/primer:thm:lagrange").json()
    assert found["number"] == "3.3.5"
    assert "<math" in found["html"]
    assert found["proofs"][0]["references"] == [
        "primer:lem:coset-equivalence",
        "primer:def:index",
        "primer:lem:coset-size",
    ]
    assert len(found["used_by"]) == 14
    assert found["source"] == "chapters/groups.tex:341"


def test_a_statement_is_found_by_its_label_too(client: TestClient) -> None:
    assert client.get(f"{V1}/statements/thm:lagrange").json()["id"] == "primer:thm:lagrange"


def test_a_corpus_may_be_named_before_a_number_or_a_title(client: TestClient) -> None:
    for name in ("primer:3.3.5", "primer:Lagrange", "3.3.5"):
        assert client.get(f"{V1}/statements/{name}").json()["id"] == "primer:thm:lagrange"


def test_the_graph_holds_both_sides(client: TestClient) -> None:
    found = client.get(f"{V1}/graph/primer:thm:lagrange", params={"up": 1, "down": 1}).json()
    distances = {node["id"]: node["distance"] for node in found["nodes"]}
    assert distances["primer:thm:lagrange"] == 0
    assert distances["primer:lem:coset-size"] == -1
    assert distances["primer:cor:element-order-divides"] == 1
    assert all(edge["source"] in distances and edge["target"] in distances for edge in found["edges"])
    small = client.get(f"{V1}/graph/primer:thm:lagrange", params={"most": 5}).json()
    assert len(small["nodes"]) == 5
    assert small["left_out"] > 0


def test_a_path_is_in_order_and_stops_at_what_is_known(client: TestClient) -> None:
    steps = client.get(f"{V1}/path/primer:thm:lagrange").json()["steps"]
    seen: set[str] = set()
    for step in steps:
        assert set(step["uses"]) <= seen
        seen.add(step["id"])
    assert steps[-1]["id"] == "primer:thm:lagrange"
    known = client.get(f"{V1}/path/primer:thm:lagrange", params={"known": ["def:index"]}).json()
    assert known["known"] == ["primer:def:index"]
    assert len(known["steps"]) < len(steps)


def test_impact_is_nearest_first(client: TestClient) -> None:
    found = client.get(f"{V1}/impact/primer:thm:lagrange", params={"most": 20}).json()
    assert found["total"] == 30
    assert [item["distance"] for item in found["items"]] == sorted(item["distance"] for item in found["items"])


def test_corpora_and_preview(client: TestClient) -> None:
    corpus = client.get(f"{V1}/corpora").json()["corpora"][0]
    assert (corpus["name"], corpus["theorems"], corpus["references"]) == ("primer", 429, 1477)
    html = client.post(f"{V1}/preview", json={"text": "Let $\\abs{x} < 1$ & <b>"}).json()["html"]
    assert "<math" in html
    assert "&lt;b&gt;" in html
    assert "\\abs" not in html


@pytest.mark.parametrize(
    ("verb", "path", "body", "status", "code", "where"),
    [
        ("get", "/statements/nothing-such", None, 404, "not-found", ""),
        ("get", "/graph/nothing-such", None, 404, "not-found", ""),
        ("get", "/search", None, 422, "not-valid", "query.q"),
        ("get", "/search?q=a&k=1000", None, 422, "not-valid", "query.k"),
        ("get", "/search?q=a&corpus=none", None, 404, "not-found", ""),
        ("get", "/search?q=a%00b", None, 422, "not-valid", "query.q"),
        ("get", "/nowhere", None, 404, "not-found", "/api/v1/nowhere"),
        ("get", "/suggest", None, 405, "wrong-method", "/api/v1/suggest"),
        ("post", "/suggest", b"{", 400, "bad-request", "body.1"),
        ("post", "/suggest", b"[" * 30_000, 400, "bad-request", None),
        ("post", "/suggest", b'{"text": "a\\u0000"}', 422, "not-valid", "body.text"),
        ("post", "/suggest", b'{"text": "\\ud800"}', 422, "not-valid", "body.text"),
        ("post", "/suggest", b'{"text": 1}', 422, "not-valid", "body.text"),
        ("post", "/suggest", b"{}", 422, "not-valid", "text"),
        ("post", "/suggest", b'{"text": "a", "colour": 1}', 422, "not-valid", "body.colour"),
        ("post", "/suggest", b'{"text": "a", "corpora": ["none"]}', 404, "not-found", ""),
        ("post", "/suggest", b" " * 70_000, 413, "too-large", "body"),
        ("post", "/preview", b'{"text": "' + b"a" * 20_001 + b'"}', 422, "not-valid", "body.text"),
    ],
)
def test_errors_say_what_and_where(
    client: TestClient, verb: str, path: str, body: bytes | None, status: int, code: str, where: str | None
) -> None:
    sent = {"content": body, "headers": {"content-type": "application/json"}} if body is not None else {}
    answer = client.request(verb.upper(), V1 + path, **sent)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code)
    assert where is None or error["where"] == where
    assert 0 < len(error["message"]) < 300


def test_every_answer_is_dressed(client: TestClient) -> None:
    for path in ("/", f"{V1}/corpora", f"{V1}/nowhere", "/static/style.css", "/health", "/corpus/primer/graph"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


def test_health_and_metrics(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok", "version": naturalproofs.__version__, "corpora": 1}
    client.get(f"{V1}/nowhere")
    client.request("BREW", "/")
    text = client.get("/metrics").text
    assert 'naturalproofs_requests_total{method="GET",route="/health",status="200"}' in text
    assert 'naturalproofs_requests_total{method="GET",route="other",status="404"}' in text
    assert 'method="BREW"' not in text
    assert 'naturalproofs_request_seconds_bucket{route="/health",le="+Inf"}' in text


@pytest.mark.parametrize("path", ["/api/v1/search?q=a", "/?q=a"])
def test_a_mistake_of_ours_leaks_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret of /home/someone")

    monkeypatch.setattr(Workspace, "search", broken)
    answer = client.get(path)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "went wrong here" in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    assert "secret of /home/someone" in caplog.text


def test_only_known_names_are_answered() -> None:
    with TestClient(create_app(primer_site(), hosts=LOCAL), base_url="http://127.0.0.1:8000") as client:
        assert client.get("/health").status_code == 200
        assert client.get("/health", headers={"host": "[::1]:8000"}).status_code == 200
        refused = client.get(f"{V1}/corpora", headers={"host": "evil.example"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (421, "wrong-host")


def test_the_openapi_document_describes_all_verbs(client: TestClient) -> None:
    document = client.get(f"{V1}/openapi.json").json()
    verbs = {"corpora", "suggest", "search", "statements", "outside", "notation", "graph", "path", "impact", "preview"}
    assert {path.split("/")[3] for path in document["paths"] if path.startswith(V1)} == verbs
    assert "/ask" not in document["paths"]
    assert document["components"]["schemas"]["SuggestAnswer"]["properties"]["enough"]["description"]
