"""``compose``: a sequence of the references that are worth naming, by the probabilities of the hybrid ranker.

`retrieve` has only the scores of a ranking, whose scale differs from theorem to theorem; here every candidate has a
probability. The utility is set on the queries that the hybrid's trees are calibrated on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import Sequences, TrainContext, stage
from naturalproofs.ranking.decoding import Utility, best_length
from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.first_stage import PooledQuery
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.ranking.hybrid.training import TableSettings, TrainingTable
from naturalproofs.ranking.sequences import (
    CitationStatistics,
    FittedRetrieve,
    Order,
    Retrieve,
    repeat_threshold,
)
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

LONGEST = 12
"""The most references that are named."""
POSSIBLE = 60
"""The most probable candidates; all others count as impossible."""
FIRST_F1 = 0.35
"""The F1 that the iteration of `learn_utility` starts from."""
ROUNDS = 8
"""Iterations of `learn_utility`; three or four suffice on Stacks."""


@dataclass(frozen=True, slots=True)
class ProbableReferences:
    """The most probable candidates of one theorem, best first."""

    names: tuple[StatementId, ...]
    probabilities: NDArray[np.float64] = field(repr=False)

    @classmethod
    def of(cls, names: Sequence[StatementId], scores: Floats, probabilities: Floats) -> ProbableReferences:
        """The most probable of all candidates; scores break ties, and no probability is 0 or 1."""
        best = np.argsort(-scores, kind="stable")[:POSSIBLE]
        return cls(tuple(names[row] for row in best), np.clip(probabilities[best], 1e-6, 1 - 1e-3, dtype=np.float64))

    def named(self, utility: Utility) -> tuple[StatementId, ...]:
        """Those worth naming; at least one, if there is one."""
        return self.names[: best_length(self.probabilities, utility, longest=LONGEST)]


def learn_utility(
    lists: Sequence[ProbableReferences], truths: Sequence[Collection[StatementId]], exactness: float
) -> Utility:
    """The utility that is consistent with its own results: a fixed point, not a search, which would overfit.

    A name costs the F1 that is reached. One exact list among n adds 1/n to the share of exact lists; since a right name
    adds 2 / (named + true) to F1, that is worth (named + true) / n.

    Args:
        lists: Of theorems that nothing was trained on.
        truths: What their proofs cite.
        exactness: How much the share of exact lists counts beside F1.
    """
    utility = Utility(right=2, name=FIRST_F1, exact=exactness)
    for _ in range(ROUNDS):
        named = [set(one.named(utility)) for one in lists]
        right = sum(len(names & set(truth)) for names, truth in zip(named, truths, strict=True))
        both = sum(map(len, named)) + sum(len(set(truth)) for truth in truths)
        utility = Utility(right=2, name=2 * right / max(both, 1), exact=exactness * both / max(len(lists), 1))
    return utility


@dataclass(frozen=True, slots=True)
class Compose:
    """A generator on the hybrid's features; with too few proofs it is `retrieve`."""

    signals: tuple[str, ...] = ()
    """Other methods among the hybrid's signals, by their printed forms."""
    exactness: float = 1.5
    """How much the share of exactly right lists counts beside F1."""
    questions: int = 3500
    """Training proofs that are queries."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedCompose | FittedRetrieve:
        """Learn probabilities and utility from the hybrid's training table."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedCompose | FittedRetrieve:
        """Learn, with progress."""
        table = self.table_settings.training_table(train, seed=seed, context=stage(context, 0, 2))
        return self.fit_table(train, table, seed=seed, context=context)

    @property
    def table_settings(self) -> TableSettings:
        """Those of the hybrid."""
        return self.ranker.table_settings

    @property
    def ranker(self) -> Hybrid:
        """The hybrid that it follows."""
        return Hybrid(signals=self.signals, questions=self.questions)

    def fit_table(
        self, train: TrainSet, table: TrainingTable | None, *, seed: int, context: TrainContext | None = None
    ) -> FittedCompose | FittedRetrieve:
        """Learn from the table; without one, `retrieve`."""
        if table is None:
            return Retrieve(ranker="hybrid").train(train, seed=seed, context=context)
        fitted = self.ranker.fit_table(train, table, seed=seed, context=stage(context, 1, 2))
        chance = fitted.boosters.placed.calibration
        lists = [
            ProbableReferences.of([train.passages[at].id for at in one.candidates], scores, chance(scores))
            for one, scores in zip(table.held_out, table.judged(fitted.boosters), strict=True)
        ]
        held_out = {one.example for one in table.held_out}
        others = CitationStatistics.of(e.references for row, e in enumerate(train.examples) if row not in held_out)
        truths = [train.examples[one.example].references for one in table.held_out]
        utility = learn_utility(lists, [set(truth) for truth in truths], self.exactness)
        return FittedCompose(
            fitted,
            utility,
            CitationStatistics.of(example.references for example in train.examples),
            Order.learn(truths, others, {passage.id: passage for passage in train.passages}),
            repeat_threshold([one.named(utility) for one in lists], truths, others),
        )


@dataclass(frozen=True, slots=True)
class FittedCompose:
    """The trained models."""

    hybrid: FittedHybrid = field(repr=False)
    utility: Utility
    statistics: CitationStatistics = field(repr=False)
    order: Order
    repeats_from: float

    def index(self, candidates: Sequence[Passage]) -> ComposeGenerator:
        """Bind the candidates."""
        return ComposeGenerator(self, self.hybrid.index(candidates))


@dataclass(frozen=True, slots=True)
class ComposeGenerator:
    """The models bound to candidates."""

    fitted: FittedCompose
    scorer: HybridScorer = field(repr=False)

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query."""
        return [self._sequence(pooled, table) for pooled, table in self.scorer.each(queries, excluded)]

    def _sequence(self, pooled: PooledQuery, table: FeatureTable) -> tuple[StatementId, ...]:
        fitted, candidates = self.fitted, self.scorer.bound.candidates
        scores = self.scorer.judge(pooled, table).scores
        names = [candidates.passages[position].id for position in pooled.pool]
        found = ProbableReferences.of(names, scores, self.scorer.probabilities(pooled, table, scores))
        chosen = [candidates.passages[candidates.column[name]] for name in found.named(fitted.utility)]
        ordered = fitted.order.sort(chosen, fitted.statistics)
        return (*ordered, *(name for name in ordered if fitted.statistics.repeats(name) >= fitted.repeats_from))
