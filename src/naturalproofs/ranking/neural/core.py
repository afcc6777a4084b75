"""What all models begin with: a reader of texts and the upper part of its encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from naturalproofs.ranking.neural.batching import Ragged
from naturalproofs.ranking.neural.bert import Shape
from naturalproofs.ranking.neural.cache import Store
from naturalproofs.ranking.neural.encoders import Loaded, empty_parts, load_encoder
from naturalproofs.ranking.neural.lexical import Lexical
from naturalproofs.ranking.neural.preparation import preparation
from naturalproofs.ranking.neural.reading import Reader, embed, fingerprint, through
from naturalproofs.ranking.neural.settings import EncoderSettings, TrainingSettings
from naturalproofs.ranking.neural.towers import Tower, pool
from naturalproofs.records import Passage


@dataclass(frozen=True, slots=True)
class Core:
    """A reader, and a tower that has not been trained."""

    reader: Reader
    tower: Tower = field(repr=False)
    shape: Shape
    config: dict[str, Any] = field(repr=False)
    """What rebuilds the encoder without its weights."""


def new_core(settings: EncoderSettings, passages: Sequence[Passage], *, seed: int) -> Core:
    """Load an encoder and cut it below the layers that are trained."""
    prepare = preparation(settings.preparation)
    loaded = load_encoder(
        settings.encoder_name,
        pretrained=settings.pretrained,
        texts=(prepare(passage) for passage in passages),
        seed=seed,
    )
    wide = settings.word_width if isinstance(settings, TrainingSettings) else 0
    return cut_core(settings, loaded, Lexical.of(passages, wide, seed) if wide else None)


def empty_core(
    settings: EncoderSettings, tokeniser: Tokenizer, config: dict[str, Any], lexical: Lexical | None
) -> Core:
    """The same as was built before, without its weights."""
    return cut_core(settings, Loaded(tokeniser, empty_parts(config), config), lexical)


def cut_core(settings: EncoderSettings, loaded: Loaded, lexical: Lexical | None) -> Core:
    """Cut an encoder below the layers that are trained."""
    how = settings if isinstance(settings, TrainingSettings) else None
    frozen, own, layers = loaded.parts.cut(how.trained_layers if how else 0)
    shape = loaded.parts.shape
    length = min(settings.read_length, shape.positions)
    reader = new_reader(settings.preparation, length, loaded.tokeniser, frozen, lexical, settings.pooling, shape.width)
    tower = Tower(
        own,
        layers,
        settings.pooling,
        width=reader.full_width,
        state_width=shape.width,
        head=how is not None and how.head,
        dropout=how.dropout if how else 0.0,
    )
    return Core(reader, tower, shape, loaded.config)


def new_reader(
    prepared: str,
    length: int,
    tokeniser: Tokenizer,
    stem: nn.Module | None,
    lexical: Lexical | None,
    pooling: str,
    width: int,
) -> Reader:
    """A reader whose frozen layers are where computing is fastest."""
    if stem is not None:
        stem.requires_grad_(False)
        stem.eval()
    tokeniser.no_padding()
    tokeniser.enable_truncation(length)
    weights = stem.state_dict() if stem is not None else {}
    name = fingerprint(weights, length, tokeniser.to_str())
    if stem is not None and torch.cuda.is_available():
        stem.to("cuda")
    return Reader(tokeniser, prepared, length, stem, lexical, pooling, width, name)


def vectors(reader: Reader, tower: Tower, passages: Sequence[Passage], name: str) -> NDArray[np.float32]:
    """One vector a passage, kept under a name that stands for the tower's weights."""

    def compute(rows: list[int]) -> Ragged:
        texts = reader.read([passages[row] for row in rows], pooled=bare(tower))
        return Ragged(embed(tower, texts), np.arange(len(rows) + 1, dtype=np.int64))

    empty = np.zeros((0, tower.width), dtype=np.float32)
    kept = Store(f"vectors-{name}").get(reader.keys(passages), compute, empty)
    return np.asarray(kept.values, dtype=np.float32)


def centre(reader: Reader, tower: Tower, passages: Sequence[Passage]) -> None:
    """Let a tower measure states from their mean over some passages: what all texts share tells none apart."""
    if passages:
        texts = reader.read(passages, pooled=bare(tower))
        mean = through(tower, lambda batch: pool(tower.states(batch), batch.mask, tower.pooling), texts, reader.width)
        tower.centre.copy_(torch.from_numpy(mean.mean(axis=0)))


def bare(tower: Tower) -> bool:
    """Whether a tower has no layer of the encoder, so that pooled states are all it needs."""
    return tower.stem is None and not len(tower.layers)


def tower_name(reader: Reader, tower: Tower) -> str:
    """A short name for all that a tower's vectors depend on."""
    words = {} if reader.lexical is None else {"directions": torch.from_numpy(reader.lexical.directions)}
    about = (reader.print, tower.pooling, reader.lexical.words if reader.lexical else ())
    return fingerprint(tower.state_dict() | words, *about)
