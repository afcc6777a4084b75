"""Batches of similar length, and lexical features."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.encode import by_length
from naturalproofs.ranking.neural.lexical import Lexical

CPU = torch.device("cpu")


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300))
def test_batches_of_like_length_hold_every_text_once(lengths, budget):
    batches = list(by_length(np.array(lengths, dtype=np.int64), CPU, budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget for batch in batches)


def test_word_features_are_near_for_shared_words(few):
    lexical = Lexical.of(few.passages, 8, seed=0)
    rows = lexical.features([few.passages[0], few.passages[0], few.passages[5]])
    assert rows.shape == (3, 8)
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-5)
    assert rows[0] @ rows[2] < 0.99
    assert not Lexical.of((), 8, seed=0).features(few.passages).any()
    assert Lexical.of(few.passages[:2], 8, seed=0).features(few.passages).shape == (len(few.passages), 8)
