"""An encoder cut in two: a *stem* that may be frozen, and a *tower* of upper layers that is trained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.neural.bert import Embedding, Layer, Shape, attention_mask
from naturalproofs.ranking.neural.settings import ALL, one_of


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts side by side: token ids, or states of the frozen layers, and which places are real."""

    values: Tensor
    mask: Tensor
    lexical: Tensor
    """Word features, of no width where there are none."""

    def to(self, device: torch.device) -> Batch:
        """The same where a model is; states are widened from how they are stored."""
        values = self.values.to(device)
        wide = values.float() if values.is_floating_point() else values
        return Batch(wide, self.mask.to(device), self.lexical.to(device))


class Stem(Protocol):
    """From tokens to states."""

    def __call__(self, batch: Batch) -> Tensor:
        """The states of all tokens."""
        ...


class BertStem(nn.Module):
    """The embeddings and lower layers of BERT."""

    def __init__(self, embedding: Embedding, layers: Iterable[Layer]) -> None:
        super().__init__()
        self.embedding = embedding
        self.layers = nn.ModuleList(layers)

    def forward(self, batch: Batch) -> Tensor:
        """The states of all tokens."""
        return _through(self.layers, self.embedding(batch.values), batch.mask)


class ForeignStem(nn.Module):
    """A whole encoder of another architecture, as the transformers library runs it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Batch) -> Tensor:
        """The states of all tokens."""
        found: Tensor = self.model(input_ids=batch.values, attention_mask=batch.mask.long()).last_hidden_state
        return found


class Tower(nn.Module):
    """What is trained of an encoder: its upper layers, or all of it; and how a text becomes one vector.

    The pooled states and the word features, each of length one, stand side by side; a linear map that begins as the
    identity then learns what matters.
    """

    def __init__(
        self,
        stem: nn.Module | None,
        layers: Iterable[Layer],
        pooling: str,
        *,
        width: int,
        state_width: int,
        head: bool,
        dropout: float,
    ) -> None:
        super().__init__()
        self.stem = stem
        self.layers = nn.ModuleList(layers)
        self.pooling = one_of("pooling", pooling, ("mean", "cls"))
        self.width = width
        self.centre: Tensor
        self.register_buffer("centre", torch.zeros(state_width))
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(width, width) if head else None
        if self.head is not None:
            nn.init.eye_(self.head.weight)
            nn.init.zeros_(self.head.bias)

    def states(self, batch: Batch) -> Tensor:
        """The states of all tokens after the last layer."""
        below = batch.values if self.stem is None else self.stem(batch)
        return _through(self.layers, below, batch.mask)

    def features(self, batch: Batch) -> Tensor:
        """What the head sees of each text."""
        return self.pooled(self.states(batch), batch)

    def pooled(self, states: Tensor, batch: Batch) -> Tensor:
        """The same, from states that were computed already."""
        pooled = functional.normalize(pool(states, batch.mask, self.pooling) - self.centre, dim=1)
        return torch.cat([pooled, batch.lexical.to(pooled.dtype)], dim=1)

    def vectors(self, features: Tensor) -> Tensor:
        """One vector a text, of length one."""
        return functional.normalize(features if self.head is None else self.head(self.dropout(features)), dim=1)

    def forward(self, batch: Batch) -> Tensor:
        """One vector a text, of length one."""
        return self.vectors(self.features(batch))


def pool(states: Tensor, mask: Tensor, pooling: str) -> Tensor:
    """One state for all tokens of a text."""
    if pooling == "cls":
        return states[:, 0]
    weights = mask.to(states.dtype)[..., None]
    return (states * weights).sum(1) / weights.sum(1)


def _through(layers: Iterable[nn.Module], states: Tensor, mask: Tensor) -> Tensor:
    seen = attention_mask(mask)
    for layer in layers:
        states = layer(states, seen)
    return states


@dataclass(frozen=True, slots=True)
class Parts:
    """An encoder's pieces as loaded or initialised, before it is cut."""

    shape: Shape
    stem: BertStem | ForeignStem

    def cut(self, train_layers: int) -> tuple[nn.Module | None, nn.Module | None, list[Layer]]:
        """Cut below the layers that are trained.

        Returns:
            The frozen stem, if any; the stem of the tower, if all is trained; the layers of the tower.
        """
        if train_layers == ALL:
            return None, self.stem, []
        if isinstance(self.stem, ForeignStem):
            if train_layers:
                raise UnknownName(f"only BERT encoders can be cut; set train_layers to {ALL} (all) or 0 (none)")
            return self.stem, None, []
        layers = [layer for layer in self.stem.layers if isinstance(layer, Layer)]
        if not 0 <= train_layers <= len(layers):
            raise UnknownName(f"train_layers={train_layers}: this encoder has {len(layers)} layers; {ALL} trains all")
        at = len(layers) - train_layers
        return BertStem(self.stem.embedding, layers[:at]), None, layers[at:]
