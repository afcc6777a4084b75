import pytest

from naturalproofs.sources.wiki.sections import (
    RULES,
    heading_role,
    heading_text,
    headings,
    names_proof,
    page_kind,
    sections,
)
from naturalproofs.sources.wiki.wikitext import mask


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("== A ==", (2, " A ")),
        ("=A=", (1, "A")),
        ("==A== \t", (2, "A")),
        ("=== A ==", (2, "= A ")),
        ("======= A =======", (6, "= A =")),
        ("== A == <!-- x -->", (2, " A ")),
        ("== a = b ==", (2, " a = b ")),
        ("== A", None),
        (" == A ==", None),
        ("== A == b", None),
        ("a == b ==", None),
        ("==", None),
    ],
)
def test_heading_lines(line, found):
    text = mask(f"before\n{line}\nafter").text
    assert [(h.level, text[h.text_start : h.text_end]) for h in headings(text)] == ([found] if found else [])


def test_sections_cover_the_page_from_the_first_heading():
    text = "lead\n== A ==\na\n=== B ===\nb\n= C =\nc\n==== D ====\nd"
    found = sections(text)
    assert [text[s.start : s.end] for s in found] == ["\na\n=== B ===\nb\n", "\nc\n==== D ====\nd"]
    assert [len(s.subheadings) for s in found] == [1, 1]


def test_deep_heading_first_is_a_top_level_of_its_own():
    assert [s.heading.level for s in sections("=== A ===\n== B ==\n")] == [3, 2]


def test_page_without_headings():
    assert sections("text") == ()
    assert sections("") == ()


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Theorem", "statement"),
        ("Corollary 2", "statement"),
        ("Lemma (Zorn)", "statement"),
        ("Proof of Theorem", "proof"),
        ("Theorem: Outline of Proof", "proof"),
        ("Proof", "proof"),
        ("PROOF 2", "proof"),
        ("Direct Proof", "proof"),
        ("Proof of $(1)$", "proof"),
        ("Proof of {{Metric-space-axiom|1}}", "proof"),
        ("[[Foo/Proof 1|Proof 1]]", "proof"),
        ("Proof Rule", "rule"),
        ("Proof Technique", "rule"),
        ("Definition 1", "definition"),
        ("Axiom", "axiom"),
        ("[[Definition:Group/Also denoted as|Also denoted as]]", "pointer"),
        ("'''Also see'''", "pointer"),
        ("Sources", "pointer"),
        ("Generalizations", "pointer"),
        ("Historical Note", "aside"),
        ("Linguistic Note", "aside"),
        ("Note on the Proof", "aside"),
        ("Examples of Proofs", "aside"),
        ("Notable", "other"),
        ("Waterproofing", "other"),
        ("Construction", "other"),
    ],
)
def test_role(heading, expected):
    assert heading_role(heading) == expected


def test_spoken_drops_markup():
    assert heading_text(" [[A|''b'']]  <small>c</small>\x7f ") == "b c"


@pytest.mark.parametrize(
    ("title", "roles", "kind", "form"),
    [
        ("Definition:Group", {"definition"}, "definition", "definition"),
        ("Definition:Group/Also known as", set(), "other", "note"),
        ("Definition:Group/Left", set(), "definition", "definition"),
        ("Axiom:Choice", {"axiom"}, "other", "axiom"),
        ("Mathematician:Gauss", {"statement"}, "other", "mathematician"),
        ("Foo", {"statement", "proof"}, "theorem", ""),
        ("Foo/Corollary 1", {"statement"}, "theorem", "corollary"),
        ("Foo/Lemma", {"statement"}, "theorem", "lemma"),
        ("Foo/Proof 1", {"statement", "proof"}, None, "proof"),
        ("Foo/Direct Proof", {"proof"}, None, "proof"),
        ("Orphan/Proof 1", {"statement", "proof"}, "theorem", ""),
        ("Foo/Proof Rule", {"statement"}, "theorem", ""),
        ("Modus Ponens", {"rule", "proof"}, "other", "proof rule"),
        ("Proof by Contradiction", {"proof"}, "other", "page"),
        ("Foo/Historical Note", set(), "other", "page"),
    ],
)
def test_first_rule_that_holds(title, roles, kind, form):
    found = page_kind(title, roles, lambda sub: "Foo" if sub.startswith("Foo/") else None)
    assert (found.kind, found.form) == (kind, form)


def test_last_rule_asks_for_nothing():
    last = RULES[-1]
    assert (last.prefix, last.segment, last.section, last.below_theorem) == ("", None, None, False)


def test_only_sub_pages_are_named_after_proofs():
    assert names_proof("A/Second Proof")
    assert not names_proof("Proof")
    assert not names_proof("A/Proof System")
