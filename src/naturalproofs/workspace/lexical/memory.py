"""What proofs have cited: the memory that votes for what a similar theorem's proof may cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import TrainingExample
from naturalproofs.workspace.lexical.forward import Forward, Integers
from naturalproofs.workspace.lexical.postings import Postings, Weights, cosine


@dataclass(frozen=True, slots=True)
class Memory:
    """Proofs by their theorems, and the statements each cites."""

    theorems: Integers
    """By proof: the position of its theorem among the candidates."""
    starts: Integers
    cited: Integers
    """Positions of the cited candidates, each once a proof."""
    postings: Postings
    """The theorems' words."""

    @classmethod
    def of(cls, forward: Forward, positions: Mapping[StatementId, int], examples: Sequence[TrainingExample]) -> Memory:
        """Remember proofs."""
        kept = [one for one in examples if one.theorem.id in positions]
        theorems = np.array([positions[one.theorem.id] for one in kept], dtype=np.int32)
        rows = [[positions[key] for key in dict.fromkeys(one.references) if key in positions] for one in kept]
        starts = np.cumsum([0, *map(len, rows)], dtype=np.int32)
        cited = np.array([position for row in rows for position in row], dtype=np.int32)
        return cls(theorems, starts, cited, cosine(forward, theorems))

    def similarity(self, terms: Integers, counts: Integers, own: int | None) -> Weights:
        """How similar each proof's theorem is; a theorem never speaks for itself."""
        found = self.postings.scores(terms, self.postings.cosine_weights(terms, counts))
        if own is not None:
            found[self.theorems == own] = 0
        return found

    def weights(self, similarity: Weights, k: int, power: float) -> Weights:
        """How much each proof's vote counts: the nearest ones, steeply by distance."""
        if not len(similarity):
            return similarity
        smallest = np.partition(similarity, -min(k, len(similarity)))[-min(k, len(similarity))]
        found: Weights = np.where((similarity >= smallest) & (similarity > 0), similarity**power, 0).astype(np.float32)
        return found

    def votes(self, weights: Weights, size: int) -> Weights:
        """The votes for every candidate."""
        each = np.repeat(weights, np.diff(self.starts))
        return np.bincount(self.cited, weights=each, minlength=size).astype(np.float32)

    def citing(self, candidate: int) -> Integers:
        """The proofs that cite a candidate."""
        entries = np.flatnonzero(self.cited == candidate)
        return (np.searchsorted(self.starts, entries, side="right") - 1).astype(np.int32)
