"""Texts of unequal length, in batches of about so many tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from naturalproofs.ranking.neural.towers import Batch

Rows = Sequence[int] | NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Token ids, or states, of many texts end to end."""

    values: NDArray[Any]
    starts: NDArray[np.int64]
    """Where each text begins, and where the last one ends."""

    @classmethod
    def of(cls, parts: Sequence[NDArray[Any]], empty: NDArray[Any]) -> Ragged:
        """Join texts; ``empty`` says what kind of values there would be."""
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)]).astype(np.int64)
        return cls(np.concatenate(parts) if len(parts) else empty, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.starts)

    def padded(self, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        """Some texts side by side, padded to the longest, and which places are real."""
        longest = int(self.lengths[rows].max()) if len(rows) else 1
        values = np.zeros((len(rows), longest, *self.values.shape[1:]), dtype=self.values.dtype)
        mask = np.zeros((len(rows), longest), dtype=np.bool_)
        for place, row in enumerate(rows):
            own = self[int(row)]
            values[place, : len(own)] = own
            mask[place, : len(own)] = True
        return torch.from_numpy(values), torch.from_numpy(mask)


@dataclass(frozen=True, slots=True)
class Texts:
    """What a tower takes of many texts."""

    inputs: Ragged
    lexical: NDArray[np.float32]
    """A row of word features for each text; of no width where there are none."""

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return self.inputs.lengths

    def batch(self, rows: Rows) -> Batch:
        """Some texts side by side."""
        values, mask = self.inputs.padded(rows)
        return Batch(values, mask, torch.from_numpy(self.lexical[rows]))


def by_length(lengths: NDArray[np.int64], budget: int) -> Iterable[NDArray[np.intp]]:
    """All rows in batches of at most so many padded tokens, longest first, so that little is padding."""
    order = np.argsort(-lengths, kind="stable")
    at = 0
    while at < len(order):
        size = max(1, budget // max(1, int(lengths[order[at]])))
        yield order[at : at + size]
        at += size


def shuffled(
    costs: NDArray[np.int64], budget: int, seed: Sequence[int], *, most: int, bucket: int = 32
) -> list[NDArray[np.intp]]:
    """Items in batches of about a budget, in an order that the seed decides; neighbours are of like cost.

    Args:
        costs: What each item adds to a batch.
        budget: What a batch may cost; an item that costs more stands alone.
        seed: Numbers that decide the order.
        most: How many items a batch has at most.
        bucket: Items of so many batches are sorted by cost together; their batches are then shuffled.
    """
    generator = np.random.default_rng(list(seed))
    order = generator.permutation(len(costs))
    mean = max(1.0, float(costs.mean())) if len(costs) else 1.0
    size = max(1, bucket * min(most, int(budget / mean) + 1))
    found: list[NDArray[np.intp]] = []
    for first in range(0, len(order), size):
        piece = order[first : first + size]
        piece = piece[np.argsort(costs[piece], kind="stable")]
        ends = _filled(costs[piece], budget, most)
        found.extend(np.split(piece, ends))
    return [found[i] for i in generator.permutation(len(found))]


def _filled(costs: NDArray[np.int64], budget: int, most: int) -> list[int]:
    """Where a batch is full."""
    ends: list[int] = []
    first, spent = 0, 0
    for place, cost in enumerate(costs.tolist()):
        if place > first and (spent + cost > budget or place - first >= most):
            ends.append(place)
            first, spent = place, 0
        spent += cost
    return ends
