import pytest

from naturalproofs.wiki.headings import role, spoken


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
    assert role(heading) == expected


def test_spoken_drops_markup():
    assert spoken(" [[A|''b'']]  <small>c</small>\x7f ") == "b c"
