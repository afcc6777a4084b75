"""The matrix of reference vectors that the joint and the autoregressive model choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from naturalproofs.ranking.neural.towers import Tower
from naturalproofs.records import StatementId


class ReferenceTable(nn.Module):
    """A row and a bias for each reference of training.

    A row is the vector of the reference's text, where the table begins from texts, and a free vector that is learnt.
    A reference that training has not seen has its text's vector, and the bias of those that no proof cites.
    """

    def __init__(
        self, ids: Sequence[StatementId], texts: Tensor, reference: Tower, *, textual: bool, live: bool
    ) -> None:
        super().__init__()
        self.ids = tuple(ids)
        self.reference = reference
        self.textual = textual
        self.live = live
        """Whether the reference tower's head is trained, so that vectors of texts change."""
        self.texts: Tensor
        self.register_buffer("texts", texts)
        """What that head sees of each text where it is trained, the vector of each text where it is not."""
        self.free = nn.Parameter(torch.zeros(len(self.ids), reference.width))
        self.bias = nn.Parameter(torch.zeros(len(self.ids)))
        self.unknown: Tensor
        self.register_buffer("unknown", torch.zeros(()))

    def begin(self, counts: NDArray[np.float32], weight: float, seed: int) -> None:
        """Biases from how often each is cited; random free vectors where nothing else tells rows apart."""
        with torch.no_grad():
            self.bias.copy_(weight * torch.from_numpy(counts + 0.5).log())
            if not self.textual:
                width = self.free.shape[1]
                self.free.normal_(0.0, width**-0.5, generator=torch.Generator().manual_seed(seed))

    def matrix(self, places: Tensor) -> Tensor:
        """Rows of some references of training."""
        if not self.textual:
            return self.free[places]
        texts = self.texts[places]
        found = self.reference.vectors(texts) if self.live else texts
        return found + self.free[places] if self.free.requires_grad else found

    def settle(self, counts: NDArray[np.float32]) -> None:
        """Remember the bias of references that no proof cites."""
        with torch.no_grad():
            none = self.bias[torch.from_numpy(counts == 0).to(self.bias.device)]
            if len(self.bias):
                self.unknown.copy_(none.mean() if len(none) else self.bias.min())

    def rows(self, ids: Sequence[StatementId], texts: NDArray[np.float32]) -> Rows:
        """Rows and biases of candidates: by name where training knew them, by text where it did not."""
        place = {key: row for row, key in enumerate(self.ids)}
        matrix = texts.copy() if self.textual else np.zeros_like(texts)
        free, bias = self.free.detach().cpu().numpy(), self.bias.detach().cpu().numpy()
        biases = np.full(len(ids), float(self.unknown), dtype=np.float32)
        for row, key in enumerate(ids):
            if key in place:
                matrix[row] += free[place[key]]
                biases[row] = bias[place[key]]
        return Rows(tuple(ids), matrix, biases)


@dataclass(frozen=True, slots=True)
class Rows:
    """Vectors and biases of candidates."""

    ids: tuple[StatementId, ...]
    matrix: NDArray[np.float32]
    bias: NDArray[np.float32]


def citation_counts(ids: int, gold: Sequence[NDArray[np.intp]]) -> NDArray[np.float32]:
    """In how many proofs each reference is cited."""
    counts = np.zeros(ids, dtype=np.float32)
    for own in gold:
        counts[own] += 1
    return counts
