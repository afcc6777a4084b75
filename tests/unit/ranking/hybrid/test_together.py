"""Candidates judged together: links read no candidate's own proof, and support moves a candidate up."""

from dataclasses import replace

import numpy as np
import pytest

from naturalproofs.ranking.hybrid.features import FeatureTable, features
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, first_stage
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid
from naturalproofs.ranking.hybrid.scorer import Case, _together
from naturalproofs.ranking.hybrid.together import TOGETHER, links, together
from naturalproofs.tasks.dataset import TrainingExample

SMALL = Hybrid(questions=240, trees=15, further=15, leaves=7, pool=150, dimensions=24, folds=2, enough=100)


@pytest.fixture(scope="module")
def fitted(train):
    return SMALL.fit(train, seed=3)


def asked(examples, placed, number=200):
    index = HybridIndex.of(placed.passages, examples, None, pool=150)
    return index, first_stage(index, placed.examples[number].theorem)


def test_whatever_the_proof_of_a_candidate_cites_its_links_are_the_same(placed):
    index, pooled = asked(placed.examples, placed)
    chosen = pooled.pool[:40]
    scores = np.linspace(2, 0, len(chosen), dtype=np.float32)
    table = features(index, pooled).rows(np.arange(len(chosen)))
    before = together(index, chosen, pooled.visible, table, scores).values
    found = links(index, chosen, pooled.visible)
    proved = {e.theorem.id: row for row, e in enumerate(placed.examples)}
    names = [index.candidates.passages[position].id for position in chosen]
    rows = [row for row, name in enumerate(names) if name in proved]
    assert len(rows) > 5
    for row in rows:
        # It cites nothing, or the others that are judged with it.
        for references in ((), tuple(name for name in names if name != names[row])):
            changed = list(placed.examples)
            changed[proved[names[row]]] = replace(changed[proved[names[row]]], references=references)
            other, again = asked(tuple(changed), placed)
            linked = links(other, chosen, again.visible)
            assert all(np.allclose(found[name][row], linked[name][row]) for name in found), names[row]
            after = together(other, chosen, again.visible, table, scores).values
            assert np.allclose(before[row], after[row], equal_nan=True)


def test_what_is_cited_together_is_linked_as_far_as_the_query_sees(placed):
    pair = placed.examples[200].references[:2]
    examples = [replace(e, references=pair if at in (10, 20, 200) else ()) for at, e in enumerate(placed.examples)]
    index, pooled = asked(tuple(examples), placed)
    chosen = np.array([index.candidates.column[name] for name in pair])
    # Its own proof, number 200, is not seen.
    assert np.allclose(links(index, chosen, pooled.visible)["cited"], np.log1p([[0, 2], [2, 0]]))


def test_support_is_a_sum_not_a_mean(placed):
    """Twice as many linked candidates give more support, though each has less of the belief."""
    index, pooled = asked(placed.examples, placed)
    table = FeatureTable((), np.zeros((4, 0), dtype=np.float32))
    chosen = pooled.pool[:4]
    found = together(index, chosen, pooled.visible, table, np.zeros(4, dtype=np.float32))
    column = found.values[:, found.names.index("together/near_sum")]
    near = links(index, chosen, pooled.visible)["near"]
    assert np.allclose(column, near.sum(axis=1) / 4)


def test_what_is_not_judged_together_stays_below(fitted, train):
    scorer = fitted.index(train.passages)
    pooled, table = next(scorer.each([train.examples[0].theorem]))
    judged = fitted.boosters.judge(scorer.bound, pooled.pool, pooled.visible, table)
    rest = np.setdiff1d(np.arange(len(pooled.pool)), judged.top)
    assert len(judged.top) == TOGETHER
    assert len(rest) == 50
    assert judged.scores[rest].max() <= judged.scores[judged.top].min()


def test_the_contributions_of_both_kinds_of_trees_make_the_score(fitted, train):
    scorer = fitted.index(train.passages)
    pooled, table = next(scorer.each([train.examples[5].theorem]))
    judged = fitted.boosters.judge(scorer.bound, pooled.pool, pooled.visible, table)
    rows = judged.top[[0, 3]].tolist()
    moved = fitted.boosters.contributions(judged, table, [*rows, 149])
    assert "together" in moved
    total = sum(moved.values())
    difference = judged.scores[rows[0]] - judged.scores[rows[1]]
    assert total[0] - total[1] == pytest.approx(difference, abs=1e-3)


def test_a_pool_may_be_small_or_empty(fitted, train):
    scorer = fitted.index(train.passages[:1])
    query = train.examples[-1].theorem
    assert len(scorer.suggest(query, k=3)) <= 1
    assert fitted.index(()).suggest(query, k=3) == ()


def test_examples_without_links(fitted, train):
    """Nothing is cited: the trees still order."""
    alone = tuple(TrainingExample(e.theorem, ()) for e in train.examples)
    index = HybridIndex.of(train.passages, alone, None, pool=150)
    found = links(index, np.arange(5), first_stage(index, train.examples[0].theorem).visible)
    assert not found["cited"].any()
    assert not found["voted"].any()


def test_without_further_trees(fitted, train, tmp_path):
    alone = replace(SMALL, further=0).fit(train, seed=3)
    assert alone.boosters.further is None
    assert alone.boosters.placed.text == fitted.boosters.placed.text
    query = train.examples[0].theorem
    first, second = (one.index(train.passages).score([query]) for one in (alone, fitted))
    assert not np.array_equal(first, second)
    alone.save(tmp_path)
    assert np.array_equal(FittedHybrid.load(tmp_path).index(train.passages).score([query]), first)


def test_a_reason_names_what_it_is_cited_with(placed):
    pair = placed.examples[200].references[:2]
    examples = [replace(e, references=pair if at in (10, 20, 30) else ()) for at, e in enumerate(placed.examples)]
    index, pooled = asked(tuple(examples), placed)
    first, second = (index.candidates.column[name] for name in pair)
    reason = _together(Case(index, pooled, first, (), (first, second)))
    assert reason is not None
    assert reason.text == "cited together with another likely one in 3 proofs"
    assert reason.statements == (pair[1],)
    assert _together(Case(index, pooled, first, (), (first,))) is None
