"""In which order a proof cites what it cites: a learned comparison of two references at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import tanh

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.generation.habits import Habits
from naturalproofs.records import Passage, StatementId

FAR = 30
"""Statements apart beyond which distance says no more."""


@dataclass(frozen=True, slots=True)
class Order:
    """Weights of the comparison; the sum of its verdicts against all others orders a set."""

    weights: NDArray[np.float64]

    @classmethod
    def learn(
        cls, sequences: Sequence[Sequence[StatementId]], habits: Habits, passages: dict[StatementId, Passage]
    ) -> Order:
        """Logistic regression on every pair that stands in a known order.

        Args:
            sequences: Proofs that `habits` has not counted.
            habits: What other proofs do.
            passages: What is known of each reference.
        """
        from sklearn.linear_model import LogisticRegression

        rows: list[list[float]] = []
        for sequence in sequences:
            known = [r for r in dict.fromkeys(sequence) if r in passages]
            for rank, one in enumerate(known):
                rows.extend(_compare(passages[one], passages[other], habits) for other in known[rank + 1 :])
        if len(rows) < len(PRIOR.weights):
            return PRIOR
        seen = np.array(rows)
        # Each pair is shown both ways round, so that the verdict has no side it prefers.
        both, truth = np.concatenate([seen, -seen]), np.repeat([1, 0], len(seen))
        return cls(LogisticRegression(fit_intercept=False).fit(both, truth).coef_[0])

    def sort(self, chosen: Sequence[Passage], habits: Habits) -> list[StatementId]:
        """The references in the order a proof is most likely to cite them."""
        wins = [
            sum(float(self.weights @ _compare(one, other, habits)) for other in chosen if other is not one)
            for one in chosen
        ]
        return [chosen[index].id for index in np.argsort(-np.array(wins), kind="stable")]


def _compare(one: Passage, other: Passage, habits: Habits) -> list[float]:
    """What speaks for citing the one before the other; the negative the other way round."""
    apart = one.place.position - other.place.position if one.place and other.place else 0
    return [
        habits.place(other.id) - habits.place(one.id),
        habits.precedence(one.id, other.id),
        float(one.kind == "definition") - float(other.kind == "definition"),
        float(one.id in other.cites) - float(other.id in one.cites),
        tanh(apart / FAR),
    ]


PRIOR = Order(np.array([2.5, 2.5, 0.5, 0.5, 0.0]))
"""For corpora with too few proofs to learn from: the usual comes first, definitions early."""
