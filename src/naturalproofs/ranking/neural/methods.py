"""The neural methods as rankers: named, printed and parsed without torch, which is imported when they are fitted."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, TypeVar, cast

from naturalproofs.errors import BadSettings, MissingExtra
from naturalproofs.ranking.contract import FittedRanker, TrainContext, temporary_context
from naturalproofs.tasks.dataset import TrainSet

ALL_LAYERS = -1
"""Train every layer and the word embeddings."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The defaults that a size stands for."""

    encoder: str
    length: int
    train_layers: int
    lexical: int
    batch_tokens: int


PRESETS: dict[str, Preset] = {
    "tiny": Preset("tiny", 48, ALL_LAYERS, 0, 2_048),
    "small": Preset("minilm", 96, 0, 384, 8_192),
    "base": Preset("bert-base-cased", 512, ALL_LAYERS, 0, 16_384),
}
"""``small`` trains on a processor in minutes, and is as good there as training more layers (see the log)."""

ALLOWED: Mapping[str, Collection[str]] = {
    "size": tuple(PRESETS),
    "preparation": ("prose", "plain", "paper"),
    "pooling": ("mean", "cls", "last"),
    "loss": ("set", "paper"),
    "init": ("none", "thm", "thm+refs"),
    "choose": ("worth", "beam"),
}
"""The values of settings that are names."""


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """How statements are encoded."""

    size: str = "small"
    """``tiny`` for tests, ``small`` for a laptop, ``base`` as in the paper; sets what is left empty below."""
    encoder: str = ""
    """``tiny``, ``minilm``, a Hugging Face folder, or a name on its hub (``bert-base-cased`` is the paper's)."""
    pretrained: bool = True
    """Whether the encoder starts from its published weights or, for the ablation, from random ones."""
    preparation: str = "prose"
    """How LaTeX becomes text: ``prose``, ``plain`` (unchanged) or, as in the paper, ``paper``."""
    length: int = 0
    """Tokens of a statement that are read; the rest is truncated."""
    pooling: str = "mean"
    """The ``mean`` of all token states, or the state of the first token (``cls``) or of the ``last`` one."""

    def __post_init__(self) -> None:
        """Check the settings that are names, those of derived classes too."""
        for setting in fields(self):
            value = getattr(self, setting.name)
            if value not in ALLOWED.get(setting.name, (value,)):
                allowed = ", ".join(ALLOWED[setting.name])
                raise BadSettings(f"{setting.name} cannot be {value!r}; it is one of: {allowed}")

    @property
    def preset(self) -> Preset:
        """The defaults of the size."""
        return PRESETS[self.size]

    @property
    def encoder_name(self) -> str:
        """The encoder, by default the preset's."""
        return self.encoder or self.preset.encoder

    @property
    def max_tokens(self) -> int:
        """The truncation length, by default the preset's."""
        return self.length or self.preset.length

    @property
    def trained_layers(self) -> int:
        """How many layers are trained."""
        return 0

    @property
    def lexical_width(self) -> int:
        """Dimensions of the lexical features."""
        return 0


@dataclass(frozen=True, slots=True)
class ZeroShot(EncoderSettings):
    """A pretrained encoder without training: candidates are ranked by the cosine of their vectors."""

    query_prefix: str = ""
    """What its authors put before a query, such as ``query: `` or an instruction."""
    passage_prefix: str = ""
    """What they put before a passage."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """Load the encoder; only ``tiny`` takes its vocabulary from the texts."""
        encode = _with_torch("naturalproofs.ranking.neural.encode")
        return cast(FittedRanker, encode.FittedZeroShot.of(self, train.passages, seed))


@dataclass(frozen=True, slots=True)
class TrainSettings(EncoderSettings):
    """A method that is trained, by the function ``train`` of a module that needs torch."""

    module: ClassVar[str]

    train_layers: int | None = None
    """How many upper layers are trained; the layers below are frozen and computed once. −1: all."""
    lexical: int | None = None
    """Dimensions of the lexical features that are appended to the encoder's; 0: none."""
    head_rate: float = 1e-3
    """Learning rate of the linear heads, and of every parameter outside the encoder's layers."""
    dropout: float = 0.1
    """Dropout of the features that a head takes."""
    negatives: int = 4_000
    """Negative references sampled for each step; 0: all references."""
    epochs: int = 4
    batch_tokens: int = 0
    """About how many tokens a batch has."""
    batch_theorems: int = 256
    """How many theorems a batch has at most."""
    learning_rate: float = 5e-5
    """Learning rate of the encoder's layers."""
    warmup: float = 0.1
    """Share of training in which the rate rises; then it falls linearly to zero."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """Greatest norm of the gradient; 0: no clipping."""
    patience: int = 3
    """Stop after this many validations without a better score; 0: never."""
    valid_questions: int = 400
    valid_candidates: int = 4_000
    processes: int = 1
    """Processes (or GPUs) on each node; they share every batch."""
    num_nodes: int = 1
    """Nodes; see the how-to for what has to be set on each."""

    @property
    def trained_layers(self) -> int:
        """How many layers are trained, by default the preset's."""
        return self.preset.train_layers if self.train_layers is None else self.train_layers

    @property
    def lexical_width(self) -> int:
        """Dimensions of the lexical features, by default the preset's."""
        return self.preset.lexical if self.lexical is None else self.lexical

    @property
    def step_tokens(self) -> int:
        """Tokens of a batch, by default the preset's."""
        return self.batch_tokens or self.preset.batch_tokens

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """Train without validation."""
        with temporary_context() as context:
            return self.train(train, seed=seed, context=context)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedRanker:
        """Train, stopping early on the context's validation task; first the model to start from, if there is none."""
        return cast(FittedRanker, _with_torch(self.module).train(self, train, seed, context))


@dataclass(frozen=True, slots=True)
class Pairwise(TrainSettings):
    """Two towers trained so that the vector of a theorem is close to those of the references of its proof."""

    module: ClassVar[str] = "naturalproofs.ranking.neural.pairwise"

    loss: str = "set"
    """``set``: divergence from the uniform distribution over gold references, against sampled negatives whose features
    are those of the beginning of the epoch; ``paper``: all other references of the batch are negatives, gold or not."""
    references: int = 8
    """Gold references of a theorem that an epoch uses at most."""


@dataclass(frozen=True, slots=True)
class Joint(TrainSettings):
    """A softmax over all references at once."""

    module: ClassVar[str] = "naturalproofs.ranking.neural.joint"

    start: str = ""
    """The folder of a pairwise model to start from; its encoder settings apply. Empty: one is trained first."""
    init: str = "thm+refs"
    """What is initialised from the pairwise model: ``none``, the theorem tower (``thm``), or the references too."""
    tune_rate: float = 3e-4
    """Learning rate of heads that the pairwise model has trained already."""
    memory: bool = True
    """Whether the citations of similar training theorems are mixed in."""
    memory_share: float = 0.1
    """Factor of the learnt mixture weight of the memory at inference: less is better at the top."""


@dataclass(frozen=True, slots=True)
class Autoregressive(TrainSettings):
    """Predicts the references of a proof in order, over a joint model whose weights are frozen."""

    module: ClassVar[str] = "naturalproofs.ranking.neural.autoregressive"
    generates: ClassVar[bool] = True

    start: str = ""
    """The folder of a joint model to start from; its encoder settings apply. Empty: one is trained first."""
    init: str = "thm+refs"
    """What that joint model takes from the pairwise one: ``none``, ``thm`` or ``thm+refs``."""
    batch_theorems: int = 96
    head_rate: float = 5e-4
    decoder_layers: int = 2
    decoder_width: int = 256
    decoder_dropout: float = 0.2
    longest: int = 19
    """References of a proof that are learnt and generated at most."""
    memory_share: float = 0.45
    """Factor of the learnt mixture weight of the memory at inference: less is better at the top."""
    retrieved: int = 5
    """How many references, decoded greedily, are ranked before all others."""
    choose: str = "worth"
    """The sequence of greatest expected utility over samples (``worth``), or, as in the paper, the most probable of a
    ``beam``."""
    samples: int = 64
    """Sequences that are sampled for the expected utility."""
    beam: int = 20
    length_power: float = 1.0
    """Length normalisation of the beam search: more favours longer sequences."""


SHARED_ENCODING = (*(field.name for field in fields(EncoderSettings)), "lexical")
"""Settings that a model takes from the one it starts from."""
_SHARED_TRAINING = ("train_layers", "valid_questions", "valid_candidates", "processes", "num_nodes")

S = TypeVar("S", bound=TrainSettings)


def first_stage(settings: TrainSettings) -> dict[str, Any]:
    """The settings of the model that another one starts from: the same encoder, validation and devices."""
    return {name: getattr(settings, name) for name in (*SHARED_ENCODING, *_SHARED_TRAINING)}


def with_encoding_of(settings: S, first: TrainSettings) -> S:
    """The settings with the encoder settings of another model."""
    encoding: dict[str, Any] = {name: getattr(first, name) for name in SHARED_ENCODING}
    return replace(settings, **encoding)


def _with_torch(module: str) -> Any:
    """A module that needs torch; the missing extra is named before anything is imported."""
    needed = ("torch", "tokenizers", "safetensors", "transformers", "lightning_fabric")
    if any(find_spec(name) is None for name in needed):
        raise MissingExtra("a neural method", "neural")
    return import_module(module)


def is_first_process() -> bool:
    """Whether this is the first process of the first node, which writes the model, or the only process."""
    if "RANK" in os.environ:
        return os.environ["RANK"] == "0"
    return all(os.environ.get(name, "0") == "0" for name in ("NODE_RANK", "LOCAL_RANK"))
