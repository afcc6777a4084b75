"""The network of the joint model, on which the autoregressive one stands."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from naturalproofs.ranking.neural.decoder import Decoder
from naturalproofs.ranking.neural.memory import ProofMemory
from naturalproofs.ranking.neural.references import ReferenceTable
from naturalproofs.ranking.neural.towers import Batch, Tower


@dataclass(frozen=True, slots=True)
class Theorems:
    """Theorems as the network sees them."""

    features: Tensor
    """What the tower's head sees."""
    vectors: Tensor
    states: Tensor
    mask: Tensor


class Network(nn.Module):
    """A theorem tower, perhaps a decoder, and the references to choose from."""

    def __init__(self, tower: Tower, decoder: Decoder | None, table: ReferenceTable, sharpness: float) -> None:
        super().__init__()
        self.tower = tower
        self.decoder = decoder
        self.table = table
        self.sharpness = nn.Parameter(torch.tensor(sharpness))
        self.begin = nn.Parameter(torch.zeros(tower.width))
        self.memory: ProofMemory | None = None
        self.memory_share = 1.0

    def read(self, batch: Batch) -> Theorems:
        """Encode theorems."""
        return self.seen(self.tower.states(batch), batch)

    def seen(self, states: Tensor, batch: Batch) -> Theorems:
        """The same, from states that were computed already."""
        features = self.tower.pooled(states, batch)
        return Theorems(features, self.tower.vectors(features), states, batch.mask)

    def queries(self, theorems: Theorems) -> Tensor:
        """What is looked for: the theorem's vector, with a decoder corrected by one step of it."""
        if self.decoder is None:
            return theorems.vectors
        begin = self.begin.expand(len(theorems.vectors), 1, -1)
        states = self.decoder(self.decoder.enter(begin), theorems.states, theorems.mask)
        correction: Tensor = self.decoder.leave(states)[:, 0]
        return theorems.vectors + correction

    def scores(self, queries: Tensor, matrix: Tensor, bias: Tensor) -> Tensor:
        """Unnormalised log-probabilities of references."""
        return self.sharpness.exp().clamp(max=100.0) * (queries @ matrix.T) + bias
