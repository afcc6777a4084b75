"""The encoder of BERT (Devlin et al. 2019), in pieces that can be frozen, cached and trained apart.

The same computation as Hugging Face's ``BertModel`` (a test compares them); written out because only the upper
layers are trained here, from stored states of the lower ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of an encoder."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    inner: int
    positions: int = 512
    types: int = 2
    dropout: float = 0.1
    epsilon: float = 1e-12


class Embedding(nn.Module):
    """Words and their positions."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.types = nn.Embedding(shape.types, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors of tokens, all of the first type."""
        places = self.positions.weight[: ids.shape[1]]
        found: Tensor = self.dropout(self.norm(self.words(ids) + places + self.types.weight[0]))
        return found


class Attention(nn.Module):
    """Attention with its output map, residual and norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.rate = shape.dropout
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.output = nn.Linear(shape.width, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, states: Tensor, source: Tensor, mask: Tensor | None) -> Tensor:
        """Let every state look at the source where the mask allows it; one source may be there for all."""
        query, key, value = (
            part.view(*part.shape[:2], self.heads, -1).transpose(1, 2).expand(len(states), -1, -1, -1)
            for part in (self.query(states), self.key(source), self.value(source))
        )
        rate = self.rate if self.training else 0.0
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=rate)
        seen = seen.transpose(1, 2).reshape(states.shape)
        found: Tensor = self.norm(states + self.dropout(self.output(seen)))
        return found


class Layer(nn.Module):
    """One layer of the encoder."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = Attention(shape)
        self.inner = nn.Linear(shape.width, shape.inner)
        self.outer = nn.Linear(shape.inner, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """States after this layer."""
        return self.feed(self.attention(states, states, mask))

    def feed(self, states: Tensor) -> Tensor:
        """The second half of the layer."""
        found: Tensor = self.norm(states + self.dropout(self.outer(functional.gelu(self.inner(states)))))
        return found


def attention_mask(mask: Tensor) -> Tensor | None:
    """Which tokens may be looked at, for all heads and places; nothing where no text is padded."""
    return None if bool(mask.all()) else mask[:, None, None, :]


def initialise(modules: Iterable[nn.Module], generator: torch.Generator) -> None:
    """Random weights as BERT begins with, from a generator of their own."""
    with torch.no_grad():
        for module in modules:
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.normal_(0.0, 0.02, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.zero_()


def renamed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Published weights under our names; heads that are not part of the encoder are left out."""
    found = {}
    for name, value in weights.items():
        key = name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias")
        if key.startswith(("embeddings.", "encoder.layer.")) and not key.endswith("position_ids"):
            for theirs, ours in _NAMES:
                key = key.replace(theirs, ours)
            found[key] = value.float()
    return found


_NAMES = (
    ("embeddings.word_embeddings", "embedding.words"),
    ("embeddings.position_embeddings", "embedding.positions"),
    ("embeddings.token_type_embeddings", "embedding.types"),
    ("embeddings.LayerNorm", "embedding.norm"),
    ("encoder.layer.", "layers."),
    ("attention.self.", "attention."),
    ("attention.output.dense", "attention.output"),
    ("attention.output.LayerNorm", "attention.norm"),
    ("intermediate.dense", "inner"),
    ("output.dense", "outer"),
    ("output.LayerNorm", "norm"),
)
