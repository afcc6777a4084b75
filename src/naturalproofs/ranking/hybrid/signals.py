"""Other methods among the signals: each is trained once a fold, so that none answers what it was trained on.

A method that trains for long does so once: what it says of the training theorems, and the model that has seen all of
them, are kept in the user's cache, by all that they depend on. It is trained without places, which the trees weigh
themselves, so that all protocols share it. An interrupted training goes on at the fold it had come to, and trees are
trained again in minutes.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAModel
from naturalproofs.io.cache import cache_folder, evict
from naturalproofs.io.files import replaced_folder, write_atomic
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
"""Bytes that all that is kept may take."""
LOADS = "loads.txt"
VERSION = 2
"""To be raised when a method that trains for long comes to score otherwise."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a method said of some theorems."""

    rows: dict[StatementId, int] = field(repr=False)
    scores: NDArray[Any] = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Look up."""
        found: Scores = self.scores[[self.rows[query.id] for query in queries]].astype(np.float32)
        return found


def crossed(spec: str, part: TrainSet, asked: Sequence[Passage], seed: int, context: TrainContext | None) -> Scorer:
    """A method that has learnt from part of training, for theorems of the rest.

    Args:
        spec: The printed form of the method.
        part: What it may learn from; its passages are the candidates.
        asked: The theorems that it will be asked about.
        seed: For all that is random.
        context: Where it trains if that takes long, and who is told.
    """
    ranker = parse_ranker(spec)
    if not isinstance(ranker, Trainable):
        return ranker.fit(part, seed=seed).index(part.passages)
    part, asked = with_fields(part, place=None), [replace(theorem, place=None) for theorem in asked]
    rows = {theorem.id: row for row, theorem in enumerate(asked)}
    path = _home() / f"{_key(spec, part, asked, seed)}.npy"
    with suppress(OSError, ValueError):
        os.utime(path)
        return Recorded(rows, np.load(path, mmap_mode="r", allow_pickle=False))
    scorer = _trained(ranker, part, seed, context, path.stem).index(part.passages)
    scores = np.concatenate([_halved(scorer.score(asked[i : i + 256])) for i in range(0, len(asked), 256)])
    buffer = io.BytesIO()
    np.save(buffer, scores, allow_pickle=False)
    with suppress(OSError):  # A cache that cannot be written is no reason to stop.
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, buffer.getvalue())
        evict(path.parent.iterdir(), LIMIT)
    return Recorded(rows, scores)


def whole(spec: str, train: TrainSet, seed: int, context: TrainContext | None) -> FittedRanker:
    """A method that has learnt from all of training, for theorems that are not there."""
    ranker = parse_ranker(spec)
    if not isinstance(ranker, Trainable):
        return ranker.fit(train, seed=seed)
    train = with_fields(train, place=None)
    path = _home() / _key(spec, train, (), seed)
    with suppress(OSError, ValueError, NotAModel):
        os.utime(path)
        return fitted_class(spec, (path / LOADS).read_text("utf-8"), path).load(path)
    fitted = _trained(ranker, train, seed, context, path.name)
    if isinstance(fitted, Storable):
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replaced_folder(path, lambda found: (found / LOADS).is_file()) as scratch:
                fitted.save(scratch)
                (scratch / LOADS).write_text(class_name(fitted), encoding="utf-8")
            evict(path.parent.iterdir(), LIMIT)
    return fitted


def _trained(ranker: Trainable, train: TrainSet, seed: int, context: TrainContext | None, name: str) -> FittedRanker:
    """Train in a folder of its own.

    It begins from nothing that is made already, and stops by no validation: what it begins from in a context has seen
    the fold it will be asked about, and the folds are to be like the whole.
    """
    if context is not None:
        context = TrainContext(context.folder / "signals" / name, resume=context.resume, progress=context.progress)
    return fit_in_context(context, ranker, train, seed=seed)


def _halved(scores: Scores) -> NDArray[np.float16]:
    """In half precision: what a tree asks of a score is finer only by noise. What can never be cited stays last."""
    return np.maximum(scores, np.finfo(np.float16).min).astype(np.float16)


def _home() -> Path:
    return cache_folder() / "signals"


def _key(spec: str, part: TrainSet, asked: Sequence[Passage], seed: int) -> str:
    """A name for all that the scores may depend on: a method may read any field of a passage."""
    digest = hashlib.blake2b(repr((VERSION, spec, seed)).encode(), digest_size=12)
    for one in (*part.passages, *asked, *part.examples):
        digest.update(repr(one).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
