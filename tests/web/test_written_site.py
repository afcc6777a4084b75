"""A written site in a real browser: opened as files, and from a server that knows nothing but files."""

import random
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from naturalproofs.apps.site.book import Book, write_site
from naturalproofs.apps.site.tags import assign_tags
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.query import parse_query
from naturalproofs.workspace.search.text import words
from support import chromium
from support.axe import violations
from support.site_tab import SiteTab
from support.static_server import QuietHandler

pytestmark = chromium.needed


@pytest.fixture(scope="module")
def book() -> Book:
    opened = Workspace.open([primer_folder()]).home
    return Book(opened, assign_tags(opened))


@pytest.fixture(scope="module")
def folder(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("written") / "the site"
    write_site(made, "primer", book.files())
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder.parent))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/the%20site"
        running.shutdown()


@pytest.fixture(params=["file", "http"])
def tab(request: pytest.FixtureRequest, driver: object, folder: Path, server: str) -> Iterator[SiteTab]:
    address = folder.as_uri() if request.param == "file" else server
    chromium.clear_messages(driver)
    made = SiteTab(driver, address)
    made.screen(1280, 900)
    yield made
    made.check_messages_and_requests("data:")


def test_from_the_contents_through_a_chapter_to_a_proof(tab: SiteTab) -> None:
    tab.open("/index.html")
    assert tab.count(".contents li") == 9
    tab.driver.find_element("link text", "Groups").click()
    tab.until(lambda: tab.path() == "/chapter/groups.html")
    tab.driver.find_element("partial link text", "Theorem 3.3.5").click()
    tab.until(lambda: "Lagrange" in tab.text("h1"))
    assert tab.count(".statement math") > 0
    assert "disjoint union" in tab.text("details.proof")
    assert tab.run("return getComputedStyle(document.querySelector('math')).fontFamily").startswith('"STIX Two Math"')
    tab.click("a[rel=next]")
    tab.until(lambda: "Corollary 3.3.6" in tab.text("h1"))
    tab.click(".top nav a")
    tab.until(lambda: tab.path() == "/index.html")


def test_search_while_typing_and_by_keys(tab: SiteTab) -> None:
    tab.open("/search.html")
    tab.type("#q", "lagrange")
    tab.until(lambda: "Theorem 3.3.5" in tab.text(".hit h2"))
    tab.press(Keys.ARROW_DOWN, Keys.ENTER)
    tab.until(lambda: "Lagrange" in tab.text("h1"))
    tab.driver.back()
    tab.until(lambda: "Theorem 3.3.5" in tab.text(".hit h2"))
    assert tab.value("#q") == "lagrange"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("definition of compact", "Definition 8.4.2"),
        ("What is a metric space?", "Definition 8.1.1"),
        ("Theorem 3.3.5", "Theorem 3.3.5"),
        ("thm:lagrange", "Theorem 3.3.5"),
        ("lagrnage", "Theorem 3.3.5"),
        ("cosets", "Definition 3.3.1"),
        ("intermediate value theorem", "Theorem 6.4.8"),
    ],
)
def test_what_people_type_finds_what_they_mean(driver: object, folder: Path, query: str, first: str) -> None:
    tab = SiteTab(driver, folder.as_uri()).open("/search.html")
    tab.type("#q", query)
    tab.until(lambda: first in tab.text(".hit:first-child h2"))


FIRST = "const done = arguments[1]; search(arguments[0]).then((found) => done(found.hits[0]?.[0] ?? ''))"


def test_the_site_and_the_page_find_the_same_first(driver: object, folder: Path, book: Book) -> None:
    tab = SiteTab(driver, folder.as_uri()).open("/search.html?q=group")
    tab.until(lambda: tab.count(".hit"))
    workspace = Workspace.open([primer_folder()])
    statements = workspace.home.statements
    titled = [one for one in statements if one.title and "$" not in one.title]
    chosen = random.Random(11).sample(titled, 60)
    queries = [one.title for one in chosen]
    queries += [f"defn of {one.title}" for one in chosen if one.kind == "definition"][:10]
    queries += [" ".join(one.text.split()[:9]) for one in random.Random(12).sample(statements, 60)]
    queries += [f"kind:theorem {one.title.split()[-1]}" for one in chosen[:10]]
    queries += ["every bounded sequence has a convergent subsequence", "what is a ring", "when is a set compact",
                "a²+b²=c²", "R[x] noetherian", "lagrnage", "one-to-one function", "sqrt 2",
                '"metric space" compact', '"normal subgroup"', 'ring -"zero divisor"', '"space metric"']  # fmt: skip
    differ = {}
    for query in queries:
        found = workspace.search(query, k=1).items
        ours = book.tags.of[found[0].statement.id] if found else ""
        theirs = tab.driver.execute_async_script(FIRST, query)
        if ours != theirs:
            differ[query] = (ours, theirs)
    assert len(differ) <= 0.05 * len(queries), differ


def test_the_definition_of_a_term_comes_first(driver: object, folder: Path, book: Book) -> None:
    tab = SiteTab(driver, folder.as_uri()).open("/search.html?q=group")
    tab.until(lambda: tab.count(".hit"))
    workspace = Workspace.open([primer_folder()])
    for term in ("group", "compact", "ring", "field", "ideal", "basis"):
        first = workspace.search(term, k=1).items[0].statement
        assert (term, first.kind) == (term, "definition")
        found = tab.driver.execute_async_script(FIRST, term)
        assert book.tags.of[first.id] == found, term


def test_nothing_found_is_said(tab: SiteTab) -> None:
    tab.open("/search.html?q=xyzzyplugh")
    tab.until(lambda: "Nothing was found" in tab.text("#status"))


def test_the_header_searches(tab: SiteTab) -> None:
    tab.open("/chapter/groups.html")
    tab.type(".site-search input", "compact", Keys.ENTER)
    tab.until(lambda: "Compact" in tab.text(".hit h2"))
    assert tab.path().startswith("/search.html?q=compact")


def test_a_label_leads_to_its_page(tab: SiteTab) -> None:
    tab.open("/label/thm-lagrange.html")
    tab.until(lambda: "Lagrange" in tab.text("h1"))
    assert tab.path().startswith("/tag/")


def test_from_a_statement_to_the_graph_and_back(tab: SiteTab) -> None:
    tab.open("/label/thm-lagrange.html")
    tab.until(lambda: tab.count("aside .button") == 2)
    tab.click("aside .button")
    tab.until(lambda: "Lagrange" in tab.text("#panel"))
    href = tab.run("return document.querySelector('#panel a.page').href")
    tab.driver.get(href)
    tab.until(lambda: "Theorem 3.3.5" in tab.text("h1"))


def test_words_formulas_and_queries_are_the_same_in_script_and_program(driver: object, folder: Path) -> None:
    tab = SiteTab(driver, folder.as_uri()).open("/search.html?q=group")
    tab.until(lambda: tab.count(".hit"))
    texts = [
        "Categories of ε-nets, a²+b²=c² and Poincaré's classes", "Bases, analysis, axes, continuous, sequences",
        "Ωmega ∑ ∞ x→y", "Задача Коши", "ﬁnite ℤ-modules ≤ ℝⁿ", "Łoś straße mappings definability",
        r"We bet $\$1$, $\$10-\$2$ or \index[names]{refl@$\mathrm{refl}(A)$} $$a\$$$ on one $ of them",
    ]  # fmt: skip
    for text in texts:
        expected = [one.term for one in words(text) if not one.formula]
        assert tab.run("return words(arguments[0]).map(([term]) => term)", text) == expected
    for formula in (
        r"\sum_{n=1}^\infty \frac1n < x'",
        "ℤ/nℤ ≅ C_n",
        r"\operatorname{gcd}(a,b)=1",
        "ⁿ√x ≤ |y|²",
        "π_1(S^1)",
    ):
        assert set(tab.run("return grams(arguments[0])", formula)) == grams(formula), formula
    for text in (
        "definition of normal subgroup", "What's an ideal?", 'x "compact set" -open kind:lemma', "R[x] is noetherian",
        r"\mathcal{O}_X-module", "ax + by = gcd(a,b)", "group and/or ring", "$x$ and y", "f: A → B onto", "5",
        "the of a",
    ):  # fmt: skip
        ours, theirs = parse_query(text), tab.run("return parseQuery(arguments[0])", text)
        for name in ("words", "phrases", "excluded", "formulas"):
            assert [list(one) if name in ("phrases", "excluded") else one for one in getattr(ours, name)] == theirs[
                name
            ]
        for name in ("subject", "definition", "claim", "unfinished"):
            assert getattr(ours, name) == theirs[name], (text, name)


def test_no_page_is_wider_than_a_phone(driver: object, folder: Path, book: Book) -> None:
    tab = SiteTab(driver, folder.as_uri())
    chosen = random.Random(5).sample(sorted(book.tags.of.values()), 40)
    for path in (
        "/index.html",
        "/search.html?q=compact",
        "/chapter/groups.html",
        *(f"/tag/{tag}.html" for tag in chosen),
    ):
        tab.screen(360, 740)
        tab.open(path)
        assert tab.run("return document.documentElement.scrollWidth") <= 360, path


@pytest.mark.parametrize("dark", [False, True])
def test_accessibility(driver: object, folder: Path, dark: bool) -> None:
    tab = SiteTab(driver, folder.as_uri())
    tab.screen(1280, 900, dark=dark)
    for path in ("/index.html", "/search.html?q=compact", "/chapter/groups.html", "/tag/00D6.html", "/404.html"):
        tab.open(path)
        if path.startswith("/search"):
            tab.until(lambda: tab.count(".hit") > 3)
        assert violations(driver) == [], path


def test_a_page_prints_its_text_and_no_controls(driver: object, folder: Path) -> None:
    tab = SiteTab(driver, folder.as_uri()).open("/tag/00D6.html")
    tab.cdp("Emulation.setEmulatedMedia", media="print")
    assert not tab.run("return document.querySelector('.top').checkVisibility()")
    assert tab.run("return document.querySelector('.statement').checkVisibility()")
    tab.cdp("Emulation.setEmulatedMedia", media="")


def test_a_wrong_address_leads_back(driver: object, folder: Path, server: str) -> None:
    """The page that a host shows for a missing address, here opened at such an address by its script alone."""
    tab = SiteTab(driver, server).open("/404.html")
    assert tab.run("return [...document.querySelectorAll('#links a')].map((link) => link.getAttribute('href'))") == [
        "/the%20site/index.html",
        "/the%20site/search.html",
    ]


def test_a_reading_path_leaves_out_what_is_known(tab: SiteTab, book: Book) -> None:
    tab.open(f"/tag/{book.tags.of['primer:thm:lagrange']}.html")
    tab.click("aside a[href*='path.html']")
    tab.until(lambda: tab.count(".steps li") == 17)
    assert "Lagrange" in tab.text("#target")
    assert "Lagrange" in tab.text(".steps li:last-child")
    assert violations(tab.driver) == []
    tab.click(".steps li:nth-child(16) input")
    tab.until(lambda: tab.count("#known li") == 1)
    shorter = tab.count(".steps li")
    assert shorter < 17
    tab.driver.refresh()
    tab.until(lambda: tab.count(".steps li") == shorter)
    tab.run("document.querySelector('.chapters').open = true")
    tab.click(".chapters li:first-child input")
    tab.until(lambda: tab.count("#known li") == 2)
    tab.click("#forget")
    tab.until(lambda: tab.count(".steps li") == 17)
    tab.open("/path.html?of=ZZZZ")
    tab.until(lambda: "no such statement" in tab.text("#status"))
