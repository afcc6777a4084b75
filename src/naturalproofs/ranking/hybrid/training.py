"""Training: questions from the training proofs, answered without their own proofs, and trees over the answers.

Nothing that a question is judged by helps to answer it. Votes, counts and co-citation leave its own proof out (see
`Memory.hidden`); the association and every other learnt signal that scores it was trained on the other folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Scorer, TrainContext, stage
from naturalproofs.ranking.hybrid.association import Association, Recipe, learn
from naturalproofs.ranking.hybrid.binding import Associated, bound, desk_of
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting, Rows, boost
from naturalproofs.ranking.hybrid.calibration import Calibration
from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.desk import Desk, ask
from naturalproofs.ranking.hybrid.features import Table, features
from naturalproofs.ranking.hybrid.signals import crossed
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.term_vectors import Floats, Ints
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

EMBEDDED = {"tokens": 1.0, "prose": 1.0, "pairs": 0.5, "title": 0.4, "opening": 0.2}
"""Views of the passage vectors, with their weights."""
RAREST = {"pairs": 3, "opening": 2}
"""In how many passages a term of a view must occur; rare pairs are many and say little."""
HARD = 120
"""Candidates of the top of the first stage that every training question keeps."""
EASY = 80
"""Others of the pool, drawn at random."""
TOLD = 100
"""Questions after which it is told how far training has come."""
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
    example: int
    """The training proof."""
    pool: Ints
    """The candidates."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Questions kept from the trees, with their whole pools, those of one question together."""

    values: Floats
    labels: Floats
    sizes: tuple[int, ...]
    examples: tuple[int, ...]
    """The training proof of each question."""
    pools: tuple[Ints, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """All that trees are trained on, and the association that goes with them."""

    rows: Rows
    held_out: HeldOut
    associated: Associated | None

    def booster(self, settings: Boosting, seed: int) -> Booster:
        """Train trees and calibrate them on the questions kept from them."""
        plain = self.uncalibrated(settings, seed)
        scores = plain.scores(Table(self.rows.names, self.held_out.values))
        return replace(plain, calibration=Calibration.of(scores, self.held_out.labels))

    def uncalibrated(self, settings: Boosting, seed: int) -> Booster:
        """Trees whose scores are not yet worth anything by themselves."""
        return Booster(self.rows.names, boost(self.rows, settings, seed), Calibration((), ()))


def lessons(train: TrainSet, plan: Plan, seed: int, context: TrainContext | None = None) -> Lessons | None:
    """Ask training questions; nothing if there are too few to learn from.

    Args:
        train: All that may be seen.
        plan: The settings.
        seed: For all that is random.
        context: Where other methods among the signals train, and who is told how far it has come.
    """
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
        part = TrainSet(train.passages, tuple(train.examples[row] for row in np.flatnonzero(fold != number)))
        # All theorems of the fold: what is kept does not depend on how many of them trees learn from.
        asked = [train.examples[row].theorem for row in np.flatnonzero(fold == number)]
        here = stage(context, number, plan.folds)
        others = {spec: crossed(spec, part, asked, seed, here) for spec in plan.signals}
        for one in answers(replace(desk, learned=learned), rows, others, random):
            answered.append(one)
            if context is not None and len(answered) % TOLD == 0:
                context.progress(len(answered), len(chosen), f"{len(answered):,} training questions")
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
            whole = Answered(
                features(desk, question), labels, np.ones_like(labels), row % HELD_OUT == 0, row, question.pool
            )
            yield whole if whole.held_out else thinned(whole, random)


def thinned(whole: Answered, random: np.random.Generator) -> Answered:
    """A question for the trees: what is cited, what is hard, and some of what is easy."""
    table, labels, weights = whole.table, whole.labels, whole.weights.copy()
    hard = (labels > 0) | (np.arange(len(labels)) < HARD)
    easy = np.flatnonzero(~hard)
    drawn = random.choice(easy, min(EASY, len(easy)), replace=False)
    # Without this, what stands far down would seem far more often cited than it is.
    weights[drawn] = len(easy) / max(len(drawn), 1)
    kept = np.concatenate([np.flatnonzero(hard), drawn])
    return replace(whole, table=Table(table.names, table.values[kept]), labels=labels[kept], weights=weights[kept])


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
) -> tuple[tuple[LatentSpace, Floats, Floats] | None, list[Association], Associated | None]:
    """Associations trained without each fold, and one trained on all."""
    if "learned" in plan.without:
        return None, [], None
    cuts = Cuts.of(train.passages)
    views = {view: cuts.views[view] for view in EMBEDDED}
    embedding = LatentSpace.fit(views, plan.dimensions, scales=EMBEDDED, rarest=RAREST)
    texts = embedding.vectors(cuts.views)
    theorems = embedding.vectors(Cuts.of([example.theorem for example in train.examples], cuts).views)
    cited = desk.memory.cited
    parts = [np.flatnonzero(fold != number) for number in range(plan.folds)]
    folds = [learn(theorems[rows], texts, cited[rows], plan.recipe, seed) for rows in parts]
    whole = learn(theorems, texts, cited, plan.recipe, seed)
    kept = np.flatnonzero(desk.memory.counts).tolist()
    return (embedding, texts, theorems), folds, Associated.of(embedding, whole, train.passages, kept)


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
            examples=tuple(one.example for one in shown),
        ),
        held_out=HeldOut(
            values=np.concatenate([one.table.values for one in held_out]),
            labels=np.concatenate([one.labels for one in held_out]),
            sizes=tuple(len(one.labels) for one in held_out),
            examples=tuple(one.example for one in held_out),
            pools=tuple(one.pool for one in held_out),
        ),
        associated=associated,
    )
