"""A server that other machines can reach answers only those who have its token."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.server import is_loopback
from naturalproofs.apps.web.site import Site
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace

TOKEN = "0123abcd" * 4


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app(Site.of(Workspace.open([Path(primer_folder())])), token=TOKEN))


def test_without_the_token_nothing_but_health_is_answered(client: TestClient) -> None:
    for address in ("/", "/api/v1/search?q=group", "/metrics", "/?token=wrong", f"/?q=token={TOKEN}"):
        answer = client.get(address, headers={"authorization": "Bearer wrong", "cookie": "naturalproofs-x=wrong"})
        assert answer.status_code == 401, address
        assert "asks for a token" in answer.text
    assert client.get("/health").status_code == 200


def test_the_first_visit_sets_a_cookie_and_hides_the_token(client: TestClient) -> None:
    visitor = TestClient(client.app)
    first = visitor.get(f"/?q=group&token={TOKEN}", follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/?q=group")
    assert "HttpOnly" in first.headers["set-cookie"]
    assert visitor.get("/?q=group").status_code == 200
    elsewhere = visitor.get(f"//elsewhere.example/?token={TOKEN}", follow_redirects=False)
    assert not elsewhere.headers.get("location", "/x").startswith("//")


def test_programs_send_it_with_each_request(client: TestClient) -> None:
    for address, headers in ((f"&token={TOKEN}", {}), ("", {"authorization": f"Bearer {TOKEN}"})):
        answer = TestClient(client.app).get(f"/api/v1/search?q=group{address}", headers=headers)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers


def test_which_addresses_others_can_reach() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "proofs.example.org")))
