"""Batches of similar length, and lexical features."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.encode import LEXICAL, by_length, lexical_features, lexical_terms

CPU = torch.device("cpu")


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300))
def test_batches_of_like_length_hold_every_text_once(lengths, budget):
    batches = list(by_length(np.array(lengths, dtype=np.int64), CPU, budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget for batch in batches)


def test_lexical_features_are_near_for_shared_words(few):
    def rows(passages, asked):
        space = lexical_features(passages, 8, seed=0)
        return space.vectors_of_terms({LEXICAL: lexical_terms(asked)})

    found = rows(few.passages, [few.passages[0], few.passages[0], few.passages[5]])
    assert found.shape == (3, 8)
    assert found[0] @ found[1] == pytest.approx(1, abs=1e-5)
    assert found[0] @ found[2] < 0.99
    assert not rows((), few.passages).any()
    assert rows(few.passages[:2], few.passages).shape == (len(few.passages), 8)
