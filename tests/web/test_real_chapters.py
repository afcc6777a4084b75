"""The longest chapter of real works in a browser: what it asks for, how it fits, and what axe-core finds."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from naturalproofs.apps.web.site import Site
from naturalproofs.workspace import Workspace
from support import chromium
from support.axe import violations
from support.site_tab import SiteTab
from support.web_server import listening

pytestmark = chromium.needed

WORKS = ["more-projects/hott-book", "more-projects/ra", "more-projects/napkin", "projects/sphere-eversion"]
SMALL = 300_000
"""The most bytes of a chapter of at most a hundred statements, compressed."""


@pytest.mark.parametrize("work", WORKS)
def test_the_longest_chapter_of_a_work(driver: object, real_source: Callable[[str], Path], work: str) -> None:
    site = Site.of(Workspace.open([real_source(f"{work}.tar.xz")]))
    pages = site.pages[0]
    longest = max(pages.work.chapters, key=lambda one: len(one.statements))
    path = f"/corpus/{quote(pages.corpus.name)}?chapter={quote(longest.name)}"
    with listening(site) as address:
        chromium.clear_messages(driver)
        tab = SiteTab(driver, address)
        for width in (1440, 820, 390):
            tab.screen(width, 900, dark=width == 820)
            tab.open(path)
            assert tab.run("const e = document.documentElement; return e.scrollWidth <= e.clientWidth"), width
        # A statement inside of a proof is shown there.
        stated = [piece for piece in pages.work.pieces(longest) if piece.kind == "statement"]
        assert tab.count(".stated, .exercise") == len(stated) > 0.9 * len(longest.statements)
        assert violations(driver, formulas=False) == []
        tab.open(f"/corpus/{quote(pages.corpus.name)}/graph")
        tab.until(lambda: tab.run("return !!document.body.dataset.nodes"))
        assert [one for one in violations(driver) if 'aria-allowed-role: <input id="search"' not in one] == []
        tab.check_messages_and_requests("data:")
        with urlopen(address + path) as answer:
            size = len(gzip.compress(answer.read()))
        assert size < SMALL * max(1, len(longest.statements) / 100)
