"""The generator on probabilities: what is worth naming, and a made-up world whose rules are known."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.contract import Generator
from naturalproofs.ranking.decoding import Utility
from naturalproofs.ranking.hybrid import compose
from naturalproofs.ranking.hybrid.compose import Compose, FittedCompose, ProbableReferences, learn_utility
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.sequences import (
    CitationStatistics,
    FittedRetrieve,
    generator_named,
    generator_spec,
    repeat_threshold,
)
from naturalproofs.tasks.dataset import TrainSet
from support.topics import world


def probable(*probabilities):
    likely = np.array(probabilities, dtype=np.float32)
    return ProbableReferences.of([f"r{n}" for n in range(len(likely))], likely, likely)


def test_what_costs_more_than_it_brings_is_not_named():
    likely = probable(0.1, 0.9, 0.4, 0.2)
    assert likely.named(Utility(right=2, exact=0, name=0.5)) == ("r1", "r2")
    assert likely.named(Utility(right=2, exact=0, name=0.9)) == ("r1",)
    assert likely.named(Utility(right=2, exact=0, name=0.3)) == ("r1", "r2", "r3")


def test_one_is_named_however_little_is_known_and_none_of_none():
    assert probable(0.01, 0.02).named(Utility(right=2, exact=0, name=0.5)) == ("r1",)
    assert probable().named(Utility(right=2, exact=1, name=0.5)) == ()


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=7))
def test_by_exactness_alone_the_list_most_likely_to_be_all_is_named(likely):
    """Of all sets, by trying every one of them; a name more often cited than not is always in it."""
    chances = {
        names: np.prod([p if n in names else 1 - p for n, p in enumerate(likely)])
        for size in range(1, len(likely) + 1)
        for names in combinations(range(len(likely)), size)
    }
    named = probable(*likely).named(Utility(right=2, exact=1e6, name=0.0))
    assert chances[tuple(sorted(int(name[1:]) for name in named))] == pytest.approx(max(chances.values()), rel=1e-4)


def test_the_utility_agrees_with_its_own_results():
    lists = [probable(0.9, 0.6, 0.3), probable(0.8, 0.2)] * 20
    truths = [{"r0", "r1"}, {"r0"}, {"r0", "r2"}, {"r1"}] * 10
    learnt = learn_utility(lists, truths, 0.5)
    named = [set(one.named(learnt)) for one in lists]
    both = sum(map(len, named)) + sum(map(len, truths))
    right = sum(len(names & truth) for names, truth in zip(named, truths, strict=True))
    assert learnt.name == pytest.approx(2 * right / both)
    assert learnt.exact == pytest.approx(0.5 * both / len(lists))


@given(st.lists(st.lists(st.floats(0.02, 0.98), min_size=1, max_size=6), min_size=30, max_size=60), st.randoms())
def test_no_other_price_of_a_name_would_have_brought_more_in_expectation(chances, random):
    """With F1 alone to go by, and probabilities that are right, up to what chance does to so few lists."""
    lists = [probable(*sorted(each, reverse=True)) for each in chances]
    truths = [{f"r{n}" for n, p in enumerate(sorted(each, reverse=True)) if random.random() < p} for each in chances]

    def expected(utility):
        named = [one.named(utility) for one in lists]
        right = sum(one.probabilities[: len(names)].sum() for one, names in zip(lists, named, strict=True))
        return 2 * right / (sum(map(len, named)) + sum(one.probabilities.sum() for one in lists))

    learnt = expected(learn_utility(lists, truths, 0.0))
    assert learnt > max(expected(Utility(right=2, name=name)) for name in np.arange(0.05, 1.5, 0.05)) - 0.05


def test_what_is_usually_cited_twice_is_named_twice():
    statistics = CitationStatistics.of([("a", "a", "b")] * 30)
    assert repeat_threshold([("a", "b")] * 3, [("a", "b", "a")] * 3, statistics) <= statistics.repeats("a")
    assert repeat_threshold([("a", "b")] * 3, [("a", "b")] * 3, statistics) > statistics.repeats("a")


@pytest.fixture(scope="module")
def fitted():
    results, examples = world(500)
    passages = (*results, *(example.theorem for example in examples))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compose, "Hybrid", partial(Hybrid, trees=60, further=60))
        return Compose().fit(TrainSet(passages, tuple(examples)), seed=0)


def test_it_names_what_the_theorem_asks_for(fitted):
    assert isinstance(fitted, FittedCompose)
    _, asked = world(60, seed=5)
    generator = fitted.index(fitted.hybrid.train.passages)
    assert isinstance(generator, Generator)
    found = generator.generate([example.theorem for example in asked])
    right = sum(sequence == example.references for sequence, example in zip(found, asked, strict=True))
    assert right >= 50


def test_what_is_excluded_is_not_named(fitted):
    results, asked = world(1, seed=6)
    banned = [index for index, result in enumerate(results) if result.id in asked[0].references]
    (sequence,) = fitted.index(results).generate([asked[0].theorem], [banned])
    assert sequence
    assert not set(sequence) & set(asked[0].references)


def test_with_few_proofs_it_retrieves():
    results, examples = world(50)
    passages = (*results, *(example.theorem for example in examples))
    assert isinstance(Compose().fit(TrainSet(passages, tuple(examples)), seed=0), FittedRetrieve)


def test_it_has_a_name():
    method = generator_named("compose(signals=('joint',))")
    assert method == Compose(signals=("joint",))
    assert generator_spec(method) == "compose(signals=('joint',))"
