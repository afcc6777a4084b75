"""Prefixes, the memory, and the likelihood of sequences."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.autoregressive import Choices, Prefixes, padded, proofs_citing
from naturalproofs.ranking.registry import parse_ranker

token_lists = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5).map(tuple), min_size=1, max_size=6)


@given(token_lists)
def test_prefixes_know_what_they_cited(sequences):
    tokens = padded([np.array(s, dtype=np.int64) for s in sequences])
    lengths = torch.tensor([len(s) for s in sequences])
    found = Prefixes.of(tokens, lengths)
    for row, sequence in enumerate(sequences):
        assert int(found.repeats[row]) == len(sequence) - len(set(sequence))
        for place, token in enumerate(sequence):
            assert bool(found.last[row, place]) == (token not in sequence[place + 1 :])
            assert int(found.count[row, place]) == sequence.count(token)
            assert int(found.distance[row, place]) == min(5, len(sequence) - 1 - place)
    marked = found.used(torch.zeros(len(sequences), 5, dtype=torch.bool))
    assert [set(torch.where(row)[0].tolist()) for row in marked] == [set(s) for s in sequences]


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=12), st.lists(st.integers(0, 5), max_size=4))
def test_proofs_are_found_by_what_they_cite(cells, asked):
    where = torch.tensor(sorted(cells)).reshape(-1, 2).T
    citations = torch.sparse_coo_tensor(where, torch.ones(len(cells)), (6, 4), check_invariants=True).coalesce()
    which, proofs = proofs_citing(citations, torch.tensor(asked, dtype=torch.long))
    expected = [(i, proof) for i, reference in enumerate(asked) for row, proof in sorted(cells) if row == reference]
    assert list(zip(which.tolist(), proofs.tolist(), strict=True)) == expected


@pytest.fixture(scope="module", params=["", ", init='thm'"])
def fitted(request, few):
    spec = f"autoregressive(size='tiny', epochs=3, decoder_layers=1, decoder_width=64, longest=6{request.param})"
    return parse_ranker(spec).fit(few, seed=0)


def prepared(fitted, queries):
    joint = fitted.joint.network
    batch = fitted.joint.frozen.encode(queries).batch(np.arange(len(queries)))
    own = joint.table.positions([query.id for query in queries])
    with torch.no_grad():
        return fitted.network.prepare(joint.encode(batch), own, fitted.network.memory_keys())


def test_all_that_can_follow_has_probability_one(fitted, few):
    choices = Choices.of(fitted.joint.network, fitted.joint.rows(few.passages))
    theorems = prepared(fitted, [few.examples[0].theorem, few.examples[1].theorem])
    with torch.inference_mode():
        following = partial(fitted.network.step_probabilities, theorems, choices=choices, own=[-1, -1])
        for prefixes in ([[], []], [[3], [4]], [[3, 5, 3], [7, 7, 2]]):
            found = following(np.array(prefixes, dtype=np.intp))
            assert np.exp(found).sum(axis=1) == pytest.approx(1, abs=1e-3)
        assert np.exp(following(np.zeros((2, 0), dtype=np.intp))[:, -1]).max() < 1e-6


def test_steps_all_at_once_are_steps_one_by_one(fitted, few):
    choices = Choices.of(fitted.joint.network, fitted.joint.rows(few.passages))
    theorems = prepared(fitted, [example.theorem for example in few.examples[:3]])
    sequences = [(1, 2, 1), (5,), (4, 4, 9, 4, 2)]
    tokens = padded([np.array(s, dtype=np.int64) for s in sequences])
    nobody = torch.full((3,), -1)
    with torch.inference_mode():
        likely = fitted.network.log_likelihood(theorems, tokens, choices, nobody, -100.0)
        total = 0.0
        for row, sequence in enumerate(sequences):
            following = partial(fitted.network.step_probabilities, theorems.one(row), choices=choices, own=[-1])
            for length in range(len(sequence) + 1):
                scores = following(np.array([sequence[:length]], dtype=np.intp).reshape(1, length))[0]
                total += float(scores[sequence[length] if length < len(sequence) else len(scores) - 1])
    assert len(likely) == 12
    assert float(likely.sum()) == pytest.approx(total, rel=1e-4)
