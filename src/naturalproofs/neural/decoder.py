"""A decoder over reference vectors: what the proof cites next, given the theorem and what it cited so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor, nn

from naturalproofs.neural.bert import Attention, Layer, Shape, initialise


class DecoderLayer(Layer):
    """A layer that looks at what comes before it, then at the theorem."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.cross = Attention(shape)

    def decode(self, states: Tensor, before: Tensor, theorem: Tensor, seen: Tensor | None) -> Tensor:
        """States after this layer."""
        states = self.attention(states, states, before)
        return self.feed(self.cross(states, theorem, seen))


class Decoder(nn.Module):
    """From the vectors of the references so far to a correction of the theorem's vector.

    Its last map begins at zero: at first every step ranks as the theorem's vector alone does, which is what the
    pairwise model has learnt already.
    """

    def __init__(self, shape: Shape, *, layers: int, width: int, steps: int, dropout: float, seed: int) -> None:
        super().__init__()
        shape = replace(shape, dropout=dropout)
        self.enter = nn.Linear(width, shape.width)
        self.positions = nn.Embedding(steps, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(DecoderLayer(shape) for _ in range(layers))
        self.leave = nn.Linear(shape.width, width)
        initialise(self.modules(), torch.Generator().manual_seed(seed))
        nn.init.zeros_(self.leave.weight)

    def forward(self, given: Tensor, theorem: Tensor, mask: Tensor) -> Tensor:
        """Corrections at all steps.

        Args:
            given: Vectors of what was cited before each step, the first being the beginning.
            theorem: States of the theorem's tokens.
            mask: Which of these are real.
        """
        steps = given.shape[1]
        states = self.dropout(self.norm(self.enter(given) + self.positions.weight[:steps]))
        before = torch.ones(steps, steps, dtype=torch.bool, device=given.device).tril()
        for layer in self.layers:
            if isinstance(layer, DecoderLayer):
                states = layer.decode(states, before, theorem, mask[:, None, None, :])
        found: Tensor = self.leave(states)
        return found

    def begin_from(self, layers: Iterable[nn.Module]) -> None:
        """Take self-attention and feed-forward weights from encoder layers, the last for the last."""
        for own, other in zip(reversed(self.layers), reversed(list(layers)), strict=False):
            own.load_state_dict(other.state_dict(), strict=False)
