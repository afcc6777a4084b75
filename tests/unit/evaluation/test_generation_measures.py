"""Generation measures by hand, and the three oracles."""

import math
from random import Random

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.generated import GeneratedSequence
from naturalproofs.evaluation.generation_measures import GENERATION
from naturalproofs.evaluation.oracles import ORACLES, by_first_use, halfseq_oracle, in_original_order, oracle, predict


def measured(*pairs):
    sequences = [GeneratedSequence(str(n), tuple(predicted), tuple(true)) for n, (predicted, true) in enumerate(pairs)]
    return evaluate(sequences, list(GENERATION.values())).shown()


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


def test_oracles():
    examples = [(f"q{n}", tuple("abacd")) for n in range(30)]
    found = {name: predict(guess, examples) for name, guess in ORACLES.items()}
    assert {tuple(sorted(s.predicted)) for s in found["set"]} == {tuple("abcd")}
    assert {tuple(sorted(s.predicted)) for s in found["multiset"]} == {tuple("aabcd")}
    assert {s.predicted for s in found["halfseq"]} == {tuple("ab")}
    assert len({s.predicted for s in found["set"]}) > 10
    assert all(s.true == tuple("abacd") for sequences in found.values() for s in sequences)


def test_random_orders_depend_on_seed_and_name_alone():
    examples = [(f"q{n}", tuple(range(20))) for n in range(5)]
    whole = predict(oracle("multiset"), examples, seed=7)
    assert predict(oracle("multiset"), examples[3:], seed=7) == whole[3:]
    assert predict(oracle("multiset"), examples, seed=8) != whole


def test_half_of_one_is_none():
    assert halfseq_oracle(("a",), Random(0)) == ()


def test_the_originals_set_follows_the_numbers_of_first_use():
    number = by_first_use([tuple("cc"), tuple("ab"), tuple("ac")])
    assert number == {"c": 3, "a": 4, "b": 5}
    assert in_original_order(number)(tuple("abac"), Random(0)) == tuple("cab")


def test_unknown_oracles_list_what_exists():
    with pytest.raises(UnknownName, match="there are: set, multiset, halfseq"):
        oracle("fullseq")
