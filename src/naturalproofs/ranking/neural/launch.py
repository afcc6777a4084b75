"""Where training runs: in this process, or in several processes on one or more nodes that Lightning Fabric connects."""

from __future__ import annotations

import hashlib
import os
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from lightning_fabric import Fabric
from lightning_fabric.strategies.ddp import DDPStrategy

from naturalproofs.errors import NotAModel
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Trainable, TrainContext
from naturalproofs.ranking.models import load_model
from naturalproofs.ranking.neural.checkpoint import Checkpoints, TrainState
from naturalproofs.ranking.neural.data import Examples
from naturalproofs.ranking.neural.encode import FrozenEncoder
from naturalproofs.ranking.neural.settings import TrainSettings
from naturalproofs.ranking.neural.train import B, Trainer, TrainingModule
from naturalproofs.tasks.dataset import TrainSet

M = TypeVar("M")


def run_training(
    module: TrainingModule[B],
    settings: TrainSettings,
    frozen: FrozenEncoder,
    examples: Examples,
    seed: int,
    context: TrainContext,
) -> TrainState:
    """Train, and leave the module with the best weights."""
    checkpoints = Checkpoints(context.folder, _fingerprint(settings, frozen, examples, seed))
    trainer = Trainer[B](settings, checkpoints, seed, context.minutes, context.resume)
    fabric = new_fabric(settings.processes, settings.num_nodes)
    if settings.processes * settings.num_nodes == 1:
        trainer.progress = context.progress
        return trainer.run(module, fabric)
    with _progress_queue(context.progress) as queue:
        worker: Any = _Worker(trainer, queue, max(1, torch.get_num_threads() // settings.processes))
        fabric.launch(worker, module)
    if externally_launched():
        return trainer.state
    # Trained in other processes: their result is in the last checkpoint.
    found = checkpoints.last()
    if found is None:
        raise NotAModel(f"{checkpoints.folder}: no checkpoint; all nodes must share this folder")
    module.load_state_dict(found.tensors["best"])
    module.eval()
    return found.state


def new_fabric(processes: int, num_nodes: int) -> Fabric:
    """Lightning Fabric for a number of processes on each of some nodes; mixed precision where the GPU has it."""
    cuda = torch.cuda.is_available()
    strategy: Any = "auto"
    if processes * num_nodes > 1:
        strategy = DDPStrategy(
            start_method="popen" if externally_launched() else "spawn",
            find_unused_parameters=True,
            broadcast_buffers=False,
        )
    return Fabric(
        accelerator="cuda" if cuda else "cpu",
        devices=processes,
        num_nodes=num_nodes,
        strategy=strategy,
        precision="bf16-mixed" if cuda and torch.cuda.is_bf16_supported() else "32-true",
    )


def externally_launched() -> bool:
    """Whether a launcher such as torchrun started all processes, so that none is started here."""
    return "LOCAL_RANK" in os.environ


class _Worker:
    """One of several processes; not a dataclass, since Fabric would copy its fields."""

    def __init__(self, trainer: Trainer[Any], queue: Any, threads: int) -> None:
        self.trainer, self.queue, self.threads = trainer, queue, threads

    def __call__(self, fabric: Fabric, module: TrainingModule[Any]) -> None:
        """Train."""
        torch.set_num_threads(self.threads)
        self.trainer.progress = self._put if fabric.is_global_zero else silent
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Fabric's use of torch's older collectives.
            self.trainer.run(module, fabric)

    def _put(self, done: float, total: float, message: str = "", /) -> None:
        self.queue.put((done, total, message))


@contextmanager
def _progress_queue(progress: Progress) -> Iterator[Any]:
    """A queue whose items are reported by this process."""
    queue = torch.multiprocessing.get_context("spawn").SimpleQueue()

    def listen() -> None:
        while (step := queue.get()) is not None:
            progress(*step)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield queue
    finally:
        queue.put(None)
        listener.join()


def first_model(
    kind: type[M], name: str, start: str, first: Trainable, train: TrainSet, seed: int, context: TrainContext
) -> M:
    """The model that another one starts from: the one in a folder, one that exists already, or one trained now."""
    found: object = load_model(Path(start)).fitted if start else context.made(first)
    if found is None:
        minutes = context.minutes / 2 if context.minutes else None
        found = first.train(train, seed=seed, context=replace(context, folder=context.folder / name, minutes=minutes))
    if not isinstance(found, kind):
        raise NotAModel(f"{start}: not a {name} model; make one with 'naturalproofs train {name}'")
    return found


def remaining(context: TrainContext, began: float) -> TrainContext:
    """The context with what is left of its budget: encoding texts takes time too."""
    if context.minutes is None:
        return context
    return replace(context, minutes=max(0.0, context.minutes - (time.monotonic() - began) / 60))


def _fingerprint(settings: TrainSettings, frozen: FrozenEncoder, examples: Examples, seed: int) -> str:
    """A short hash of all that training depends on; the number of processes is no part of it."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(repr((replace(settings, processes=1, num_nodes=1), seed, frozen.fingerprint)).encode())
    for text in frozen.texts(examples.passages):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(examples.theorems.tobytes())
    for sequence in examples.sequences:
        digest.update(sequence.tobytes() + b"\0")
    return digest.hexdigest()
