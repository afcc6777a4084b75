"""A pretrained encoder as it is: theorem and reference are near when their vectors are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from naturalproofs.errors import MissingExtra
from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.settings import EncoderSettings
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.core import Core


@dataclass(frozen=True, slots=True)
class ZeroShot(EncoderSettings):
    """Settings of the encoder; nothing is trained."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedZeroShot:
        """Load the encoder; only ``tiny`` takes its vocabulary from the texts."""
        need_torch()
        from naturalproofs.ranking.neural.core import new_core, tower_name

        core = new_core(self, train.passages, seed=seed)
        return FittedZeroShot(core, tower_name(core.reader, core.tower))


@dataclass(frozen=True, slots=True)
class FittedZeroShot:
    """A loaded encoder."""

    core: Core = field(repr=False)
    name: str

    def index(self, candidates: Sequence[Passage]) -> ZeroShotScorer:
        """Encode the candidates."""
        return ZeroShotScorer(self, self.embed(candidates))

    def embed(self, passages: Sequence[Passage]) -> Scores:
        """One vector of length one a passage."""
        from naturalproofs.ranking.neural.core import vectors

        return vectors(self.core.reader, self.core.tower, passages, self.name)


@dataclass(frozen=True, slots=True)
class ZeroShotScorer:
    """Candidates as vectors."""

    fitted: FittedZeroShot
    candidates: Scores = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        scores: Scores = self.fitted.embed(queries) @ self.candidates.T
        return scores


def need_torch() -> None:
    """Say which extra is missing, before anything is imported."""
    if any(find_spec(name) is None for name in ("torch", "tokenizers", "safetensors")):
        raise MissingExtra("a neural method", "neural")
