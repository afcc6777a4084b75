"""Training: questions from the training proofs, answered without their own proofs, and trees over the answers.

Nothing that a question is judged by helps to answer it. Votes, counts and co-citation leave its own proof out (see
`Memory.hidden`); the association and every other learnt signal that scores it was trained on the other folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Scorer
from naturalproofs.ranking.hybrid.association import Association, Recipe, learn
from naturalproofs.ranking.hybrid.binding import Associated, bound, desk_of
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting, Rows, boost
from naturalproofs.ranking.hybrid.calibration import Calibration
from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.desk import Desk, ask
from naturalproofs.ranking.hybrid.embedding import Embedding
from naturalproofs.ranking.hybrid.features import Table, features
from naturalproofs.ranking.hybrid.vectors import Floats, Ints
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

HARD = 120
"""Candidates of the top of the first stage that every training question keeps."""
EASY = 80
"""Others of the pool, drawn at random."""
HELD_OUT = 8
"""One question in so many is kept from the trees to calibrate their scores."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What training needs to know of the settings."""

    dimensions: int
    folds: int
    questions: int
    pool: int
    without: tuple[str, ...]
    signals: tuple[str, ...]
    recipe: Recipe = field(default_factory=Recipe)


@dataclass(frozen=True, slots=True)
class Answered:
    """One training question: features of candidates, and which of them its proof cites."""

    table: Table
    labels: Floats
    weights: Floats
    held_out: bool
    """Kept from the trees, with its whole pool, to calibrate them."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """All that trees are trained on, and the association that goes with them."""

    rows: Rows
    held_values: Floats
    held_labels: Floats
    associated: Associated | None

    def booster(self, settings: Boosting, seed: int) -> Booster:
        """Train trees and calibrate them on the questions kept from them."""
        plain = Booster(self.rows.names, boost(self.rows, settings, seed), Calibration((), ()))
        scores = plain.scores(Table(self.rows.names, self.held_values))
        return replace(plain, calibration=Calibration.of(scores, self.held_labels))


def lessons(train: TrainSet, plan: Plan, seed: int) -> Lessons | None:
    """Ask training questions; nothing if there are too few to learn from."""
    desk = desk_of(train.passages, train.examples, None, pool=plan.pool, without=plan.without)
    fold = np.array([fold_of(example, plan.folds, seed) for example in train.examples], dtype=np.intp)
    embedding, folds, whole = _associations(train, desk, plan, fold, seed)
    chosen = leaf_like(desk, plan.questions, seed)
    random = np.random.default_rng(seed)
    answered: list[Answered] = []
    for number in range(plan.folds):
        rows = [row for row in chosen if fold[row] == number]
        learned = None
        if embedding is not None:
            texts, theorems, association = *embedding[1:], folds[number]
            learned = bound(embedding[0], association.map, texts, texts + association.shifts, theorems)
        others = _signals(train, plan, fold != number, seed)
        answered.extend(answers(replace(desk, learned=learned), rows, others, random))
    return gathered(answered, whole) if {one.held_out for one in answered} == {True, False} else None


def answers(
    desk: Desk, rows: Sequence[int], others: dict[str, Scorer], random: np.random.Generator
) -> Iterator[Answered]:
    """Ask the theorems of some training proofs; of easy candidates a few are kept."""
    memory, column = desk.memory, desk.library.column
    for row in rows:
        example = memory.examples[row]
        gold = [column[key] for key in dict.fromkeys(example.references) if key in column]
        # What uses the theorem cannot stand among the candidates of a theorem that nobody uses yet.
        users = memory.theorem[list(memory.users_of.get(example.theorem.id, ()))]
        banned = sorted({int(user) for user in users if user >= 0}.difference(gold))
        extra = {name: scorer.score([example.theorem])[0] for name, scorer in others.items()}
        question = ask(desk, example.theorem, banned=banned, extra=extra)
        labels = np.isin(question.pool, gold).astype(np.float32)
        if labels.any():
            yield thinned(features(desk, question), labels, row % HELD_OUT == 0, random)


def thinned(table: Table, labels: Floats, held_out: bool, random: np.random.Generator) -> Answered:
    """A question for the trees: what is cited, what is hard, and some of what is easy."""
    weights = np.ones_like(labels)
    if held_out:
        return Answered(table, labels, weights, held_out)
    hard = (labels > 0) | (np.arange(len(labels)) < HARD)
    easy = np.flatnonzero(~hard)
    drawn = random.choice(easy, min(EASY, len(easy)), replace=False)
    # Without this, what stands far down would seem far more often cited than it is.
    weights[drawn] = len(easy) / max(len(drawn), 1)
    kept = np.concatenate([np.flatnonzero(hard), drawn])
    return Answered(Table(table.names, table.values[kept]), labels[kept], weights[kept], held_out)


def leaf_like(desk: Desk, count: int, seed: int) -> list[int]:
    """Training proofs of theorems that few others use: evaluation asks of such that none uses."""
    memory = desk.memory
    random = np.random.default_rng(seed)
    uses = np.array([len(memory.users_of.get(example.theorem.id, ())) for example in memory.examples])
    order = np.argsort(uses + 3 * random.random(len(uses)), kind="stable")
    return sorted(order[:count].tolist())


def fold_of(example: TrainingExample, folds: int, seed: int) -> int:
    """The fold of a theorem; all its proofs are in one."""
    return int(sha256_bytes(f"{seed}/{example.theorem.id}".encode())[:8], 16) % folds


def _associations(
    train: TrainSet, desk: Desk, plan: Plan, fold: Ints, seed: int
) -> tuple[tuple[Embedding, Floats, Floats] | None, list[Association], Associated | None]:
    """Associations trained without each fold, and one trained on all."""
    if "learned" in plan.without:
        return None, [], None
    cuts = Cuts.of(train.passages)
    embedding = Embedding.of(cuts, plan.dimensions)
    texts = embedding.vectors_of(cuts)
    theorems = embedding.vectors_of(Cuts.of([example.theorem for example in train.examples], cuts))
    cited = desk.memory.cited
    parts = [np.flatnonzero(fold != number) for number in range(plan.folds)]
    folds = [learn(theorems[rows], texts, cited[rows], plan.recipe, seed) for rows in parts]
    whole = learn(theorems, texts, cited, plan.recipe, seed)
    kept = np.flatnonzero(desk.memory.counts).tolist()
    return (embedding, texts, theorems), folds, Associated.of(embedding, whole, train.passages, kept)


def _signals(train: TrainSet, plan: Plan, seen: Ints, seed: int) -> dict[str, Scorer]:
    """Other methods, trained on the other folds."""
    shown = tuple(example for example, keep in zip(train.examples, seen, strict=True) if keep)
    part = TrainSet(train.passages, shown)
    return {spec: parse_ranker(spec).fit(part, seed=seed).index(train.passages) for spec in plan.signals}


def gathered(answered: Sequence[Answered], associated: Associated | None) -> Lessons:
    """Questions as one table."""
    shown = [one for one in answered if not one.held_out]
    held_out = [one for one in answered if one.held_out]
    return Lessons(
        rows=Rows(
            names=answered[0].table.names,
            values=np.concatenate([one.table.values for one in shown]),
            labels=np.concatenate([one.labels for one in shown]),
            weights=np.concatenate([one.weights for one in shown]),
            sizes=tuple(len(one.labels) for one in shown),
        ),
        held_values=np.concatenate([one.table.values for one in held_out]),
        held_labels=np.concatenate([one.labels for one in held_out]),
        associated=associated,
    )
