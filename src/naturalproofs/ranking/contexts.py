"""Workshops for methods that train for long."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import FittedRanker, Ranker, Trainable, TrainContext
from naturalproofs.tasks.dataset import TrainSet


@contextmanager
def temporary_context(progress: Progress = silent) -> Iterator[TrainContext]:
    """For training whose checkpoints nobody needs."""
    with tempfile.TemporaryDirectory(prefix="naturalproofs-") as folder:
        yield TrainContext(Path(folder) / "checkpoints", progress=progress)


def stage(context: TrainContext | None, number: int, stages: int) -> TrainContext | None:
    """The same context for one of several stages: what is told there is a share of the whole."""
    if context is None:
        return None
    report = context.progress

    def share(done: float, total: float, message: str = "") -> None:
        report((number + done / total) / stages, 1, message)

    return replace(context, progress=share)


def fitted_in(context: TrainContext | None, ranker: Ranker, train: TrainSet, *, seed: int) -> FittedRanker:
    """Fit; a method that trains for long does so in the context, if there is one."""
    if context is None or not isinstance(ranker, Trainable):
        return ranker.fit(train, seed=seed)
    return ranker.train(train, seed=seed, context=context)
