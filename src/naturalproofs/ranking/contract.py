"""What a method is: *fit* sees training only, *index* binds candidates, *score* is pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from naturalproofs.progress import Progress, silent
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet

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


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a candidate is suggested, in words a mathematician understands."""

    kind: str
    """Which signal speaks: ``votes``, ``words``, ``place`` …"""
    text: str
    statements: tuple[StatementId, ...] = ()
    """What the text points at, such as the theorems whose proofs cite it."""
    weight: float = 0.0
    """How much it moved the suggestion, to order reasons by."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One suggested candidate, by its position among the candidates."""

    position: int
    score: float
    probability: float | None = None
    """That the proof cites it, where the method is calibrated."""
    reasons: tuple[Reason, ...] = ()


@runtime_checkable
class Suggester(Scorer, Protocol):
    """A scorer that says how sure it is, and why."""

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        explained: int | None = None,
    ) -> Sequence[Answer]:
        """The best k candidates for a theorem, best first.

        Args:
            query: The theorem.
            k: How many.
            excluded: Positions that may not be suggested.
            cited: What the proof, as far as it is written, cites already; these are not suggested again.
            explained: How many of them, from the best, are given reasons, which take longest to find; all if None.
        """
        ...


@runtime_checkable
class CacheableScorer(Scorer, Protocol):
    """A scorer whose prepared arrays can be kept; the fitted method that made it opens them again."""

    def keep(self, folder: Path) -> None:
        """Write all that was prepared into an existing empty folder; candidates and proofs are kept elsewhere."""
        ...


@runtime_checkable
class CachingRanker(FittedRanker, Protocol):
    """A fitted method that need not prepare candidates twice.

    Arrays are opened as memory-mapped files: a page starts in seconds, and several workers share one index. While a
    text is edited, binding costs what the new candidates cost. The hybrid ranker is one.
    """

    def open(self, folder: Path, candidates: Sequence[Passage]) -> Scorer:
        """Open what a scorer of this method has kept, for the very candidates that it was made of."""
        ...

    def reindex(self, candidates: Sequence[Passage], before: Scorer | Path) -> Scorer:
        """Bind the candidates, as ``index`` does.

        Args:
            candidates: All candidates.
            before: An older scorer of this method, or the folder in which one was kept; what it prepared of texts that
                are still there is taken over. One that is of no use is passed over.
        """
        ...


@dataclass(frozen=True, slots=True)
class TrainContext:
    """Where a method trains when training is long: a folder for checkpoints, a budget, and a progress report."""

    folder: Path
    """For checkpoints; what lies there is what ``resume`` goes on from."""
    valid: RetrievalTask | None = None
    """For early stopping."""
    minutes: float | None = None
    resume: bool = False
    progress: Progress = silent
    made: Callable[[Ranker], FittedRanker | None] = lambda _ranker: None
    """Gives the model that a method begins from, where it is kept already."""


@runtime_checkable
class Trainable(Ranker, Protocol):
    """A method whose training is long enough to be watched, limited, interrupted and resumed."""

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedRanker:
        """Learn from the training split, stopping early by the context's validation task."""
        ...


@runtime_checkable
class SharedTraining(Ranker, Protocol):
    """A method whose training is a slow part that seeds can share, and a quick one that they do not."""

    def lessons(self, train: TrainSet, *, seed: int, context: TrainContext | None = None) -> Any:
        """The slow part; the context is told how far it has come."""
        ...

    def taught(self, train: TrainSet, taught: Any, *, seed: int) -> FittedRanker:
        """The quick part, from the lessons."""
        ...


@runtime_checkable
class Storable(FittedRanker, Protocol):
    """A fitted method that can be kept in a folder: text and arrays, never code."""

    def save(self, folder: Path) -> None:
        """Write the files of the model into an existing empty folder."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        ...

    def describe(self) -> str:
        """What a model card says of it: paragraphs in Markdown."""
        ...


def whole_text(passage: Passage, title_weight: int = 1) -> str:
    """Title and text of a passage as one text, the title repeated to make it weigh more."""
    return "\n".join([*([passage.title] * title_weight), passage.text])
