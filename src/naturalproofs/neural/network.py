"""The network of the joint and the autoregressive model: a theorem's vector, corrected step by step."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from naturalproofs.neural.decoder import Decoder
from naturalproofs.neural.memory import ProofMemory
from naturalproofs.neural.references import ReferenceTable
from naturalproofs.neural.towers import Batch, Tower


@dataclass(frozen=True, slots=True)
class Theorems:
    """Theorems as the network sees them."""

    features: Tensor
    """What the tower's head sees."""
    vectors: Tensor
    states: Tensor
    mask: Tensor

    def repeated(self, times: int) -> Theorems:
        """Each so many times, for as many continuations."""
        parts = (part.repeat_interleave(times, dim=0) for part in (self.features, self.vectors, self.states, self.mask))
        return Theorems(*parts)


class Network(nn.Module):
    """A theorem tower, perhaps a decoder, and the references to choose from."""

    def __init__(self, tower: Tower, decoder: Decoder | None, table: ReferenceTable, sharpness: float) -> None:
        super().__init__()
        self.tower = tower
        self.decoder = decoder
        self.table = table
        self.sharpness = nn.Parameter(torch.tensor(sharpness))
        self.begin = nn.Parameter(torch.zeros(tower.width))
        self.end = nn.Parameter(torch.zeros(tower.width))
        """The vector that stands for the end of a proof."""
        self.end_bias = nn.Parameter(torch.zeros(()))
        self.memory: ProofMemory | None = None
        self.memory_share = 1.0

    def read(self, batch: Batch) -> Theorems:
        """Encode theorems."""
        return self.seen(self.tower.states(batch), batch)

    def seen(self, states: Tensor, batch: Batch) -> Theorems:
        """The same, from states that were computed already."""
        features = self.tower.pooled(states, batch)
        return Theorems(features, self.tower.vectors(features), states, batch.mask)

    def queries(self, theorems: Theorems, given: Tensor | None) -> Tensor:
        """What is looked for at every step.

        Args:
            theorems: The theorems.
            given: Vectors of the references before each step but the first; nothing for one step only.
        """
        vectors = theorems.vectors[:, None, :]
        if self.decoder is None:
            return vectors
        begin = self.begin.expand(len(vectors), 1, -1)
        before = begin if given is None else torch.cat([begin, given], dim=1)
        correction: Tensor = self.decoder(before, theorems.states, theorems.mask)
        return vectors + correction

    def scores(self, queries: Tensor, matrix: Tensor, bias: Tensor) -> Tensor:
        """Unnormalised log-probabilities of references."""
        return self.sharpness.exp().clamp(max=100.0) * (queries @ matrix.T) + bias

    def end_scores(self, queries: Tensor) -> Tensor:
        """The same of the end."""
        return self.sharpness.exp().clamp(max=100.0) * (queries @ self.end) + self.end_bias
