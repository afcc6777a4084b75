"""Retrieval measures by hand, their aggregation, the rule for queries without gold references, and their names."""

import math

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.tasks.measures.generated import GENERATION_MEASURES
from naturalproofs.tasks.measures.ranks import RankedQuery
from naturalproofs.tasks.measures.retrieval import (
    DEFAULT_MEASURES,
    PAPER_MEASURES,
    compute_measures,
    parse_measure,
)
from support.measures import GENERATION

NAMES = ["mAP", "RR", "R@2", "Full@2", "Full@4", "P@2", "Hit@1", "Hit@2", "nDCG@2"]
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


def test_a_query_without_gold_counts_in_nothing():
    assert measured(query(4, 2), query()) == measured(query(4, 2))


def test_nothing_is_not_a_number():
    results = compute_measures([query()], list(MEASURES.values()))
    assert set(results.shown().values()) == {None}
    assert compute_measures([], list(MEASURES.values())).shown()["mAP"] is None


def test_per_query_values_come_first():
    results = compute_measures([query(1, name="a"), query(name="b"), query(2, 9, name="c")], list(MEASURES.values()))
    assert results.queries == ("a", "b", "c")
    recall = results.per_query(MEASURES["R@2"])
    assert (recall[0], recall[2]) == (1, 0.5)
    assert math.isnan(recall[1])
    assert results.shown()["R@2"] == pytest.approx(100 * 2 / 3)
    assert results.total(MEASURES["R@2"]) == pytest.approx(2 / 3)


KNOWN = ["mAP", "R@10", "R@1", "Full@100", "P@5", "RR", "nDCG@10", "Hit@3"]


@pytest.mark.parametrize("name", KNOWN)
def test_names_print_and_parse(name):
    assert str(parse_measure(name)) == name
    assert parse_measure(name) == parse_measure(name)
    assert len({parse_measure(name), parse_measure(name)}) == 1


def test_measures_differ_by_name_and_cutoff():
    assert len({*(parse_measure(name) for name in KNOWN), *GENERATION.values()}) == len(KNOWN) + len(GENERATION)


def test_average_precision_is_an_alias():
    assert str(parse_measure("AP")) == "mAP"


def test_the_papers_columns():
    assert [str(m) for m in PAPER_MEASURES] == ["mAP", "R@10", "R@100", "Full@10", "Full@100"]
    assert [str(m) for m in GENERATION_MEASURES] == [
        "EM", "Edit", "BLEU4", "BLEU2", "Len", "multiset EM", "multiset F1", "set EM", "set F1", "BLEU1",
    ]  # fmt: skip
    assert DEFAULT_MEASURES[:5] == PAPER_MEASURES


@pytest.mark.parametrize("name", ["", "R@0", "R@010", "R@-1", "R@ten", "R@", "mAP@10", "r@10", "R@10 ", "R@１０", "EM"])
def test_unknown_names_list_the_known_ones(name):
    with pytest.raises(UnknownName, match=r"available: mAP, AP, RR, R@k, .*Hit@k"):
        parse_measure(name)


def test_a_missing_cutoff_is_named():
    with pytest.raises(UnknownName, match=r"R needs a cutoff, such as R@10"):
        parse_measure("R")


def test_values_for_display():
    assert parse_measure("mAP").format(0.12345) == "12.35"
    assert GENERATION["Len"].format(0.3) == "0.30"
    assert parse_measure("mAP").format(float("nan")) == "–"
    assert parse_measure("mAP").shown(float("nan")) is None
