"""Which references a step chooses from: all that its batch needs, and some of the others in place of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.neural.examples import Numbers


@dataclass(frozen=True, slots=True)
class Columns:
    """References by their positions, and what is added to their scores."""

    places: Numbers
    shift: NDArray[np.float32]
    """A reference that was drawn stands for several that were not: the logarithm of how many."""


def drawn(needed: Numbers, references: int, negatives: int, seed: Sequence[int]) -> Columns:
    """What a batch needs and others drawn at random, so that the sum of the softmax is right in the mean.

    Args:
        needed: What must be there.
        references: How many there are in all.
        negatives: How many are drawn; 0: all.
        seed: Numbers that decide the draw.
    """
    rest = np.setdiff1d(np.arange(references), needed)
    if not negatives or negatives >= len(rest):
        return Columns(np.arange(references), np.zeros(references, dtype=np.float32))
    some = np.random.default_rng(list(seed)).choice(rest, negatives, replace=False)
    places = np.concatenate([np.unique(needed), np.sort(some)])
    shift = np.zeros(len(places), dtype=np.float32)
    shift[-negatives:] = np.log(len(rest) / negatives)
    return Columns(places, shift)
