from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.sources.wiki.dump import Namespace, Page, Site
from naturalproofs.sources.wiki.sections import Outline
from naturalproofs.sources.wiki.wiki import ROOT, CategoryGraph, Target, Wiki

SITE = Site("W", "0.3", (Namespace(14, "Kategorie"), Namespace(102, "Definition")), main_page="Hauptseite")


def wiki(*pages: Page) -> Wiki:
    return Wiki(SITE, pages)


def test_old_exports_tell_redirects_and_namespaces_by_text_and_title():
    found = wiki(
        Page("A", None, "#WEITERLEITUNG [[Definition:B]]", redirect=""),
        Page("C", None, " #redirect: [[A#x]]"),
        Page("Definition:B", None, "b"),
        Page("User:X", None, "x"),
        Page("D", None, "# A numbered list, [[A|not]] a redirect"),
    )
    assert found.redirect_targets == {"A": "Definition:B", "C": "Definition:B"}
    assert list(found.pages) == ["Definition:B", "D"]
    assert found.other_titles == {"User:X"}


def test_pages_that_are_no_content():
    found = wiki(Page("Hauptseite", 0, "hello"), Page("S", 0, "x=1", model="javascript"), Page("<bad>", 0, "x"))
    assert not found.pages
    assert found.other_titles == {"Hauptseite", "S"}


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


TEXT = "lead <!-- == No == -->\n== Theorem ==\na\n=== Corollary ===\nb\n== Proof ==\nc"


def test_a_page_that_was_written_down_reads_as_before():
    page = Outline.of("A", TEXT)
    found = wiki(Page("B", 0, "other"), Page("A", 0, "older"), Page("A", 0, TEXT))
    again = found.pages["A"]
    assert (again.title, again.text, again.masked, again.sections) == ("A", TEXT, page.masked, page.sections)
    assert [section.role for section in again.sections] == ["statement", "proof"]
    assert found.roles["A"] == {"statement", "proof"}
    assert (list(found.pages), len(found.pages), found.pages["B"].text) == (["B", "A"], 2, "other")


PARENTS = {
    "Rings": ("Algebra",),
    "Ideals": ("Rings", "Modules"),
    "Modules": ("Ideals", "Algebra"),
    "Primes": ("Number Theory", "Rings", "Ideals"),
    "Algebra": (ROOT,),
    "Number Theory": (ROOT, "Elsewhere"),
    "Elsewhere": ("Content",),
    ROOT: ("Proofs",),
    "Proofs": ("Content",),
}


def test_circles_and_short_cuts():
    graph = CategoryGraph(PARENTS)
    assert graph.toplevel(["Primes"]) == ("Algebra", "Number Theory")
    assert graph.recursive(["Ideals"]) == ("Algebra", "Ideals", "Modules", "Rings")
    assert graph.recursive(["Elsewhere", "Unheard of", ROOT]) == ()


def test_top_level_itself_and_below():
    graph = CategoryGraph(PARENTS)
    assert graph.toplevel(["Algebra"]) == graph.recursive(["Algebra"]) == ("Algebra",)


names = st.sampled_from("abcdef")


@given(st.dictionaries(names, st.lists(st.one_of(names, st.just(ROOT)), max_size=3)), names)
def test_recursive_categories_lie_on_ways_to_the_top(parents, start):
    """Against networkx: a category counts when it is reachable upwards and reaches a top-level one."""
    graph = CategoryGraph(parents)
    up = nx.DiGraph()
    up.add_nodes_from([start, *parents])
    up.add_edges_from((child, parent) for child, above in parents.items() for parent in above if parent != ROOT)
    top = {child for child, above in parents.items() if ROOT in above}
    reachable = nx.descendants(up, start) | {start}
    expected = {node for node in reachable if top & (nx.descendants(up, node) | {node})}
    assert set(graph.recursive([start])) == expected
    assert set(graph.toplevel([start])) == expected & top
    assert all(a < b for a, b in pairwise(graph.recursive([start])))
