"""Learning and teaching in a real browser: a path with ticks, an exercise with hints and a grade, a sheet, a course."""

from collections.abc import Iterator

import pytest

from support import chromium
from support.axe import violations
from support.site_tab import SiteTab

pytestmark = chromium.needed
PATH = "/path/primer:thm:lagrange"
EXERCISE = "/exercise/primer:thm:lagrange"
PAGES = (
    PATH,
    "/impact/primer:def:group",
    f"{EXERCISE}?form=choose&answer=A",
    f"{EXERCISE}?form=blanks",
    f"{EXERCISE}?form=order",
    "/course?names=thm:lagrange",
    "/sheet?names=thm:lagrange&form=blanks",
)


@pytest.fixture
def browser(driver: object, address: str) -> Iterator[SiteTab]:
    chromium.clear_messages(driver)
    made = SiteTab(driver, address)
    made.screen(1280, 900)
    yield made
    made.check_messages_and_requests("data:", "blob:")


def test_ticks_shorten_the_path_and_are_kept(browser: SiteTab) -> None:
    browser.open("/statement/primer:thm:lagrange")
    browser.driver.find_element("link text", "What to read first").click()
    browser.until(lambda: browser.count(".steps li") == 23)
    assert browser.count(".inferred") > 0
    browser.run("localStorage.clear()")
    boxes = "[...document.querySelectorAll('.steps input')]"
    place = browser.run(f"return {boxes}.findIndex((box) => box.value === 'primer:def:group')")
    browser.click('.steps input[value="primer:def:group"]')
    browser.until(lambda: "Group" in browser.text("#known"))
    assert browser.run(f"return {boxes}.indexOf(document.activeElement)") == min(
        place, browser.count(".steps input") - 1
    )
    shorter = browser.count(".steps li")
    assert shorter < 23
    browser.type("#add", "Definition 3.3.1", "\ue007")
    browser.until(lambda: browser.count("#known li") == 2)
    browser.run("document.querySelector('.chapters').open = true")
    browser.click('.chapters input[value="chapter Sets and maps"]')
    browser.until(lambda: "77 statements" in browser.text("#known"))
    assert browser.count(".steps li") < shorter
    browser.open(PATH)
    browser.until(lambda: browser.count("#known li") == 3)
    # On another path of the same book too.
    browser.open("/path/primer:thm:cauchy")
    browser.until(lambda: browser.count("#known li") == 3)
    browser.open(PATH)
    browser.until(lambda: browser.count("#known li") == 3)
    browser.click('#known input[value="primer:def:group"]')
    browser.until(lambda: browser.count("#known li") == 2)
    browser.click("#forget")
    browser.until(lambda: browser.count(".steps li") == 23)


def test_a_name_that_nothing_has_is_said_and_not_kept(browser: SiteTab) -> None:
    browser.open(PATH)
    browser.run("localStorage.clear()")
    browser.type("#add", "chapter Nonsense", "\ue007")
    browser.until(lambda: "Nothing is called" in browser.text("[role=alert]"))
    assert browser.run("return localStorage.getItem('known:primer')") is None


def test_only_what_is_cited(browser: SiteTab) -> None:
    browser.open(PATH)
    browser.run("localStorage.clear()")
    browser.click("input[name=cited]")
    browser.until(lambda: browser.count(".inferred") == 0)


def solve(browser: SiteTab) -> None:
    """Open all hints and read from them what the proof uses."""
    while closed := browser.driver.find_elements("css selector", ".hints details:not([open]) summary"):
        visible = [one for one in closed if one.is_displayed()]
        if not visible:
            break
        visible[0].click()


def test_an_exercise_with_hints_and_a_grade(browser: SiteTab) -> None:
    browser.open(f"{EXERCISE}?form=choose&seed=2")
    assert browser.count(".hints details") == 6
    assert (
        len([one for one in browser.driver.find_elements("css selector", ".hints summary") if one.is_displayed()]) == 1
    )
    solve(browser)
    hints = browser.text(".hints")
    for item in browser.driver.find_elements("css selector", ".options li"):
        name = item.find_element("css selector", ".name").text
        if f"It uses {name}" in hints:
            item.find_element("css selector", "input").click()
    browser.click("button.main")
    browser.until(lambda: "All right" in browser.text("#grade"))
    assert browser.count(".options input:checked") == 3


@pytest.mark.parametrize("form", ["blanks", "order"])
def test_blanks_and_orders_are_graded(browser: SiteTab, form: str) -> None:
    browser.open(f"{EXERCISE}?form={form}")
    fields = browser.driver.find_elements("css selector", ".blanks select")
    assert len(fields) == 3
    for field in fields:
        field.send_keys("A")
    browser.click("button.main")
    browser.until(lambda: browser.count("#grade") == 1)
    said = browser.text("#grade")
    assert "%" in said if form == "blanks" else "A is given more than once" in said
    assert browser.value(".blanks select") == "A"


def test_a_course_leads_to_a_list_and_a_sheet(browser: SiteTab) -> None:
    browser.open("/course")
    browser.type("#names", "thm:lagrange\nthm:cauchy")
    browser.type("#known", "chapter Sets and maps")
    browser.click("button.main")
    browser.until(lambda: browser.count(".steps li") > 10)
    browser.driver.find_element("link text", "Fill the blanks").click()
    browser.until(lambda: browser.count(".sheet") == 2)
    assert browser.count(".blank") > 3


def test_a_sheet_prints_without_controls(browser: SiteTab) -> None:
    browser.open("/sheet?names=thm:lagrange&names=thm:cauchy&form=blanks")
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    shown = "return document.querySelector(arguments[0]).checkVisibility()"
    assert not browser.run(shown, ".tools")
    assert not browser.run(shown, ".top")
    assert browser.run(shown, ".sheet .blank")
    browser.cdp("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("dark", [False, True])
def test_accessible_and_not_wider_than_a_phone(browser: SiteTab, dark: bool) -> None:
    for path in PAGES:
        browser.screen(1280, 900, dark=dark)
        browser.open(path)
        assert violations(browser.driver) == [], path
        browser.screen(360, 740, dark=dark)
        assert browser.run("return document.documentElement.scrollWidth") <= 360, path
