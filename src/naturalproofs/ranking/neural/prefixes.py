"""The beginnings of sequences, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

FARTHEST = 5
"""How far back a reference is told from one that is farther."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What was cited so far, by the columns of the references; −1 where a row is shorter."""

    tokens: Tensor
    lengths: Tensor
    last: Tensor
    """Where each distinct reference of a row stands for the last time."""
    count: Tensor
    """How often the reference of each place occurs."""

    @classmethod
    def of(cls, tokens: Tensor, lengths: Tensor) -> Prefixes:
        """Cut rows of tokens to their lengths."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        real = places < lengths[:, None]
        cut = tokens.masked_fill(~real, -1)
        same = (cut[:, :, None] == cut[:, None, :]) & real[:, None, :]
        later = places[None, :] > places[:, None]
        return cls(cut, lengths, real & ~(same & later).any(dim=2), same.sum(dim=2))

    @property
    def back(self) -> Tensor:
        """How many references came after each."""
        places = torch.arange(self.tokens.shape[1], device=self.tokens.device)
        return (self.lengths[:, None] - 1 - places).clamp(0, FARTHEST)

    @property
    def repeats(self) -> Tensor:
        """How many references of each row are not new."""
        return self.lengths - self.last.sum(dim=1)

    def marked(self, marks: Tensor) -> Tensor:
        """The same marks (a row each, a column a reference), with all that a row has cited marked too."""
        row, place = torch.where(self.last)
        return marks.index_put((row, self.tokens[row, place]), torch.ones((), dtype=torch.bool, device=marks.device))
