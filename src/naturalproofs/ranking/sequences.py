"""Models of citation sequences, learned from training proofs: order, repeats and length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.lexical import TfIdf
from naturalproofs.ranking.term_vectors import Vocabulary
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample

REPEATS = (1.3, 1.5, 1.75, 2.0, 3.0, float("inf"))
MIDDLE = 0.5
PRIOR_PLACE = 4
"""The weight of the prior that a reference stands in the middle."""
PRIOR_ONCE = 3
"""The weight of the prior that a reference is cited once."""
FAR = 30
"""The distance at which its influence saturates."""


@dataclass(frozen=True, slots=True)
class CitationStatistics:
    """Counts over training proofs."""

    counts: Counter[StatementId]
    """In how many proofs."""
    places: dict[StatementId, float]
    """Sums of relative positions, from 0 (first) to 1 (last)."""
    uses: Counter[StatementId]
    """How many times in all."""
    before: Counter[tuple[StatementId, StatementId]]
    """In how many proofs the one comes before the other."""

    @classmethod
    def of(cls, sequences: Iterable[Sequence[StatementId]]) -> CitationStatistics:
        """Count over proofs."""
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
        """The mean relative position in a proof, shrunk to the middle where little is known."""
        return (self.places.get(reference, 0.0) + MIDDLE * PRIOR_PLACE) / (self.counts[reference] + PRIOR_PLACE)

    def repeats(self, reference: StatementId) -> float:
        """The mean number of citations in a proof that cites it, shrunk to one where little is known."""
        return (self.uses[reference] + PRIOR_ONCE) / (self.counts[reference] + PRIOR_ONCE)

    def precedence(self, one: StatementId, other: StatementId) -> float:
        """From -1, always after the other, to 1, always before it; 0 where nothing is known."""
        first, second = self.before[one, other], self.before[other, one]
        return (first - second) / (first + second + 1)


def repeat_threshold(
    named: Sequence[Sequence[StatementId]], truths: Sequence[Sequence[StatementId]], statistics: CitationStatistics
) -> float:
    """The mean number of citations in a proof from which naming a reference twice is more often right than wrong."""
    seen = [
        (statistics.repeats(name), truth.count(name) > 1)
        for names, truth in zip(named, truths, strict=True)
        for name in names
    ]

    def gain(limit: float) -> int:
        return sum(1 if right else -1 for count, right in seen if count >= limit)

    return max(reversed(REPEATS), key=gain)


@dataclass(frozen=True, slots=True)
class LengthModel:
    """Ridge regression of the logarithm of the length on the theorem's weighted terms."""

    vocabulary: Vocabulary
    regression: Any

    @classmethod
    def learn(cls, examples: Sequence[TrainingExample]) -> LengthModel:
        """Fit on training proofs."""
        from sklearn.linear_model import Ridge

        theorems = TfIdf().index([example.theorem for example in examples])
        lengths = np.log([max(1, len(example.references)) for example in examples])
        return cls(theorems.vocabulary, Ridge(alpha=1.0).fit(theorems.by_term.T.tocsr(), lengths))

    def predict(self, theorems: Sequence[Passage]) -> NDArray[np.float64]:
        """The expected logarithm of the number of references."""
        if not theorems:
            return np.zeros(0)
        rows = TfIdf().query_rows(theorems, self.vocabulary)
        lengths: NDArray[np.float64] = self.regression.predict(rows).astype(np.float64)
        return lengths


@dataclass(frozen=True, slots=True)
class Order:
    """Weights of the comparison; a set is ordered by the sum of comparisons with all others."""

    weights: NDArray[np.float64]

    @classmethod
    def learn(
        cls,
        sequences: Sequence[Sequence[StatementId]],
        statistics: CitationStatistics,
        passages: dict[StatementId, Passage],
    ) -> Order:
        """Logistic regression on every pair that stands in a known order.

        Args:
            sequences: Proofs that are not in `statistics`.
            statistics: Of other proofs.
            passages: What is known of each reference.
        """
        from sklearn.linear_model import LogisticRegression

        rows: list[list[float]] = []
        for sequence in sequences:
            known = [r for r in dict.fromkeys(sequence) if r in passages]
            for rank, one in enumerate(known):
                rows.extend(_compare(passages[one], passages[other], statistics) for other in known[rank + 1 :])
        if len(rows) < len(PRIOR.weights):
            return PRIOR
        seen = np.array(rows)
        # Each pair is shown in both directions, so that the comparison is antisymmetric.
        both, truth = np.concatenate([seen, -seen]), np.repeat([1, 0], len(seen))
        return cls(LogisticRegression(fit_intercept=False).fit(both, truth).coef_[0])

    def sort(self, chosen: Sequence[Passage], statistics: CitationStatistics) -> list[StatementId]:
        """The references in the order a proof is most likely to cite them."""
        wins = [
            sum(float(self.weights @ _compare(one, other, statistics)) for other in chosen if other is not one)
            for one in chosen
        ]
        return [chosen[index].id for index in np.argsort(-np.array(wins), kind="stable")]


def _compare(one: Passage, other: Passage, statistics: CitationStatistics) -> list[float]:
    """Evidence for citing the one before the other; antisymmetric."""
    apart = one.place.position - other.place.position if one.place and other.place else 0
    return [
        statistics.place(other.id) - statistics.place(one.id),
        statistics.precedence(one.id, other.id),
        float(one.kind == "definition") - float(other.kind == "definition"),
        float(one.id in other.cites) - float(other.id in one.cites),
        tanh(apart / FAR),
    ]


PRIOR = Order(np.array([2.5, 2.5, 0.5, 0.5, 0.0]))
"""For corpora with too few proofs to learn from."""
