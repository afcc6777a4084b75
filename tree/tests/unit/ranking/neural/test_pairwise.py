"""The losses of the pairwise model."""

import numpy as np
import pytest
import torch

from naturalproofs.ranking.neural.pairwise import in_batch_loss, set_loss


def test_the_papers_loss_counts_other_references_of_the_batch_as_wrong():
    scores = torch.tensor([[2.0, 3.0], [0.0, 1.0]])
    by_hand = -(np.log(np.exp(2) / (np.exp(2) + np.exp(3))) + np.log(np.exp(1) / (1 + np.exp(1)))) / 2
    assert float(in_batch_loss(scores)) == pytest.approx(by_hand, rel=1e-5)


def test_the_divergence_is_zero_where_the_softmax_is_the_set():
    gold = torch.tensor([[True, False, True, False]])
    assert float(set_loss(torch.where(gold, 50.0, 0.0), gold)) == pytest.approx(0, abs=1e-6)
    even = float(set_loss(torch.zeros(1, 4), gold))
    assert even == pytest.approx(np.log(4) - np.log(2), rel=1e-5)
    own = torch.tensor([[False, True, False, False]])
    assert float(set_loss(torch.zeros(1, 4), gold, own)) == pytest.approx(np.log(3) - np.log(2), rel=1e-5)
