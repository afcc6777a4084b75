"""Losses; each is a mean over the theorems of a batch."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

FAR = -1e9
"""Stands for minus infinity where a row may hold nothing else."""


def masked_contrast(scores: Tensor, gold: Tensor, ignored: Tensor) -> Tensor:
    """Each gold reference against those that are not gold: other gold references are no negatives.

    Args:
        scores: A row a theorem, a column a reference of the batch; references stand there once.
        gold: Which are cited by the theorem's proof.
        ignored: Which take no part, such as the theorem itself.
    """
    negatives = scores.masked_fill(gold | ignored, FAR).logsumexp(1, keepdim=True)
    losses = functional.softplus(negatives - scores)
    weights = gold.to(scores.dtype)
    return ((losses * weights).sum(1) / weights.sum(1).clamp(min=1)).mean()


def paired_contrast(scores: Tensor) -> Tensor:
    """The original's: the n-th reference is right for the n-th theorem, and every other one of the batch is wrong."""
    return functional.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


def set_divergence(scores: Tensor, gold: Tensor, ignored: Tensor | None = None) -> Tensor:
    """KL divergence from the softmax of all scores to the even distribution over the cited references."""
    if ignored is not None:
        scores = scores.masked_fill(ignored & ~gold, FAR)
    target = gold.to(scores.dtype)
    target = target / target.sum(1, keepdim=True).clamp(min=1)
    return functional.kl_div(scores.log_softmax(1), target, reduction="batchmean")
