"""The function `evaluate` and the runs it returns."""

import doctest

import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.data import primer_folder
from naturalproofs.experiments import evaluation
from naturalproofs.experiments.evaluation import evaluate, load_run
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.splits import leaf_split


def test_the_documented_example():
    assert doctest.testmod(evaluation) == (0, 5)


def test_methods_and_corpora_are_given_by_name_or_value(primer):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    by_value = evaluate(parse_ranker("tfidf"), primer, splits=splits, split="eval")
    assert evaluate("tfidf", primer, split="eval").measures == by_value.measures
    assert evaluate("tfidf", str(primer_folder()), split="eval").measures == by_value.measures


def test_a_saved_run_is_read_back(primer, tmp_path):
    run = evaluate("frequency", primer, split="valid", protocol="accessible", seed=3)
    run.save(tmp_path / "run")
    assert load_run(tmp_path / "run") == run
    assert (run.spec.split, run.spec.protocol, run.spec.seed) == ("valid", "accessible", 3)
    with pytest.raises(AttributeError):
        run.measures = {}
