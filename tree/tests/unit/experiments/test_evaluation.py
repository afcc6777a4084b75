"""The function `evaluate` and the runs it returns."""

import doctest

from naturalproofs.benchmark import evaluation
from naturalproofs.benchmark.evaluation import evaluate
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.data import primer_folder
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.splits import leaf_split


def test_the_documented_example():
    assert doctest.testmod(evaluation) == (0, 5)


def test_methods_and_corpora_are_given_by_name_or_value(primer):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    by_value = evaluate(parse_ranker("tfidf"), primer, splits=splits, split="eval")
    assert evaluate("tfidf", primer, split="eval").measures == by_value.measures
    assert evaluate("tfidf", str(primer_folder()), split="eval").measures == by_value.measures
