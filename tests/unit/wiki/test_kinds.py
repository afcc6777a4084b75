import pytest

from naturalproofs.wiki.kinds import RULES, names_proof, page_kind


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
