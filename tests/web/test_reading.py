"""Chapters in a real browser: all text, contents beside it, previews of references; served, and written to files."""

from pathlib import Path

import pytest

from naturalproofs.apps.site.book import Book
from naturalproofs.apps.site.tags import assign_tags
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.sources.latex.scan.symbols import DRAWN
from naturalproofs.workspace import Workspace
from support import chromium
from support.site_tab import SiteTab

pytestmark = chromium.needed
GROUPS = "/corpus/primer?chapter=Groups"
OPEN = "document.querySelectorAll('details.proof').forEach(one => { one.open = true; });"
LINK = "const link = document.querySelector('.proof a[data-preview]');"
HOVER = LINK + "link.scrollIntoView({block: 'center'}); link.focus({focusVisible: true});"


@pytest.fixture
def browser(driver: object, address: str) -> SiteTab:
    tab = SiteTab(driver, address)
    tab.screen(1280, 900)
    return tab


def test_a_chapter_is_read_with_its_contents_beside_it(browser: SiteTab) -> None:
    browser.open(GROUPS)
    assert browser.count(".prose") > 5
    assert browser.count(".beside a") == browser.count(".chapter h2, .chapter h3")
    assert browser.count(".stated") > 60
    browser.run("scrollTo(0, 5000)")
    assert browser.run("return document.querySelector('.beside').getBoundingClientRect().top") >= 0
    assert not browser.run("return document.documentElement.scrollWidth > innerWidth")


def test_the_section_that_is_read_is_marked_in_the_contents(browser: SiteTab) -> None:
    browser.open(GROUPS)
    for place in ("s3.5", "s3.2"):
        browser.run("document.getElementById(arguments[0]).scrollIntoView()", place)
        browser.until(lambda place=place: browser.count(f".beside [aria-current=location][href='#{place}']") == 1)
        assert browser.count(".beside [aria-current]") == 1


@pytest.mark.parametrize("path", [GROUPS, "/corpus/primer/graph"])
def test_lines_that_grow_are_drawn_in_pages_and_in_the_graph(browser: SiteTab, path: str) -> None:
    browser.open(path)
    undrawn = """
    return arguments[0].filter((name) => {
      const math = document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");
      math.innerHTML = `<mrow class="wide-${name}"><mi>x</mi></mrow>`;
      document.body.append(math);
      const style = getComputedStyle(math.firstChild);
      return style.backgroundImage === "none" && style.borderTopWidth === "0px" && style.borderBottomWidth === "0px";
    });
    """
    assert browser.run(undrawn, [name for name in DRAWN.values() if name != "mirror"]) == []


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_a_chapter_fits_every_width(browser: SiteTab, width: int) -> None:
    browser.screen(width, 900)
    browser.open(GROUPS)
    assert not browser.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_a_reference_is_shown_in_place_and_goes_away(browser: SiteTab) -> None:
    browser.open(GROUPS)
    browser.run(OPEN + HOVER)
    browser.until(lambda: browser.count(".preview-card math, .preview-card .tex-text") > 0)
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    assert browser.count(".preview-card") == 0


def test_a_first_tap_shows_and_a_second_opens(browser: SiteTab) -> None:
    browser.open(GROUPS)
    tap = "link.dispatchEvent(new PointerEvent('click', {bubbles: true, cancelable: true, pointerType: 'touch'}));"
    browser.run(OPEN + LINK + tap)
    browser.until(lambda: browser.count(".preview-card .button") == 1)
    assert "chapter=" in browser.path()


def test_a_written_site_shows_references_without_a_server(driver: object, primer: Corpus, tmp_path: Path) -> None:
    for name, content in Book(Workspace.of([primer]).home, assign_tags(primer)).files():
        if name.startswith(("chapter/groups", "static/", "search/previews")):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
    tab = SiteTab(driver, "")
    driver.get((tmp_path / "chapter" / "groups.html").as_uri())
    tab.run(OPEN + HOVER)
    tab.until(lambda: tab.count(".preview-card .tex-text") > 0)
