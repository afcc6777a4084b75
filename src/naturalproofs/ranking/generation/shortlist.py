"""The best few candidates of a theorem, with what a decision about each can rest on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import Scorer
from naturalproofs.ranking.generation.habits import Habits
from naturalproofs.records import Passage

SIZE = 30
BLOCK = 256
"""Queries scored at a time."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Candidates of one theorem, best first, and their scores."""

    theorem: Passage
    candidates: tuple[Passage, ...]
    scores: Floats

    def features(self, habits: Habits, expected: float) -> Floats:
        """A row for each candidate: how it ranks, what it is, and how proofs use it.

        Args:
            habits: What training proofs do.
            expected: The expected logarithm of the number of references.
        """
        count, scores = len(self.candidates), self.scores
        if not count:
            return np.zeros((0, 16))
        best = scores[0]
        unit = abs(best) + 1e-9
        rows = [
            scores,
            scores / unit,
            (scores - np.append(scores[1:], scores[-1:])) / unit,
            np.arange(count),
            [np.log1p(habits.counts[c.id]) for c in self.candidates],
            [habits.place(c.id) for c in self.candidates],
            [habits.times(c.id) for c in self.candidates],
            [c.kind == "definition" for c in self.candidates],
            [c.kind == "other" for c in self.candidates],
            [c.id in self.theorem.cites for c in self.candidates],
            [np.log1p(len(c.text)) for c in self.candidates],
            np.full(count, best),
            np.full(count, scores[:5].mean() / unit),
            np.full(count, scores[:20].mean() / unit),
            np.full(count, np.log1p(len(self.theorem.text))),
            np.full(count, expected),
        ]
        return np.stack([np.asarray(row, dtype=np.float64) for row in rows], axis=1)


def shortlists(
    scorer: Scorer,
    candidates: Sequence[Passage],
    theorems: Sequence[Passage],
    excluded: Sequence[Collection[int]],
) -> list[Shortlist]:
    """The best candidates of each theorem."""
    found = []
    for first in range(0, len(theorems), BLOCK):
        block = theorems[first : first + BLOCK]
        scores = scorer.score(block).astype(np.float64)
        for row, theorem in enumerate(block):
            out = excluded[first + row] if excluded else ()
            if out:
                scores[row, np.fromiter(out, dtype=np.int64)] = -np.inf
            top = np.argsort(-scores[row], kind="stable")[:SIZE]
            top = top[np.isfinite(scores[row, top])]
            found.append(Shortlist(theorem, tuple(candidates[i] for i in top), scores[row, top]))
    return found
