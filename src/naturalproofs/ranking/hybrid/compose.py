"""``compose``: a sequence of the references that are worth naming, by calibrated trees over the hybrid's features.

`retrieve` has only the scores of a ranking, whose scale differs from theorem to theorem; here every candidate has a
probability. The trees learn from the hybrid's training table. The utility is set on the held-out queries.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import Sequences, TrainContext, stage
from naturalproofs.ranking.decoding import Utility, best_length
from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.first_stage import PooledQuery
from naturalproofs.ranking.hybrid.ranker import FittedHybrid
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.ranking.hybrid.training import TableSettings, TrainingTable
from naturalproofs.ranking.hybrid.trees import Booster, Boosting, Calibration
from naturalproofs.ranking.sequences import (
    CitationStatistics,
    FittedRetrieve,
    LengthModel,
    Order,
    Retrieve,
    repeat_threshold,
)
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

BINARY = Boosting(trees=400, leaves=31, rate=0.05, order=False)
MEMBERS = (BINARY, BINARY, Boosting())
"""Two binary-objective boosters (two seeds) and one LambdaMART, averaged (docs/log/hybrid-5-sequences.md)."""
LENGTH_FEATURE = "length/expected"
FOLDS = 4
LONGEST = 12
"""The most references that are named."""
POSSIBLE = 60
"""The most probable candidates; all others count as impossible."""
FIRST_F1 = 0.35
"""The F1 that the iteration of `learn_utility` starts from."""
ROUNDS = 8
"""Iterations of `learn_utility`; three or four suffice on Stacks."""


@dataclass(frozen=True, slots=True)
class CitationProbability:
    """Boosters whose scores are averaged, and the calibration of the average."""

    members: tuple[Booster, ...] = field(repr=False)
    calibration: Calibration = field(repr=False)

    @classmethod
    def learn(cls, table: TrainingTable, seed: int, context: TrainContext | None = None) -> CitationProbability:
        """Train on the table and calibrate on its held-out queries."""
        members: list[Booster] = []
        for number, settings in enumerate(MEMBERS, start=1):
            members.append(Booster.of(table.pools, settings, seed + number - 1))
            if context is not None:
                context.progress(number, len(MEMBERS), f"trees, {number} of {len(MEMBERS)}")
        plain = cls(tuple(members), Calibration((), ()))
        return replace(plain, calibration=table.calibration([plain.scores(one.table) for one in table.held_out]))

    def scores(self, table: FeatureTable) -> Floats:
        """The mean of the members' scores."""
        found: Floats = np.mean([member.scores(table) for member in self.members], axis=0, dtype=np.float32)
        return found

    def __call__(self, table: FeatureTable) -> Floats:
        """Probabilities strictly between 0 and 1; scores break ties of the calibration."""
        scores = self.scores(table)
        return np.clip(self.calibration(scores) + np.float32(1e-6) * scores, 1e-6, 1 - 1e-3)


@dataclass(frozen=True, slots=True)
class ProbableReferences:
    """The most probable candidates of one theorem, best first."""

    names: tuple[StatementId, ...]
    probabilities: NDArray[np.float64] = field(repr=False)

    @classmethod
    def of(cls, names: Sequence[StatementId], probabilities: Floats) -> ProbableReferences:
        """The most probable of all candidates."""
        best = np.argsort(-probabilities, kind="stable")[:POSSIBLE]
        return cls(tuple(names[row] for row in best), probabilities[best].astype(np.float64))

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
        """Those of the hybrid whose training table it learns from."""
        return TableSettings(signals=self.signals, questions=self.questions)

    def fit_table(
        self, train: TrainSet, table: TrainingTable | None, *, seed: int, context: TrainContext | None = None
    ) -> FittedCompose | FittedRetrieve:
        """Learn from the table; without one, `retrieve`."""
        if table is None:
            return Retrieve(ranker="hybrid").train(train, seed=seed, context=context)
        fitted = FittedHybrid(train, None, table.association, self.table_settings.pool, table.signals, seed)
        expected = _cross_fitted_lengths(train.examples)
        table = replace(
            table,
            pools=[one.with_column(LENGTH_FEATURE, expected[one.example]) for one in table.pools],
            held_out=[one.with_column(LENGTH_FEATURE, expected[one.example]) for one in table.held_out],
        )
        probability = CitationProbability.learn(table, seed, stage(context, 1, 2))
        lists = [
            ProbableReferences.of([train.passages[at].id for at in one.candidates], probability(one.table))
            for one in table.held_out
        ]
        held_out = {one.example for one in table.held_out}
        others = CitationStatistics.of(e.references for row, e in enumerate(train.examples) if row not in held_out)
        truths = [train.examples[row].references for row in (one.example for one in table.held_out)]
        utility = learn_utility(lists, [set(truth) for truth in truths], self.exactness)
        return FittedCompose(
            fitted,
            probability,
            LengthModel.learn(train.examples),
            utility,
            CitationStatistics.of(example.references for example in train.examples),
            Order.learn(truths, others, {passage.id: passage for passage in train.passages}),
            repeat_threshold([one.named(utility) for one in lists], truths, others),
        )


@dataclass(frozen=True, slots=True)
class FittedCompose:
    """The trained models."""

    hybrid: FittedHybrid = field(repr=False)
    """Without trees: only its features are used."""
    probability: CitationProbability = field(repr=False)
    lengths: LengthModel = field(repr=False)
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
        expected = self.fitted.lengths.predict(queries)
        return [
            self._sequence(pooled, _with_length(table, float(length)))
            for (pooled, table), length in zip(self.scorer.each(queries, excluded), expected, strict=True)
        ]

    def _sequence(self, pooled: PooledQuery, table: FeatureTable) -> tuple[StatementId, ...]:
        fitted, candidates = self.fitted, self.scorer.bound.candidates
        names = [candidates.passages[position].id for position in pooled.pool]
        found = ProbableReferences.of(names, fitted.probability(table))
        chosen = [candidates.passages[candidates.column[name]] for name in found.named(fitted.utility)]
        ordered = fitted.order.sort(chosen, fitted.statistics)
        return (*ordered, *(name for name in ordered if fitted.statistics.repeats(name) >= fitted.repeats_from))


def _cross_fitted_lengths(examples: Sequence[TrainingExample]) -> Floats:
    """For every training proof its expected length, by a model trained on proofs of other theorems."""
    found = np.zeros(len(examples), dtype=np.float32)
    theorems = {example.theorem.id: number for number, example in enumerate(examples)}
    fold = np.array([theorems[example.theorem.id] % FOLDS for example in examples])
    for number in range(FOLDS):
        inside, outside = np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()
        model = LengthModel.learn([examples[row] for row in inside])
        found[outside] = model.predict([examples[row].theorem for row in outside])
    return found


def _with_length(table: FeatureTable, expected: float) -> FeatureTable:
    column = np.full(len(table.values), expected, dtype=np.float32)
    return FeatureTable((*table.names, LENGTH_FEATURE), np.column_stack([table.values, column]))
