"""How training proofs use each reference: how often, where in the sequence, how many times, and before which others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from naturalproofs.records import StatementId

MIDDLE = 0.5
PRIOR_PLACE = 4
"""A reference seen once or twice is taken to stand near the middle."""
PRIOR_ONCE = 3
"""A reference seen once or twice is taken to be cited once."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Counts over training proofs."""

    counts: Counter[StatementId]
    """In how many proofs."""
    places: dict[StatementId, float]
    """Sums of relative places, from 0 (first) to 1 (last)."""
    uses: Counter[StatementId]
    """How many times in all."""
    before: Counter[tuple[StatementId, StatementId]]
    """In how many proofs the one comes before the other."""

    @classmethod
    def of(cls, sequences: Iterable[Sequence[StatementId]]) -> Habits:
        """Count."""
        counts: Counter[StatementId] = Counter()
        uses: Counter[StatementId] = Counter()
        before: Counter[tuple[StatementId, StatementId]] = Counter()
        places: dict[StatementId, float] = {}
        for sequence in sequences:
            distinct = list(dict.fromkeys(sequence))
            counts.update(distinct)
            uses.update(sequence)
            for rank, reference in enumerate(distinct):
                places[reference] = places.get(reference, 0.0) + (rank + MIDDLE) / len(distinct)
                before.update((reference, later) for later in distinct[rank + 1 :])
        return cls(counts, places, uses, before)

    def place(self, reference: StatementId) -> float:
        """Where in a proof it usually comes, drawn to the middle where little is known."""
        return (self.places.get(reference, 0.0) + MIDDLE * PRIOR_PLACE) / (self.counts[reference] + PRIOR_PLACE)

    def times(self, reference: StatementId) -> float:
        """How many times a proof that cites it does so, drawn to once where little is known."""
        return (self.uses[reference] + PRIOR_ONCE) / (self.counts[reference] + PRIOR_ONCE)

    def precedence(self, one: StatementId, other: StatementId) -> float:
        """From -1, always after the other, to 1, always before it; 0 where nothing is known."""
        first, second = self.before[one, other], self.before[other, one]
        return (first - second) / (first + second + 1)
