"""Sequences: what is drawn as negatives, beginnings, likelihoods, samples, and the choice of one."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.choosing_scoring import candidate_rows
from naturalproofs.ranking.neural.decoding import stepper
from naturalproofs.ranking.neural.memory import citing
from naturalproofs.ranking.neural.negatives import drawn
from naturalproofs.ranking.neural.picking import Worth, assembled, common, edits, pick
from naturalproofs.ranking.neural.prefixes import Prefixes
from naturalproofs.ranking.neural.sampling import Drawn, draw
from naturalproofs.ranking.neural.sequences import log_likelihood, padded
from naturalproofs.ranking.neural.steps import choices_of, keys_of, places_of
from naturalproofs.ranking.registry import parse_ranker

token_lists = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5).map(tuple), min_size=1, max_size=6)


@given(st.sets(st.integers(0, 39), max_size=20), st.integers(0, 50), st.integers(0, 99))
def test_what_is_needed_is_always_drawn_and_the_rest_stands_for_all(needed, negatives, seed):
    found = drawn(np.array(sorted(needed), dtype=np.intp), 40, negatives, (seed, 1))
    assert len(set(found.places.tolist())) == len(found.places)
    assert needed <= set(found.places.tolist())
    assert np.exp(found.shift).sum() == pytest.approx(40)
    if 0 < negatives < 40 - len(needed):
        assert len(found.places) == len(needed) + negatives
        assert not found.shift[: len(needed)].any()
    again = drawn(np.array(sorted(needed), dtype=np.intp), 40, negatives, (seed, 1))
    assert again.places.tolist() == found.places.tolist()


@given(token_lists)
def test_beginnings_know_what_they_cited(sequences):
    tokens = padded([np.array(s, dtype=np.int64) for s in sequences])
    lengths = torch.tensor([len(s) for s in sequences])
    found = Prefixes.of(tokens, lengths)
    for row, sequence in enumerate(sequences):
        assert int(found.repeats[row]) == len(sequence) - len(set(sequence))
        for place, token in enumerate(sequence):
            assert bool(found.last[row, place]) == (token not in sequence[place + 1 :])
            assert int(found.count[row, place]) == sequence.count(token)
            assert int(found.back[row, place]) == min(5, len(sequence) - 1 - place)
    marked = found.marked(torch.zeros(len(sequences), 5, dtype=torch.bool))
    assert [set(torch.where(row)[0].tolist()) for row in marked] == [set(s) for s in sequences]


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=12), st.lists(st.integers(0, 5), max_size=4))
def test_proofs_are_found_by_what_they_cite(cells, asked):
    where = torch.tensor(sorted(cells)).reshape(-1, 2).T
    values = torch.sparse_coo_tensor(where, torch.ones(len(cells)), (6, 4), check_invariants=True).coalesce()
    which, proofs = citing(values, torch.tensor(asked, dtype=torch.long))
    expected = [(i, proof) for i, reference in enumerate(asked) for row, proof in sorted(cells) if row == reference]
    assert list(zip(which.tolist(), proofs.tolist(), strict=True)) == expected


@pytest.fixture(scope="module", params=["", ", init='thm'"])
def fitted(request, few):
    spec = f"autoregressive(size='tiny', epochs=3, decoder_layers=1, decoder_width=64, longest=6{request.param})"
    return parse_ranker(spec).fit(few, seed=0)


def asked_of(fitted, queries):
    network = fitted.chooser.network
    batch = fitted.chooser.core.reader.read(queries).batch(np.arange(len(queries)))
    own = places_of(network, [query.id for query in queries])
    with torch.no_grad():
        return fitted.sequencer.asked(network.read(batch), own, keys_of(network))


def test_all_that_can_follow_has_probability_one(fitted, few):
    choices = choices_of(fitted.chooser.network, candidate_rows(fitted.chooser, few.passages))
    asked = asked_of(fitted, [few.examples[0].theorem, few.examples[1].theorem])
    with torch.inference_mode():
        following = stepper(fitted.sequencer, asked, choices, [-1, -1])
        for prefixes in ([[], []], [[3], [4]], [[3, 5, 3], [7, 7, 2]]):
            found = following(np.array(prefixes, dtype=np.intp))
            assert np.exp(found).sum(axis=1) == pytest.approx(1, abs=1e-3)
        assert np.exp(following(np.zeros((2, 0), dtype=np.intp))[:, -1]).max() < 1e-6


def test_steps_all_at_once_are_steps_one_by_one(fitted, few):
    choices = choices_of(fitted.chooser.network, candidate_rows(fitted.chooser, few.passages))
    asked = asked_of(fitted, [example.theorem for example in few.examples[:3]])
    sequences = [(1, 2, 1), (5,), (4, 4, 9, 4, 2)]
    tokens = padded([np.array(s, dtype=np.int64) for s in sequences])
    nobody = torch.full((3,), -1)
    with torch.inference_mode():
        likely, steps = log_likelihood(fitted.sequencer, asked, tokens, choices, nobody, -100.0)
        total = 0.0
        for row, sequence in enumerate(sequences):
            following = stepper(fitted.sequencer, asked.one(row), choices, [-1])
            for length in range(len(sequence) + 1):
                scores = following(np.array([sequence[:length]], dtype=np.intp).reshape(1, length))[0]
                total += float(scores[sequence[length] if length < len(sequence) else len(scores) - 1])
    assert steps == 12
    assert float(likely.sum()) == pytest.approx(total, rel=1e-4)


def chain(prefixes):
    """Ends with probability a half, cites the first token three times as often as the second."""
    return np.log(np.tile(np.array([[0.375, 0.125, 0.5]]), (len(prefixes), 1)))


def test_sequences_are_drawn_as_often_as_they_are_likely():
    found = draw(chain, 2, 20_000, 3, np.random.default_rng(0))
    assert sum(each.times for each in found) == 20_000
    assert len({each.tokens for each in found}) == len(found)
    for each in found:
        ends = 0.5 if len(each.tokens) < 3 else 1.0
        likely = np.prod([(0.375, 0.125)[token] for token in each.tokens]) * ends
        assert np.exp(each.score) == pytest.approx(likely)
        assert each.times / 20_000 == pytest.approx(likely, abs=0.02)


def levenshtein(ours, theirs):
    row = list(range(len(theirs) + 1))
    for i, a in enumerate(ours, 1):
        before, row = row, [i]
        for j, b in enumerate(theirs, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
    return row[-1]


@given(token_lists, token_lists)
def test_distances_of_all_pairs_are_those_of_each(options, true):
    distances, shared = edits(options, true), common(options, true)
    for i, ours in enumerate(options):
        for j, theirs in enumerate(true):
            assert distances[i, j] == pytest.approx(min(1.0, levenshtein(ours, theirs) / len(theirs)))
            assert shared[i, j] == sum((Counter(ours) & Counter(theirs)).values())


def test_what_is_likely_to_occur_is_put_in_its_usual_order():
    found = assembled([(3, 1), (3, 2, 1), (2, 1)], np.array([0.5, 0.3, 0.2]))
    assert found == [(1,), (3, 1), (3, 2, 1)]


def test_one_sequence_is_chosen_by_what_all_have_in_common():
    sure = [Drawn((7, 8), 47, np.log(0.95)), Drawn((1,), 1, np.log(0.02))]
    assert pick(sure, Worth()) == (7, 8)
    unsure = [Drawn((1, i), 1, np.log(0.01)) for i in range(2, 32)]
    assert pick(unsure, Worth()) == (1,)
    free = pick(unsure, Worth(reference=0.0, edit=0.0, exact=0.0, length=0.0))
    assert len(free) > 1
    assert pick([Drawn((), 5, 0.0)], Worth()) == ()
