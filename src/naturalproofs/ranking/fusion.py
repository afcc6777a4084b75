"""Fusion: several methods as one, by weighted scores or by reciprocal ranks (Cormack, Clarke and Büttcher 2009)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.errors import BadSettings
from naturalproofs.ranking.contract import FittedRanker, Scorer, Scores
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

RRF = 60.0


@dataclass(frozen=True, slots=True)
class Fusion:
    """The methods by their printed forms, their weights, and how they are combined: ``scores`` or ``ranks``."""

    parts: tuple[str, ...] = ("tfidf", "bm25", "neighbours")
    weights: tuple[float, ...] = (1.0, 1.0, 0.5)
    by: str = "scores"

    def __post_init__(self) -> None:
        """Check that the settings go together."""
        if self.by not in ("scores", "ranks") or len(self.parts) != len(self.weights) or not self.parts:
            raise BadSettings("fusion needs as many weights as parts, and by='scores' or by='ranks'")

    def fit(self, train: TrainSet, *, seed: int) -> "FittedFusion":
        """Fit every part."""
        return FittedFusion(self, tuple(parse_ranker(part).fit(train, seed=seed) for part in self.parts))


@dataclass(frozen=True, slots=True)
class FittedFusion:
    """The fitted parts."""

    settings: Fusion
    parts: tuple[FittedRanker, ...]

    def index(self, candidates: Sequence[Passage]) -> "FusionScorer":
        """Bind the candidates in every part."""
        return FusionScorer(self.settings, tuple(part.index(candidates) for part in self.parts))


@dataclass(frozen=True, slots=True)
class FusionScorer:
    """The scorers of the parts."""

    settings: Fusion
    parts: tuple[Scorer, ...]

    def score(self, queries: Sequence[Passage]) -> Scores:
        """The weighted sum of the parts' scores or reciprocal ranks."""
        join = _relative if self.settings.by == "scores" else _reciprocal
        found = [w * join(part.score(queries)) for w, part in zip(self.settings.weights, self.parts, strict=True)]
        total: Scores = np.sum(found, axis=0, dtype=np.float32)
        return total


def _relative(scores: Scores) -> Scores:
    """Scores as a share of the best one for the query."""
    best = scores.max(axis=1, keepdims=True, initial=0)
    relative: Scores = (scores / np.where(best > 0, best, 1)).astype(np.float32)
    return relative


def _reciprocal(scores: Scores) -> Scores:
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[None, :], axis=1)
    reciprocal: Scores = (RRF / (RRF + 1 + ranks)).astype(np.float32)
    return reciprocal
