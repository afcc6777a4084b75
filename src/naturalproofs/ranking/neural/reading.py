"""From passages to what a tower takes: tokens, or the states of layers that are never trained."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from naturalproofs.ranking.contract import whole_text
from naturalproofs.ranking.neural.batching import Ragged, Texts, by_length
from naturalproofs.ranking.neural.cache import Store
from naturalproofs.ranking.neural.lexical import Lexical
from naturalproofs.ranking.neural.preparation import preparation
from naturalproofs.ranking.neural.towers import Batch, Tower, pool
from naturalproofs.records import Passage

BUDGETS = {"cpu": 1_024, "cuda": 65_536}
"""Tokens that are encoded at a time when nothing is trained: a processor is fastest while all fits its cache."""


KEPT: dict[bool, type[np.float16 | np.float32]] = {False: np.float16, True: np.float32}
"""How states are kept: those of tokens are many, and the layers that read them are robust; pooled ones are few."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How texts are prepared and cut, and the layers that all of them go through unchanged."""

    tokeniser: Tokenizer = field(repr=False)
    preparation: str
    length: int
    stem: nn.Module | None = field(repr=False)
    lexical: Lexical | None
    pooling: str
    width: int
    """Of the encoder's states."""
    print: str
    """A short name for all that what is read depends on."""

    @property
    def full_width(self) -> int:
        """Of pooled states and word features side by side."""
        return self.width + (self.lexical.width if self.lexical else 0)

    def texts(self, passages: Sequence[Passage]) -> list[str]:
        """What is read of each passage."""
        prepare = preparation(self.preparation)
        return [prepare(passage) for passage in passages]

    def keys(self, passages: Sequence[Passage]) -> list[str]:
        """All that is read of each passage."""
        texts = self.texts(passages)
        if self.lexical is None:
            return texts
        return [f"{text}\0{whole_text(passage)}" for text, passage in zip(texts, passages, strict=True)]

    def read(self, passages: Sequence[Passage], *, pooled: bool = False) -> Texts:
        """What a tower takes of each passage.

        Args:
            passages: What to read.
            pooled: Whether states of frozen layers are pooled already, for towers that have no layer.
        """
        lexical = self.lexical.features(passages) if self.lexical else np.zeros((len(passages), 0), dtype=np.float32)
        texts = self.texts(passages)
        if self.stem is None:
            return Texts(self._tokens(texts), lexical)
        stem = self.stem

        def compute(rows: list[int]) -> Ragged:
            return _states(stem, self._tokens([texts[row] for row in rows]), self.width, self.pooling if pooled else "")

        store = Store(f"{self.pooling if pooled else 'states'}-{self.print}")
        return Texts(store.get(texts, compute, np.zeros((0, self.width), dtype=KEPT[pooled])), lexical)

    def _tokens(self, texts: Sequence[str]) -> Ragged:
        cut = self.tokeniser.encode_batch(list(texts))
        return Ragged.of([np.array(each.ids, dtype=np.int64) for each in cut], np.zeros(0, dtype=np.int64))


def _states(stem: nn.Module, tokens: Ragged, width: int, pooling: str) -> Ragged:
    """States of all tokens, or one of each text."""
    texts = Texts(tokens, np.zeros((len(tokens), 0), dtype=np.float32))
    device = device_of(stem)
    starts = np.arange(len(tokens) + 1, dtype=np.int64) if pooling else tokens.starts
    found = np.zeros((int(starts[-1]), width), dtype=KEPT[bool(pooling)])
    with torch.inference_mode(), evaluating(stem):
        for rows in by_length(tokens.lengths, budget(device)):
            batch = texts.batch(rows).to(device)
            states = stem(batch)
            if pooling:
                found[rows] = pool(states, batch.mask, pooling).cpu().numpy()
                continue
            values = states.cpu().numpy()
            for place, row in enumerate(rows):
                start, end = starts[row], starts[row + 1]
                found[start:end] = values[place, : end - start]
    return Ragged(found, starts)


def through(module: nn.Module, compute: Callable[[Batch], Tensor], texts: Texts, width: int) -> NDArray[np.float32]:
    """A row of numbers for each text, computed in batches of like length without training."""
    device = device_of(module)
    found = np.zeros((len(texts), width), dtype=np.float32)
    with torch.inference_mode(), evaluating(module):
        for rows in by_length(texts.lengths, budget(device)):
            found[rows] = compute(texts.batch(rows).to(device)).float().cpu().numpy()
    return found


def embed(tower: Tower, texts: Texts) -> NDArray[np.float32]:
    """One vector a text."""
    return through(tower, tower, texts, tower.width)


def budget(device: torch.device) -> int:
    """Tokens that a device encodes at a time."""
    return BUDGETS.get(device.type, BUDGETS["cuda"])


def device_of(module: nn.Module) -> torch.device:
    """Where a module's weights are."""
    return next((parameter.device for parameter in module.parameters()), torch.device("cpu"))


class evaluating:  # noqa: N801 - reads as what it does
    """A block in which a module drops nothing out."""

    def __init__(self, module: nn.Module) -> None:
        self.module = module
        self.before = self.module.training

    def __enter__(self) -> None:
        self.module.eval()

    def __exit__(self, *_: object) -> None:
        self.module.train(self.before)


def fingerprint(weights: Mapping[str, Tensor], *about: object) -> str:
    """A short name for weights and all else that a result depends on."""
    digest = hashlib.blake2b(repr(about).encode("utf-8", "surrogatepass"), digest_size=10)
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
