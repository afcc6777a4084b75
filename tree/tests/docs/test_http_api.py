"""The page about the HTTP interface names every address and every limit that there is."""

from conftest import ROOT
from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.requests import LIMITS
from support.web_server import primer_site

PAGE = (ROOT / "docs" / "reference" / "http-api.md").read_text("utf-8")


def test_every_address_is_described() -> None:
    from starlette.testclient import TestClient

    paths = TestClient(create_app(primer_site())).get("/api/v1/openapi.json").json()["paths"]
    assert paths
    for path, verbs in paths.items():
        for verb in verbs:
            assert f"| `{verb.upper()} {path}` |" in PAGE


def test_limits_are_the_real_ones() -> None:
    for row in (
        f"| body | {LIMITS.body // 1024} KB |",
        f"| address | {LIMITS.address // 1024} KB |",
        f"| headers | {LIMITS.headers}, {LIMITS.header_bytes // 1024} KB together |",
        f"| theorem or preview | {LIMITS.text:,} characters |",
        f"| search | {LIMITS.query} characters |",
        f"| `k` | {LIMITS.k} |",
        f"| statements in a drawing | {LIMITS.nodes} |",
        f"| steps of a path, items of an impact | {LIMITS.path} |",
        f"| names in a list | {LIMITS.names} |",
        f"| time for an answer, waiting included | {LIMITS.seconds:g} s |",
        f"| time to send a head, a body | {LIMITS.head_seconds:g} s each |",
    ):
        assert row in PAGE
