"""Recency: the nearest preceding statements first. Only where the protocol shows the place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.contract import Scores
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Recency:
    """The score halves every `half` statements back; what stands later scores nothing."""

    half: float = 30.0

    def fit(self, train: TrainSet, *, seed: int) -> "Recency":
        """Nothing is learnt."""
        return self

    def index(self, candidates: Sequence[Passage]) -> "RecencyScorer":
        """Where the candidates stand."""
        return RecencyScorer(self.half, positions(candidates))


@dataclass(frozen=True, slots=True)
class RecencyScorer:
    """The candidates' places."""

    half: float
    places: NDArray[np.float32]

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Hyperbolic decay with distance: it never reaches zero, so that the order is total."""
        distance = positions(queries)[:, None] - self.places[None, :]
        earlier = distance > 0
        scores: Scores = np.where(earlier, self.half / (self.half + np.maximum(distance, 0)), 0).astype(np.float32)
        return scores


def positions(passages: Sequence[Passage]) -> NDArray[np.float32]:
    """Ranks in reading order."""
    found = [passage.place.position for passage in passages if passage.place is not None]
    if len(found) != len(passages):
        raise UnknownName("recency needs to know where statements stand; use the protocol 'accessible'")
    return np.array(found, dtype=np.float32)
