"""What people type, and what they look for, in a few statements and in the Primer."""

import msgspec
import pytest

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.records import Statement
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.workspace.search import SearchIndex, search
from naturalproofs.workspace.search.query import parse_query
from naturalproofs.workspace.search.text import near


@pytest.fixture(scope="module")
def index(primer):
    return SearchIndex.build(primer)


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("what is a metric space", "def:metric-space"),
        ("what's an ideal", "def:ideal"),
        ("Lagrange theorem", "thm:lagrange"),
        ("one-to-one function", "def:injective"),
        ("commutative group", "def:abelian-group"),
        ("subgroup of a cyclic group is cyclic", "prop:subgroup-cyclic"),
        ("group of prime order is cyclic", "cor:prime-order-cyclic"),
        ("eqivalence relation", "def:equivalence-relation"),
        ("isomorfism theorem for rings", "thm:ring-isomorphism"),
        ("sqrt 2 is irrational", "prop:sqrt-two-irrational"),
        ("a²+b²=c²", "thm:pythagorean-triples"),
        (r"\sum_n 1/n diverges", "ex:harmonic"),
        ("|x+y| ≤ |x|+|y|", "prop:triangle-inequality"),
    ],
)
def test_the_first_answer_is_what_is_asked_for(primer, query, label):
    macros = macros_of([r"\newcommand{\abs}[1]{\lvert #1\rvert}"])
    found = search([SearchIndex.build(primer, macros=macros)], query, k=3)
    assert label in [hit.statement.label for hit in found.items]


@pytest.mark.parametrize(
    ("query", "formulas"),
    [
        ("A ∪ (B ∩ C) = (A ∪ B) ∩ (A ∪ C)", ("A ∪ (B ∩ C) = (A ∪ B) ∩ (A ∪ C)",)),
        ("R[x] noetherian", ("R[x]",)),
        ("ax + by = gcd(a,b)", ("ax + by = gcd(a,b)",)),
        ("is a group and/or a ring", ()),
        ("rolle's theorem", ()),
    ],
)
def test_formulas_need_no_dollars(query, formulas):
    assert parse_query(query).formulas == formulas


def statement(name: str, text: str, kind: str = "theorem") -> Statement:
    return Statement(f"{name}:{text[:8]}", kind, text[:8], "", (text,))  # type: ignore[arg-type]


def corpus(name: str, *texts: str) -> SearchIndex:
    return SearchIndex.build(Corpus(name, tuple(statement(name, one) for one in texts), Provenance("latex", "fixed")))


def test_statements_that_say_the_same_are_put_together():
    one, two = corpus("one", "Every compact space is normal."), corpus("two", "Every \\emph{compact} space is normal.")
    (hit,) = search([one, two], "compact space").items
    assert [(twin.corpus, twin.statement.id) for twin in hit.twins] == [("two", "two:Every \\e")]


def test_a_large_corpus_leaves_room_for_others():
    large = corpus("large", *(f"Number {n} of many facts about proper maps of spaces" for n in range(50)))
    small = corpus("small", "A fact about proper maps, and about something else that makes it longer than those are")
    assert "small" in [hit.corpus for hit in search([large, small], "proper maps", k=10).items]


def test_the_kinds_and_corpora_are_counted(index):
    found = search([index], "cyclic")
    assert dict(found.corpora) == {"primer": found.total}
    assert dict(found.kinds).keys() <= {"theorem", "definition", "other"}


def test_nothing_found_names_the_nearest_words(index):
    found = search([index], "homomzzzzzz")
    assert not found.total
    assert any(one.startswith("homom") for one in found.suggestions)


def test_words_that_occur_are_not_suggested_again(index):
    found = search([index], "cyclic homomzzzzzz")
    assert not found.total
    assert found.suggestions
    assert not any(one.startswith("cycl") for one in found.suggestions)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("isomorfism", "isomorphism", True),
        ("abcdefg", "bacdefx", False),
        ("group", "groupoid", False),
        ("", "ab", True),
    ],
)
def test_two_slips(one, other, expected):
    assert near(one, other) is expected


def test_the_judged_queries_are_well_formed():
    from pathlib import Path

    file = Path(__file__).parents[4] / "benchmarks" / "data" / "search.json"
    data = msgspec.json.decode(file.read_bytes())
    assert len(data["queries"]) >= 150
    for one in data["queries"]:
        assert one["best"]
        assert {key.partition(":")[0] for key in [*one["best"], *one["good"]]} <= set(
            one.get("corpora") or data["corpora"]
        )
