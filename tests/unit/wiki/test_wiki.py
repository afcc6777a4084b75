import pytest

from naturalproofs.wiki.contents import Namespace, Page, Site
from naturalproofs.wiki.wiki import Target, Wiki

SITE = Site("W", "0.3", (Namespace(14, "Kategorie"), Namespace(102, "Definition")), main_page="Hauptseite")


def wiki(*pages: Page) -> Wiki:
    return Wiki([SITE, *pages])


def test_old_exports_tell_redirects_and_namespaces_by_text_and_title():
    found = wiki(
        Page("A", None, "#WEITERLEITUNG [[Definition:B]]", redirect=""),
        Page("C", None, " #redirect: [[A#x]]"),
        Page("Definition:B", None, "b"),
        Page("User:X", None, "x"),
        Page("D", None, "# A numbered list, [[A|not]] a redirect"),
    )
    assert found.ends == {"A": "Definition:B", "C": "Definition:B"}
    assert list(found.pages) == ["Definition:B", "D"]
    assert found.noise == {"User:X"}


def test_what_is_no_reading_matter():
    found = wiki(Page("Hauptseite", 0, "hello"), Page("S", 0, "x=1", model="javascript"), Page("<bad>", 0, "x"))
    assert not found.pages
    assert found.noise == {"Hauptseite", "S"}


def test_categories_answer_to_all_their_names():
    found = wiki(Page("A", 0, "[[kategorie:X y|k]] [[Category:Z]] [[:Category:No]] [[ Kategorie : _Q ]]"))
    assert list(found.categories(found.pages["A"])) == ["X y", "Z", "Q"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a", Target("A", exists=True)),
        ("R", Target("A", exists=True)),
        ("Gone", Target("Gone", exists=False)),
        ("User:X", None),
        ("W:About", None),
        ("To user", None),
        ("Category:Z", None),
        ("wikipedia:A", None),
        ("a[b", None),
    ],
)
def test_targets(raw, expected):
    found = wiki(
        Page("A", 0, ""),
        Page("R", 0, "", redirect="A"),
        Page("To user", 0, "", redirect="User:X"),
        Page("User:X", 2, ""),
    )
    assert found.target(raw, "Host") == expected
    assert found.target(raw, "Another") == expected


def test_relative_targets_are_not_remembered_from_another_page():
    found = wiki(Page("A/P", 0, ""), Page("B/P", 0, ""))
    assert found.target("/P", "A") == Target("A/P", exists=True)
    assert found.target("/P", "B") == Target("B/P", exists=True)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [(":A", True), ("/P", True), ("definition:B", True), ("qed", False), ("User:X", False), ("A", False)],
)
def test_names_that_bring_pages_in(name, is_one):
    assert wiki().is_transclusion(name) is is_one
