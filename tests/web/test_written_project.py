"""The written site of a real project in a browser: from files and from a plain static server."""

import random
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from naturalproofs.apps.site.book import Book, write_site
from naturalproofs.apps.site.tags import assign_tags
from naturalproofs.workspace import Workspace
from support import chromium
from support.site_tab import SiteTab
from support.static_server import QuietHandler

pytestmark = chromium.needed

PROJECT = "hott-intro"
PAGES = 15


@pytest.fixture(scope="module")
def folder(real_source: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    opened = Workspace.open([real_source(f"projects/{PROJECT}.tar.xz")]).home
    made = tmp_path_factory.mktemp("project") / "site"
    write_site(made, PROJECT, Book(opened, assign_tags(opened)).files())
    return made


@pytest.fixture(params=["file", "http"])
def tab(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Iterator[SiteTab]:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder))) as running,
        chromium.started(tmp_path, "1280,900") as driver,
    ):
        threading.Thread(target=running.serve_forever, daemon=True).start()
        address = folder.as_uri() if request.param == "file" else f"http://127.0.0.1:{running.server_port}"
        made = SiteTab(driver, address)
        yield made
        made.check_messages_and_requests("data:")
        running.shutdown()


def test_pages_search_and_graph(tab: SiteTab, folder: Path) -> None:
    pages = sorted(folder.glob("tag/*.html"))
    assert len(pages) > 400
    for page in random.Random(0).sample(pages, PAGES):
        tab.open(f"/{page.relative_to(folder).as_posix()}")
        assert tab.text("h1")
        assert tab.text(".statement")
    tab.open("/search.html")
    tab.type("#q", "equivalence")
    tab.until(lambda: tab.count(".hit") > 3)
    tab.click(".hit a")
    tab.until(lambda: "/tag/" in tab.path())
    assert "equivalence" in tab.text(".statement")
    tab.open("/graph.html")
    tab.until(lambda: tab.count("svg") > 0 or tab.count("canvas") > 0)
