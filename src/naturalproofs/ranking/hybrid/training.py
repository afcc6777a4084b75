"""Training data for the trees: labelled pools of training theorems, scored without their own proofs.

Nothing that a query is judged by helps to answer it. Votes and counts leave its own proof out (see
`TrainingProofs.hidden`). The association, and other methods among the signals, are cross-fitted: each is trained once
per fold, so that none scores what it was trained on.

Another method with long training is trained once: its scores of the training theorems, and the model trained on all of
them, are cached in the user's cache folder, by a hash of all their inputs. It is trained without places, which are
features of their own, so that all protocols share it. An interrupted training continues at the fold it had reached.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAModel, OutputInTheWay
from naturalproofs.io.arrays import load_array
from naturalproofs.io.cache import CACHE_VERSION, cache_folder, evict, mark_used
from naturalproofs.io.cluster import map_on_cluster
from naturalproofs.io.files import replaced_folder, sha256_bytes, write_atomic, write_file
from naturalproofs.ranking.contract import (
    FittedRanker,
    Scorer,
    Scores,
    Storable,
    Trainable,
    TrainContext,
    fit_in_context,
    stage,
)
from naturalproofs.ranking.hybrid.association import BoundAssociation, TrainedAssociation, learn
from naturalproofs.ranking.hybrid.candidates import PassageCounts
from naturalproofs.ranking.hybrid.features import features, trained_names
from naturalproofs.ranking.hybrid.first_stage import POOL, HybridIndex, TrainingProofs, first_stage
from naturalproofs.ranking.hybrid.together import FURTHER, TOGETHER, Boosters, together
from naturalproofs.ranking.hybrid.trees import Booster, Boosting, Calibration, LabelledPool
from naturalproofs.ranking.registry import class_name, fitted_class, parse_ranker
from naturalproofs.ranking.term_vectors import Floats, Ints, LatentSpace, best, one_thread, unit
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet, with_fields

VIEW_WEIGHTS = {"tokens": 1.0, "prose": 1.0, "pairs": 0.5, "title": 0.4, "opening": 0.2}
"""Views of the passage vectors."""
RAREST = {"pairs": 3, "opening": 2}
"""In how many passages a term of a view must occur; rare pairs are many and say little."""
HARD = 120
"""Negatives from the top of the first stage that every training query keeps."""
EASY = 80
"""Other negatives of the pool, sampled at random."""
NEAREST = 300
"""The best of the first stage, of which the further trees order those that the trees like best."""
REPORTED = 100
"""Queries between two progress reports."""
HELD_OUT = 8
"""One query in so many is kept from the trees, with its whole pool, and calibrates their scores."""
BLOCK = 256
"""Queries that another method scores at a time."""
CACHE_LIMIT = 4 << 30
"""The size of the cache of other methods in bytes."""
LOADS = "loads.txt"


@dataclass(frozen=True, slots=True)
class TrainingTable:
    """What trees are trained on and calibrated on, and the association and the other methods that go with them."""

    pools: list[LabelledPool]
    """What the trees learn from: all that is cited, the hardest of the rest and a sample."""
    near: list[LabelledPool]
    """The best of the first stage, of the same queries: the further trees order the best of these."""
    held_out: list[LabelledPool]
    """Whole pools of other queries."""
    index: HybridIndex = field(repr=False)
    """For links, which are the same in every fold."""
    folds: Ints = field(repr=False)
    """Of the training proofs."""
    association: TrainedAssociation | None
    signals: tuple[tuple[str, FittedRanker], ...] = ()
    """Other methods by their printed forms, trained on the whole split."""

    @one_thread()
    def boosters(self, settings: Boosting, further: int, seed: int, context: TrainContext | None = None) -> Boosters:
        """Train trees and so many further trees, and calibrate their scores on the held-out queries."""
        plain = Booster.of(self.pools, settings, seed)
        second = (
            Booster.of(self.together(settings, context), replace(FURTHER, trees=further), seed) if further else None
        )
        both = Boosters(plain, plain, second)
        if context is not None:
            context.progress(1, 1, "calibration")
        labels = np.concatenate([one.labels for one in self.held_out])
        placed = replace(plain, calibration=Calibration.of(np.concatenate(self.judged(both)), labels))
        return replace(both, placed=placed, unplaced=placed)

    def judged(self, boosters: Boosters) -> list[Floats]:
        """The scores of the held-out queries."""
        return [boosters.judge(self.index, one.candidates, one.visible, one.table).scores for one in self.held_out]

    def together(self, settings: Boosting, context: TrainContext | None = None) -> list[LabelledPool]:
        """What the further trees learn from: the best of each query by trees that were not trained on its fold."""
        found = []
        for number in np.unique(self.folds).tolist():
            if context is not None:
                context.progress(number, self.folds.max() + 1, f"trees without fold {number + 1}")
            trees = Booster.of([one for one in self.pools if self.folds[one.example] != number], settings, number)
            for pool in self.near:
                if self.folds[pool.example] == number:
                    scores = trees.scores(pool.table)
                    top = best(scores, TOGETHER)
                    kept = pool.rows(top)
                    table = together(self.index, kept.candidates, kept.visible, kept.table, scores[top])
                    found.append(replace(kept, names=table.names, values=table.values))
        return found


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a training table depends on beside the training split and the seed."""

    questions: int = 3500
    """Training proofs that are queries, of theorems that few others cite first; all proofs vote."""
    pool: int = POOL
    """Candidates that the trees order; the rest keeps the order of the first stage."""
    dimensions: int = 512
    """Of the passage vectors of the association."""
    width: int = 2048
    """Of the latent semantic space that its maps start from."""
    folds: int = 4
    enough: int = 400
    """With fewer training proofs the shipped trees are used."""
    signals: tuple[str, ...] = ()
    """Other methods by their printed forms, cross-fitted."""

    @one_thread()
    def training_table(
        self, train: TrainSet, *, seed: int, context: TrainContext | None = None
    ) -> TrainingTable | None:
        """Score training theorems, fold by fold; None if there are too few to learn from.

        This is the slow part of training, which several seeds of trees can share.

        Args:
            train: The training split.
            seed: Random seed.
            context: For checkpoints of other methods among the signals, and progress.
        """
        if len(train.examples) < self.enough:
            return None
        index = HybridIndex.of(train.passages, train.examples, None, pool=self.pool, strict=train.strict)
        fold = np.array([fold_of(example, self.folds, seed) for example in train.examples], dtype=np.intp)
        bound, association = _associations(train, index, (self.dimensions, self.width), fold, self.folds, seed)
        chosen = choose_examples(index, self.questions, seed)
        random = np.random.default_rng(seed)
        shown: list[LabelledPool] = []
        near: list[LabelledPool] = []
        held_out: list[LabelledPool] = []
        # For each fold the other methods and then the queries; last the other methods on the whole split.
        stages = 2 * self.folds + 1 if self.signals else self.folds
        for number in range(self.folds):
            part = train.part(tuple(train.examples[row] for row in np.flatnonzero(fold != number)))
            # All theorems of the fold, so that cached scores do not depend on how many of them the trees learn from.
            scored = [train.examples[row].theorem for row in np.flatnonzero(fold == number)]
            fitting = stage(context, 2 * number, stages)
            scoring = stage(context, 2 * number + 1, stages) if self.signals else stage(context, number, stages)
            others = {spec: cross_fitted_scorer(spec, part, scored, seed, fitting) for spec in self.signals}
            rows = [row for row in chosen if fold[row] == number]
            pools = _labelled_pools(bound[number], rows, others, context)
            for place, (row, pool_rows) in enumerate(zip(rows, pools, strict=True), 1):
                if pool_rows is None:
                    continue
                labelled = pool_rows.only(trained_names(pool_rows.names))
                if row % HELD_OUT == 0:
                    held_out.append(labelled)
                else:
                    shown.append(sample_negatives(labelled, random))
                    near.append(labelled.rows(np.arange(min(NEAREST, len(labelled.labels)))))
                done = len(shown) + len(held_out)
                if scoring is not None and done % REPORTED == 0:
                    scoring.progress(place, len(rows), f"{done:,} training queries")
        if not shown or not held_out:
            return None
        return TrainingTable(
            shown,
            near,
            held_out,
            bound[0],
            fold,
            association,
            fitted_signals(self.signals, train, seed, stage(context, stages - 1, stages)),
        )


def _labelled_pools(
    index: HybridIndex, rows: Sequence[int], others: Mapping[str, Scorer], context: TrainContext | None
) -> Iterator[LabelledPool | None]:
    """The pools of some training theorems, scored here or on the cluster of the context."""

    def queries() -> Iterator[tuple[int, dict[str, Floats]]]:
        for row in rows:
            theorem = index.proofs.examples[row].theorem
            yield row, {name: scorer.score([theorem])[0] for name, scorer in others.items()}

    if context is not None and context.cluster:
        return map_on_cluster(context.cluster, _scored_query, index, queries())
    return (_scored_query(index, query) for query in queries())


def _scored_query(index: HybridIndex, query: tuple[int, dict[str, Floats]]) -> LabelledPool | None:
    row, extra = query
    return labelled_pool(index, row, index.proofs, extra)


def labelled_pool(
    index: HybridIndex, row: int, proofs: TrainingProofs, extra: dict[str, Floats] | None = None
) -> LabelledPool | None:
    """The pool of one training theorem; None if it has nothing that the proof cites.

    Args:
        index: Candidates, and the proofs that may vote.
        row: The training proof.
        proofs: All training proofs.
        extra: Scores of other methods.
    """
    example, column = proofs.examples[row], index.candidates.column
    gold = [column[key] for key in dict.fromkeys(example.references) if key in column]
    # Statements whose proofs cite the theorem are no candidates: evaluation theorems are not cited yet.
    users = {proofs.examples[user].theorem.id for user in proofs.citing.get(example.theorem.id, ())}
    banned = {column[user] for user in users if user in column}.difference(gold)
    pooled = first_stage(index, example.theorem, banned=banned, extra=extra)
    labels = np.isin(pooled.pool, gold).astype(np.float32)
    if not labels.any():
        return None
    table = features(index, pooled)
    return LabelledPool(table.names, table.values, labels, np.ones_like(labels), row, pooled.pool, pooled.visible)


def sample_negatives(
    whole: LabelledPool, random: np.random.Generator, hardest: int = HARD, others: int = EASY
) -> LabelledPool:
    """The pool of one query with all positives, the hard negatives, and a sample of the easy ones."""
    hard = (whole.labels > 0) | (np.arange(len(whole.labels)) < hardest)
    easy = np.flatnonzero(~hard)
    drawn = random.choice(easy, min(others, len(easy)), replace=False)
    # Without weights, low ranks would seem to be cited far more often than they are.
    weights = whole.weights.copy()
    weights[drawn] = len(easy) / max(len(drawn), 1)
    return replace(whole, weights=weights).rows(np.concatenate([np.flatnonzero(hard), drawn]))


def choose_examples(index: HybridIndex, count: int, seed: int) -> list[int]:
    """Training proofs of theorems that few proofs cite: no proof cites an evaluation theorem."""
    proofs = index.proofs
    random = np.random.default_rng(seed)
    uses = np.array([len(proofs.citing.get(example.theorem.id, ())) for example in proofs.examples])
    order = np.argsort(uses + 3 * random.random(len(uses)), kind="stable")
    return sorted(order[:count].tolist())


def fold_of(example: TrainingExample, folds: int, seed: int) -> int:
    """The fold of a theorem by its label, the same for all its proofs and for any name of the corpus."""
    label = example.theorem.id.partition(":")[2]
    return int(sha256_bytes(f"{seed}/{label}".encode())[:8], 16) % folds


def _associations(
    train: TrainSet, index: HybridIndex, sizes: tuple[int, int], fold: Ints, folds: int, seed: int
) -> tuple[list[HybridIndex], TrainedAssociation]:
    """The index with associations trained without each fold, and one association trained on all.

    Args:
        train: The training set.
        index: Its passages and proofs.
        sizes: The dimensions of the association, and of the latent semantic space that its maps start from.
        fold: The fold of each proof.
        folds: The number of folds.
        seed: Random seed.
    """
    dimensions, width = sizes
    counts = PassageCounts.of(train.passages)
    views = {view: counts.views[view] for view in VIEW_WEIGHTS}
    wide = LatentSpace.fit(views, width, scales=VIEW_WEIGHTS, rarest=RAREST)
    space = replace(wide, projection=np.ascontiguousarray(wide.projection[:, :dimensions]))
    texts = wide.vectors(counts.views)
    topics = unit(texts[:, :dimensions])
    theorems = wide.vectors(PassageCounts.of([example.theorem for example in train.examples], counts).views)
    cited, column, shifted = index.proofs.cited, index.candidates.column, not train.strict
    own = np.array([column.get(example.theorem.id, -1) for example in train.examples], dtype=np.intp)
    bound = []
    for number in range(folds):
        rows = np.flatnonzero(fold != number)
        learned = learn(theorems[rows], texts, cited[rows], own[rows], dimensions, seed, shifted=shifted)
        asked, answers = learned.asked_by(wide), unit(texts @ learned.answers)
        references = answers + learned.shifts if shifted else answers
        mapped = unit(theorems @ learned.asked)
        association = BoundAssociation(space, asked, learned.sharpness, topics, answers, references, mapped)
        bound.append(replace(index, association=association))
    learned = learn(theorems, texts, cited, own, dimensions, seed, shifted=shifted)
    kept = np.flatnonzero(index.proofs.counts).tolist() if shifted else []
    names = tuple(train.passages[row].id for row in kept)
    spaces = learned.asked_by(wide), learned.answered_by(wide)
    return bound, TrainedAssociation(space, *spaces, learned.sharpness, learned.shifts[kept], names)


@dataclass(frozen=True, slots=True)
class RecordedScores:
    """Recorded scores of a method for some theorems."""

    rows: dict[StatementId, int] = field(repr=False)
    scores: NDArray[Any] = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Look up."""
        found: Scores = self.scores[[self.rows[query.id] for query in queries]].astype(np.float32)
        return found


def cross_fitted_scorer(
    spec: str, part: TrainSet, asked: Sequence[Passage], seed: int, context: TrainContext | None
) -> Scorer:
    """A scorer trained on a part of the training split, for theorems of the rest.

    Args:
        spec: The printed form of the method.
        part: The training data; its passages are the candidates.
        asked: The theorems that will be scored.
        seed: Random seed.
        context: For checkpoints and progress of a long training.
    """
    ranker = parse_ranker(spec)
    if not isinstance(ranker, Trainable):
        return ranker.fit(part, seed=seed).index(part.passages)
    part, asked = with_fields(part, place=None), [replace(theorem, place=None) for theorem in asked]
    rows = {theorem.id: row for row, theorem in enumerate(asked)}
    path = cache_folder() / "signals" / f"{_key(spec, part, asked, seed)}.npy"
    with suppress(OSError, ValueError):
        mark_used(path)
        return RecordedScores(rows, load_array(path, mapped=True))
    scorer = _fit_signal(ranker, part, seed, context, path.stem).index(part.passages)
    # Half precision is enough for trees; minus infinity becomes the smallest number.
    lowest = np.finfo(np.float16).min
    blocks = [scorer.score(asked[i : i + BLOCK]) for i in range(0, len(asked), BLOCK)]
    scores = np.concatenate([np.maximum(block, lowest).astype(np.float16) for block in blocks])
    buffer = io.BytesIO()
    np.save(buffer, scores, allow_pickle=False)
    with suppress(OSError):  # A cache that cannot be written is ignored.
        write_atomic(path, buffer.getvalue())
        evict(path.parent.iterdir(), CACHE_LIMIT)
    return RecordedScores(rows, scores)


def fitted_signals(
    specs: Sequence[str], train: TrainSet, seed: int, context: TrainContext | None
) -> tuple[tuple[str, FittedRanker], ...]:
    """Other methods trained on the whole training split, for theorems outside it."""
    return tuple((spec, _fit_on_all(spec, train, seed, context)) for spec in specs)


def _fit_on_all(spec: str, train: TrainSet, seed: int, context: TrainContext | None) -> FittedRanker:
    ranker = parse_ranker(spec)
    if not isinstance(ranker, Trainable):
        return ranker.fit(train, seed=seed)
    train = with_fields(train, place=None)
    path = cache_folder() / "signals" / _key(spec, train, (), seed)
    with suppress(OSError, ValueError, NotAModel):
        mark_used(path)
        return fitted_class(spec, (path / LOADS).read_text("utf-8"), path).load(path)
    fitted = _fit_signal(ranker, train, seed, context, path.name)
    if isinstance(fitted, Storable):
        with suppress(OSError, OutputInTheWay):
            with replaced_folder(path, lambda found: (found / LOADS).is_file()) as scratch:
                fitted.save(scratch)
                write_file(scratch / LOADS, class_name(fitted))
            evict(path.parent.iterdir(), CACHE_LIMIT)
    return fitted


def _fit_signal(ranker: Trainable, train: TrainSet, seed: int, context: TrainContext | None, name: str) -> FittedRanker:
    """Train with a checkpoint folder of its own.

    It starts from no trained model and does not stop early: the context's models have seen the fold that is scored, and
    folds must be trained like the whole.
    """
    if context is not None:
        context = TrainContext(context.folder / "signals" / name, resume=context.resume, progress=context.progress)
    return fit_in_context(context, ranker, train, seed=seed)


def _key(spec: str, part: TrainSet, asked: Sequence[Passage], seed: int) -> str:
    """A hash of all inputs of the scores; a method may read any field of a passage."""
    digest = hashlib.blake2b(repr((CACHE_VERSION, spec, seed)).encode(), digest_size=12)
    for one in (*part.passages, *asked, *part.examples):
        digest.update(repr(one).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
