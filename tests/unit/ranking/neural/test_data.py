"""Batches and negatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.neural.train import sample_negatives, shuffled_batches


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300), st.integers(0, 9), st.integers(1, 20))
def test_shuffled_batches_hold_every_item_once_and_repeat_by_seed(costs, budget, seed, most):
    array = np.array(costs, dtype=np.int64)
    batches = shuffled_batches(array, budget, (seed, 1), most=most)
    assert sorted(row for batch in batches for row in batch) == list(range(len(costs)))
    assert all(len(batch) <= most and (len(batch) == 1 or array[batch].sum() <= budget) for batch in batches)
    again = shuffled_batches(array, budget, (seed, 1), most=most)
    assert [batch.tolist() for batch in batches] == [batch.tolist() for batch in again]


def test_the_order_changes_with_the_epoch():
    costs = np.full(50, 10, dtype=np.int64)
    first, second = (shuffled_batches(costs, 30, (0, epoch), most=9) for epoch in (0, 1))
    assert [b.tolist() for b in first] != [b.tolist() for b in second]


@given(st.sets(st.integers(0, 39), max_size=20), st.integers(0, 50), st.integers(0, 99))
def test_what_is_needed_is_always_included_and_the_rest_is_weighted(needed, negatives, seed):
    found = sample_negatives(np.array(sorted(needed), dtype=np.intp), 40, negatives, (seed, 1))
    assert len(set(found.places.tolist())) == len(found.places)
    assert needed <= set(found.places.tolist())
    assert np.exp(found.log_weight).sum() == pytest.approx(40)
    if 0 < negatives < 40 - len(needed):
        assert len(found.places) == len(needed) + negatives
        assert not found.log_weight[: len(needed)].any()
    again = sample_negatives(np.array(sorted(needed), dtype=np.intp), 40, negatives, (seed, 1))
    assert again.places.tolist() == found.places.tolist()
