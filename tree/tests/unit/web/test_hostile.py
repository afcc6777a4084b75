"""Clients that are malicious, slow or many, against a server that really listens."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest

from naturalproofs.apps.web.requests import LIMITS
from naturalproofs.workspace import Workspace
from support.web_server import EVIL, listening, primer_site

V1 = "/api/v1"


PATIENT = replace(LIMITS, seconds=600, head_seconds=600, body_seconds=600)
"""Limits that a busy machine does not reach."""
LONG = 300
"""Seconds after which a test gives up; no test measures time."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with listening(primer_site(), PATIENT) as made:
        yield made


@pytest.fixture(scope="module")
def impatient() -> Iterator[str]:
    # Long enough for a busy client to send a head that it means to finish.
    with listening(primer_site(), replace(PATIENT, head_seconds=2)) as made:
        yield made


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=LONG) as made:
        yield made
        assert made.get("/health").status_code == 200, "the server must still be there"


def raw(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=LONG)


def test_a_megabyte_is_refused(client: httpx.Client) -> None:
    answer = client.post(f"{V1}/suggest", json={"text": "a" * 1_000_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")
    assert client.post("/ask", data={"text": "a" * 1_000_000}).status_code == 413


def test_a_megabyte_without_a_length_is_refused(client: httpx.Client) -> None:
    answer = client.post(f"{V1}/preview", content=(b" " * 10_000 for _ in range(100)))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "text",
    [
        "{" * 15_000,
        "$" * 19_999,
        "\\begin{enumerate}\\item " * 800,
        "$" + "\\frac{" * 3_000 + "$",
        "$" + "{" * 9_000 + "x" + "}" * 9_000 + "$",
        "$" + "x^" * 5_000 + "$",
        "\\left(" * 3_000,
        "\\def\\a{\\a\\a}\\a",
        "\\textbf{" * 2_500,
        "%" * 10_000 + "\n" * 9_000,
        "\u202e\ufeff\U0001f600" * 5_000,
        EVIL,
    ],
)
def test_wild_latex_is_answered(client: httpx.Client, text: str) -> None:
    for path in ("preview", "suggest"):
        answer = client.post(f"{V1}/{path}", json={"text": text})
        assert answer.status_code == 200, answer.text[:200]
    assert "<script" not in client.post(f"{V1}/preview", json={"text": text}).json()["html"]
    assert client.get(f"{V1}/search", params={"q": text[:500]}).status_code == 200


@pytest.mark.parametrize("field", ["text", "title", "statement", "corpora", "cited"])
def test_markup_in_any_field_is_only_text(client: httpx.Client, field: str) -> None:
    body = {"text": "cyclic group", field: [EVIL] if field in ("corpora", "cited") else EVIL}
    answer = client.post(f"{V1}/suggest", json=body)
    assert answer.status_code in (200, 404, 422)
    assert answer.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    "target",
    [
        "/static/../../../../etc/passwd",
        "/static/%2e%2e%2f%2e%2e%2fserver.py",
        "/statement/../../../../etc/passwd",
        "/api/v1/statements/..%2f..%2f..%2fetc%2fpasswd",
        "/corpus/..%2f..%2fetc",
        "/results/..%2f../etc/passwd",
        "//etc/passwd",
        "/%00",
    ],
)
def test_no_address_leads_to_another_file(address: str, target: str) -> None:
    with raw(address) as one:
        one.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: one.recv(65536), b""))
    assert int(answer.split()[1]) in (404, 422)
    assert b"root:" not in answer
    assert b"Traceback" not in answer
    assert b"site-packages" not in answer


def test_a_client_that_never_finishes_the_head_is_disconnected(impatient: str) -> None:
    with raw(impatient) as silent, raw(impatient) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Wait:")
        assert silent.recv(100) == b""
        assert slow.recv(100) == b""


def test_a_second_head_must_be_finished_too(address: str, impatient: str) -> None:
    for place, ends in ((impatient, True), (address, False)):
        with raw(place) as slow:
            slow.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            received = b""
            while b'"corpora":1}' not in received and (part := slow.recv(5000)):
                received += part
            if ends:
                assert slow.recv(100) == b""
            else:
                slow.sendall(b"\r\n")
                assert slow.recv(5000).startswith(b"HTTP/1.1 200")


def test_a_connection_may_be_used_again(client: httpx.Client) -> None:
    for _ in range(3):
        assert client.get("/health").status_code == 200


def test_a_client_that_never_finishes_the_body_gets_an_error() -> None:
    with listening(primer_site(), replace(PATIENT, body_seconds=0.2)) as address, raw(address) as slow:
        slow.sendall(b"POST /api/v1/suggest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")


def answered(address: str, request: bytes) -> bytes:
    """Everything that the server sends until it closes the connection."""
    with raw(address) as one:
        one.sendall(request)
        return b"".join(iter(lambda: one.recv(65536), b""))


@pytest.mark.parametrize("order", [1, -1])
def test_a_body_of_two_lengths_is_refused(address: str, client: httpx.Client, order: int) -> None:
    lengths = [b"Content-Length: 30\r\n", b"Transfer-Encoding: chunked\r\n"][::order]
    head = b"POST /api/v1/suggest HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"".join(lengths) + b"\r\n"
    answer = answered(address, head + b"0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1, "what follows is not read as another request"


@pytest.mark.parametrize("headers", [b"a: b\r\n" * 101, b"a: " + b"b" * 33_000 + b"\r\n"])
def test_headers_are_limited_in_number_and_size(address: str, client: httpx.Client, headers: bytes) -> None:
    answer = answered(address, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 431")
    assert b'"code":"too-large"' in answer


def test_rubbish_is_a_bad_request(address: str, client: httpx.Client) -> None:
    with raw(address) as rude:
        rude.sendall(b"\x16\x03\x01 not http at all\r\n\r\n")
        assert rude.recv(1000).startswith(b"HTTP/1.1 400")
    with raw(address) as long:
        long.sendall(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert long.recv(1000).split()[1] in (b"400", b"414")


def test_a_head_is_answered_without_a_body(client: httpx.Client) -> None:
    answer = client.head("/")
    assert answer.status_code == 200
    assert answer.content == b""
    assert int(answer.headers["content-length"]) > 1000


def test_two_hundred_at_once_are_all_answered(address: str, client: httpx.Client) -> None:
    sockets = [raw(address) for _ in range(200)]
    try:
        for number, one in enumerate(sockets):
            path = f"/api/v1/search?q=group{number}" if number % 2 else "/health"
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        with ThreadPoolExecutor(20) as pool:
            heads = list(pool.map(lambda one: one.recv(15), sockets))
    finally:
        for one in sockets:
            one.close()
    assert {head.split()[1] for head in heads} == {b"200"}


def test_more_than_can_wait_are_sent_away() -> None:
    limits = replace(PATIENT, at_once=1, waiting=0)
    with listening(primer_site(), limits) as address, httpx.Client(base_url=address, timeout=LONG) as client:

        def ask(number: int) -> httpx.Response:
            return client.post(f"{V1}/suggest", json={"text": f"group {number}", "k": 50})

        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(ask, range(60)))
        assert {answer.status_code for answer in answers} <= {200, 503}
        busy = [answer for answer in answers if answer.status_code == 503]
        assert all(answer.json()["error"]["code"] == "busy" and answer.headers["retry-after"] for answer in busy)
        assert client.get("/health").status_code == 200


def test_an_answer_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()
    monkeypatch.setattr(Workspace, "search", lambda *_, **__: given_up.wait(LONG))
    with (
        listening(primer_site(), replace(PATIENT, seconds=1e-6)) as address,
        httpx.Client(base_url=address, timeout=LONG) as client,
    ):
        answer = client.get(f"{V1}/search", params={"q": "group"})
        given_up.set()
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "too-slow")
        assert client.get("/health").status_code == 200
