"""Beam search against an exhaustive search, greedy decoding, and sampling."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.decode import beam_search, greedy, sample_sequences


def model(tokens, seed):
    """Probabilities that depend on the whole beginning."""

    def following(prefixes):
        rows = []
        for prefix in prefixes.tolist():
            generator = np.random.default_rng([seed, len(prefix), *prefix])
            scores = generator.normal(size=tokens + 1)
            rows.append(scores - np.log(np.exp(scores).sum()))
        return np.array(rows, dtype=np.float32).reshape(len(prefixes), tokens + 1)

    return following


def every_sequence(following, tokens, *, longest, power, shortest=0):
    found = []
    for length in range(shortest, longest + 1):
        for sequence in product(range(tokens), repeat=length):
            steps = [following(np.array([sequence[:i]], dtype=np.intp).reshape(1, i))[0] for i in range(length + 1)]
            total = sum(float(steps[i][token]) for i, token in enumerate((*sequence, tokens)))
            found.append((total / (length + 1) ** power, sequence))
    return sorted(found, reverse=True)


@given(
    tokens=st.integers(1, 3), seed=st.integers(0, 99), longest=st.integers(1, 3), shortest=st.integers(0, 1),
    power=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)  # fmt: skip
def test_a_wide_beam_finds_the_best_sequences(tokens, seed, longest, shortest, power):
    following, limits = model(tokens, seed), {"longest": longest, "shortest": shortest, "power": power}
    expected = every_sequence(following, tokens, **limits)
    found = beam_search(following, tokens, beam=200, **limits)
    assert [each.score for each in found] == pytest.approx([score for score, _ in expected], abs=1e-5)
    assert found[0].tokens == expected[0][1]


@given(seed=st.integers(0, 200), beam=st.integers(1, 4), power=st.sampled_from([0.0, 1.0]))
def test_a_narrow_beam_gives_true_scores_that_never_beat_the_best(seed, beam, power):
    following = model(3, seed)
    scores = {sequence: score for score, sequence in every_sequence(following, 3, longest=3, power=power)}
    found = beam_search(following, 3, beam=beam, longest=3, power=power)
    assert 1 <= len(found) <= beam
    assert [each.score for each in found] == pytest.approx([scores[each.tokens] for each in found], abs=1e-5)
    assert found[0].score <= max(scores.values()) + 1e-6
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


@given(seed=st.integers(0, 200), queries=st.integers(0, 3))
def test_greedy_takes_the_most_probable_each_time_and_none_twice(seed, queries):
    following = model(4, seed)
    found = greedy(following, queries, 4, 3)
    assert len(found) == queries
    for sequence in found:
        assert len(set(sequence)) == len(sequence) <= 3
        for length in range(min(len(sequence) + 1, 3)):
            scores = following(np.array([sequence[:length]], dtype=np.intp).reshape(1, length))[0].copy()
            scores[list(sequence[:length])] = -np.inf
            assert int(scores.argmax()) == (sequence[length] if length < len(sequence) else 4)


def test_longer_is_favoured_by_the_power():
    def following(prefixes):
        return np.log(np.tile(np.array([[0.45, 0.55]], dtype=np.float32), (len(prefixes), 1)))

    short, long = (beam_search(following, 1, beam=5, longest=4, power=p)[0].tokens for p in (0.0, 3.0))
    assert short == ()
    assert long == (0, 0, 0, 0)


def chain(prefixes):
    """Ends with probability a half, cites the first token three times as often as the second."""
    return np.log(np.tile(np.array([[0.375, 0.125, 0.5]]), (len(prefixes), 1)))


def test_sequences_are_sampled_as_often_as_they_are_likely():
    found = sample_sequences(chain, 2, 20_000, 3, np.random.default_rng(0))
    assert sum(each.times for each in found) == 20_000
    assert len({each.tokens for each in found}) == len(found)
    for each in found:
        ends = 0.5 if len(each.tokens) < 3 else 1.0
        likely = np.prod([(0.375, 0.125)[token] for token in each.tokens]) * ends
        assert np.exp(each.score) == pytest.approx(likely)
        assert each.times / 20_000 == pytest.approx(likely, abs=0.02)
