"""Where training happens: in this process, or in several that Lightning Fabric starts."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import torch

from naturalproofs.errors import MissingExtra
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural.checkpoints import Checkpoints, TrainState
from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.reading import Reader
from naturalproofs.ranking.neural.settings import TrainingSettings
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.training import Learner, Loop
from naturalproofs.ranking.neural.validation import Validation, sample
from naturalproofs.tasks.dataset import RetrievalTask

Plan = TypeVar("Plan")


def left(context: TrainContext, began: float) -> TrainContext:
    """The same context with what is left of its budget: reading texts takes time too."""
    if context.minutes is None:
        return context
    return replace(context, minutes=max(0.0, context.minutes - (time.monotonic() - began) / 60))


def validation_of(
    settings: TrainingSettings, task: RetrievalTask | None, reader: Reader, *, theorems: bool, candidates: bool
) -> Validation | None:
    """What training is watched on; of theorems and candidates, whether pooled states are enough."""
    if task is None or not task.queries:
        return None
    small = sample(task, settings.valid_questions, settings.valid_candidates)
    asked = [question.theorem for question in small.queries]
    return Validation(small, reader.read(asked, pooled=theorems), reader.read(small.candidates, pooled=candidates))


def run_loop(
    learner: Learner[Plan],
    settings: TrainingSettings,
    reader: Reader,
    examples: Examples,
    seed: int,
    context: TrainContext,
) -> TrainState:
    """Train, and leave the learner's module with the best weights."""
    checkpoints = Checkpoints(context.folder, _name(settings, reader, examples, seed))
    if settings.processes == 1:
        loop = Loop(learner, settings, checkpoints, seed, context.minutes, context.progress)
        return loop.run(resume=context.resume)
    _run_together(learner, settings, checkpoints, seed, context)
    # What the processes learnt is in their last checkpoint.
    return Loop(learner, settings, checkpoints, seed).run(resume=True)


def _run_together(
    learner: Learner[Plan], settings: TrainingSettings, checkpoints: Checkpoints, seed: int, context: TrainContext
) -> None:
    try:
        from lightning_fabric import Fabric
    except ImportError as error:
        raise MissingExtra("training in several processes", "neural") from error
    accelerator = "cuda" if torch.cuda.is_available() else "cpu"
    fabric = Fabric(accelerator=accelerator, devices=settings.processes, strategy="ddp_spawn")
    with _heard(context.progress) as queue:
        loop = Loop(learner, settings, checkpoints, seed, context.minutes)
        threads = max(1, torch.get_num_threads() // settings.processes)
        fabric.launch(_Member(loop, context.resume, queue, threads))


class _Member:
    """One process of several; not a dataclass, since Fabric would look into it."""

    def __init__(self, loop: Loop[Any], resume: bool, queue: Any, threads: int) -> None:
        self.loop, self.resume, self.queue, self.threads = loop, resume, queue, threads

    def __call__(self, fabric: Any) -> None:
        """Train."""
        torch.set_num_threads(self.threads)
        self.loop.team = Team(fabric)
        self.loop.tell = self._put if self.loop.team.leads else silent
        self.loop.run(resume=self.resume)

    def _put(self, done: float, total: float, message: str = "") -> None:
        self.queue.put((done, total, message))


@contextmanager
def _heard(tell: Progress) -> Iterator[Any]:
    """A queue whose steps are told in this process."""
    queue = torch.multiprocessing.get_context("spawn").SimpleQueue()

    def listen() -> None:
        while (step := queue.get()) is not None:
            tell(*step)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield queue
    finally:
        queue.put(None)
        listener.join()


def _name(settings: TrainingSettings, reader: Reader, examples: Examples, seed: int) -> str:
    """A short name for all that a training depends on; in how many processes is no part of it."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(repr((replace(settings, processes=1), seed, reader.print)).encode())
    for text in reader.texts(examples.passages):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(examples.theorems.tobytes())
    for sequence in examples.sequences:
        digest.update(sequence.tobytes() + b"\0")
    return digest.hexdigest()
