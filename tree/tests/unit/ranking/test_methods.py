"""What each method promises beyond the contract, on small cases made by hand."""

import numpy as np
import pytest

from naturalproofs.errors import BadSettings, PlacesUnknown, UnknownName
from naturalproofs.ranking.lexical import BM25, Frequency, Fusion, Neighbours, Recency, TfIdf
from naturalproofs.ranking.registry import parse_ranker, ranker_spec
from naturalproofs.records import Passage, Place
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.tokens import formulas, maths, simple


def passage(name, text, position=None):
    place = None if position is None else Place("d", "c", "s", position)
    return Passage(name, "theorem", "", text, (), place)


GROUPS, RINGS, SPACES = (
    passage("g", "finite groups act"),
    passage("r", "rings and ideals"),
    passage("s", "compact spaces"),
)
CANDIDATES = [GROUPS, RINGS, SPACES]
TRAIN = TrainSet(
    (GROUPS, RINGS, SPACES),
    (
        TrainingExample(passage("t1", "a finite group of prime order"), ("g", "r", "g")),
        TrainingExample(passage("t2", "closed subsets of compact spaces"), ("s",)),
        TrainingExample(passage("t3", "an abelian group of order six"), ("r",)),
    ),
)
EMPTY = TrainSet((), ())


def scores(ranker, query, train=TRAIN, candidates=CANDIDATES):
    return ranker.fit(train, seed=0).index(candidates).score([query])[0]


def test_frequency_counts_proofs_not_citations():
    assert scores(Frequency(), GROUPS).tolist() == [1, 2, 1]


@pytest.mark.parametrize("ranker", [TfIdf(), BM25()])
def test_shared_rare_words_win(ranker):
    assert int(scores(ranker, passage("q", "compact spaces are nice"), EMPTY).argmax()) == 2


def test_neighbours_vote_for_what_they_cite():
    found = scores(Neighbours(k=1), passage("q", "group of prime order"))
    assert found[0] > 0
    assert found[1] > 0
    assert found[2] == 0


def test_a_theorem_is_not_its_own_neighbour():
    own = TRAIN.examples[1].theorem
    assert scores(Neighbours(k=3), own)[2] == 0


def test_recency_prefers_the_nearest_earlier_one():
    placed = [passage(str(i), "", i) for i in range(5)]
    found = scores(Recency(), passage("q", "", 3), EMPTY, placed)
    assert found[:3].tolist() == sorted(found[:3].tolist())
    assert found[3] == found[4] == 0


def test_recency_needs_a_place():
    with pytest.raises(PlacesUnknown, match="accessible"):
        scores(Recency(), GROUPS)


def test_fusion_is_the_weighted_sum_of_relative_scores():
    query = passage("q", "compact spaces of finite groups")
    one, two = (scores(ranker, query) for ranker in (TfIdf(), BM25()))
    fused = scores(Fusion(parts=("tfidf", "bm25"), weights=(1.0, 0.5)), query)
    assert np.allclose(fused, one / one.max() + 0.5 * two / two.max(), atol=1e-6)


def test_fusion_by_ranks():
    fused = scores(Fusion(parts=("tfidf",), weights=(1.0,), by="ranks"), passage("q", "rings"))
    assert fused.argmax() == 1
    assert np.allclose(sorted(fused, reverse=True), [60 / 61, 60 / 62, 60 / 63])


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("bm25", "bm25"),
        ("bm25(k1=0.9)", "bm25(k1=0.9)"),
        ("bm25( b = 0.6 )", "bm25"),
        ("tfidf(tokeniser='simple')", "tfidf(tokeniser='simple')"),
        ("fusion(parts=('bm25',), weights=(1.0,))", "fusion(parts=('bm25',), weights=(1.0,))"),
    ],
)
def test_names_print_and_parse(text, printed):
    assert ranker_spec(parse_ranker(text)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bm26", "there are: autoregressive, bm25"),
        ("bm25(k9=1)", "it has: b, k1"),
        ("bm25(1)", "name or name"),
        ("bm25(k1=open('x'))", "must be a number"),
        ("import os", "name or name"),
        ("", "name or name"),
        ("fusion(parts=())", "as many weights"),
        ("bm25(k1='a')", "k1='a': must be a number"),
        ("bm25(k1=(1, 2))", "must be a number"),
        ("tfidf(tokeniser=1)", "must be a text"),
        ("fusion(parts='bm25')", "must be a tuple"),
        ("tfidf(tokeniser='x')", None),
    ],
)
def test_wrong_names_are_explained(text, message):
    if message is None:
        with pytest.raises(UnknownName, match="there are: simple, maths, formulas"):
            scores(parse_ranker(text), GROUPS)
    else:
        with pytest.raises((UnknownName, BadSettings), match=message):
            parse_ranker(text)


def test_tokenisers():
    text = "Let $\\mathcal{F}$ be an $\\mathcal{O}_X$-module, then $x\\leq 2$."
    assert maths(text) == ["\\mathcal", "f", "\\mathcal", "o", "x", "module", "x", "\\leq", "2"]
    assert simple("a\\leq b_1") == ["a", "\\", "leq", "b_1"]


def test_formula_n_grams():
    found = formulas("The group $H^1(X)$ and \\(a < b\\) cost \\$5.")
    assert found[:2] == ["group", "h"]
    assert {"H ^", "^ 1", "H ^ 1", "1 ( X", "a <", "a < b"} <= set(found)
    assert formulas("no formula here") == maths("no formula here")
