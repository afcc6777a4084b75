import pytest

from naturalproofs.sources.wiki.templates import CITATIONS, cited_titles, equation_row, is_citation


@pytest.mark.parametrize(
    ("template", "arguments", "page", "first"),
    [
        ("defof", {"1": "Group"}, "P", ["Definition:Group"]),
        ("defof", {"1": "Prime", "index": "2"}, "P", ["Definition:Prime/2"]),
        ("lemma", {"1": "Big", "2": "3"}, "P", ["Big/Lemma 3"]),
        ("lemma", {"1": "2"}, "P/Proof 1", ["P/Proof 1/Lemma 2"]),
        ("lemma", {}, "P", ["P/Lemma"]),
        ("proofrulelink", {"1": "Modus Ponens"}, "P", ["Modus Ponens"]),
        (
            "eucliddeflink",
            {"1": "I", "2": "15", "3": "Circle"},
            "P",
            ["Definition:Euclid's Definitions - Book I/15 - Circle"],
        ),
        ("namedfor", {"1": "Gauss", "name2": "Euler", "cat": "x"}, "P", ["Mathematician:Gauss", "Mathematician:Euler"]),
        ("metric-space-axiom", {"1": "2"}, "P", ["Axiom:Metric Space Axioms"]),
        ("premise", {"1": "1"}, "P", ["Rule of Assumption"]),
    ],
)
def test_first_spelling_of_each_cited_page(template, arguments, page, first):
    assert [titles[0] for titles in cited_titles(template, arguments, page)] == first


def test_arguments_that_are_missing_or_empty_name_nothing():
    assert list(cited_titles("defof", {"1": ""}, "P")) == [[]]


def test_external_and_category_templates_cite_nothing():
    assert not any(map(is_citation, ("mathworld", "oeis", "mizar", "booklink", "link-to-category", "qed", "eqn")))


def test_table_is_in_lower_case():
    assert all(name == name.lower() for name in CITATIONS)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"l": "a", "r": "b"}, r"a &= b \\"),
        ({"l": "a", "o": r"\le", "r": "b", "c": "since"}, r"a &\le b & & \text{since} \\"),
        ({"n": "1", "l": "a", "r": "b", "c": "x"}, r"a &= b & (1) & \text{x} \\"),
        ({"n": "1", "r": "b"}, r"&= b & (1) \\"),
        ({"ll": r"\leadsto", "l": "a", "ro": "+", "r": "b", "rr": "c"}, r"\leadsto a &= + b c \\"),
        ({"c": "only a reason"}, r"& & & \text{only a reason} \\"),
        ({"l": " a\n b ", "r": ""}, r"a b & \\"),
    ],
)
def test_row(fields, expected):
    assert equation_row(fields) == expected
