"""Batched encoding of passages: token ids, states of the frozen layers, and vectors, cached by text and weights.

The cache is a folder of *shards* for each encoder. A shard holds the keys of some texts and their arrays end to end, as
``.npy`` files, and is written atomically. When all of it exceeds a limit, the least recently used shards are removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.arrays import load_array
from naturalproofs.io.cache import cache_folder, evict, mark_used
from naturalproofs.io.files import replaced_folder
from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.ranking.neural.encoder import (
    LEXICAL,
    PREPARATIONS,
    Encoder,
    TextBatch,
    Tower,
    lexical_features,
    lexical_terms,
    load_encoder,
    pool,
)
from naturalproofs.ranking.neural.methods import EncoderSettings, TrainSettings, ZeroShot
from naturalproofs.ranking.term_vectors import LatentSpace
from naturalproofs.records import Passage

TOKENS_AT_ONCE = {"cpu": 1_024, "cuda": 65_536}
"""Padded tokens of a batch at inference: a processor is fastest while the batch fits into its cache."""
CACHE_LIMIT = 8 << 30
"""Bytes of the cache."""
SHARD = 2_048
"""Texts of a shard: what is lost when a run is killed."""
_KEYS, _STARTS, _VALUES = "keys.npy", "starts.npy", "values.npy"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Token ids, or states, of many texts end to end."""

    values: NDArray[Any]
    starts: NDArray[np.int64]
    """Where each text starts, and where the last one ends."""

    @classmethod
    def of(cls, parts: Sequence[NDArray[Any]], empty: NDArray[Any]) -> Ragged:
        """Concatenate texts; ``empty`` has the type of the values when there are none."""
        return cls(np.concatenate([empty, *parts]), np.cumsum([0, *map(len, parts)], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Inputs of a tower for many texts."""

    inputs: Ragged
    lexical: Floats
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


class FrozenEncoder:
    """Text preparation, tokeniser, lexical features, and the layers that are never trained."""

    def __init__(
        self, settings: EncoderSettings, encoder: Encoder, stem: nn.Module | None, lexical: LatentSpace | None
    ) -> None:
        self.prepare = PREPARATIONS[settings.preparation]
        self.pooling = settings.pooling
        self.length = min(settings.max_tokens, encoder.positions)
        """Tokens of a text that are read."""
        self.tokeniser = encoder.tokeniser
        self.tokeniser.no_padding()
        self.tokeniser.enable_truncation(self.length)
        self.config = encoder.config
        """The configuration, which rebuilds the encoder without its weights."""
        self.width = encoder.width
        """Dimensions of a state."""
        self.lexical = lexical
        self.stem = stem
        if stem is not None:
            stem.requires_grad_(False).eval()
            stem.to("cuda" if torch.cuda.is_available() else "cpu")

    @cached_property
    def fingerprint(self) -> str:
        """Identifies all that the states depend on."""
        weights = {} if self.stem is None else self.stem.state_dict()
        return fingerprint(weights, self.length, self.tokeniser.to_str(), *_precision(self.stem))

    def texts(self, passages: Sequence[Passage], prefix: str = "") -> list[str]:
        """The prepared text of each passage."""
        return [prefix + self.prepare(passage) for passage in passages]

    def encode(self, passages: Sequence[Passage], *, pooled: bool = False, prefix: str = "") -> EncodedTexts:
        """The inputs of a tower for each passage.

        Args:
            passages: What to encode.
            pooled: Whether to pool the states of the frozen layers, for towers without a layer.
            prefix: What every text begins with.
        """
        lexical = np.zeros((len(passages), 0), dtype=np.float32)
        if self.lexical is not None and passages:
            lexical = self.lexical.vectors({LEXICAL: lexical_terms(passages)})
        texts, stem = self.texts(passages, prefix), self.stem
        if stem is None:
            return EncodedTexts(self._tokens(texts), lexical)

        def compute(rows: list[int]) -> Ragged:
            tokens = EncodedTexts(self._tokens([texts[row] for row in rows]), np.zeros((len(rows), 0), np.float32))
            if not pooled:
                return token_states(stem, stem, tokens, self.width)
            return one_each(map_batches(stem, lambda b: pool(stem(b), b.mask, self.pooling), tokens, self.width))

        # There are many token states, and they are robust to rounding; there are few pooled ones.
        empty = np.zeros((0, self.width), dtype=np.float32 if pooled else np.float16)
        return EncodedTexts(
            cached(f"{self.pooling if pooled else 'states'}-{self.fingerprint}", texts, compute, empty), lexical
        )

    def _tokens(self, texts: Sequence[str]) -> Ragged:
        encoded = self.tokeniser.encode_batch(list(texts))
        return Ragged.of([np.array(each.ids, dtype=np.int64) for each in encoded], np.zeros(0, dtype=np.int64))


def new_towers(settings: EncoderSettings, passages: Sequence[Passage], seed: int) -> tuple[FrozenEncoder, Tower]:
    """Load an encoder and split it; lexical features, and the mean of its states, are learnt from the passages."""
    prepare = PREPARATIONS[settings.preparation]
    texts = (prepare(passage) for passage in passages)
    encoder = load_encoder(settings.encoder_name, pretrained=settings.pretrained, texts=texts, seed=seed)
    width = settings.lexical_width
    frozen, tower = split_encoder(settings, encoder, lexical_features(passages, width, seed) if width else None)
    if isinstance(settings, TrainSettings) and passages:
        encoded = frozen.encode(passages, pooled=tower.only_head)
        states = map_batches(tower, lambda b: pool(tower.states(b), b.mask, tower.pooling), encoded, frozen.width)
        # States are measured from their mean: what all texts share says nothing.
        tower.centre.copy_(torch.from_numpy(states.mean(axis=0)))
    return frozen, tower


def split_encoder(
    settings: EncoderSettings, encoder: Encoder, lexical: LatentSpace | None
) -> tuple[FrozenEncoder, Tower]:
    """The frozen part of an encoder, and a tower of the layers above it."""
    stem, own, layers = encoder.split(settings.trained_layers)
    dropout = settings.dropout if isinstance(settings, TrainSettings) else None
    tower = Tower(own, layers, settings.pooling, encoder.width, lexical.dimensions if lexical else 0, dropout)
    return FrozenEncoder(settings, encoder, stem, lexical), tower


@dataclass(frozen=True, slots=True)
class Embedder:
    """An encoder that is no longer trained: one vector of length one for each passage, cached."""

    frozen: FrozenEncoder
    tower: Tower
    name: str
    """Identifies all that the vectors depend on, beside the texts."""
    prefix: str = ""
    """What every text begins with."""

    @classmethod
    def of(cls, frozen: FrozenEncoder, tower: Tower) -> Embedder:
        """Set the tower to inference."""
        tower.eval()
        weights = tower.state_dict()
        words: tuple[str, ...] = ()
        if frozen.lexical is not None:
            weights["projection"] = torch.from_numpy(frozen.lexical.projection)
            words = tuple(frozen.lexical.vocabularies[LEXICAL].index)
        return cls(frozen, tower, fingerprint(weights, frozen.fingerprint, tower.pooling, words))

    def vectors(self, passages: Sequence[Passage]) -> Floats:
        """The vectors of passages."""

        def compute(rows: list[int]) -> Ragged:
            chosen = [passages[row] for row in rows]
            encoded = self.frozen.encode(chosen, pooled=self.tower.only_head, prefix=self.prefix)
            return one_each(embed(self.tower, encoded))

        keys = self.frozen.texts(passages, self.prefix)
        if self.frozen.lexical is not None:
            keys = [f"{key}\0{whole_text(passage)}" for key, passage in zip(keys, passages, strict=True)]
        empty = np.zeros((0, self.tower.width), dtype=np.float32)
        return np.asarray(cached(f"vectors-{self.name}", keys, compute, empty).values, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class CosineScorer:
    """Vectors of the candidates, compared with those of theorems."""

    theorem: Embedder
    candidates: Scores = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        scores: Scores = self.theorem.vectors(queries) @ self.candidates.T
        return scores


@dataclass(frozen=True, slots=True)
class FittedZeroShot:
    """A pretrained encoder without training."""

    query: Embedder = field(repr=False)
    passage: Embedder = field(repr=False)

    @classmethod
    def of(cls, settings: ZeroShot, passages: Sequence[Passage], seed: int) -> FittedZeroShot:
        """Load the encoder."""
        embedder = Embedder.of(*new_towers(settings, passages, seed))
        prefixes = settings.query_prefix, settings.passage_prefix
        return cls(*(replace(embedder, prefix=prefix) for prefix in prefixes))

    def index(self, candidates: Sequence[Passage]) -> CosineScorer:
        """Encode the candidates."""
        return CosineScorer(self.query, self.passage.vectors(candidates))


def map_batches(module: nn.Module, compute: Callable[[TextBatch], Tensor], texts: EncodedTexts, width: int) -> Floats:
    """A row of numbers for each text, computed in batches of similar length, without gradients or dropout."""
    found = np.zeros((len(texts), width), dtype=np.float32)
    for rows, computed in _computed(module, compute, texts):
        found[rows] = computed
    return found


def token_states(module: nn.Module, compute: Callable[[TextBatch], Tensor], texts: EncodedTexts, width: int) -> Ragged:
    """The states of all tokens of each text, computed in the same way."""
    lengths, empty = texts.lengths, np.zeros((0, width), dtype=np.float16)
    found = [empty] * len(texts)
    for rows, computed in _computed(module, compute, texts):
        for place, row in enumerate(rows):
            found[row] = computed[place, : lengths[row]].astype(np.float16)
    return Ragged.of(found, empty)


def _computed(
    module: nn.Module, compute: Callable[[TextBatch], Tensor], texts: EncodedTexts
) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    device = device_of(module)
    with inference(module), autocast(device):
        for rows in by_length(texts.lengths, device):
            yield rows, compute(texts.batch(rows).to(device)).float().cpu().numpy()


def embed(tower: Tower, texts: EncodedTexts) -> Floats:
    """One vector a text."""
    return map_batches(tower, tower, texts, tower.width)


def one_each(rows: Floats) -> Ragged:
    """One row for each text."""
    return Ragged(rows, np.arange(len(rows) + 1, dtype=np.int64))


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


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """A block in half precision on a GPU that has it; on a processor it would be slower."""
    if device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


def _precision(module: nn.Module | None) -> tuple[str, ...]:
    """What tells states in half precision from others."""
    half = module is not None and not isinstance(autocast(device_of(module)), nullcontext)
    return ("bfloat16",) if half else ()


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


def cached(name: str, texts: Sequence[str], compute: Callable[[list[int]], Ragged], empty: NDArray[Any]) -> Ragged:
    """The arrays of texts: cached ones are read, the others computed and cached.

    Args:
        name: Identifies the encoder, with its text preparation and length.
        texts: What the arrays belong to.
        compute: Computes the arrays of the texts at some positions.
        empty: An array of the same type, for no texts.
    """
    folder = cache_folder() / "neural" / name
    keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
    distinct = set(keys)
    found: dict[bytes, NDArray[Any]] = {}
    for shard in sorted(folder.glob("*.shard")):
        # Another process may remove shards at any time; their texts are computed again.
        with suppress(OSError, ValueError):
            held = {bytes(key): row for row, key in enumerate(load_array(shard / _KEYS))}
            if wanted := held.keys() & distinct:
                arrays = Ragged(load_array(shard / _VALUES, mapped=True), load_array(shard / _STARTS))
                mark_used(shard)
                found.update((key, arrays[held[key]]) for key in wanted)
    # Equal texts are computed once.
    missing = list({key: row for row, key in enumerate(keys) if key not in found}.values())
    for first in range(0, len(missing), SHARD):
        rows = missing[first : first + SHARD]
        computed = compute(rows)
        found.update((keys[row], computed[position]) for position, row in enumerate(rows))
        # A cache that cannot be written is ignored.
        with suppress(OSError, OutputInTheWay):
            own = b"".join(keys[row] for row in rows)
            with replaced_folder(folder / f"{keys[rows[0]].hex()}-{len(rows)}.shard", lambda _: True) as scratch:
                np.save(scratch / _KEYS, np.frombuffer(own, dtype=np.uint8).reshape(len(rows), -1))
                np.save(scratch / _STARTS, computed.starts)
                np.save(scratch / _VALUES, computed.values)
            evict((cache_folder() / "neural").glob("*/*.shard"), CACHE_LIMIT)
    return Ragged.of([found[key] for key in keys], empty)
