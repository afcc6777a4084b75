"""The graph page in a real browser, without a network."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from naturalproofs.apps.report.graph_page import graph_page
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import load_corpus, source_macros
from naturalproofs.data import primer_folder
from naturalproofs.records import Mention, Place, Proof, Statement
from support import chromium
from support.axe import violations
from support.graph_tab import GraphTab

pytest.importorskip("selenium.webdriver", reason="needs selenium to drive a browser")

pytestmark = chromium.needed


@cache
def edge_count() -> int:
    return ReferenceGraph.of(load_corpus(primer_folder())).edge_count


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with chromium.started(tmp_path_factory.mktemp("profile"), "1280,820") as browser:
        yield browser


@pytest.fixture(scope="session")
def primer_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    opened = load_corpus(primer_folder())
    path = tmp_path_factory.mktemp("pages") / "primer.html"
    path.write_text(graph_page(opened, source_macros(opened)), "utf-8")
    return path


@pytest.fixture
def primer(driver: object, primer_page: Path) -> Iterator[GraphTab]:
    chromium.clear_messages(driver)
    browser = GraphTab(driver, primer_page)
    yield browser.open("#level=statement")
    assert driver.get_log("browser") == []
    # The tab that the browser starts with asks for things of its own; what counts is what our page asks for.
    ours = [
        params for params in chromium.requests(driver) if params["documentURL"].split("#")[0] == primer_page.as_uri()
    ]
    assert ours
    asked = {params["request"]["url"].split("#")[0] for params in ours}
    assert {url for url in asked if not url.startswith("data:font/")} == {primer_page.as_uri()}


def test_a_large_book_opens_with_its_chapters(primer: GraphTab) -> None:
    primer.open()
    assert (primer.data("view"), primer.data("nodes")) == (
        "chapters",
        str(primer.run("return document.querySelectorAll('#panel .list:last-of-type li').length")),
    )


def test_all_statements_at_once(primer: GraphTab) -> None:
    assert (primer.data("view"), primer.data("nodes"), primer.data("edges")) == ("all", "606", str(edge_count()))
    assert "606 statements" in primer.text("#panel")
    assert primer.run("return document.getElementById('stage').getAttribute('aria-label')").startswith(
        "Reference graph: 606"
    )


def test_the_canvas_is_not_empty(primer: GraphTab) -> None:
    colours = primer.run(
        "const c = document.getElementById('stage'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "const s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);"
        "return s.size"
    )
    assert colours > 20


def test_hover_shows_the_statement_with_its_formulas(primer: GraphTab) -> None:
    primer.pointer("mouseMoved", "thm:lagrange")
    primer.until(lambda: not primer.run("return document.getElementById('tip').hidden"))
    assert "Lagrange" in primer.text("#tip h2")
    assert primer.run("return document.querySelectorAll('#tip math').length") >= 3
    assert primer.run("return document.querySelector('#tip math').namespaceURI").endswith("MathML")
    # The formula is laid out as a formula, not as a row of letters.
    assert primer.run("return document.querySelector('#tip math[display=block]').getBoundingClientRect().height") > 10


def test_click_selects_and_double_click_focuses(primer: GraphTab) -> None:
    primer.click("thm:lagrange")
    primer.until(lambda: primer.data("selected") == "thm:lagrange")
    assert "subgroup of a finite group" in primer.text("#panel .statement")
    assert primer.address() == "#level=statement&at=thm:lagrange"
    primer.click("thm:lagrange", count=2)
    primer.until(lambda: primer.data("view") == "focus")
    assert primer.address() == "#focus=thm:lagrange&up=2&down=1"
    assert 5 < int(primer.data("nodes")) < 60


def test_depth_of_the_focus(primer: GraphTab) -> None:
    primer.open("#focus=thm:lagrange&up=1&down=0")
    assert primer.data("nodes") == "4"
    primer.change("#up", "0")
    assert primer.data("nodes") == "1"
    primer.change("#up", "20")
    assert int(primer.data("nodes")) == 17
    assert "Rests on 16 statements" in primer.text("#panel")


def test_search_by_title_number_and_label(primer: GraphTab) -> None:
    for query, label in (("lagrange", "thm:lagrange"), ("3.3.5", "thm:lagrange"), ("lem:coset-si", "lem:coset-size")):
        primer.open()
        primer.type("#search", query)
        assert primer.run("return document.getElementById('search').getAttribute('aria-expanded')") == "true"
        primer.type("#search", "\ue007")
        primer.until(lambda wanted=label: primer.data("selected") == wanted)
        primer.until(lambda: primer.run("return document.activeElement.id") == "stage")
    primer.type("#search", "no such thing")
    assert primer.text("#results") == "Nothing found"


def test_search_ignores_accents(primer: GraphTab) -> None:
    primer.type("#search", "bezout")
    assert "Bézout" in primer.text("#results")


def test_kinds_of_edges_and_reduction(primer: GraphTab) -> None:
    primer.change("#edges", "statement")
    statement = int(primer.data("edges"))
    assert primer.address() == "#level=statement&edges=statement"
    primer.change("#edges", "proof")
    proof = int(primer.data("edges"))
    assert max(statement, proof) < edge_count() <= statement + proof
    primer.change("#edges", "both")
    primer.change("#reduce", True)
    assert int(primer.data("edges")) < edge_count()
    assert primer.address() == "#level=statement&reduce=1"


def test_kinds_of_nodes_can_be_hidden(primer: GraphTab) -> None:
    primer.driver.find_element("css selector", "#legend .k1").click()
    assert primer.data("nodes") == str(606 - 136)
    primer.driver.find_element("css selector", "#legend .k1").click()
    assert primer.data("nodes") == "606"


def test_an_address_can_be_shared(primer: GraphTab) -> None:
    primer.open("#focus=thm:lagrange&up=2&down=0&edges=proof&reduce=1")
    assert primer.data("view") == "focus"
    assert primer.run("return document.getElementById('edges').value") == "proof"
    assert primer.run("return document.getElementById('reduce').checked") is True
    assert primer.run("return document.getElementById('down').value") == "0"
    primer.run("location.hash = '#focus=thm:cauchy&up=1&down=0'")
    primer.until(lambda: primer.data("selected") == "thm:cauchy")
    primer.run("history.back()")
    primer.until(lambda: primer.data("selected") == "thm:lagrange")


@pytest.mark.parametrize(
    "fragment", ["#focus=nothing", "#up=-3&edges=x", "#%%%", "#chapter=None&at=zzz", "#min=99999&level=chapter"]
)
def test_a_strange_address_does_no_harm(primer: GraphTab, fragment: str) -> None:
    primer.open(fragment)
    assert int(primer.data("nodes")) > 0


def test_chapters_with_a_threshold_and_a_way_in(primer: GraphTab) -> None:
    primer.run("document.querySelector('#levels button[value=chapters]').click()")
    assert (primer.data("view"), primer.data("nodes")) == ("chapters", "9")
    few = int(primer.data("edges"))
    primer.change("#min", "0")
    assert int(primer.data("edges")) > few
    assert "1 reference" in primer.text("#weight")
    primer.run("[...document.querySelectorAll('#panel .item')].find((b) => b.textContent.includes('Groups')).click()")
    assert (primer.data("view"), primer.address()) == ("chapter", "#chapter=Groups")


def test_links_in_a_statement_lead_to_what_they_cite(primer: GraphTab) -> None:
    primer.open("#at=def:ring")
    primer.until(lambda: primer.run("return !!document.querySelector('#panel .statement a')"))
    primer.run("document.querySelector('#panel .statement a').click()")
    primer.until(lambda: primer.data("selected") == "def:abelian-group")


def test_the_keyboard_is_enough(primer: GraphTab) -> None:
    stage = "#stage"
    primer.type(stage, "\ue015")
    first = primer.data("selected")
    assert first
    primer.type(stage, "\ue015")
    assert primer.data("selected") not in ("", first)
    assert primer.text("#live").count("used by") == 1
    primer.type(stage, "\ue007")
    assert primer.data("view") == "focus"
    primer.type(stage, "\ue00c")
    assert primer.data("view") == "chapter"
    primer.type(stage, "\ue00c")
    assert primer.data("view") == "chapters"
    primer.type(stage, "/")
    assert primer.run("return document.activeElement.id") == "search"


def test_wheel_and_keys_zoom(primer: GraphTab) -> None:
    span = (
        "const a = graphPage.where('thm:lagrange'), b = graphPage.where('thm:cauchy');"
        "return Math.hypot(a.x - b.x, a.y - b.y)"
    )
    primer.still("thm:lagrange")
    before = primer.run(span)
    primer.pointer("mouseWheel", "thm:lagrange", deltaX=0, deltaY=-240)
    primer.until(lambda: primer.run(span) > before * 1.1)
    nearer = primer.run(span)
    primer.type("#stage", "-")
    assert primer.run(span) < nearer
    primer.type("#stage", "0")
    primer.still("thm:lagrange")
    assert primer.run(span) == pytest.approx(before, rel=0.01)


def test_dark_and_light(primer: GraphTab) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    light = primer.run(paper)
    primer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    dark = primer.run(paper)
    primer.run("document.getElementById('theme').click()")
    again = primer.run(paper)
    primer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert dark != light == again


def test_at_phone_width_nothing_sticks_out(primer: GraphTab) -> None:
    screen = {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    primer.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        primer.open("#at=thm:lagrange")
        primer.until(lambda: primer.run("return !!document.querySelector('#panel .statement math')"))
        assert primer.run("return document.documentElement.scrollWidth") <= 390
        assert primer.run("return document.getElementById('options').open") is False
        assert primer.run("return document.getElementById('stage').clientHeight") > 150
    finally:
        primer.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_long_path_can_be_read_on_a_phone(primer: GraphTab) -> None:
    screen = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    primer.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        ends = ("def:composition", "cor:extreme-value-metric")
        for first, last in (ends, ends[::-1]):
            primer.open(f"#from={first}&to={last}")
            primer.still("def:composition")
            assert primer.run("return graphPage.zoom()") >= 0.75
            place = primer.where("def:composition")
            assert 0 < place["x"] < 360
            assert 0 < place["y"] < 370, "what follows has the rest of the screen"
    finally:
        primer.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("view", ["", "#focus=thm:lagrange", "#from=def:group&to=thm:lagrange", "#level=statement"])
def test_every_view_is_accessible(primer: GraphTab, view: str) -> None:
    for scheme in ("light", "dark"):
        colours = [{"name": "prefers-color-scheme", "value": scheme}]
        primer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": colours})
        primer.open(view)
        # ARIA 1.2 allows a text field to be a combobox; this version of axe knows ARIA 1.1.
        found = [one for one in violations(primer.driver) if 'aria-allowed-role: <input id="search"' not in one]
        assert found == [], scheme
    primer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_path_between_two_statements(primer: GraphTab) -> None:
    primer.open("#at=def:group&level=statement")
    primer.driver.find_element("css selector", "#path").click()
    assert primer.run("return document.getElementById('path').getAttribute('aria-pressed')") == "true"
    primer.driver.find_element("css selector", "#search").send_keys("thm:lagrange\n")
    primer.until(lambda: primer.text("#path").endswith("to here"))
    primer.driver.find_element("css selector", "#path").click()
    primer.until(lambda: primer.data("view") == "path")
    assert int(primer.data("edges")) >= 1
    assert primer.address() == "#from=def:group&to=thm:lagrange&at=thm:lagrange"
    nodes = primer.data("nodes")
    primer.open("#from=thm:lagrange&to=def:group")
    assert primer.data("nodes") == nodes, "either end may come first"
    primer.open("#from=thm:lagrange&to=thm:intermediate-value")
    assert primer.data("edges") == "0"
    assert "nothing joins them" in primer.text("#trail")


@pytest.mark.parametrize("colour", ["chapter", "proved"])
def test_colours_by_chapter_and_by_proof(primer: GraphTab, colour: str) -> None:
    pixels = "return document.getElementById('stage').toDataURL()"
    primer.open("#focus=thm:lagrange")
    primer.still("thm:lagrange")
    before = primer.run(pixels)
    primer.change("#colour", colour)
    primer.until(lambda: primer.run(pixels) != before)
    assert f"colour={colour}" in primer.address()
    assert primer.run("return document.querySelectorAll('#key .dot').length") == (0 if colour == "chapter" else 3)


def test_every_control_has_a_name(primer: GraphTab) -> None:
    nameless = primer.run(
        "return [...document.querySelectorAll('button, input, select, canvas')]"
        ".filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))"
        ".map((e) => e.id || e.outerHTML)"
    )
    assert nameless == []


def test_hostile_text_runs_nothing(driver: object, tmp_path: Path) -> None:
    hostile = "</script><img src=x onerror=\"document.title='harmed'\"><svg onload=\"document.title='harmed'\">"
    place = Place("t", hostile, "", 0)
    first = Statement(
        "t:1", "theorem", "one", hostile, (hostile, f"${hostile}$"), form="lemma", number=hostile, place=place
    )
    proof = Proof(("p",), (Mention("one", "ref", 1, "t:1"),))
    second = Statement(
        "t:2", "theorem", "two", "", (r"\emph{b}",), proofs=(proof,), form="lemma", place=Place("t", "C", "", 1)
    )
    page = tmp_path / "hostile.html"
    page.write_text(graph_page(Corpus("t", (first, second), Provenance("latex", "fixed"))), "utf-8")
    browser = GraphTab(driver, page).open("#at=one")
    browser.until(lambda: "onerror" in browser.text("#panel .statement"))
    assert browser.run("return document.querySelectorAll('img, svg').length") == 0
    assert driver.title != "harmed"


def test_three_thousand_statements_are_shown_at_once(driver: object, tmp_path: Path) -> None:
    def cites(number: int) -> tuple[Mention, ...]:
        return tuple(Mention(f"l{k}", "ref", 1, f"t:{k}") for k in {number * 7 % number, number // 2, number - 1})

    statements = tuple(
        Statement(f"t:{n}", "theorem", f"l{n}", "", ("x",), proofs=(Proof(("p",), cites(n)),) if n else (),
                  form="lemma", place=Place("t", f"Chapter {n // 150}", "", n))
        for n in range(3000)
    )  # fmt: skip
    page = tmp_path / "large.html"
    page.write_text(graph_page(Corpus("t", statements, Provenance("latex", "fixed"))), "utf-8")
    browser = GraphTab(driver, page).open()
    assert browser.data("view") == "chapters"
    browser.open("#level=statement")
    assert (browser.data("view"), browser.data("nodes")) == ("all", "3000")
    browser.open("#focus=l2999&up=20&down=0")
    assert browser.data("view") == "focus"


def test_inferred_edges_are_faint_counted_apart_and_can_be_hidden(driver: object, tmp_path: Path) -> None:
    places = [Place("t", "C", "", number) for number in range(3)]
    gizmo = Statement("t:1", "definition", "gizmo", "Gizmo", (r"A \emph{gizmo} is a set.",), place=places[0])
    silent, again = (
        Statement(
            f"t:{key}", "theorem", key, "", ("Every gizmo is finite.",), proofs=(Proof(("Clear.",)),), place=place
        )
        for key, place in (("a", places[1]), ("b", places[2]))
    )
    page = tmp_path / "faint.html"
    page.write_text(graph_page(Corpus("t", (gizmo, silent, again), Provenance("latex", "fixed"))), "utf-8")
    browser = GraphTab(driver, page).open("#focus=a&up=1&down=0")
    assert [browser.data(name) for name in ("nodes", "edges", "inferred")] == ["2", "0", "1"]
    assert "inferred: gizmo" in browser.text("#panel")
    assert "Cites nothing here" in browser.text("#panel")
    assert "0 references" in browser.run("return document.getElementById('stage').getAttribute('aria-label')")
    browser.change("#inferred", False)
    assert (browser.data("nodes"), browser.address()) == ("1", "#focus=a&up=1&down=0&inferred=0")
    browser.open("#from=gizmo&to=a")
    assert "nothing joins them" in browser.text("#trail"), "a chain is made of citations"
