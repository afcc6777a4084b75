"""Generation measures against values computed by hand."""

import math

import pytest

from naturalproofs.tasks.measures.generated import GeneratedSequence
from naturalproofs.tasks.measures.retrieval import compute_measures
from support.measures import GENERATION


def measured(*pairs):
    sequences = [GeneratedSequence(str(n), tuple(predicted), tuple(true)) for n, (predicted, true) in enumerate(pairs)]
    return compute_measures(sequences, list(GENERATION.values())).shown()


def test_a_perfect_prediction():
    found = measured(("abcab", "abcab"))
    assert found.pop("Len") == 1
    assert found.pop("Edit") == 0
    assert found == pytest.approx(dict.fromkeys(found, 100))


def test_order_then_number_then_nothing_is_forgotten():
    turned, repeated = measured(("ba", "ab")), measured(("aab", "abb"))
    assert (turned["EM"], turned["multiset EM"], turned["set EM"]) == (0, 100, 100)
    assert (repeated["multiset EM"], repeated["set EM"]) == (0, 100)
    assert repeated["multiset F1"] == pytest.approx(200 / 3)


def test_edits_are_counted_for_each_true_reference_and_capped():
    assert measured(("axc", "abc"))["Edit"] == pytest.approx(100 / 3)
    assert measured(("xyzuvw", "ab"))["Edit"] == 100
    assert measured(("", "ab"))["Edit"] == 100


def test_f1_is_of_the_corpus_or_the_mean_of_examples():
    found = measured(("a", "a"), ("xy", "abcd"))
    assert found["set F1"] == pytest.approx(100 * 2 / (3 + 5))
    assert found["set F1 mean"] == pytest.approx(50)


def test_bleu_by_hand():
    found = measured(("abx", "abcd"))
    penalty = math.exp(1 - 4 / 3)
    assert found["BLEU1"] == pytest.approx(100 * penalty * 2 / 3)
    assert found["BLEU2"] == pytest.approx(100 * penalty * math.sqrt(2 / 3 * 1 / 2))
    assert found["BLEU4"] == 0


def test_bleu_rewards_no_length():
    assert measured(("abab", "ab"))["BLEU1"] == pytest.approx(50)


def test_bleu_of_nothing_predicted_is_nothing():
    assert measured(("", "ab"))["BLEU1"] == 0


def test_an_example_without_true_references_counts_in_nothing():
    assert measured(("abc", "abd"), ("xyz", "")) == measured(("abc", "abd"))
    assert set(measured(("ab", "")).values()) == {None}


def test_length_ratio():
    assert measured(("ab", "a"), ("", "a"))["Len"] == 1
