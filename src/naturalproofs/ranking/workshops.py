"""Workshops for methods that train for long."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from naturalproofs.ranking.contract import FittedRanker, Ranker, Tell, Trainable, Workshop, tell_nobody
from naturalproofs.tasks.dataset import TrainSet


@contextmanager
def temporary_workshop(tell: Tell = tell_nobody) -> Iterator[Workshop]:
    """For training whose checkpoints nobody needs."""
    with tempfile.TemporaryDirectory(prefix="naturalproofs-") as folder:
        yield Workshop(Path(folder) / "checkpoints", tell=tell)


def stage(workshop: Workshop | None, number: int, stages: int) -> Workshop | None:
    """The same workshop for one of several stages: what is told there is a share of the whole."""
    if workshop is None:
        return None
    tell = workshop.tell
    return replace(workshop, tell=lambda step: tell(replace(step, done=(number + step.done) / stages)))


def fitted_in(workshop: Workshop | None, ranker: Ranker, train: TrainSet, *, seed: int) -> FittedRanker:
    """Fit; a method that trains for long does so in the workshop, if there is one."""
    if workshop is None or not isinstance(ranker, Trainable):
        return ranker.fit(train, seed=seed)
    return ranker.train(train, seed=seed, workshop=workshop)
