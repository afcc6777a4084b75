"""Names of measures print and parse, and what is no name says what is."""

import pytest

from naturalproofs.errors import NaturalProofsError, UnknownName
from naturalproofs.evaluation.generation_measures import GENERATION, GENERATION_MEASURES
from naturalproofs.evaluation.parse import parse_generation_measure, parse_measure, parse_ranking_measure
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES, PAPER_MEASURES, Full, Recall

NAMES = ["mAP", "R@10", "R@1", "Full@100", "Full(empty=1)@10", "P@5", "RR", "nDCG@10", "Hit@3", *GENERATION]


@pytest.mark.parametrize("name", NAMES)
def test_names_print_and_parse(name):
    assert str(parse_measure(name)) == name
    assert parse_measure(name) == parse_measure(name)
    assert len({parse_measure(name), parse_measure(name)}) == 1


def test_measures_differ_by_name_and_cutoff():
    assert len({parse_measure(name) for name in NAMES}) == len(NAMES)


def test_average_precision_is_the_mean_ones_value():
    assert str(parse_measure("AP")) == "mAP"


def test_the_papers_columns():
    assert [str(m) for m in PAPER_MEASURES] == ["mAP", "R@10", "R@100", "Full@10", "Full@100"]
    assert [str(m) for m in GENERATION_MEASURES] == [
        "EM", "Edit", "BLEU4", "BLEU2", "Len", "multiset EM", "multiset F1", "set EM", "set F1", "BLEU1",
    ]  # fmt: skip
    assert DEFAULT_MEASURES[:5] == PAPER_MEASURES


@pytest.mark.parametrize(
    "name", ["", "R@0", "R@010", "R@-1", "R@ten", "R@", "mAP@10", "r@10", "R@10 ", "R@１０", "BLEU3"]
)
def test_unknown_names_list_what_exists(name):
    with pytest.raises(UnknownName, match=r"there are: mAP, AP, RR, R@k, .*BLEU4"):
        parse_measure(name)


def test_a_forgotten_cutoff_is_named():
    with pytest.raises(UnknownName, match=r"R needs a cut-off, such as R@10"):
        parse_measure("R")


def test_each_task_has_its_own_names():
    assert parse_ranking_measure("R@10") == Recall(10)
    assert str(parse_generation_measure("set F1")) == "set F1"
    with pytest.raises(UnknownName, match="'EM'"):
        parse_ranking_measure("EM")
    with pytest.raises(UnknownName, match="'mAP'"):
        parse_generation_measure("mAP")


def test_a_cutoff_keeps_something():
    with pytest.raises(NaturalProofsError, match="at least 1"):
        Full(0)


def test_how_values_are_shown():
    assert parse_measure("mAP").format(0.12345) == "12.35"
    assert parse_measure("Len").format(0.3) == "0.30"
    assert parse_measure("mAP").format(float("nan")) == "–"
    assert parse_measure("mAP").shown(float("nan")) is None
    assert [parse_measure(n).better for n in ("mAP", "Edit", "Len")] == ["higher", "lower", "nearer to 1"]
    assert [parse_measure(n).aggregation for n in ("mAP", "R@10", "set F1", "BLEU4")] == [
        "mean",
        "micro",
        "micro",
        "corpus",
    ]
