"""Names of measures print and parse; unknown names are errors that list the known ones."""

import pytest

from naturalproofs.errors import NaturalProofsError, UnknownName
from naturalproofs.evaluation.generation_measures import GENERATION, GENERATION_MEASURES
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES, PAPER_MEASURES, Full, parse_measure

NAMES = ["mAP", "R@10", "R@1", "Full@100", "Full(empty=1)@10", "P@5", "RR", "nDCG@10", "Hit@3"]


@pytest.mark.parametrize("name", NAMES)
def test_names_print_and_parse(name):
    assert str(parse_measure(name)) == name
    assert parse_measure(name) == parse_measure(name)
    assert len({parse_measure(name), parse_measure(name)}) == 1


def test_measures_differ_by_name_and_cutoff():
    assert len({*(parse_measure(name) for name in NAMES), *GENERATION.values()}) == len(NAMES) + len(GENERATION)


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


def test_a_cutoff_is_positive():
    with pytest.raises(NaturalProofsError, match="at least 1"):
        Full(0)


def test_values_for_display():
    assert parse_measure("mAP").format(0.12345) == "12.35"
    assert GENERATION["Len"].format(0.3) == "0.30"
    assert parse_measure("mAP").format(float("nan")) == "–"
    assert parse_measure("mAP").shown(float("nan")) is None
    named = {**GENERATION, "mAP": parse_measure("mAP"), "R@10": parse_measure("R@10")}
    assert [named[n].better for n in ("mAP", "Edit", "Len")] == ["higher", "lower", "nearer to 1"]
    aggregations = [named[n].aggregation for n in ("mAP", "R@10", "set F1", "BLEU4")]
    assert aggregations == ["mean", "micro", "micro", "corpus"]
