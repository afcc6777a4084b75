"""Chance: every candidate in a random order, a floor for everything else."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Scores
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Chance:
    """A random order for each query, the same for the same seed and theorem."""

    def fit(self, train: TrainSet, *, seed: int) -> "FittedChance":
        """Keep the seed; there is nothing to learn."""
        return FittedChance(seed)


@dataclass(frozen=True, slots=True)
class FittedChance:
    """Chance with its seed, and the number of candidates once bound."""

    seed: int
    size: int = 0

    def index(self, candidates: Sequence[Passage]) -> "FittedChance":
        """Count the candidates."""
        return FittedChance(self.seed, len(candidates))

    def score(self, queries: Sequence[Passage]) -> Scores:
        """A uniform number for every pair."""
        rows = []
        for query in queries:
            # A seed of the query's own: scores do not depend on which queries come together.
            state = int(sha256_bytes(f"{self.seed}/{query.id}".encode())[:16], 16)
            rows.append(np.random.default_rng(state).random(self.size, dtype=np.float32))
        return np.stack(rows) if rows else np.zeros((0, self.size), dtype=np.float32)
