"""The oracle rows of the paper's generation table, on the Stacks project with the paper's rules.

The paper's figures are of one half of the 1,551 evaluation examples, drawn in an order that cannot be had again; ours
are of all of them. Rows without chance are pinned to the digit; the others lie within the noise of drawing a half.
"""

import pytest

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.benchmark.reproduce import ORACLES, first_use_numbers, original_order_oracle, predict
from naturalproofs.tasks.measures.generated import GENERATION_MEASURES
from naturalproofs.tasks.measures.retrieval import compute_measures
from naturalproofs.tasks.splits import SPLIT_NAMES

NAMES = [str(measure) for measure in GENERATION_MEASURES]
PAPER = {
    "set": (51.74, 35.70, 9.75, 47.73, 0.97, 89.03, 97.04, 100, 100, 94.09),
    "multiset": (49.42, 38.13, 9.71, 47.71, 1.00, 100, 100, 100, 100, 100),
    "halfseq": (0, 70.49, 6.13, 12.08, 0.30, 0, 56.86, 0.65, 58.01, 16.87),
}
NOISE = dict.fromkeys(NAMES, 0.5) | {"EM": 2.5, "Edit": 2.0, "BLEU4": 3.0, "BLEU2": 2.5, "Len": 0.01, "set EM": 1.0}


@pytest.fixture(scope="module")
def examples(real_corpus):
    """The examples of each part, in order, by name and true sequence."""
    built = real_corpus("stacks", "paper")
    splits = make_splits(built, Recipe(), built.own_splits)
    references = {(e.theorem, e.proof): e.references for e in built.examples}
    return {
        part: [(f"{theorem}#{proof}", references[theorem, proof]) for theorem, proof in splits.part(part).examples]
        for part in SPLIT_NAMES
    }


@pytest.fixture(scope="module")
def evaluation(examples):
    return [*examples["valid"], *examples["test"]]


def row(oracle, queries, seed=0):
    return compute_measures(predict(oracle, queries, seed=seed), GENERATION_MEASURES).shown()


def far_off(found, paper):
    return {
        name: (found[name], value)
        for name, value in zip(NAMES, paper, strict=True)
        if abs(found[name] - value) > NOISE[name]
    }


def test_the_examples(evaluation):
    assert len(evaluation) == 1551
    assert sum(len(true) for _, true in evaluation) == 4504
    assert sum(len(true) == 1 for _, true in evaluation) == 531


def test_half_of_the_sequence(evaluation):
    found = row(ORACLES["halfseq"], evaluation)
    pinned = (0, 70.48, 6.38, 12.29, 0.30, 0, 56.95, 1.29, 58.25, 17.01)
    assert [round(found[name], 2) for name in NAMES] == list(pinned)
    assert far_off(found, PAPER["halfseq"]) == {}


@pytest.mark.parametrize("seed", [0, 1])
def test_the_multiset_in_random_order(evaluation, seed):
    assert far_off(row(ORACLES["multiset"], evaluation, seed), PAPER["multiset"]) == {}


def test_the_set_in_the_originals_order(examples, evaluation):
    """The paper calls this order random; it is not, and a random one does not reach its figures."""
    number = first_use_numbers(true for part in SPLIT_NAMES for _, true in examples[part])
    assert far_off(row(original_order_oracle(number), evaluation), PAPER["set"]) == {}
    shuffled = row(ORACLES["set"], evaluation)
    assert far_off(shuffled, PAPER["set"]).keys() >= {"BLEU2"}
    assert shuffled["BLEU2"] < PAPER["set"][NAMES.index("BLEU2")]
    assert (round(shuffled["multiset EM"], 2), round(shuffled["multiset F1"], 2), round(shuffled["BLEU1"], 2)) == (
        88.97,
        97.17,
        94.34,
    )
