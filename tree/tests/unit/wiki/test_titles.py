import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.sources.wiki.dump import Namespace, Site
from naturalproofs.sources.wiki.templates import TitleRules, parent, resolve_redirects

RULES = TitleRules(
    Site(
        "My Wiki",
        "0.11",
        (Namespace(0, ""), Namespace(14, "Category"), Namespace(102, "Definition"), Namespace(200, "iCase", False)),
    )
)


@pytest.mark.parametrize(
    ("raw", "name", "namespace"),
    [
        ("group", "Group", 0),
        ("Zorn's_lemma ", "Zorn's lemma", 0),
        ("A  _ B", "A B", 0),
        ("definition:set", "Definition:Set", 102),
        ("DEFINITION : set", "Definition:Set", 102),
        (":Category:Sets", "Category:Sets", 14),
        ("Image:x.png", "File:X.png", 6),
        ("Project:About", "My Wiki:About", 4),
        ("my wiki:About", "My Wiki:About", 4),
        ("iCase:small", "iCase:small", 200),
        ("Unknown: Thing", "Unknown: Thing", 0),
        ("ß-Function", "ß-Function", 0),
        ("ångström", "Ångström", 0),
        ("A&amp;B", "A&B", 0),
        ("100%", "100%", 0),
        ("C%2B%2B", "C++", 0),
        ("\u200eA\u00a0B\u200f", "A B", 0),
    ],
)
def test_target_gets_its_one_spelling(raw, name, namespace):
    title = RULES.parse(raw)
    assert title is not None
    assert (title.name, title.namespace) == (name, namespace)
    assert RULES.parse(title.name) == msgspec.structs.replace(title, colon=False)


@pytest.mark.parametrize(
    "raw", ["", " ", "#", "a[b", "a{b", "a|b", "<a>", "Definition:", "../x", "a/../b", "x" * 256, "a\nb" + "\x00"]
)
def test_what_cannot_be_a_title_is_none(raw):
    assert RULES.parse(raw) is None


@pytest.mark.parametrize(
    ("raw", "host", "name", "fragment"),
    [
        ("#Proof", "A/B", "A/B", "Proof"),
        ("/C", "A/B", "A/B/C", ""),
        ("/C/", "A", "A/C", ""),
        ("../", "A/B", "A", ""),
        ("../C#x", "A/B", "A/C", "x"),
        ("../../D", "A/B/C", "A/D", ""),
        ("Definition:X#Y", "A", "Definition:X", "Y"),
    ],
)
def test_targets_may_depend_on_their_page(raw, host, name, fragment):
    title = RULES.parse(raw, host)
    assert title is not None
    assert (title.name, title.fragment) == (name, fragment)


def test_going_up_from_the_top_leads_nowhere():
    assert RULES.parse("../", "A") is None


def test_other_sites_are_told_apart():
    title = RULES.parse("wikipedia:Group")
    assert title is not None
    assert title.interwiki


def test_parent():
    assert parent("A/B/C") == "A/B"
    assert parent("A") == ""


def test_chains_circles_and_dead_ends():
    ends, found = resolve_redirects({"a": "b", "b": "c", "r": "s", "s": "t", "t": "s", "x": "y"}, {"c"}.__contains__)
    assert ends == {"a": "c", "b": "c", "r": None, "s": None, "t": None, "x": None}
    assert [(d.path, d.rule) for d in found] == [("s", "redirect-cycle"), ("x", "redirect-to-nowhere")]
    assert "s > t > s" in found[0].message


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("abcdefghXY")))
def test_ends_are_pages_and_agree_with_one_step(redirects):
    ends, _ = resolve_redirects(redirects, {"X"}.__contains__)
    assert ends.keys() == redirects.keys()
    for title, target in redirects.items():
        assert ends[title] == (ends[target] if target in redirects else "X" if target == "X" else None)
