"""What a method is: *fit* sees training only, *index* binds candidates, *score* is pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

Scores: TypeAlias = NDArray[np.float32]
"""A row for each query, a column for each candidate; higher is better."""


@runtime_checkable
class Ranker(Protocol):
    """A method with its settings: a frozen dataclass whose printed form parses back."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """Learn from the training split."""
        ...


@runtime_checkable
class FittedRanker(Protocol):
    """A method that has learnt."""

    def index(self, candidates: Sequence[Passage]) -> Scorer:
        """Bind the candidates."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """A method ready to be asked."""

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Score every candidate for every query."""
        ...


def whole_text(passage: Passage, title_weight: int = 1) -> str:
    """Title and text of a passage as one text, the title repeated to make it weigh more."""
    return "\n".join([*([passage.title] * title_weight), passage.text])
