"""Other methods as signals, cross-fitted: each is trained once per fold, so that none scores what it was trained on.

A method with long training is trained once: its scores of the training theorems, and the model trained on all of them,
are cached in the user's cache folder, by a hash of all their inputs. It is trained without places, which are features
of their own, so that all protocols share it. An interrupted training continues at the fold it had reached.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAModel, OutputInTheWay
from naturalproofs.io.cache import CACHE_VERSION, cache_folder, evict, mark_used
from naturalproofs.io.files import replaced_folder, write_atomic, write_file
from naturalproofs.ranking.contract import (
    FittedRanker,
    Scorer,
    Scores,
    Storable,
    Trainable,
    TrainContext,
    fit_in_context,
)
from naturalproofs.ranking.models import class_name, fitted_class
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet, with_fields

LIMIT = 4 << 30
"""The size of the cache in bytes."""
LOADS = "loads.txt"


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
    path = _home() / f"{_key(spec, part, asked, seed)}.npy"
    with suppress(OSError, ValueError):
        mark_used(path)
        return RecordedScores(rows, np.load(path, mmap_mode="r", allow_pickle=False))
    scorer = _trained(ranker, part, seed, context, path.stem).index(part.passages)
    scores = np.concatenate([_half_precision(scorer.score(asked[i : i + 256])) for i in range(0, len(asked), 256)])
    buffer = io.BytesIO()
    np.save(buffer, scores, allow_pickle=False)
    with suppress(OSError):  # A cache that cannot be written is ignored.
        write_atomic(path, buffer.getvalue())
        evict(path.parent.iterdir(), LIMIT)
    return RecordedScores(rows, scores)


def fit_on_all(spec: str, train: TrainSet, seed: int, context: TrainContext | None) -> FittedRanker:
    """A method trained on the whole training split, for theorems outside it."""
    ranker = parse_ranker(spec)
    if not isinstance(ranker, Trainable):
        return ranker.fit(train, seed=seed)
    train = with_fields(train, place=None)
    path = _home() / _key(spec, train, (), seed)
    with suppress(OSError, ValueError, NotAModel):
        mark_used(path)
        return fitted_class(spec, (path / LOADS).read_text("utf-8"), path).load(path)
    fitted = _trained(ranker, train, seed, context, path.name)
    if isinstance(fitted, Storable):
        with suppress(OSError, OutputInTheWay):
            with replaced_folder(path, lambda found: (found / LOADS).is_file()) as scratch:
                fitted.save(scratch)
                write_file(scratch / LOADS, class_name(fitted))
            evict(path.parent.iterdir(), LIMIT)
    return fitted


def _trained(ranker: Trainable, train: TrainSet, seed: int, context: TrainContext | None, name: str) -> FittedRanker:
    """Train with a checkpoint folder of its own.

    It starts from no trained model and does not stop early: the context's models have seen the fold that is scored, and
    folds must be trained like the whole.
    """
    if context is not None:
        context = TrainContext(context.folder / "signals" / name, resume=context.resume, progress=context.progress)
    return fit_in_context(context, ranker, train, seed=seed)


def _half_precision(scores: Scores) -> NDArray[np.float16]:
    """Scores in half precision, which is enough for trees; minus infinity becomes the smallest number."""
    return np.maximum(scores, np.finfo(np.float16).min).astype(np.float16)


def _home() -> Path:
    return cache_folder() / "signals"


def _key(spec: str, part: TrainSet, asked: Sequence[Passage], seed: int) -> str:
    """A hash of all inputs of the scores; a method may read any field of a passage."""
    digest = hashlib.blake2b(repr((CACHE_VERSION, spec, seed)).encode(), digest_size=12)
    for one in (*part.passages, *asked, *part.examples):
        digest.update(repr(one).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
