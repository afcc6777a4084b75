"""How many of the probable references to name: what an exact list, and each right name, are worth."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.generation.habits import Habits
from naturalproofs.records import StatementId

LONGEST = 12
"""Longer lists are never worth the risk."""
KNOWN = 60
"""Candidates that count as possible at all."""
START = 0.35
"""An F1 to begin from."""
ROUNDS = 8
"""Until prices and what they lead to agree; three or four are enough on Stacks."""
REPEATS = (1.3, 1.5, 1.75, 2.0, 3.0, float("inf"))


@dataclass(frozen=True, slots=True)
class Prices:
    """What is weighed against each other.

    F1 = 2 · right / (named + true) grows with a name whose probability is more than half of it: a name that is right is
    worth 2, and every name costs the F1 that is to be had. One exact list among n adds 1/n to the share of exact lists;
    since a right name adds 2 / (named + true) to F1, that is worth (named + true) / n.
    """

    exact: float
    """What a list that is exactly right is worth."""
    name: float
    """What a name costs."""

    @classmethod
    def learn(cls, lists: Sequence[Probable], truths: Sequence[Collection[StatementId]], exactness: float) -> Prices:
        """Those that follow from how it would have gone with them; no search, whose luck would be learnt too.

        Args:
            lists: What was probable for theorems that nothing was learnt from.
            truths: What their proofs cite.
            exactness: How much the share of exact lists counts beside F1.
        """
        prices = cls(exactness, START)
        for _ in range(ROUNDS):
            named = [set(one.named(prices)) for one in lists]
            right = sum(len(names & set(truth)) for names, truth in zip(named, truths, strict=True))
            both = sum(map(len, named)) + sum(len(set(truth)) for truth in truths)
            prices = cls(exactness * both / max(len(lists), 1), 2 * right / max(both, 1))
        return prices


@dataclass(frozen=True, slots=True)
class Probable:
    """Candidates of one theorem that are probable enough to count, best first."""

    names: tuple[StatementId, ...]
    probabilities: NDArray[np.float64] = field(repr=False)
    """Neither 0 nor 1."""

    @classmethod
    def of(cls, names: Sequence[StatementId], probabilities: NDArray[np.float32]) -> Probable:
        """The most probable of all candidates."""
        best = np.argsort(-probabilities, kind="stable")[:KNOWN]
        return cls(tuple(names[row] for row in best), probabilities[best].astype(np.float64))

    def named(self, prices: Prices) -> tuple[StatementId, ...]:
        """At least one, if there is one, and as many as bring most."""
        if not self.names:
            return ()
        likely = self.probabilities
        odds = np.cumsum(np.log(likely) - np.log1p(-likely))[:LONGEST]
        exact = np.exp(odds + np.log1p(-likely).sum())
        number = np.arange(1, len(odds) + 1)
        worth = prices.exact * exact + 2 * np.cumsum(likely)[:LONGEST] - prices.name * number
        return self.names[: int(np.argmax(worth)) + 1]


def repeats(named: Sequence[Sequence[StatementId]], truths: Sequence[Sequence[StatementId]], habits: Habits) -> float:
    """From how many citations in a proof on, by habit, naming a reference twice is more often right than wrong."""
    seen = [
        (habits.times(name), truth.count(name) > 1)
        for names, truth in zip(named, truths, strict=True)
        for name in names
    ]

    def gain(limit: float) -> int:
        return sum(1 if right else -1 for times, right in seen if times >= limit)

    return max(reversed(REPEATS), key=gain)
