"""Frequency: what training proofs cite most, whatever the theorem says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.contract import Scores
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Frequency:
    """Rank by the number of training proofs that cite a statement."""

    def fit(self, train: TrainSet, *, seed: int) -> "FittedFrequency":
        """Count citations, each proof once."""
        return FittedFrequency(Counter(key for example in train.examples for key in set(example.references)))


@dataclass(frozen=True, slots=True)
class FittedFrequency:
    """The counts."""

    counts: Mapping[StatementId, int]

    def index(self, candidates: Sequence[Passage]) -> "FrequencyScorer":
        """One score for each candidate."""
        return FrequencyScorer(np.array([self.counts.get(c.id, 0) for c in candidates], dtype=np.float32))


@dataclass(frozen=True, slots=True)
class FrequencyScorer:
    """The same scores for every query."""

    scores: Scores

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Repeat the scores."""
        return np.tile(self.scores, (len(queries), 1))
