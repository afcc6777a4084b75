"""Batched encoding of passages: token ids, states of the frozen layers, and vectors, with a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.neural.cache import EncodingCache, Ragged
from naturalproofs.ranking.neural.encoder import Encoder, TextBatch, Tower, load_encoder, pool
from naturalproofs.ranking.neural.preparation import preparation
from naturalproofs.ranking.neural.settings import EncoderSettings, TrainSettings
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tokens import tokeniser

TOKENS_AT_ONCE = {"cpu": 1_024, "cuda": 65_536}
"""Padded tokens of a batch at inference: a processor is fastest while the batch fits into its cache."""
STATE_TYPES: dict[bool, type[np.float16 | np.float32]] = {False: np.float16, True: np.float32}
"""Stored precision of token states (many, and robust to rounding) and of pooled ones (few)."""
LEXICAL = "words"
"""The view of the latent semantic space. A sentence encoder blurs the words that two statements share; it does not."""
RAREST = 2
"""Passages in which a word of the lexical features must occur."""
TITLE_WEIGHT = 2
"""The weight of titles in the lexical features."""


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Inputs of a tower for many texts."""

    inputs: Ragged
    lexical: NDArray[np.float32]
    """A row of lexical features for each text; of no width where there are none."""

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return self.inputs.lengths

    def batch(self, rows: Sequence[int] | NDArray[np.intp]) -> TextBatch:
        """Some texts side by side, padded to the longest."""
        source = self.inputs
        longest = int(source.lengths[rows].max()) if len(rows) else 1
        values = np.zeros((len(rows), longest, *source.values.shape[1:]), dtype=source.values.dtype)
        mask = np.zeros((len(rows), longest), dtype=np.bool_)
        for place, row in enumerate(rows):
            own = source[int(row)]
            values[place, : len(own)] = own
            mask[place, : len(own)] = True
        return TextBatch(torch.from_numpy(values), torch.from_numpy(mask), torch.from_numpy(self.lexical[rows]))


@dataclass(frozen=True, slots=True)
class FrozenEncoder:
    """Text preparation, tokeniser, and the layers that are never trained."""

    tokeniser: Tokenizer = field(repr=False)
    preparation: str
    length: int
    """Tokens of a text that are read."""
    stem: nn.Module | None = field(repr=False)
    lexical: LatentSpace | None = field(repr=False)
    pooling: str
    width: int
    """Dimensions of a state."""
    fingerprint: str
    """Identifies all that the states depend on."""

    @classmethod
    def of(
        cls,
        prepared: str,
        length: int,
        encoder: Encoder,
        stem: nn.Module | None,
        lexical: LatentSpace | None,
        pooling: str,
    ) -> FrozenEncoder:
        """Freeze the stem and move it to the fastest device."""
        tokeniser = encoder.tokeniser
        tokeniser.no_padding()
        tokeniser.enable_truncation(length)
        if stem is not None:
            stem.requires_grad_(False)
            stem.eval()
        name = fingerprint(stem.state_dict() if stem is not None else {}, length, tokeniser.to_str())
        if stem is not None and torch.cuda.is_available():
            stem.to("cuda")
        return cls(tokeniser, prepared, length, stem, lexical, pooling, encoder.width, name)

    @property
    def feature_width(self) -> int:
        """Dimensions of pooled states and lexical features together."""
        return self.width + (self.lexical.dimensions if self.lexical else 0)

    def texts(self, passages: Sequence[Passage]) -> list[str]:
        """The prepared text of each passage."""
        prepare = preparation(self.preparation)
        return [prepare(passage) for passage in passages]

    def cache_keys(self, passages: Sequence[Passage]) -> list[str]:
        """All text of each passage that its vector depends on."""
        texts = self.texts(passages)
        if self.lexical is None:
            return texts
        return [f"{text}\0{whole_text(passage)}" for text, passage in zip(texts, passages, strict=True)]

    def encode(self, passages: Sequence[Passage], *, pooled: bool = False) -> EncodedTexts:
        """The inputs of a tower for each passage.

        Args:
            passages: What to encode.
            pooled: Whether to pool the states of the frozen layers, for towers without a layer.
        """
        lexical = np.zeros((len(passages), 0), dtype=np.float32)
        if self.lexical is not None and passages:
            lexical = self.lexical.vectors_of_terms({LEXICAL: lexical_terms(passages)})
        texts = self.texts(passages)
        if self.stem is None:
            return EncodedTexts(self._tokens(texts), lexical)
        stem, pooling = self.stem, self.pooling if pooled else ""

        def compute(rows: list[int]) -> Ragged:
            return _states(stem, self._tokens([texts[row] for row in rows]), self.width, pooling)

        cache = EncodingCache(f"{pooling or 'states'}-{self.fingerprint}")
        return EncodedTexts(cache.get(texts, compute, np.zeros((0, self.width), dtype=STATE_TYPES[pooled])), lexical)

    def _tokens(self, texts: Sequence[str]) -> Ragged:
        encoded = self.tokeniser.encode_batch(list(texts))
        return Ragged.of([np.array(each.ids, dtype=np.int64) for each in encoded], np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Backbone:
    """What every model starts with: the frozen encoder, and a tower of the layers above it."""

    frozen: FrozenEncoder
    tower: Tower = field(repr=False)
    config: dict[str, Any] = field(repr=False)
    """The encoder's configuration, which rebuilds it without its weights."""

    @classmethod
    def new(cls, settings: EncoderSettings, passages: Sequence[Passage], seed: int) -> Backbone:
        """Load an encoder; lexical features, and the mean of its states, are learnt from the passages."""
        prepare = preparation(settings.preparation)
        texts = (prepare(passage) for passage in passages)
        encoder = load_encoder(settings.encoder_name, pretrained=settings.pretrained, texts=texts, seed=seed)
        trained = isinstance(settings, TrainSettings)
        width = settings.lexical_width if isinstance(settings, TrainSettings) else 0
        backbone = cls.split(settings, encoder, lexical_features(passages, width, seed) if width else None)
        if trained and passages:
            backbone.centre(passages)
        return backbone

    @classmethod
    def split(cls, settings: EncoderSettings, encoder: Encoder, lexical: LatentSpace | None) -> Backbone:
        """Split an encoder below the layers that are trained."""
        trained = settings if isinstance(settings, TrainSettings) else None
        stem, own, layers = encoder.split(trained.trained_layers if trained else 0)
        length = min(settings.max_tokens, encoder.positions)
        frozen = FrozenEncoder.of(settings.preparation, length, encoder, stem, lexical, settings.pooling)
        tower = Tower(
            own,
            layers,
            settings.pooling,
            width=frozen.feature_width,
            state_width=encoder.width,
            head=trained is not None,
            dropout=trained.dropout if trained else 0.0,
        )
        return cls(frozen, tower, encoder.config)

    def centre(self, passages: Sequence[Passage]) -> None:
        """Measure the tower's pooled states from their mean over some passages: what all texts share says nothing."""
        tower = self.tower
        texts = self.frozen.encode(passages, pooled=tower.only_head)
        states = map_batches(
            tower, lambda batch: pool(tower.states(batch), batch.mask, tower.pooling), texts, self.frozen.width
        )
        tower.centre.copy_(torch.from_numpy(states.mean(axis=0)))

    def fingerprint(self, tower: Tower) -> str:
        """Identifies all that the vectors of a tower depend on."""
        lexical = self.frozen.lexical
        weights = {} if lexical is None else {"projection": torch.from_numpy(lexical.projection)}
        about = (self.frozen.fingerprint, tower.pooling, tuple(lexical.vocabularies[LEXICAL].index) if lexical else ())
        return fingerprint(tower.state_dict() | weights, *about)

    def vectors(self, tower: Tower, passages: Sequence[Passage], name: str) -> NDArray[np.float32]:
        """One vector a passage, cached under the fingerprint of the tower."""

        def compute(rows: list[int]) -> Ragged:
            texts = self.frozen.encode([passages[row] for row in rows], pooled=tower.only_head)
            return Ragged(embed(tower, texts), np.arange(len(rows) + 1, dtype=np.int64))

        empty = np.zeros((0, tower.width), dtype=np.float32)
        cached = EncodingCache(f"vectors-{name}").get(self.frozen.cache_keys(passages), compute, empty)
        return np.asarray(cached.values, dtype=np.float32)


def lexical_features(passages: Sequence[Passage], width: int, seed: int) -> LatentSpace:
    """Latent semantic analysis of the words of passages, with a fixed width and fixed signs.

    Few passages give fewer directions; the rest is zero. The largest entry of each direction is positive.
    """
    counts = TermCounts.of(lexical_terms(passages))
    space = LatentSpace.fit({LEXICAL: counts}, width, rarest={LEXICAL: RAREST}, iterations=5, seed=seed)
    projection = np.zeros((len(space.projection), width), dtype=np.float32)
    for column, direction in enumerate(space.projection.T):
        projection[:, column] = direction * np.sign(direction[np.abs(direction).argmax()])
    return replace(space, projection=projection)


def lexical_terms(passages: Sequence[Passage]) -> list[list[str]]:
    """The words of passages, those of titles repeated."""
    words = tokeniser("maths")
    return [words(whole_text(passage, TITLE_WEIGHT)) for passage in passages]


def _states(stem: nn.Module, tokens: Ragged, width: int, pooling: str) -> Ragged:
    """States of all tokens or, with pooling, one for each text."""
    texts = EncodedTexts(tokens, np.zeros((len(tokens), 0), dtype=np.float32))
    device = device_of(stem)
    starts = np.arange(len(tokens) + 1, dtype=np.int64) if pooling else tokens.starts
    found = np.zeros((int(starts[-1]), width), dtype=STATE_TYPES[bool(pooling)])
    with inference(stem):
        for rows in by_length(tokens.lengths, device):
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


def states_after_layers(tower: Tower, texts: EncodedTexts) -> EncodedTexts:
    """States after a tower's layers, for towers whose layers are not trained."""
    width = len(tower.centre)
    found = [np.zeros((0, width), dtype=np.float16)] * len(texts)
    device = device_of(tower)
    with inference(tower):
        for rows in by_length(texts.lengths, device):
            states = tower.states(texts.batch(rows).to(device)).cpu().numpy().astype(np.float16)
            for place, row in enumerate(rows):
                found[row] = states[place, : texts.lengths[row]]
    return EncodedTexts(Ragged.of(found, np.zeros((0, width), dtype=np.float16)), texts.lexical)


def map_batches(
    module: nn.Module, compute: Callable[[TextBatch], Tensor], texts: EncodedTexts, width: int
) -> NDArray[np.float32]:
    """A row of numbers for each text, computed in batches of similar length, without gradients or dropout."""
    device = device_of(module)
    found = np.zeros((len(texts), width), dtype=np.float32)
    with inference(module):
        for rows in by_length(texts.lengths, device):
            found[rows] = compute(texts.batch(rows).to(device)).float().cpu().numpy()
    return found


def embed(tower: Tower, texts: EncodedTexts) -> NDArray[np.float32]:
    """One vector a text."""
    return map_batches(tower, tower, texts, tower.width)


def by_length(lengths: NDArray[np.int64], device: torch.device, budget: int = 0) -> Iterable[NDArray[np.intp]]:
    """All rows in batches of a bounded number of padded tokens, longest first, so that there is little padding."""
    budget = budget or TOKENS_AT_ONCE.get(device.type, TOKENS_AT_ONCE["cuda"])
    order = np.argsort(-lengths, kind="stable")
    at = 0
    while at < len(order):
        size = max(1, budget // max(1, int(lengths[order[at]])))
        yield order[at : at + size]
        at += size


def device_of(module: nn.Module) -> torch.device:
    """The device of a module's weights."""
    return next((parameter.device for parameter in module.parameters()), torch.device("cpu"))


@contextmanager
def inference(module: nn.Module) -> Iterator[None]:
    """A block without gradients or dropout."""
    training = module.training
    module.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        module.train(training)


def fingerprint(weights: Mapping[str, Tensor], *about: object) -> str:
    """A short hash of weights and other values."""
    digest = hashlib.blake2b(repr(about).encode("utf-8", "surrogatepass"), digest_size=10)
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class FittedZeroShot:
    """A pretrained encoder without training."""

    backbone: Backbone = field(repr=False)
    name: str

    @classmethod
    def of(cls, settings: EncoderSettings, train: TrainSet, seed: int) -> FittedZeroShot:
        """Load the encoder."""
        backbone = Backbone.new(settings, train.passages, seed)
        return cls(backbone, backbone.fingerprint(backbone.tower))

    def index(self, candidates: Sequence[Passage]) -> ZeroShotScorer:
        """Encode the candidates."""
        return ZeroShotScorer(self, self.embed(candidates))

    def embed(self, passages: Sequence[Passage]) -> Scores:
        """One vector of length one a passage."""
        return self.backbone.vectors(self.backbone.tower, passages, self.name)


@dataclass(frozen=True, slots=True)
class ZeroShotScorer:
    """Vectors of the candidates."""

    fitted: FittedZeroShot
    candidates: Scores = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        scores: Scores = self.fitted.embed(queries) @ self.candidates.T
        return scores
