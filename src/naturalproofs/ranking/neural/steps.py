"""What a step of the autoregressive model sees, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from naturalproofs.ranking.neural.network import Network
from naturalproofs.ranking.neural.prefixes import Prefixes
from naturalproofs.ranking.neural.references import Rows
from naturalproofs.records import StatementId

NEW, AGAIN, END = range(3)


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for."""

    vectors: Tensor
    """What the joint model looks for."""
    near: Tensor
    """How near each remembered proof is; of no width without a memory."""
    share: Tensor
    """How much the joint model lets the memory count, before the sigmoid."""

    def rows(self, which: Tensor) -> Sought:
        """Some of them, in any order and number."""
        return Sought(self.vectors[which], self.near[which], self.share[which])


@dataclass(frozen=True, slots=True)
class Asked:
    """Theorems: what is looked for, and what the decoder looks at."""

    sought: Sought
    states: Tensor
    mask: Tensor

    def __len__(self) -> int:
        return len(self.mask)

    def one(self, row: int) -> Asked:
        """A single one of them."""
        return Asked(self.sought.rows(torch.tensor([row])), self.states[row : row + 1], self.mask[row : row + 1])


@dataclass(frozen=True, slots=True)
class Choices:
    """References to choose from."""

    matrix: Tensor
    bias: Tensor
    values: Tensor | None
    """Sparse: what each remembered proof cites of them."""
    share: float = 1.0
    """What the learnt share of the memory is multiplied by."""

    def only(self, places: Tensor) -> Choices:
        """Some of them."""
        values = None if self.values is None else self.values.index_select(0, places).coalesce()
        return Choices(self.matrix[places], self.bias[places], values, self.share)


@dataclass(frozen=True, slots=True)
class Following:
    """Log-probabilities of what comes next."""

    kind: Tensor
    """New, again, or the end."""
    new: Tensor
    """A column a reference."""
    again: Tensor
    """A column a place of the prefix."""

    def of(self, prefixes: Prefixes, tokens: Tensor, worst: float) -> Tensor:
        """Of given tokens, −1 for the end; none that is new counts as less likely than the worst."""
        matches = prefixes.last & (prefixes.tokens == tokens[:, None])
        ended, again = tokens < 0, matches.any(dim=1) & (tokens >= 0)
        kind = torch.where(ended, END, torch.where(again, AGAIN, NEW))
        new = self.new.gather(1, tokens.clamp(min=0)[:, None])[:, 0].clamp(min=worst).masked_fill(ended | again, 0.0)
        found = self.kind.gather(1, kind[:, None])[:, 0] + new
        return found + torch.where(matches, self.again, 0.0).sum(dim=1)

    def joined(self, prefixes: Prefixes) -> Tensor:
        """Of every reference, and of the end in the last column; what is new is one of those that there are."""
        new = self.new.log_softmax(dim=1) + self.kind[:, NEW : NEW + 1]
        found = torch.cat([new, self.kind[:, END:]], dim=1)
        row, place = torch.where(prefixes.last)
        again = self.kind[row, AGAIN] + self.again[row, place]
        return found.index_put((row, prefixes.tokens[row, place]), again)


def hidden(own: Tensor, columns: int) -> Tensor:
    """By row and column, what may not be cited: the theorem's own column, −1 for none."""
    found = torch.zeros(len(own), columns, dtype=torch.bool, device=own.device)
    rows = torch.where(own >= 0)[0]
    found[rows, own[rows]] = True
    return found


def choices_of(network: Network, rows: Rows, share: float = 1.0) -> Choices:
    """Candidates as the sequencer takes them."""
    device = network.sharpness.device
    values = None if network.memory is None else network.memory.values(network.table.ids, rows.ids)
    return Choices(torch.from_numpy(rows.matrix).to(device), torch.from_numpy(rows.bias).to(device), values, share)


def places_of(network: Network, names: Sequence[StatementId]) -> Tensor:
    """The places of theorems among the references of training, −1 for strangers."""
    known = {key: place for place, key in enumerate(network.table.ids)}
    return torch.tensor([known.get(name, -1) for name in names], dtype=torch.long)


def keys_of(network: Network) -> Tensor | None:
    """What the memory is searched by, computed once."""
    if network.memory is None:
        return None
    with torch.no_grad():
        return network.memory.vectors(network.memory.keys)
