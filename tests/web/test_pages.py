"""The pages in a real browser: every flow, on a wide screen and on a phone, in light and dark, without a network."""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

import pytest
from selenium.webdriver.common.keys import Keys

from naturalproofs.apps.web.site import Site
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.records import Mention, Place, Proof, Statement
from naturalproofs.workspace import Workspace
from support import chromium
from support.site_tab import SiteTab
from support.web_server import listening

pytestmark = chromium.needed
PAGES = (
    "/",
    "/?q=compact",
    "/statement/primer:thm:lagrange",
    "/ask?statement=primer:thm:lagrange",
    "/corpora",
    "/corpus/primer",
    "/corpus/primer/about",
    "/corpus/primer?chapter=Groups",
    "/corpus/primer/notation",
    "/corpus/primer/outside",
    "/results",
    "/results/primer-test-clean",
    "/results/primer-test-clean?by=chapter",
    "/results/primer-test-clean/primer:thm:lagrange",
    "/api",
    "/nowhere",
)
THEOREM = "Every subgroup of a cyclic group $G$ with $\\abs{G} = n$ is cyclic."


@pytest.fixture
def browser(driver: object, address: str) -> Iterator[SiteTab]:
    chromium.clear_messages(driver)
    made = SiteTab(driver, address)
    made.screen(1280, 900)
    yield made
    made.open("/api").run("sessionStorage.clear()")
    # A page that is not there is a message of the browser's own; everything else would be our mistake.
    made.check_messages_and_requests("data:font/", expected="/nowhere")


def test_search_while_typing(browser: SiteTab) -> None:
    browser.open("/")
    assert browser.run("return document.activeElement.id") == "q"
    browser.type("#q", "compact")
    browser.until(lambda: "Compact" in browser.text(".hit h2"))
    assert browser.path() == "/?q=compact"
    assert browser.count(".hit mark") > 0
    assert browser.count(".hit math") > 0
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    browser.until(lambda: browser.path() == "/statement/primer:def:compact")


def test_a_click_is_not_lost_while_results_change(browser: SiteTab) -> None:
    """The pointer goes down on a hit, new results arrive, and only then it goes up."""
    browser.open("/?q=compact")
    target = browser.run("return document.querySelector('.hit h2 a').getAttribute('href')")
    browser.run("document.getElementById('q').value = 'cyclic'")
    place = browser.run(
        "const b = document.querySelector('.hit h2 a').getBoundingClientRect(); return [b.x + 20, b.y + b.height / 2]"
    )
    mouse = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
    browser.cdp("Input.dispatchMouseEvent", type="mousePressed", **mouse)
    browser.run("document.getElementById('q').dispatchEvent(new Event('change', {bubbles: true}))")
    browser.run("document.getElementById('q').dispatchEvent(new Event('input', {bubbles: true}))")
    browser.until(
        lambda: browser.run("return performance.getEntriesByType('resource').some(r => r.name.includes('q=cyclic'))")
    )
    browser.until(lambda: browser.count("#results.busy") == 0)
    assert browser.run("return document.querySelector('.hit h2 a').getAttribute('href')") == target
    browser.cdp("Input.dispatchMouseEvent", type="mouseReleased", **mouse)
    browser.until(lambda: browser.path() == target)


def test_leaving_the_field_does_not_search_again(browser: SiteTab) -> None:
    browser.open("/")
    browser.type("#q", "compact")
    browser.until(lambda: browser.path() == "/?q=compact")
    browser.run("window.first = document.querySelector('.hit')")
    browser.press(Keys.ARROW_DOWN)
    assert browser.run("return document.activeElement === document.querySelector('.hit h2 a')")
    browser.run("document.getElementById('q').dispatchEvent(new Event('input', {bubbles: true}))")
    browser.run("const s = document.querySelector('select[name=kind]'); s.value = 'definition';"
                "s.dispatchEvent(new Event('change', {bubbles: true}))")  # fmt: skip
    browser.until(lambda: browser.path() == "/?q=compact&kind=definition")
    assert browser.run("return window.first !== document.querySelector('.hit')")
    assert browser.run("return document.activeElement === document.querySelector('.hit h2 a')"), "the focus stays"


def test_nothing_found_offers_a_way_on(browser: SiteTab) -> None:
    browser.open("/?q=zzzzqqqq&kind=definition")
    links = browser.run("return [...document.querySelectorAll('#results a')].map(a => a.getAttribute('href'))")
    assert links == ["/?q=zzzzqqqq", "/ask", "/corpora"]


def test_search_by_kind_and_with_a_slip(browser: SiteTab) -> None:
    browser.open("/?q=compact")
    browser.run("const s = document.querySelector('select[name=kind]'); s.value = 'definition';"
                "s.dispatchEvent(new Event('change', {bubbles: true}))")  # fmt: skip
    browser.until(lambda: browser.path() == "/?q=compact&kind=definition")
    browser.until(lambda: browser.count(".hit") == browser.count(".hit.k1") > 0)
    browser.open("/?q=compactt+metric")
    assert browser.count(".hit") > 0


def test_the_slash_key_finds_the_field(browser: SiteTab) -> None:
    browser.open("/corpora")
    browser.type("body", "/")
    assert browser.run("return document.activeElement.name") == "q"
    browser.press("lagrange", Keys.ENTER)
    browser.until(lambda: browser.path().startswith("/?q=lagrange"))
    assert "Lagrange" in browser.text(".hit h2")


def test_a_statement_is_read(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange")
    assert "Theorem 3.3.5" in browser.text("h1")
    assert browser.count(".statement math") > 2
    assert not browser.run("return document.querySelector('details.proof').open")
    browser.click("details.proof summary")
    assert "disjoint union" in browser.text("details.proof")
    browser.click("details.proof a")
    browser.until(lambda: "coset-equivalence" in browser.path())
    assert "Lemma 3.3.2" in browser.text("h1")


def test_formulas_are_drawn(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange")
    box = browser.run(
        "const b = document.querySelector('.statement math').getBoundingClientRect(); return [b.width, b.height]"
    )
    assert all(side > 5 for side in box)


def test_the_graph_moves_zooms_and_leads_on(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange?up=2&down=1")
    view = "return document.getElementById('graph').getAttribute('viewBox')"
    assert browser.count("#graph .box") > 15
    first = browser.run(view)
    browser.click("[data-zoom=in]")
    nearer = browser.run(view)
    assert float(nearer.split()[2]) < float(first.split()[2])
    place = browser.run(
        "const b = document.querySelector('.stage').getBoundingClientRect(); return [b.x + 30, b.y + 30]"
    )
    for kind, dx in (("mousePressed", 0), ("mouseMoved", 40), ("mouseMoved", 90), ("mouseReleased", 90)):
        browser.cdp(
            "Input.dispatchMouseEvent", type=kind, x=place[0] + dx, y=place[1], button="left", buttons=1, clickCount=1
        )
    assert float(browser.run(view).split()[0]) < float(nearer.split()[0])
    browser.run("document.querySelector('.stage').focus()")
    browser.press("0")
    assert float(browser.run("return document.querySelector('.stage').dataset.zoom")) == 1
    browser.press(Keys.TAB, Keys.ENTER)
    browser.until(lambda: "thm:lagrange" not in browser.path())


def test_lines_of_what_is_pointed_at_stand_out(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange")
    browser.run("document.querySelector('#graph .centre').focus()")
    assert browser.count("#graph .lit") > 5


def test_ask_pick_and_copy(browser: SiteTab) -> None:
    browser.open("/ask")
    browser.type("#text", THEOREM)
    browser.until(lambda: browser.count("#preview math") > 1)
    assert "\\abs" not in browser.text("#preview")
    browser.press(Keys.CONTROL, Keys.ENTER)
    browser.until(lambda: browser.count(".suggestions input") == 12)
    assert "Proposition 3.2.7" in browser.text(".suggestions")
    assert browser.count(".reasons li") > 5
    for number in (1, 2):
        browser.click(f".suggestions li:nth-of-type({number}) input")
    labels = browser.run(
        "return [...document.querySelectorAll('.suggestions li.picked input')].map(x => x.dataset.cite)"
    )
    assert len(labels) == 2
    inner = ",".join(label.removeprefix("\\cref{").removesuffix("}") for label in labels)
    assert browser.value("#citations") == f"\\cref{{{inner}}}"
    browser.click("#copy")
    browser.until(lambda: browser.text("#copy") == "Copied")
    browser.click("#picked-list .remove")
    assert browser.text("#picked-count") == "1"
    kept = browser.run("return document.querySelector('.suggestions li.picked input').value")
    browser.click("#next")
    browser.until(
        lambda: browser.run("return !document.querySelector(`.suggestions input[value='${arguments[0]}']`)", kept)
    )
    assert browser.text("#picked-count") == "1"


def test_what_was_asked_survives_a_reload(browser: SiteTab) -> None:
    browser.open("/ask")
    browser.type("#text", THEOREM)
    browser.press(Keys.CONTROL, Keys.ENTER)
    browser.until(lambda: browser.count(".suggestions input") == 12)
    browser.click(".suggestions li:nth-of-type(1) input")
    kept = browser.value("#citations")
    browser.driver.refresh()
    browser.until(lambda: browser.value("#citations") == kept)
    assert browser.value("#text") == THEOREM
    browser.run("sessionStorage.clear()")
    browser.open("/ask")
    assert browser.value("#text") == ""


def test_an_example_is_offered(browser: SiteTab) -> None:
    browser.open("/ask")
    browser.click("#example")
    browser.until(lambda: browser.count(".suggestions > li") > 5)
    assert "Extreme value theorem" in browser.text(".suggestions")


def test_ask_works_without_scripts(browser: SiteTab) -> None:
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open("/ask")
        browser.type("#text", THEOREM)
        browser.click("button.main[type=submit]")
        browser.until(lambda: browser.driver.page_source.count('name="picked"') == 12)
        browser.click(".suggestions input")
        browser.click("#next")
        browser.until(lambda: re.search(r"\\cref\{[\w:-]+\}</textarea>", browser.driver.page_source))
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


def test_a_corpus_and_its_chapters(browser: SiteTab) -> None:
    browser.open("/corpus/primer/about")
    assert browser.count(".chart svg .bar") > 5
    assert browser.count(".entries a") == 14
    assert "1,477" in browser.text(".numbers")
    browser.driver.find_element("link text", "Contents").click()
    browser.until(lambda: browser.count(".contents li") == 9)
    browser.click(".cite summary")
    assert browser.text(".cite pre").startswith("@misc{primer")
    assert browser.count(".cite button.copy:not([hidden])") == 1
    browser.click(".contents a")
    browser.until(lambda: "chapter=" in browser.path())
    assert browser.count(".stated") > 50


def test_no_table_of_figures_is_cut(browser: SiteTab) -> None:
    for width in (1024, 1280, 1440, 1920):
        browser.screen(width, 900)
        browser.open("/corpus/primer/about")
        cut = "e => e.scrollWidth > e.clientWidth"
        assert browser.run(f"return [...document.querySelectorAll('.figures')].filter({cut}).length") == 0, width


def test_the_whole_graph_is_a_page_of_its_own(browser: SiteTab) -> None:
    browser.open("/corpus/primer/graph")
    browser.until(lambda: browser.run("return document.body.dataset.view") == "chapters")
    browser.type("#search", "thm:lagrange", Keys.ENTER)
    browser.until(lambda: browser.count("#panel a.page") == 1)
    browser.click("#panel a.page")
    browser.until(lambda: browser.path().startswith("/statement/primer"))
    assert "Lagrange" in browser.text("h1")
    browser.click("#around p a")
    browser.until(lambda: browser.count("#panel .statement math") > 0)
    assert browser.run("return document.body.dataset.view") == "focus"
    browser.driver.back()
    browser.driver.back()
    browser.click("header .back")
    browser.until(lambda: browser.path() == "/corpus/primer")


def test_results_are_compared(browser: SiteTab) -> None:
    browser.open("/results")
    assert "shipped" in browser.text(".task table")
    browser.click(".task tbody a")
    browser.until(lambda: "primer:thm:lagrange" in browser.path())
    assert browser.count("table mark") == 2


def test_errors_are_explored_by_slice(browser: SiteTab) -> None:
    browser.open("/results")
    browser.click(".task p a")
    browser.until(lambda: browser.path() == "/results/primer-test-clean")
    assert browser.count("#slices tbody tr") == 1
    assert browser.count("#differences tbody tr") == 1
    assert browser.count(".chart .bar") == 40
    assert browser.count("#calibration .dot") == 4
    assert "no probabilities" in browser.text("#calibration .muted")
    browser.click("#slices tbody a")
    browser.until(lambda: "part=" in browser.path())
    assert "Lagrange" in browser.text("#errors table")
    browser.run("document.querySelector('select[name=by]').value = 'chapter'")
    browser.click("form.tools button")
    browser.until(lambda: "by=chapter" in browser.path())
    assert "Groups" in browser.text("#slices")


def test_dark_and_light(browser: SiteTab) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    browser.open("/")
    light = browser.run(paper)
    browser.screen(1280, 900, dark=True)
    dark = browser.run(paper)
    assert dark != light
    browser.click("#theme")
    assert browser.run(paper) == light
    browser.open("/ask")
    assert browser.run(paper) == light
    browser.run("localStorage.clear()")
    browser.open("/ask")
    assert browser.run(paper) == dark


def test_everything_fits_on_a_phone(browser: SiteTab) -> None:
    browser.screen(375, 700)
    for path in PAGES:
        browser.open(path)
        assert browser.run("return document.documentElement.scrollWidth") <= 375, path
    browser.open("/ask").click("#example")
    browser.until(lambda: browser.count(".suggestions > li") > 5)
    assert browser.run("return document.documentElement.scrollWidth") <= 375


def test_a_long_formula_does_not_widen_the_page_of_a_phone(browser: SiteTab) -> None:
    formula = "$" + "+".join(f"a_{{{n}}}" for n in range(40)) + " = 0$"
    statement = Statement(
        "long:a", "theorem", "a", "", (f"Then {formula} holds.",), form="lemma", place=Place("d", "One", "", 0)
    )
    proof = Proof((f"By {formula}.",), (Mention("a", "ref", 1, "long:a"),))
    other = replace(statement, id="long:b", label="b", title=f"On {formula}", proofs=(proof,))
    site = Site.of(Workspace.of([Corpus("long", (statement, other), Provenance("latex", "fixed"))]))
    with listening(site) as address:
        tab = SiteTab(browser.driver, address)
        tab.screen(375, 700)
        for path in ("/", "/?q=holds", "/statement/long:a", "/statement/long:b", "/corpus/long?chapter=One"):
            tab.open(path)
            tab.run("for (const d of document.querySelectorAll('details')) d.open = true")
            assert tab.run("return document.documentElement.scrollWidth") <= 375, path
    browser.open("/")


@pytest.mark.parametrize("width", [700, 800, 979])
def test_the_header_is_one_line(browser: SiteTab, width: int) -> None:
    browser.screen(width, 700)
    for path in ("/", "/ask"):
        browser.open(path)
        tops = browser.run(
            "return [...document.querySelectorAll('.top > *')].map(e => {const b = e.getBoundingClientRect();"
            "return b.top + b.height / 2})"
        )
        assert max(tops) - min(tops) < 5, path


def test_paper_shows_no_controls_and_all_proofs(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange")
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    try:
        shown = browser.run(
            "return [...document.querySelectorAll('button, .button, input, nav, header')]"
            ".filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80))"
        )
        assert [one for one in shown if "crumbs" not in one] == []
        assert browser.run(
            "return document.querySelector('details.proof .tex-text').checkVisibility({contentVisibilityAuto: true})"
        )
    finally:
        browser.cdp("Emulation.setEmulatedMedia", media="")


def test_the_keyboard_reaches_the_content_first(browser: SiteTab) -> None:
    browser.open("/corpora")
    browser.type("body", Keys.TAB)
    assert browser.run("return document.activeElement.textContent") == "Skip to the content"
    browser.press(Keys.ENTER)
    browser.until(lambda: browser.run("return document.activeElement.id") == "main")
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.textContent") == "A Primer"


@pytest.mark.parametrize(("dark", "rules"), [(False, None), (True, ["color-contrast"])], ids=["light", "dark"])
def test_pages_are_accessible(browser: SiteTab, dark: bool, rules: list[str] | None) -> None:
    """No rule of axe-core finds anything, on any page; dark differs in its colours alone."""
    axe = (files("axe_selenium_python") / "node_modules/axe-core/axe.min.js").read_text("utf-8")
    browser.screen(1280, 900, dark=dark)
    for path in PAGES:
        browser.open(path)
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        browser.run(axe)
        found = browser.driver.execute_async_script(
            "const [values, done] = arguments; const only = values ? {runOnly: {type: 'rule', values}} : {};"
            "axe.run(document, only).then(r => done(r.violations.map(v => "
            "[v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])))",
            rules,
        )
        assert found == [], path
