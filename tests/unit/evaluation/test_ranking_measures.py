"""Retrieval measures by hand, their aggregation, and the one rule for queries without gold references."""

import math

import pytest

from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import parse_measure
from naturalproofs.evaluation.ranks import RankedQuery

NAMES = ["mAP", "RR", "R@2", "Full@2", "Full@4", "P@2", "Hit@1", "Hit@2", "nDCG@2", "Full(empty=1)@2"]
MEASURES = {name: parse_measure(name) for name in NAMES}


def query(*ranks, candidates=10, name="q"):
    return RankedQuery(name, tuple(f"g{n}" for n in range(len(ranks))), ranks, candidates)


def measured(*queries):
    results = compute_measures(queries, list(MEASURES.values()))
    return {name: results.total(measure) for name, measure in MEASURES.items()}


def test_one_query_by_hand():
    found = measured(query(4, 2))
    assert found == pytest.approx(
        {
            "mAP": (1 / 2 + 2 / 4) / 2,
            "RR": 1 / 2,
            "R@2": 1 / 2,
            "Full@2": 0,
            "Full@4": 1,
            "P@2": 1 / 2,
            "Hit@1": 0,
            "Hit@2": 1,
            "nDCG@2": (1 / math.log2(3)) / (1 + 1 / math.log2(3)),
            "Full(empty=1)@2": 0,
        }
    )


def test_a_gold_reference_that_is_no_candidate_is_missed():
    found = measured(query(1, None))
    assert (found["mAP"], found["R@2"], found["Full@4"], found["RR"]) == (0.5, 0.5, 0, 1)
    assert measured(query(None))["mAP"] == measured(query(None))["RR"] == 0


def test_recall_is_micro_averaged_and_the_others_are_means():
    found = measured(query(1), query(8, 9, 10))
    assert found["R@2"] == 1 / 4
    assert found["Full@2"] == found["Hit@2"] == 1 / 2
    assert found["mAP"] == pytest.approx((1 + (1 / 8 + 2 / 9 + 3 / 10) / 3) / 2)


def test_precision_divides_by_k_even_where_fewer_are_ranked():
    assert measured(query(1, candidates=1))["P@2"] == 1 / 2


def test_a_query_without_gold_counts_in_nothing_by_default():
    with_empty, without = measured(query(4, 2), query()), measured(query(4, 2))
    assert with_empty.pop("Full(empty=1)@2") == 1 / 2
    without.pop("Full(empty=1)@2")
    assert with_empty == without


def test_nothing_is_not_a_number():
    results = compute_measures([query()], list(MEASURES.values()))
    shown = results.shown()
    assert shown.pop("Full(empty=1)@2") == 100
    assert set(shown.values()) == {None}
    assert compute_measures([], list(MEASURES.values())).shown()["mAP"] is None


def test_per_query_values_come_first():
    results = compute_measures([query(1, name="a"), query(name="b"), query(2, 9, name="c")], list(MEASURES.values()))
    assert results.queries == ("a", "b", "c")
    recall = results.per_query(MEASURES["R@2"])
    assert (recall[0], recall[2]) == (1, 0.5)
    assert math.isnan(recall[1])
    assert results.shown()["R@2"] == pytest.approx(100 * 2 / 3)
    assert results.total(MEASURES["R@2"]) == pytest.approx(2 / 3)
