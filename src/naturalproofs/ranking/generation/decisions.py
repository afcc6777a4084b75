"""Learned decisions: which of a shortlist a proof cites, how many of them, how often each, and in what order.

Everything is learned from theorems of the training split whose proofs the ranker has not seen, so that scores are as
uncertain as they will be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.evaluation.generation_measures import edit_distance
from naturalproofs.ranking.generation.habits import Habits
from naturalproofs.ranking.generation.lengths import LengthGuess
from naturalproofs.ranking.generation.order import PRIOR, Order
from naturalproofs.ranking.generation.shortlist import Floats, Shortlist
from naturalproofs.ranking.generation.worth import repeats
from naturalproofs.records import Passage, StatementId

LONGEST = 10
"""Longer sequences are never worth the risk."""
FOLDS = 5
BALANCES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0)
PRICE = 0.2
"""What naming a reference must at least bring: about the F1 to be had, since F1 = 2 TP / (named + true)."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """The models of the decisions; without them, the two best are named."""

    habits: Habits
    lengths: LengthGuess | None = None
    inclusion: Any = None
    similarity: Any = None
    balance: float = 0.0
    """How much naming what is likely counts beside getting the sequence exactly right."""
    repeats_from: float = float("inf")
    """Cite again what training proofs cite at least so many times on average."""
    order: Order = PRIOR

    @classmethod
    def learn(
        cls,
        lists: Sequence[Shortlist],
        truths: Sequence[tuple[StatementId, ...]],
        habits: Habits,
        lengths: LengthGuess,
        *,
        passages: dict[StatementId, Passage],
        length_ratio: float,
        seed: int,
    ) -> Decisions:
        """Learn from shortlists of held-out theorems and what their proofs really cite.

        Args:
            lists: Shortlists of theorems that neither the ranker nor `habits` nor `lengths` has learned from.
            truths: Their true sequences.
            habits: How the other training proofs use references.
            lengths: How many references the other training proofs have.
            passages: What is known of each reference, for the order.
            length_ratio: How long sequences are to be on average, the true length being 1.
            seed: For the boosting.
        """
        expected = lengths.predict([item.theorem for item in lists])
        rows = [item.features(habits, guess) for item, guess in zip(lists, expected, strict=True)]
        cited = [np.array([c.id in truth for c in item.candidates]) for item, truth in zip(lists, truths, strict=True)]
        likely = _cross_fitted(rows, cited, seed)
        inclusion = _inclusion(seed).fit(np.concatenate(rows), np.concatenate(cited))
        order = Order.learn(truths, habits, passages)
        draft = cls(habits, lengths, inclusion, None, 0.0, float("inf"), order)
        options, worth = [], []
        for item, truth, probable, guess in zip(lists, truths, likely, expected, strict=True):
            options.append(_options(probable, guess))
            ranked = np.argsort(-probable, kind="stable")
            for n in range(1, len(options[-1]) + 1):
                sequence = draft.arranged(item, ranked[:n])
                worth.append(1 - min(1.0, edit_distance(sequence, truth) / len(truth)))
        similarity = _similarity(seed).fit(np.concatenate(options), np.array(worth))
        draft = replace(draft, similarity=similarity)
        worths = _split(similarity.predict(np.concatenate(options)), options)
        draft = replace(draft, balance=_balance(likely, worths, truths, length_ratio))
        return replace(draft, repeats_from=draft._repeats(lists, likely, worths, truths))

    def informed(self, habits: Habits, lengths: LengthGuess) -> Decisions:
        """The same decisions, resting on all of training."""
        return replace(self, habits=habits, lengths=lengths)

    def decide(self, lists: Sequence[Shortlist]) -> list[tuple[StatementId, ...]]:
        """The sequence of each theorem."""
        if self.inclusion is None or self.lengths is None or not any(item.candidates for item in lists):
            return [self.arranged(item, np.arange(min(2, len(item.candidates)))) for item in lists]
        expected = self.lengths.predict([item.theorem for item in lists])
        rows = [item.features(self.habits, guess) for item, guess in zip(lists, expected, strict=True)]
        # One call for all theorems: a model's overhead is larger than its work on one.
        likely = _split(self.inclusion.predict_proba(np.concatenate(rows))[:, 1], rows)
        options = [_options(probable, guess) for probable, guess in zip(likely, expected, strict=True)]
        worths = _split(self.similarity.predict(np.concatenate(options)), options)
        return [
            self.arranged(item, _best(probable)[: _number(probable, worth, self.balance)])
            for item, probable, worth in zip(lists, likely, worths, strict=True)
        ]

    def arranged(self, item: Shortlist, chosen: Iterable[int]) -> tuple[StatementId, ...]:
        """The chosen candidates in order, those repeated that are usually repeated."""
        ordered = self.order.sort([item.candidates[i] for i in chosen], self.habits)
        again = [r for r in ordered if self.habits.times(r) >= self.repeats_from]
        return (*ordered, *again)

    def _repeats(
        self,
        lists: Sequence[Shortlist],
        likely: list[Floats],
        worths: list[Floats],
        truths: Sequence[tuple[StatementId, ...]],
    ) -> float:
        """From which habit on a repeat is more often right than wrong."""
        named = [
            [item.candidates[pick].id for pick in _best(probable)[: _number(probable, worth, self.balance)]]
            for item, probable, worth in zip(lists, likely, worths, strict=True)
        ]
        return repeats(named, truths, self.habits)


def _best(probable: Floats) -> NDArray[np.intp]:
    """Positions, the most probable first."""
    return np.argsort(-probable, kind="stable")


def _number(probable: Floats, worth: Floats, balance: float) -> int:
    """How many to name: what the similarity to the truth, and the number of right names, are worth together."""
    if not len(worth):
        return 0
    sure = np.cumsum(np.sort(probable)[::-1])[: len(worth)]
    names = 2 * sure - PRICE * np.arange(1, len(worth) + 1)
    return int(np.argmax(worth + balance * names)) + 1


def _balance(
    likely: list[Floats], worths: list[Floats], truths: Sequence[tuple[StatementId, ...]], target: float
) -> float:
    """The balance at which sequences come nearest to the wanted length."""

    def miss(balance: float) -> float:
        ratios = [
            _number(probable, worth, balance) / len(truth)
            for probable, worth, truth in zip(likely, worths, truths, strict=True)
        ]
        return abs(float(np.mean(ratios)) - target)

    return min(BALANCES, key=miss)


def _split(values: Floats, like: Sequence[Floats]) -> list[Floats]:
    """Values of all theorems, a piece for each."""
    return list(np.split(values, np.cumsum([len(rows) for rows in like])[:-1]))


def _options(probable: Floats, expected: float) -> Floats:
    """A row for each number of names that could be given."""
    ranked = np.sort(probable)[::-1]
    padded = np.append(ranked, np.zeros(LONGEST + 2))
    number = min(LONGEST, len(ranked))
    rows = [
        [n, expected, *padded[:8], padded[:n].sum(), padded[n - 1], padded[n], ranked.sum()]
        for n in range(1, number + 1)
    ]
    return np.array(rows).reshape(number, 14)


def _cross_fitted(rows: list[Floats], cited: list[Any], seed: int) -> list[Floats]:
    """Probabilities of inclusion, each from a model that has not seen the theorem."""
    found: list[Floats] = [np.zeros(len(row)) for row in rows]
    for fold in range(FOLDS):
        inside = [i for i in range(len(rows)) if i % FOLDS != fold]
        outside = [i for i in range(fold, len(rows), FOLDS) if len(rows[i])]
        model = _inclusion(seed).fit(
            np.concatenate([rows[i] for i in inside]), np.concatenate([cited[i] for i in inside])
        )
        if outside:
            probable = model.predict_proba(np.concatenate([rows[i] for i in outside]))[:, 1]
            for i, piece in zip(outside, _split(probable, [rows[i] for i in outside]), strict=True):
                found[i] = piece
    return found


def _inclusion(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=120, learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=40, l2_regularization=5, random_state=seed
    )


def _similarity(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        max_iter=80, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=100, l2_regularization=10, random_state=seed
    )
