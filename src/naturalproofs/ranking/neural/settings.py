"""Settings that the neural methods share, and the dial that sets many at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from naturalproofs.errors import UnknownName

ALL = -1
"""Train every layer, and the word embeddings."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a position of the dial stands for."""

    encoder: str
    length: int
    train_layers: int
    lexical: int
    batch_tokens: int


SIZES: dict[str, Size] = {
    "tiny": Size("tiny", 48, ALL, 0, 2_048),
    "small": Size("minilm", 96, 0, 384, 8_192),
    "base": Size("bert-base-cased", 512, ALL, 0, 16_384),
}
"""``small`` is what a processor trains in minutes, and learns as much as more layers do (see the log)."""


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """How statements are read."""

    size: str = "small"
    """``tiny`` from scratch, ``small`` for a laptop, ``base`` as the paper; sets what is left empty below."""
    encoder: str = ""
    """``tiny``, ``minilm``, a Hugging Face folder, or a name on its hub (``bert-base-cased`` is the paper's)."""
    pretrained: bool = True
    """Whether the encoder starts from its weights or, for the ablation, from random ones."""
    preparation: str = "prose"
    length: int = 0
    """Tokens that are read of a statement."""
    pooling: str = "mean"
    """``mean`` of all tokens or the first one, ``cls``."""

    @property
    def dial(self) -> Size:
        """What the size stands for."""
        if self.size not in SIZES:
            raise UnknownName(f"no size is called {self.size!r}; there are: {', '.join(SIZES)}")
        return SIZES[self.size]

    @property
    def encoder_name(self) -> str:
        """The encoder that is meant."""
        return self.encoder or self.dial.encoder

    @property
    def read_length(self) -> int:
        """The length that is meant."""
        return self.length or self.dial.length


@dataclass(frozen=True, slots=True)
class TrainingSettings(EncoderSettings):
    """How a model is trained."""

    train_layers: int | None = None
    """How many upper layers are trained; the rest is frozen and computed once. −1: all, and the embeddings."""
    lexical: int | None = None
    """Dimensions of word features that stand beside the encoder's; 0: none."""
    centred: bool = True
    """Whether states are measured from their mean over the training passages."""
    head: bool = True
    """Whether a linear map of both, the identity at first, is learnt."""
    head_rate: float = 1e-3
    """The learning rate of the head, and of all else that is no layer of the encoder."""
    dropout: float = 0.1
    """Of what the head sees."""
    negatives: int = 4_000
    """How many references, drawn anew each step, stand for all that the batch does not cite; 0: all."""
    epochs: int = 4
    batch_tokens: int = 0
    """About how many tokens a step reads."""
    batch_theorems: int = 256
    """How many theorems a step has at most."""
    learning_rate: float = 5e-5
    """Of the encoder's layers."""
    warmup: float = 0.1
    """Share of training in which the rate rises; then it falls to nothing."""
    weight_decay: float = 0.01
    clip: float = 1.0
    patience: int = 3
    """Stop after so many validations without a better mAP; 0: never."""
    validations: int = 1
    """How often an epoch is validated."""
    valid_questions: int = 400
    valid_candidates: int = 4_000
    processes: int = 1
    """How many processes (or GPUs) share every batch."""

    @property
    def trained_layers(self) -> int:
        """The layers that are meant."""
        return self.dial.train_layers if self.train_layers is None else self.train_layers

    @property
    def word_width(self) -> int:
        """The word features that are meant."""
        return self.dial.lexical if self.lexical is None else self.lexical

    @property
    def step_tokens(self) -> int:
        """The tokens that are meant."""
        return self.batch_tokens or self.dial.batch_tokens


def one_of(setting: str, value: str, allowed: Collection[str]) -> str:
    """Refuse a value that a setting does not have."""
    if value not in allowed:
        raise UnknownName(f"{setting} cannot be {value!r}; it is one of: {', '.join(sorted(allowed))}")
    return value
