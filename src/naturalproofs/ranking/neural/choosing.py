"""Settings of the models that choose from a matrix of references."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from naturalproofs.ranking.neural.pairwise import Pairwise
from naturalproofs.ranking.neural.settings import EncoderSettings, TrainingSettings, one_of

READING = (*(field.name for field in fields(EncoderSettings)), "lexical", "centred", "head")
"""Settings that a model shares with the one it begins from."""
_WATCHING = ("valid_questions", "valid_candidates", "processes")
INITS = ("none", "thm", "thm+refs")


def alike(settings: TrainingSettings) -> dict[str, Any]:
    """Settings for a model that another begins from: it reads the same, and is watched and shared the same."""
    return {name: getattr(settings, name) for name in (*READING, "train_layers", *_WATCHING)}


@dataclass(frozen=True, slots=True)
class ChoosingSettings(TrainingSettings):
    """Where the model begins, and what it learns of the references."""

    start: str = ""
    """The folder of a pairwise model to begin from; its encoder settings hold. Empty: one is trained first."""
    init: str = "thm+refs"
    """What is taken from the pairwise model: ``none``, the theorem tower (``thm``), or the references too."""
    tune_rate: float = 3e-4
    """The learning rate of heads that the pairwise model has trained already."""
    train_references: bool = False
    """Whether the map of reference vectors is trained on; it is frozen otherwise, as in the paper."""
    free_rate: float = 0.0
    """Learning rate of a free vector for each reference; 0: none."""
    free_decay: float = 0.0
    train_bias: bool = False
    """Whether a bias for each reference is learnt: it buries those that training never saw cited."""
    count_bias: float = 0.0
    """How much a reference's bias begins with the logarithm of its citations."""
    decoder_layers: int = 0
    decoder_dropout: float = 0.1

    def check(self) -> None:
        """Refuse what does not exist."""
        one_of("init", self.init, INITS)

    @property
    def first(self) -> Pairwise:
        """The pairwise model that it begins from where no other is named: it reads alike."""
        return Pairwise(**alike(self))

    @property
    def row_rate(self) -> float:
        """The rate of free vectors; rows that begin at random have to learn."""
        return self.free_rate if self.init == "thm+refs" else self.free_rate or self.head_rate
