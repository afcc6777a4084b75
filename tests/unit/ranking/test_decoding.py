"""Expected utility; beam search against an exhaustive search, greedy decoding, and sampling."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.decoding import (
    DecodedSequence,
    Utility,
    assembled,
    beam_search,
    best_length,
    best_sampled,
    common,
    edits,
    greedy,
    sample_sequences,
)
from naturalproofs.tasks.measures.generated import edit_distance


def test_names_are_added_while_they_are_worth_their_cost():
    probable = np.array([0.9, 0.5, 0.2, 0.05])
    assert best_length(probable, Utility(right=2, name=0.3), longest=10) == 3
    assert best_length(probable, Utility(right=2, name=1.2), longest=10) == 1
    assert best_length(probable, Utility(right=2, name=0.01), longest=2) == 2


def test_at_least_one_is_named_if_there_is_one():
    assert best_length(np.array([0.01]), Utility(name=5), longest=10) == 1
    assert best_length(np.zeros(0), Utility(name=5), longest=10) == 0


def test_an_exact_list_is_worth_stopping_for():
    probable = np.array([0.95, 0.4])
    assert best_length(probable, Utility(right=2, name=0.5), longest=5) == 2
    assert best_length(probable, Utility(right=2, name=0.5, exact=5), longest=5) == 1


def test_a_learned_value_by_length_is_added():
    probable = np.array([0.6, 0.5, 0.4])
    assert best_length(probable, Utility(right=0, name=0), longest=3, extra=np.array([0.1, 0.7, 0.3])) == 2


def test_the_sample_with_most_in_common_wins():
    samples = [
        DecodedSequence(s, -99.0, times) for s, times in (((1, 2, 3), 3), ((1, 2), 3), ((1, 2, 4), 3), ((9,), 1))
    ]
    assert best_sampled(samples, Utility(right=1, name=0.4)) == (1, 2)
    assert best_sampled([], Utility()) == ()
    assert best_sampled([DecodedSequence((), 0.0, 5)], Utility()) == ()


def test_a_sequence_no_sample_has_can_be_assembled():
    samples = [(1, 2, 5), (1, 3, 2), (4, 1, 2)]
    assert (1, 2) in assembled(samples, np.full(3, 1 / 3))
    assert best_sampled([DecodedSequence(s, -99.0) for s in samples], Utility(right=1, name=0.5)) == (1, 2)


def test_one_sequence_is_chosen_by_what_all_have_in_common():
    utility = Utility(name=0.14, exact=1.5, edit=0.5, length=0.1)
    sure = [DecodedSequence((7, 8), np.log(0.95), 47), DecodedSequence((1,), np.log(0.02), 1)]
    assert best_sampled(sure, utility) == (7, 8)
    unsure = [DecodedSequence((1, i), np.log(0.01)) for i in range(2, 32)]
    assert best_sampled(unsure, utility) == (1,)
    assert len(best_sampled(unsure, Utility())) > 1


def test_all_pairs_are_compared_as_single_ones_are():
    options, samples = [(1,), (2, 1), (1, 1, 3)], [(1, 2), (3,), (1, 1, 1, 3)]
    for row, option in enumerate(options):
        for column, sample in enumerate(samples):
            share = min(1.0, edit_distance(option, sample) / len(sample))
            assert edits(options, samples)[row, column] == share
    assert common(options, samples).tolist() == [[1, 0, 1], [2, 0, 1], [1, 1, 3]]


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
