"""The likelihood of whole sequences, all their steps at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.ranking.neural.prefixes import Prefixes
from naturalproofs.ranking.neural.sequencer import Sequencer
from naturalproofs.ranking.neural.steps import Asked, Choices, hidden


def padded(sequences: Sequence[NDArray[np.int64]]) -> Tensor:
    """Sequences side by side, −1 after their ends."""
    found = np.full((len(sequences), max(map(len, sequences), default=0)), -1, dtype=np.int64)
    for row, own in enumerate(sequences):
        found[row, : len(own)] = own
    return torch.from_numpy(found)


def log_likelihood(
    sequencer: Sequencer, asked: Asked, tokens: Tensor, choices: Choices, itself: Tensor, worst: float
) -> tuple[Tensor, int]:
    """The log-probability of every step of some sequences, their ends included, and how many steps there are.

    Args:
        sequencer: The network.
        asked: A theorem for each sequence.
        tokens: Columns of references, −1 after a sequence's end.
        choices: The references.
        itself: The theorem's own column, which it may not cite unless it does; −1 for none.
        worst: No new reference counts as less likely.
    """
    states, entered = sequencer.states(asked, choices.matrix[tokens.clamp(min=0)])
    lengths = (tokens >= 0).sum(dim=1)
    row, step = torch.where(torch.arange(tokens.shape[1] + 1, device=tokens.device) <= lengths[:, None])
    prefixes = Prefixes.of(tokens[row], step)
    targets = torch.cat([tokens, torch.full_like(tokens[:, :1], -1)], dim=1)[row, step]
    banned = hidden(itself[row].where(itself[row] != targets, -1), len(choices.bias))
    found = sequencer.following(asked.sought.rows(row), states[row, step], entered[row], prefixes, choices, banned)
    return found.of(prefixes, targets, worst), len(row)
