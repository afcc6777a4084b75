"""The pairwise model: theorem and reference are encoded apart and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.settings import TrainingSettings, one_of
from naturalproofs.ranking.neural.zero_shot import need_torch
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.checkpoints import TrainState
    from naturalproofs.ranking.neural.core import Core
    from naturalproofs.ranking.neural.two_towers import TwoTowers

LOSSES = ("masked", "set", "paper")


@dataclass(frozen=True, slots=True)
class Pairwise(TrainingSettings):
    """Two towers trained so that a theorem is near what its proof cites."""

    shared: bool = False
    """Whether theorems and references are read by the same layers."""
    temperature: float = 0.05
    loss: str = "set"
    """``masked``: each gold reference against all that are not gold; ``set``: the divergence from the set of gold
    references; ``paper``: every other reference of the batch is wrong, gold or not, as in the original."""
    against: str = "all"
    """What a gold reference is compared with: references of the ``batch``, or ``all`` (of which ``negatives`` are
    drawn), those that are not in the batch as they were at the beginning of the epoch."""
    references: int = 8
    """How many references of a theorem an epoch shows at most."""
    hard: int = 0
    """Hard negatives for each theorem."""
    hard_from: str = "bm25"
    """Where they come from: ``bm25`` or ``document``."""
    hard_depth: int = 30

    def fit(self, train: TrainSet, *, seed: int) -> FittedPairwise:
        """Train without validation."""
        from naturalproofs.ranking.contract import temporary_context

        with temporary_context() as context:
            return self.train(train, seed=seed, context=context)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedPairwise:
        """Train, stopping early on the context's validation task."""
        need_torch()
        one_of("loss", self.loss, LOSSES)
        one_of("against", self.against, ("batch", "all"))
        from naturalproofs.ranking.neural.pairwise_training import train_pairwise

        return train_pairwise(self, train, seed, context)


@dataclass(frozen=True, slots=True)
class FittedPairwise:
    """Two trained towers."""

    settings: Pairwise
    core: Core = field(repr=False)
    """The reader; its tower has become the theorem tower."""
    model: TwoTowers = field(repr=False)
    names: tuple[str, str]
    """Short names for what the vectors of theorems and of references depend on."""
    progress: TrainState | None = None

    def index(self, candidates: Sequence[Passage]) -> PairwiseScorer:
        """Encode the candidates."""
        return PairwiseScorer(self, self.embed_references(candidates))

    def embed_theorems(self, passages: Sequence[Passage]) -> Scores:
        """Vectors of passages as theorems."""
        from naturalproofs.ranking.neural.core import vectors

        return vectors(self.core.reader, self.model.theorem, passages, self.names[0])

    def embed_references(self, passages: Sequence[Passage]) -> Scores:
        """Vectors of passages as references."""
        from naturalproofs.ranking.neural.core import vectors

        return vectors(self.core.reader, self.model.reference, passages, self.names[1])

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser and settings."""
        from naturalproofs.ranking.neural.storage import save_parts

        save_parts(folder, self.settings, self.core, self.model.kept(), self.progress)

    @classmethod
    def load(cls, folder: Path) -> FittedPairwise:
        """Read what ``save`` wrote."""
        from naturalproofs.ranking.neural.pairwise_training import load_pairwise

        return load_pairwise(folder)

    def describe(self) -> str:
        """For the model card."""
        from naturalproofs.ranking.neural.storage import story

        towers = "one tower" if self.settings.shared else "a tower each"
        about = f"Pairwise model: {towers} for theorems and references, compared by cosine."
        return f"{about}\n\n{story(self.settings, self.progress)}"


@dataclass(frozen=True, slots=True)
class PairwiseScorer:
    """Candidates as vectors."""

    fitted: FittedPairwise
    candidates: Scores = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        scores: Scores = self.fitted.embed_theorems(queries) @ self.candidates.T
        return scores
