"""One process, or several that share every batch through Lightning Fabric.

The gradient is the same as that of one process on the whole batch: a member computes its share of the rows, and

- `gather` gives everyone all rows; a row's gradient reaches its own member only, multiplied by the size of the team,
- `average` then takes the mean of all members' gradients, which undoes that factor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Team:
    """Who works on a batch; without a Fabric, one process alone."""

    fabric: Any = None

    @property
    def size(self) -> int:
        """How many processes there are."""
        return 1 if self.fabric is None else int(self.fabric.world_size)

    @property
    def leads(self) -> bool:
        """Whether this process is the one that validates and writes."""
        return self.fabric is None or bool(self.fabric.is_global_zero)

    @property
    def device(self) -> torch.device:
        """Where this process computes."""
        if self.fabric is not None:
            return torch.device(self.fabric.device)
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def share(self, count: int) -> slice:
        """Which of so many rows are this process's."""
        return _share(count, 0 if self.fabric is None else int(self.fabric.global_rank), self.size)

    def gather(self, own: Tensor, count: int) -> Tensor:
        """All rows, from everyone's share of them; the gradient reaches one's own."""
        if self.fabric is None:
            return own
        largest = -(-count // self.size)
        padded = torch.zeros(largest, *own.shape[1:], dtype=own.dtype, device=own.device)
        padded[: len(own)] = own.detach()
        parts = self.fabric.all_gather(padded).reshape(self.size, largest, *own.shape[1:])
        size = float(self.size)
        if own.requires_grad:
            own.register_hook(lambda gradient: gradient * size)
        rows = []
        for member in range(self.size):
            part = _share(count, member, self.size)
            mine = member == int(self.fabric.global_rank)
            rows.append(own if mine else parts[member, : part.stop - part.start])
        return torch.cat(rows)

    def average(self, parameters: Iterable[nn.Parameter]) -> None:
        """Make everyone's gradients the mean of all."""
        if self.fabric is None:
            return
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad.copy_(self.fabric.all_reduce(parameter.grad, reduce_op="mean"))

    def agree(self, value: Any) -> Any:
        """What the leading process says."""
        return value if self.fabric is None else self.fabric.broadcast(value)


def _share(count: int, member: int, size: int) -> slice:
    step = -(-count // size)
    return slice(min(member * step, count), min((member + 1) * step, count))
