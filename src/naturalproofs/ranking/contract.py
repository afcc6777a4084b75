"""What a method is: *fit* sees training only, *index* binds candidates, *score* (or *generate*) is pure."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from naturalproofs.progress import Progress, silent
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import RetrievalTask, TrainingExample, TrainSet

NEAR = 10
"""The most results between a query and what is called near."""
Scores: TypeAlias = NDArray[np.float32]
"""A row for each query, a column for each candidate; higher is better."""


Sequences: TypeAlias = Sequence[tuple[StatementId, ...]]
"""For each query the references of its proof, in order and with repeats."""

Bound_co = TypeVar("Bound_co", covariant=True)


class FittedMethod(Protocol[Bound_co]):
    """A method after training."""

    def index(self, candidates: Sequence[Passage]) -> Bound_co:
        """Bind the candidates."""
        ...


class Method(Protocol[Bound_co]):
    """A method with its settings: a frozen dataclass whose printed form parses back."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedMethod[Bound_co]:
        """Learn from the training split."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """A fitted method bound to candidates."""

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Score every candidate for every query."""
        ...


@runtime_checkable
class Generator(Protocol):
    """A fitted method bound to candidates that generates sequences."""

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query.

        Args:
            queries: The theorems.
            excluded: By query, the positions of candidates that it may not cite; empty for no restriction.
        """
        ...


@runtime_checkable
class FittedRanker(FittedMethod[Scorer], Protocol):
    """A fitted method that scores."""


@runtime_checkable
class Ranker(Method[Scorer], Protocol):
    """A method that scores."""


@dataclass(frozen=True, slots=True)
class FunctionRanker:
    """A fitted method made of a function: for methods that only keep what they have seen until candidates are bound."""

    index: Callable[[Sequence[Passage]], Scorer]


@dataclass(frozen=True, slots=True)
class FunctionScorer:
    """A scorer made of a function."""

    score: Callable[[Sequence[Passage]], Scores]


@runtime_checkable
class CalibratedScorer(Scorer, Protocol):
    """A scorer that also states how probable it is that a proof cites a candidate."""

    def score_calibrated(self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]]) -> tuple[Scores, Scores]:
        """The scores, and a table of probabilities: NaN where none is stated.

        Args:
            queries: The theorems.
            excluded: By query, the positions that it may not cite.
        """
        ...

    def score_together(
        self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]], others: Sequence[Self]
    ) -> list[tuple[Scores, Scores]]:
        """The same of this scorer, then of others, bound to the same candidates: seeds trained on one table.

        What they all need is computed once.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a candidate is suggested, in words a mathematician understands."""

    kind: str
    """The signal: ``votes``, ``words``, ``place`` …"""
    text: str
    statements: tuple[StatementId, ...] = ()
    """Statements that the text refers to, such as the theorems whose proofs cite it."""
    weight: float = 0.0
    """How much the signal moved the score; reasons are sorted by it."""


def how_far(statements: int, results: int, *, is_result: bool) -> str:
    """How far above a statement stands, counted in results where it is one; empty if it is far or something else.

    Args:
        statements: From this one on, it included.
        results: How many of these are results: theorems, lemmas and the like.
        is_result: Whether it is a result.
    """
    if statements == 1:
        return "stated just above"
    if not is_result or not 0 < results <= NEAR:
        return ""
    return "the last result above" if results == 1 else f"stated {results} results above"


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """One suggested candidate, by its position among the candidates."""

    position: int
    score: float
    probability: float | None = None
    """The probability that the proof cites it, where the method is calibrated."""
    reasons: tuple[Reason, ...] = ()


def preferred_first(
    order: NDArray[np.intp], positions: NDArray[np.intp], preferred: Collection[int]
) -> NDArray[np.intp]:
    """An order of rows with those first whose positions are preferred."""
    return order[np.argsort(~np.isin(positions[order], list(preferred)), kind="stable")] if preferred else order


@runtime_checkable
class Suggester(Scorer, Protocol):
    """A scorer that gives probabilities and reasons."""

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        again: bool = False,
        preferred: Collection[int] = (),
        explained: int | None = None,
    ) -> Sequence[RankedCandidate]:
        """The best k candidates for a theorem, best first.

        Args:
            query: The theorem.
            k: How many.
            excluded: Positions that may not be suggested.
            cited: What the unfinished proof cites already.
            again: Whether these are suggested again.
            preferred: Positions that come before all others.
            explained: How many of the best get reasons, which are the slowest part; all if None.
        """
        ...


@runtime_checkable
class CacheableScorer(Scorer, Protocol):
    """A scorer whose prepared arrays can be saved; the fitted method that made it opens them again."""

    def save_arrays(self, folder: Path) -> None:
        """Write the arrays into an existing empty folder; candidates and proofs are stored elsewhere."""
        ...


@runtime_checkable
class CachingRanker(FittedRanker, Protocol):
    """A fitted method that can reuse prepared arrays. The hybrid ranker is one.

    Arrays are memory-mapped, so that opening is fast and processes share them. After an edit, indexing costs what
    the changed candidates cost.
    """

    def open_arrays(self, folder: Path, candidates: Sequence[Passage]) -> Scorer:
        """Open the arrays of a scorer of this method, for the same candidates that it was made of."""
        ...

    def reindex(self, candidates: Sequence[Passage], before: Scorer | Path) -> Scorer:
        """Index the candidates, reusing the work of an older scorer.

        Args:
            candidates: All candidates.
            before: An older scorer of this method, or the folder with its arrays. Texts that are still there are not
                prepared again. A scorer or folder that cannot be used is ignored.
        """
        ...


@dataclass(frozen=True, slots=True)
class TrainContext:
    """The context of a long training: a folder for checkpoints, a time limit, and a progress report."""

    folder: Path
    """For checkpoints; `resume` continues from those found here."""
    valid: RetrievalTask | None = None
    """For early stopping."""
    minutes: float | None = None
    resume: bool = False
    progress: Progress = silent
    made: Callable[[Ranker], FittedRanker | None] = lambda _ranker: None
    """Looks up an already trained model that a method starts from."""
    cluster: str = ""
    """The Ray cluster on which the hybrid's training queries are scored; this process if empty."""


def stage(context: TrainContext | None, number: int, stages: int) -> TrainContext | None:
    """The context of one of several stages, whose progress is a share of the whole."""
    if context is None:
        return None
    report = context.progress

    def share(done: float, total: float, message: str = "") -> None:
        report((number + done / total) / stages, 1, message)

    return replace(context, progress=share)


@contextmanager
def temporary_context(progress: Progress = silent) -> Iterator[TrainContext]:
    """A context whose checkpoints are deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="naturalproofs-") as folder:
        yield TrainContext(Path(folder) / "checkpoints", progress=progress)


def fit_in_context(
    context: TrainContext | None, method: Method[Bound_co], train: TrainSet, *, seed: int
) -> FittedMethod[Bound_co]:
    """Fit a method; one with long training uses the context, if there is one."""
    if context is None or not isinstance(method, Trainable):
        return method.fit(train, seed=seed)
    return method.train(train, seed=seed, context=context)


@runtime_checkable
class Trainable(Method[Any], Protocol):
    """A method with long training, which can report progress, be limited, interrupted and resumed."""

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedMethod[Any]:
        """Learn from the training split, stopping early by the context's validation task."""
        ...


@runtime_checkable
class SharedTraining(Protocol):
    """A ranker or generator whose training has a slow part that seeds and methods can share, and a quick part."""

    @property
    def table_settings(self) -> Any:
        """What the slow part, its method `training_table`, depends on beside the training split and the seed."""
        ...

    def fit_table(self, train: TrainSet, table: Any, *, seed: int) -> Any:
        """The quick part, from the training table: a fitted ranker or generator."""
        ...


@runtime_checkable
class Remembering(FittedRanker, Protocol):
    """A fitted method that can use other proofs than those it was trained on, such as those of the user's project."""

    def remember(self, proofs: Sequence[TrainingExample]) -> FittedRanker:
        """The same method with these proofs alone; each may vote or count for the queries that come after it."""
        ...


@runtime_checkable
class UsesShippedTrees(Protocol):
    """A method that may order candidates by the trees of the package, which were trained on certain corpora."""

    def uses_shipped_trees(self, proofs: int) -> bool:
        """Whether it does when it is fitted on so many proofs."""
        ...


@runtime_checkable
class Storable(FittedRanker, Protocol):
    """A fitted method that can be saved to a folder as text and arrays, never code."""

    def save(self, folder: Path) -> None:
        """Write the files of the model into an existing empty folder."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        ...

    def describe(self) -> str:
        """The method's paragraphs of a model card, in Markdown."""
        ...


def whole_text(passage: Passage, title_weight: int = 1) -> str:
    """Title and text of a passage as one text, the title repeated to make it weigh more."""
    return "\n".join([*([passage.title] * title_weight), passage.text])
