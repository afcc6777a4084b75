"""The network of the pairwise model."""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn

from naturalproofs.ranking.neural.towers import Batch, Tower


class TwoTowers(nn.Module):
    """A tower that reads theorems, one that reads references, and how sharp their cosine is made."""

    def __init__(self, tower: Tower, *, shared: bool, temperature: float) -> None:
        super().__init__()
        self.theorem = tower
        self.reference = tower if shared else deepcopy(tower)
        self.sharpness = nn.Parameter(torch.tensor(1.0 / temperature).log())

    @property
    def width(self) -> int:
        """Of the vectors."""
        return self.theorem.width

    def scores(self, theorems: Tensor, references: Tensor) -> Tensor:
        """Cosines of vectors of length one, sharpened."""
        return self.scale * (theorems @ references.T)

    @property
    def scale(self) -> Tensor:
        """What cosines are multiplied by; bounded, so that it cannot run away."""
        return self.sharpness.exp().clamp(max=100.0)

    def forward(self, theorems: Batch, references: Batch) -> Tensor:
        """Every theorem against every reference."""
        return self.scores(self.theorem(theorems), self.reference(references))

    def kept(self) -> dict[str, Tensor]:
        """The weights, shared ones once."""
        weights = self.state_dict()
        if self.reference is self.theorem:
            weights = {name: value for name, value in weights.items() if not name.startswith("reference.")}
        return weights

    def restore(self, weights: dict[str, Tensor]) -> None:
        """Take weights that were kept."""
        twins = {f"reference.{name[8:]}": value for name, value in weights.items() if name.startswith("theorem.")}
        self.load_state_dict((twins if self.reference is self.theorem else {}) | weights)
