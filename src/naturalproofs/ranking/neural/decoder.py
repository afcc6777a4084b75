"""A decoder over reference vectors: what the proof cites next, given the theorem and what it cited so far."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from naturalproofs.ranking.neural.bert import Attention, Layer, Shape, initialise


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
    """From the references so far to states, and from these to corrections of the theorem's vector.

    Its last map begins at zero: at first every step ranks as the theorem's vector alone does, which is what the
    model below has learnt already.
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

    def forward(self, entered: Tensor, theorem: Tensor, mask: Tensor) -> Tensor:
        """States at all steps; ``leave`` makes them corrections.

        Args:
            entered: What was cited before each step, by ``enter``, the first being the beginning.
            theorem: States of the theorem's tokens.
            mask: Which of these are real.
        """
        steps = entered.shape[1]
        states: Tensor = self.dropout(self.norm(entered + self.positions.weight[:steps]))
        before = torch.ones(steps, steps, dtype=torch.bool, device=entered.device).tril()
        for layer in self.layers:
            if isinstance(layer, DecoderLayer):
                states = layer.decode(states, before, theorem, mask[:, None, None, :])
        return states
