"""Training data for the trees: labelled pools of training theorems, scored without their own proofs.

Nothing that a query is judged by helps to answer it. Votes, counts and co-citation leave its own proof out (see
`TrainingProofs.hidden`); the association and every other learned signal are trained on the other folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import TrainContext, stage
from naturalproofs.ranking.hybrid.association import Association, BoundAssociation, Recipe, TrainedAssociation, learn
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting, Calibration, TrainRows, boost
from naturalproofs.ranking.hybrid.features import FeatureTable, features, portable_names
from naturalproofs.ranking.hybrid.first_stage import POOL, HybridIndex, first_stage
from naturalproofs.ranking.hybrid.passage_terms import PassageCounts
from naturalproofs.ranking.hybrid.proofs import TrainingProofs
from naturalproofs.ranking.hybrid.signals import cross_fitted_scorer
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.term_vectors import Floats, Ints
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet, with_fields

VIEW_WEIGHTS = {"tokens": 1.0, "prose": 1.0, "pairs": 0.5, "title": 0.4, "opening": 0.2}
"""Views of the passage vectors."""
RAREST = {"pairs": 3, "opening": 2}
"""In how many passages a term of a view must occur; rare pairs are many and say little."""
HARD = 120
"""Negatives from the top of the first stage that every training query keeps."""
EASY = 80
"""Other negatives of the pool, sampled at random."""
REPORTED = 100
"""Queries between two progress reports."""
HELD_OUT = 8
"""One query in so many is kept from the trees and calibrates their scores."""
SMALLEST_CHAPTER = 40
"""Statements of a chapter that is used as a book of its own."""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """The settings of `Hybrid` that the training table depends on."""

    dimensions: int
    folds: int
    questions: int
    pool: int
    without: tuple[str, ...]
    signals: tuple[str, ...]
    recipe: Recipe = field(default_factory=Recipe)


@dataclass(frozen=True, slots=True)
class LabelledPool:
    """The features of one training query's candidates, and which of them its proof cites."""

    table: FeatureTable
    labels: Floats
    weights: Floats
    held_out: bool
    """Kept from the trees, with its whole pool, to calibrate them."""
    example: int
    """The training proof."""
    pool: Ints
    """The candidates."""


@dataclass(frozen=True, slots=True)
class HeldOutRows:
    """Queries kept from the trees, with their whole pools, those of one query together."""

    values: Floats
    labels: Floats
    sizes: tuple[int, ...]
    examples: tuple[int, ...]
    """The training proof of each query."""
    pools: tuple[Ints, ...]


@dataclass(frozen=True, slots=True)
class TrainingTable:
    """What trees are trained on, and the association that goes with them."""

    rows: TrainRows
    held_out: HeldOutRows
    association: TrainedAssociation | None

    @classmethod
    def of(cls, pools: Sequence[LabelledPool], association: TrainedAssociation | None) -> TrainingTable:
        """Labelled pools as one table."""
        shown = [one for one in pools if not one.held_out]
        held_out = [one for one in pools if one.held_out]
        return cls(
            rows=TrainRows(
                names=pools[0].table.names,
                values=np.concatenate([one.table.values for one in shown]),
                labels=np.concatenate([one.labels for one in shown]),
                weights=np.concatenate([one.weights for one in shown]),
                sizes=tuple(len(one.labels) for one in shown),
                examples=tuple(one.example for one in shown),
            ),
            held_out=HeldOutRows(
                values=np.concatenate([one.table.values for one in held_out]),
                labels=np.concatenate([one.labels for one in held_out]),
                sizes=tuple(len(one.labels) for one in held_out),
                examples=tuple(one.example for one in held_out),
                pools=tuple(one.pool for one in held_out),
            ),
            association=association,
        )

    def booster(self, settings: Boosting, seed: int) -> Booster:
        """Train trees and calibrate them on the held-out queries."""
        plain = self.uncalibrated(settings, seed)
        scores = plain.scores(FeatureTable(self.rows.names, self.held_out.values))
        return replace(plain, calibration=Calibration.of(scores, self.held_out.labels))

    def uncalibrated(self, settings: Boosting, seed: int) -> Booster:
        """Train trees; their scores are raw and uncalibrated."""
        return Booster(self.rows.names, boost(self.rows, settings, seed), Calibration((), ()))

    def without(self, *groups: str) -> TrainingTable:
        """The same table without the features of some groups."""
        kept = [i for i, name in enumerate(self.rows.names) if name.partition("/")[0] not in groups]
        names = tuple(self.rows.names[i] for i in kept)
        rows = replace(self.rows, names=names, values=self.rows.values[:, kept])
        return replace(self, rows=rows, held_out=replace(self.held_out, values=self.held_out.values[:, kept]))


def training_table(
    train: TrainSet, settings: TrainSettings, seed: int, context: TrainContext | None = None
) -> TrainingTable | None:
    """Score training theorems, fold by fold; None if there are too few to learn from.

    Args:
        train: The training split.
        settings: The settings.
        seed: Random seed.
        context: For checkpoints of other methods among the signals, and progress.
    """
    index = HybridIndex.of(train.passages, train.examples, None, pool=settings.pool, without=settings.without)
    fold = np.array([fold_of(example, settings.folds, seed) for example in train.examples], dtype=np.intp)
    cross_fitted, association = _associations(train, index, settings, fold, seed)
    chosen = choose_examples(index, settings.questions, seed)
    random = np.random.default_rng(seed)
    pools: list[LabelledPool] = []
    for number in range(settings.folds):
        part = TrainSet(train.passages, tuple(train.examples[row] for row in np.flatnonzero(fold != number)))
        # All theorems of the fold, so that cached scores do not depend on how many of them the trees learn from.
        scored = [train.examples[row].theorem for row in np.flatnonzero(fold == number)]
        here = stage(context, number, settings.folds)
        others = {spec: cross_fitted_scorer(spec, part, scored, seed, here) for spec in settings.signals}
        bound = replace(index, association=cross_fitted[number] if cross_fitted else None)
        for row in (row for row in chosen if fold[row] == number):
            theorem = train.examples[row].theorem
            extra = {name: scorer.score([theorem])[0] for name, scorer in others.items()}
            pool = labelled_pool(bound, row, index.proofs, held_out=row % HELD_OUT == 0, extra=extra)
            if pool is None:
                continue
            pools.append(pool if pool.held_out else sample_negatives(pool, random))
            if context is not None and len(pools) % REPORTED == 0:
                context.progress(len(pools), len(chosen), f"{len(pools):,} training queries")
    return TrainingTable.of(pools, association) if {one.held_out for one in pools} == {True, False} else None


def labelled_pool(
    index: HybridIndex, row: int, proofs: TrainingProofs, *, held_out: bool, extra: dict[str, Floats] | None = None
) -> LabelledPool | None:
    """The pool of one training theorem; None if it has nothing that the proof cites.

    Args:
        index: Candidates, and the proofs that may vote.
        row: The training proof.
        proofs: All training proofs.
        held_out: Whether the query is kept from the trees.
        extra: Scores of other methods.
    """
    example, column = proofs.examples[row], index.candidates.column
    gold = [column[key] for key in dict.fromkeys(example.references) if key in column]
    # Statements whose proofs cite the theorem are no candidates: evaluation theorems are not cited yet.
    users = proofs.theorem[list(proofs.citing.get(example.theorem.id, ()))]
    banned = sorted({int(user) for user in users if user >= 0}.difference(gold))
    pooled = first_stage(index, example.theorem, banned=banned, extra=extra)
    labels = np.isin(pooled.pool, gold).astype(np.float32)
    if not labels.any():
        return None
    return LabelledPool(features(index, pooled), labels, np.ones_like(labels), held_out, row, pooled.pool)


def sample_negatives(whole: LabelledPool, random: np.random.Generator) -> LabelledPool:
    """The pool with all positives, the hard negatives, and a sample of the easy ones."""
    table, labels, weights = whole.table, whole.labels, whole.weights.copy()
    hard = (labels > 0) | (np.arange(len(labels)) < HARD)
    easy = np.flatnonzero(~hard)
    drawn = random.choice(easy, min(EASY, len(easy)), replace=False)
    # Without weights, low ranks would seem to be cited far more often than they are.
    weights[drawn] = len(easy) / max(len(drawn), 1)
    kept = np.concatenate([np.flatnonzero(hard), drawn])
    rows = FeatureTable(table.names, table.values[kept])
    return replace(whole, table=rows, labels=labels[kept], weights=weights[kept])


def choose_examples(index: HybridIndex, count: int, seed: int) -> list[int]:
    """Training proofs of theorems that few proofs cite: no proof cites an evaluation theorem."""
    proofs = index.proofs
    random = np.random.default_rng(seed)
    uses = np.array([len(proofs.citing.get(example.theorem.id, ())) for example in proofs.examples])
    order = np.argsort(uses + 3 * random.random(len(uses)), kind="stable")
    return sorted(order[:count].tolist())


def fold_of(example: TrainingExample, folds: int, seed: int) -> int:
    """The fold of a theorem, the same for all its proofs."""
    return int(sha256_bytes(f"{seed}/{example.theorem.id}".encode())[:8], 16) % folds


def _associations(
    train: TrainSet, index: HybridIndex, settings: TrainSettings, fold: Ints, seed: int
) -> tuple[list[BoundAssociation], TrainedAssociation | None]:
    """Associations trained without each fold, bound to the training passages, and one trained on all."""
    if "learned" in settings.without:
        return [], None
    counts = PassageCounts.of(train.passages)
    views = {view: counts.views[view] for view in VIEW_WEIGHTS}
    space = LatentSpace.fit(views, settings.dimensions, scales=VIEW_WEIGHTS, rarest=RAREST)
    texts = space.vectors(counts.views)
    theorems = space.vectors(PassageCounts.of([example.theorem for example in train.examples], counts).views)
    cited = index.proofs.cited

    def trained(rows: Ints) -> Association:
        return learn(theorems[rows], texts, cited[rows], settings.recipe, seed)

    folds = [trained(np.flatnonzero(fold != number)) for number in range(settings.folds)]
    bound = [BoundAssociation.of(space, one.map, texts, texts + one.shifts, theorems) for one in folds]
    whole = learn(theorems, texts, cited, settings.recipe, seed)
    kept = np.flatnonzero(index.proofs.counts).tolist()
    names = tuple(train.passages[row].id for row in kept)
    return bound, TrainedAssociation(space, whole.map, whole.shifts[kept], names)


def books(train: TrainSet, chapters: bool) -> Iterator[TrainSet]:
    """Training data of the shipped trees: a whole corpus, or each chapter as a book of its own.

    A new project is small and has few proofs or none. A chapter's proofs are those that cite only statements inside it.
    Not every author gives titles, so every other chapter has none.
    """
    if not chapters:
        yield train
        return
    by_chapter: dict[str, list[Passage]] = {}
    for passage in train.passages:
        if passage.place is not None:
            by_chapter.setdefault(passage.place.chapter, []).append(passage)
    for number, found in enumerate(by_chapter.values()):
        inside = {passage.id for passage in found}
        kept = [e for e in train.examples if e.theorem.id in inside and inside.issuperset(e.references)]
        if len(found) >= SMALLEST_CHAPTER and len(kept) >= HELD_OUT:
            book = TrainSet(tuple(found), tuple(kept))
            yield with_fields(book, title="") if number % 2 else book


def train_shipped(shown: Iterable[tuple[TrainSet, int]], settings: Boosting, seed: int) -> Booster:
    """Trees over queries of several books, so many of each; half of the queries see no training proofs."""
    random = np.random.default_rng(seed)
    pools: list[LabelledPool] = []
    for book, count in shown:
        index = HybridIndex.of(book.passages, book.examples, None, pool=POOL, without=("learned",))
        empty = replace(index, proofs=TrainingProofs.of((), index.candidates))
        for number, row in enumerate(choose_examples(index, count, seed)):
            # Two in 2 * HELD_OUT calibrate, one with training proofs and one without.
            held_out = number % (2 * HELD_OUT) < 2
            pool = labelled_pool(empty if number % 2 else index, row, index.proofs, held_out=held_out)
            if pool is None:
                continue
            names = portable_names(pool.table.names)
            values = pool.table.values[:, [pool.table.names.index(name) for name in names]]
            pool = replace(pool, table=FeatureTable(names, values))
            pools.append(pool if held_out else sample_negatives(pool, random))
    return TrainingTable.of(pools, None).booster(settings, seed)
