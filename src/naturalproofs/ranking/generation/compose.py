"""``compose``: the references that are worth naming, by trees over the hybrid ranker's features.

Where `retrieve` must make do with the scores of a ranking, whose scale differs from theorem to theorem, this asks of
every candidate how probable it is. The trees learn from the hybrid's own training questions, answered without their
proofs; how many to name is decided on those of them that the trees have not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import Sequences, TrainContext, stage
from naturalproofs.ranking.generation.belief import Belief
from naturalproofs.ranking.generation.habits import Habits
from naturalproofs.ranking.generation.lengths import LengthGuess
from naturalproofs.ranking.generation.order import Order
from naturalproofs.ranking.generation.retrieve import FittedRetrieve, Retrieve
from naturalproofs.ranking.generation.worth import Prices, Probable, repeats
from naturalproofs.ranking.hybrid.desk import Question
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.hybrid.fitted import FittedHybrid, HybridScorer
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.hybrid.signals import whole
from naturalproofs.ranking.hybrid.training import Lessons
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

EXPECTED = "length/expected"
PARTS = 4

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Compose:
    """A generator on the hybrid ranker's features; with too few proofs it is `retrieve`."""

    signals: tuple[str, ...] = ()
    """Other methods among the hybrid's signals, by their printed forms."""
    exactness: float = 1.5
    """How much the share of lists that are exactly right counts beside F1."""
    questions: int = 3500
    """Training proofs that are asked."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedCompose | FittedRetrieve:
        """Ask training questions, learn what is probable, and what is worth naming."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedCompose | FittedRetrieve:
        """Learn, telling how far it has come."""
        hybrid = Hybrid(signals=self.signals, questions=self.questions)
        lessons = hybrid.training_table(train, seed=seed, context=stage(context, 0, 3))
        if lessons is None:
            return Retrieve(ranker="hybrid").train(train, seed=seed, context=context)
        here = stage(context, 1, 3)
        signals = tuple((spec, whole(spec, train, seed, here)) for spec in self.signals)
        asked = FittedHybrid(train, None, lessons.associated, hybrid.pool, hybrid.unread, signals, seed)
        lengths = _cross_fitted(train.examples)
        lessons = _with_lengths(lessons, lengths)
        belief = Belief.learn(lessons, seed, stage(context, 2, 3))
        lists = _held_out(lessons, belief, train)
        habits = Habits.of(example.references for example in train.examples)
        passages = {passage.id: passage for passage in train.passages}
        unseen = set(lessons.held_out.examples)
        others = Habits.of(example.references for row, example in enumerate(train.examples) if row not in unseen)
        truths = [train.examples[row].references for row in lessons.held_out.examples]
        prices = Prices.learn(lists, [set(truth) for truth in truths], self.exactness)
        order = Order.learn(truths, others, passages)
        limit = repeats([one.named(prices) for one in lists], truths, others)
        return FittedCompose(asked, belief, LengthGuess.learn(train.examples), prices, habits, order, limit)


@dataclass(frozen=True, slots=True)
class FittedCompose:
    """What was learnt."""

    hybrid: FittedHybrid = field(repr=False)
    """Without trees of its own: only its features are asked for."""
    belief: Belief = field(repr=False)
    lengths: LengthGuess = field(repr=False)
    prices: Prices
    habits: Habits = field(repr=False)
    order: Order
    repeats_from: float

    def index(self, candidates: Sequence[Passage]) -> ComposeGenerator:
        """Bind the candidates."""
        return ComposeGenerator(self, self.hybrid.index(candidates))


@dataclass(frozen=True, slots=True)
class ComposeGenerator:
    """Ready to be asked."""

    fitted: FittedCompose
    scorer: HybridScorer = field(repr=False)

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query."""
        expected = self.fitted.lengths.predict(queries)
        return [
            self._sequence(question, _with_length(table, float(length)))
            for (question, table), length in zip(self.scorer.each(queries, excluded), expected, strict=True)
        ]

    def _sequence(self, question: Question, table: Table) -> tuple[StatementId, ...]:
        fitted, candidates = self.fitted, self.scorer.desk.library.candidates
        names = [candidates[position].id for position in question.pool]
        found = Probable.of(names, fitted.belief.probabilities(table))
        column = self.scorer.desk.library.column
        chosen = [candidates[column[name]] for name in found.named(fitted.prices)]
        ordered = fitted.order.sort(chosen, fitted.habits)
        return (*ordered, *(name for name in ordered if fitted.habits.times(name) >= fitted.repeats_from))


def _held_out(lessons: Lessons, belief: Belief, train: TrainSet) -> list[Probable]:
    """What is probable for the questions that the trees have not seen."""
    held = lessons.held_out
    probable = belief.probabilities(Table(lessons.rows.names, held.values))
    pieces = np.split(probable, np.cumsum(held.sizes)[:-1])
    return [
        Probable.of([train.passages[position].id for position in pool], piece)
        for pool, piece in zip(held.pools, pieces, strict=True)
    ]


def _cross_fitted(examples: Sequence[TrainingExample]) -> Floats:
    """For every training proof how long it is expected to be, by proofs of other theorems."""
    found = np.zeros(len(examples), dtype=np.float32)
    theorems = {example.theorem.id: number for number, example in enumerate(examples)}
    part = np.array([theorems[example.theorem.id] % PARTS for example in examples])
    for number in range(PARTS):
        inside, outside = np.flatnonzero(part != number).tolist(), np.flatnonzero(part == number).tolist()
        guess = LengthGuess.learn([examples[row] for row in inside])
        found[outside] = guess.predict([examples[row].theorem for row in outside])
    return found


def _with_lengths(lessons: Lessons, expected: Floats) -> Lessons:
    """The expected length as one more feature."""
    rows, held = lessons.rows, lessons.held_out
    shown = np.repeat(expected[list(rows.examples)], rows.sizes)
    unseen = np.repeat(expected[list(held.examples)], held.sizes)
    more = replace(rows, names=(*rows.names, EXPECTED), values=np.column_stack([rows.values, shown]))
    return replace(lessons, rows=more, held_out=replace(held, values=np.column_stack([held.values, unseen])))


def _with_length(table: Table, expected: float) -> Table:
    column = np.full(len(table.values), expected, dtype=np.float32)
    return Table((*table.names, EXPECTED), np.column_stack([table.values, column]))
