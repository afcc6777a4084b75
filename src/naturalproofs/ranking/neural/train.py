"""Training of all models: examples and batches as numbers, and the loop, in one process or several on some nodes.

Random numbers have no state: those of a step are seeded by the seed and the step's number, the order of an epoch by
the seed and the epoch's number. A checkpoint of weights, optimiser moments and counters is therefore enough to
continue exactly as if training had not been interrupted.

Several processes share every batch through Lightning Fabric. The gradient is that of one process on the whole batch:
a process encodes its `shard` of the rows, `gather_rows` gives every process all rows, and Fabric averages gradients.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import torch
from lightning_fabric import Fabric
from lightning_fabric.strategies.ddp import DDPStrategy
from numpy.typing import NDArray
from torch import Tensor, nn

from naturalproofs.errors import NotAModel
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.encode import EncodedTexts, FrozenEncoder
from naturalproofs.ranking.neural.encoder import Tower
from naturalproofs.ranking.neural.methods import TrainSettings
from naturalproofs.ranking.neural.store import Checkpoint, Checkpoints, TrainState
from naturalproofs.ranking.registry import load_model
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet
from naturalproofs.tasks.measures.ranks import ranked_queries
from naturalproofs.tasks.measures.retrieval import MAP, compute_measures

Numbers = NDArray[np.intp]
_BUCKET = 32
"""Items of this many batches are sorted by cost together; their batches are then shuffled."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Every passage once, and the examples by position."""

    passages: tuple[Passage, ...]
    theorems: Numbers
    """By example: the position of the theorem."""
    sequences: tuple[Numbers, ...]
    """By example: the positions of the references, in order and with repeats."""

    @classmethod
    def of(cls, train: TrainSet) -> Examples:
        """Number a training set; references outside it are dropped, and examples without references."""
        known = {passage.id: passage for passage in train.passages}
        for example in train.examples:
            known.setdefault(example.theorem.id, example.theorem)
        place = {key: position for position, key in enumerate(known)}
        pairs = [
            (place[example.theorem.id], np.array([place[key] for key in example.references if key in place], np.intp))
            for example in train.examples
        ]
        pairs = [(theorem, sequence) for theorem, sequence in pairs if len(sequence)]
        theorems = np.array([theorem for theorem, _ in pairs], dtype=np.intp)
        return cls(tuple(known.values()), theorems, tuple(sequence for _, sequence in pairs))

    def __len__(self) -> int:
        return len(self.theorems)

    def gold(self, example: int) -> Numbers:
        """The distinct references of an example, in order."""
        return np.array(list(dict.fromkeys(self.sequences[example].tolist())), dtype=np.intp)

    def cited_by(self, examples: Sequence[int] | Numbers) -> Numbers:
        """The distinct references of some examples."""
        found = [self.sequences[int(example)] for example in examples]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)

    def gold_of_theorems(self) -> dict[int, set[int]]:
        """The references of all proofs of each theorem."""
        found: dict[int, set[int]] = {}
        for theorem, sequence in zip(self.theorems.tolist(), self.sequences, strict=True):
            found.setdefault(theorem, set()).update(sequence.tolist())
        return found


def gold_masks(
    columns: Numbers, theorems: Numbers, gold: dict[int, set[int]], passages: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each theorem, which columns are gold, and which is the theorem itself."""
    place = np.full(passages, -1, dtype=np.intp)
    place[columns] = np.arange(len(columns))
    cited = np.zeros((len(theorems), len(columns)), dtype=np.bool_)
    itself = np.zeros_like(cited)
    for row, theorem in enumerate(theorems.tolist()):
        found = place[list(gold[theorem])]
        cited[row, found[found >= 0]] = True
        if place[theorem] >= 0 and theorem not in gold[theorem]:
            itself[row, place[theorem]] = True
    return cited, itself


@dataclass(frozen=True, slots=True)
class SampledReferences:
    """The references that a batch is compared with."""

    places: Numbers
    log_weight: NDArray[np.float32]
    """Added to their scores: a sampled negative stands for several, this is the logarithm of how many."""


def sample_negatives(needed: Numbers, references: int, negatives: int, seed: Sequence[int]) -> SampledReferences:
    """The references a batch needs, and sampled others, weighted so that the softmax's sum is right in expectation.

    Args:
        needed: References that must be included.
        references: How many there are in all.
        negatives: How many others are sampled; 0: all.
        seed: Numbers that seed the sample.
    """
    rest = np.setdiff1d(np.arange(references), needed)
    if not negatives or negatives >= len(rest):
        return SampledReferences(np.arange(references), np.zeros(references, dtype=np.float32))
    sampled = np.random.default_rng(list(seed)).choice(rest, negatives, replace=False)
    places = np.concatenate([np.unique(needed), np.sort(sampled)])
    log_weight = np.zeros(len(places), dtype=np.float32)
    log_weight[-negatives:] = np.log(len(rest) / negatives)
    return SampledReferences(places, log_weight)


def shuffled_batches(costs: NDArray[np.int64], budget: int, seed: Sequence[int], *, most: int) -> list[Numbers]:
    """Items in batches of about a budget, in an order that the seed decides; a batch has items of similar cost.

    Args:
        costs: What each item adds to a batch.
        budget: What a batch may cost; an item that costs more is a batch of its own.
        seed: Numbers that decide the order.
        most: How many items a batch has at most.
    """
    generator = np.random.default_rng(list(seed))
    order = generator.permutation(len(costs))
    mean = max(1.0, float(costs.mean())) if len(costs) else 1.0
    size = max(1, _BUCKET * min(most, int(budget / mean) + 1))
    batches: list[Numbers] = []
    for first in range(0, len(order), size):
        piece = order[first : first + size]
        piece = piece[np.argsort(costs[piece], kind="stable")]
        batches.extend(np.split(piece, _batch_ends(costs[piece], budget, most)))
    return [batches[i] for i in generator.permutation(len(batches))]


def _batch_ends(costs: NDArray[np.int64], budget: int, most: int) -> list[int]:
    ends: list[int] = []
    first, spent = 0, 0
    for place, cost in enumerate(costs.tolist()):
        if place > first and (spent + cost > budget or place - first >= most):
            ends.append(place)
            first, spent = place, 0
        spent += cost
    return ends


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What a model is trained on: an encoder, the examples, the validation task if there is one, and the seed."""

    frozen: FrozenEncoder
    examples: Examples
    validation: Validation | None
    seed: int


@dataclass(frozen=True, slots=True)
class Validation:
    """A fixed sample of the validation queries and candidates, encoded once."""

    task: RetrievalTask
    theorems: EncodedTexts
    candidates: EncodedTexts

    @classmethod
    def of(
        cls, settings: TrainSettings, task: RetrievalTask | None, frozen: FrozenEncoder, *, pooled: tuple[bool, bool]
    ) -> Validation | None:
        """Sample and encode a task; nothing without one.

        Args:
            settings: The sizes of the sample.
            task: The task.
            frozen: The encoder.
            pooled: Whether the states of theorems are pooled, and those of candidates.
        """
        if task is None or not task.queries:
            return None
        small = sample_task(task, settings.valid_questions, settings.valid_candidates)
        theorems = frozen.encode([query.theorem for query in small.queries], pooled=pooled[0])
        return cls(small, theorems, frozen.encode(small.candidates, pooled=pooled[1]))

    def mean_average_precision(self, scores: Scores) -> float:
        """Mean average precision of scores of all candidates for all theorems."""
        ranked = ranked_queries(
            scores,
            queries=[query.id for query in self.task.queries],
            gold=[query.gold for query in self.task.queries],
            candidates=[candidate.id for candidate in self.task.candidates],
            excluded=self.task.excluded,
            top=0,
        )
        return compute_measures(ranked, [MAP]).total(MAP)


def sample_task(task: RetrievalTask, questions: int, candidates: int) -> RetrievalTask:
    """A smaller task with every gold reference of its queries among the candidates; always the same sample."""
    generator = np.random.default_rng(0)
    chosen = np.arange(len(task.queries))
    if len(chosen) > questions:
        chosen = np.sort(generator.choice(chosen, questions, replace=False))
    index = {candidate.id: position for position, candidate in enumerate(task.candidates)}
    needed = {index[key] for row in chosen for key in task.queries[row].gold if key in index}
    rest = np.array([i for i in range(len(index)) if i not in needed], dtype=np.intp)
    more = min(max(0, candidates - len(needed)), len(rest))
    positions = sorted({*needed, *generator.choice(rest, more, replace=False).tolist()})
    place = {old: new for new, old in enumerate(positions)}
    return replace(
        task,
        queries=tuple(task.queries[row] for row in chosen),
        candidates=tuple(task.candidates[position] for position in positions),
        excluded=tuple(tuple(place[i] for i in task.excluded[row] if i in place) for row in chosen),
    )


# The loop.

CHECKPOINT_SECONDS = 60.0
B = TypeVar("B")
M = TypeVar("M")


class TrainingModule(nn.Module, Generic[B]):
    """A model with its training data. Its forward pass is the loss of a batch."""

    metric: ClassVar[str] = "mAP"
    """What validation measures."""
    unit: str = "tokens"
    """What the speed of training is counted in."""
    fabric: Fabric
    """Set when training starts."""

    def __init__(self, data: TrainingData) -> None:
        super().__init__()
        self.examples, self.validation, self.seed = data.examples, data.validation, data.seed

    def parameter_groups(self) -> list[dict[str, Any]]:
        """The trained parameters, as `group` makes them."""
        raise NotImplementedError

    def on_epoch_start(self, epoch: int) -> None:
        """Refresh buffers of the module before an epoch."""

    def batches(self, epoch: int) -> Sequence[B]:
        """The batches of an epoch, a function of its number."""
        raise NotImplementedError

    def forward(self, batch: B) -> Tensor:
        """The loss of a batch."""
        raise NotImplementedError

    def count(self, batch: B) -> int:
        """The size of a batch, for the speed of training."""
        raise NotImplementedError

    def validate(self, validation: Validation) -> float:
        """The metric, from 0 to 1."""
        raise NotImplementedError


def group(parameters: Iterable[nn.Parameter], rate: float, decay: float = 0.0) -> dict[str, Any]:
    """The trained ones of some parameters, with their greatest learning rate and their weight decay."""
    return {"params": [p for p in parameters if p.requires_grad], "full": rate, "weight_decay": decay}


def decayed_groups(parameters: Iterable[nn.Parameter], rate: float, decay: float) -> list[dict[str, Any]]:
    """Matrices with weight decay, norms and biases without."""
    every = list(parameters)
    return [group((p for p in every if p.ndim > 1), rate, decay), group((p for p in every if p.ndim <= 1), rate)]


def tower_groups(towers: Sequence[Tower], settings: TrainSettings, head_rate: float) -> list[dict[str, Any]]:
    """The parameters of towers: those of layers with weight decay, those of heads with a rate of their own."""
    heads = [p for tower in towers if tower.head is not None for p in tower.head.parameters()]
    layers = [p for tower in towers for name, p in tower.named_parameters() if not name.startswith("head.")]
    return [*decayed_groups(layers, settings.learning_rate, settings.weight_decay), group(heads, head_rate)]


def shard(fabric: Fabric, count: int, rank: int | None = None) -> slice:
    """The rows of a batch that a process computes, by default this one."""
    rank = fabric.global_rank if rank is None else rank
    size = -(-count // fabric.world_size)
    return slice(min(rank * size, count), min((rank + 1) * size, count))


def gather_rows(fabric: Fabric, own: Tensor, count: int) -> Tensor:
    """All rows of a batch, from the shards of all processes; gradients flow back to each."""
    if fabric.world_size == 1:
        return own
    size = -(-count // fabric.world_size)
    padded = torch.cat([own, own.new_zeros(size - len(own), *own.shape[1:])])
    gathered: Any = fabric.all_gather(padded, sync_grads=True)
    shards = [shard(fabric, count, rank) for rank in range(fabric.world_size)]
    return torch.cat([gathered[rank, : part.stop - part.start] for rank, part in enumerate(shards)])


class Trainer(Generic[B]):
    """Training of one model."""

    module: TrainingModule[B]
    optimiser: Any
    wrapped: Any
    """The module as Fabric runs it."""

    def __init__(
        self,
        settings: TrainSettings,
        checkpoints: Checkpoints,
        seed: int,
        minutes: float | None = None,
        resume: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings, self.checkpoints, self.seed = settings, checkpoints, seed
        self.minutes, self.resume, self.clock = minutes, resume, clock
        self.progress: Progress = silent
        self.state = TrainState()
        self.best: dict[str, Tensor] = {}
        self.losses: list[float] = []
        self.units = 0
        self.began = self.written = 0.0
        """When training began, interruptions excluded, and when the last checkpoint was written."""

    @property
    def seconds(self) -> float:
        """Time spent in training, interruptions excluded."""
        return self.clock() - self.began

    @property
    def speed(self) -> float:
        """Units trained on in a second, since this process began."""
        return self.units / max(1e-9, self.seconds - self.state.seconds)

    def run(self, module: TrainingModule[B], fabric: Fabric) -> TrainState:
        """Train, and leave the module with the best weights."""
        self.module, module.fabric = module, fabric
        groups = [each for each in module.parameter_groups() if each["params"]]
        optimiser = torch.optim.AdamW(groups, lr=self.settings.learning_rate)
        self.wrapped, self.optimiser = fabric.setup(module, optimiser)
        found = fabric.broadcast(self.checkpoints.start(resume=self.resume) if fabric.is_global_zero else None)
        if found is not None:
            self._restore(found)
        module.train()
        self.written = self.clock()
        self.began = self.written - self.state.seconds
        if found is None:
            self.state.metric, self.state.unit = module.metric, module.unit
            self._validate()  # The score before training, which may make a good encoder worse.
        while not self.state.done and self.state.epoch < self.settings.epochs:
            self._epoch()
        if not self.state.done:
            self._finish()
        fabric.barrier()
        module.load_state_dict(self.best)
        module.eval()
        best = f"best {module.metric} {100 * self.state.best:.2f}" if self.state.best >= 0 else "done"
        self.progress(1, 1, best)
        return self.state

    def _epoch(self) -> None:
        state, module = self.state, self.module
        if state.batch == 0:
            module.on_epoch_start(state.epoch)
        batches = module.batches(state.epoch)
        for batch in batches[state.batch :]:
            done = self._share_done(len(batches))
            if done >= 1:
                self._validate()
                return self._finish()
            self._step(batch, done)
            self.units += module.count(batch)
            state.batch += 1
            state.step += 1
            if state.batch == len(batches):
                self._validate()
            self._report(done)
            if self.settings.patience and state.waited >= self.settings.patience:
                return self._finish()
            if self.clock() - self.written >= CHECKPOINT_SECONDS:
                self._write()
        state.epoch, state.batch = state.epoch + 1, 0
        return None

    def _step(self, batch: B, done: float) -> None:
        torch.manual_seed((self.seed * 1_000_003 + self.state.step) % (1 << 62))
        warmup, clip, fabric = self.settings.warmup, self.settings.clip, self.module.fabric
        rate = min(done / warmup if warmup else 1.0, (1 - done) / max(1e-9, 1 - warmup))
        for each in self.optimiser.param_groups:
            each["lr"] = each["full"] * max(rate, 1e-3)
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.wrapped(batch)
        fabric.backward(loss)
        if clip:
            fabric.clip_gradients(self.wrapped, self.optimiser, max_norm=clip, error_if_nonfinite=False)
        self.optimiser.step()
        self.losses.append(float(loss.detach()))

    def _validate(self) -> None:
        state, module, validation = self.state, self.module, self.module.validation
        if validation is None:
            return
        score = module.fabric.broadcast(module.validate(validation) if module.fabric.is_global_zero else 0.0)
        module.train()
        state.history.append((state.step, sum(self.losses) / max(1, len(self.losses)), score))
        state.speeds.append(self.speed)
        self.losses.clear()
        state.waited += 1
        if score > state.best:
            state.best, state.best_step, state.waited = score, state.step, 0
            self.best = _copy(module)

    def _finish(self) -> None:
        self.state.done = True
        self.best = self.best or _copy(self.module)
        self._write()
        self.state.seconds = self.seconds

    def _share_done(self, batches: int) -> float:
        """The share of training that is over: by steps or by time, whichever is greater."""
        steps = (self.state.epoch + self.state.batch / batches) / self.settings.epochs
        if self.minutes is None:
            return steps
        return max(steps, float(self.module.fabric.broadcast(self.seconds / max(1e-9, 60 * self.minutes))))

    def _report(self, done: float) -> None:
        left = f", {self.seconds * (1 - done) / done / 60:.0f} min left" if done > 0.005 else ""
        best = f", {self.module.metric} {100 * self.state.best:.2f}" if self.state.best >= 0 else ""
        recent = self.losses[-50:]
        loss = sum(recent) / len(recent) if recent else self.state.history[-1][1]
        self.progress(min(done, 0.999), 1, f"loss {loss:.3f}{best}, {self.speed:,.0f} {self.module.unit}/s{left}")

    def _write(self) -> None:
        self.written = self.clock()
        if not self.module.fabric.is_global_zero:
            return
        tensors = {"best": self.best}
        if not self.state.done:
            moments = {
                f"{number}.{name}": value
                for number, parameter in enumerate(self._parameters())
                for name, value in self.optimiser.state[parameter].items()
            }
            recent = torch.tensor(self.losses, dtype=torch.float64)
            tensors |= {"weights": _copy(self.module), "moments": moments, "losses": {"recent": recent}}
        self.checkpoints.write(replace(self.state, seconds=self.seconds), tensors)

    def _restore(self, found: Checkpoint) -> None:
        self.state, self.best = found.state, found.tensors["best"]
        if self.state.done:
            return
        self.module.load_state_dict(found.tensors["weights"])
        self.losses = found.tensors["losses"]["recent"].tolist()
        parameters = self._parameters()
        for key, value in found.tensors["moments"].items():
            number, _, name = key.partition(".")
            parameter = parameters[int(number)]
            self.optimiser.state[parameter][name] = value if name == "step" else value.to(parameter.device)

    def _parameters(self) -> list[nn.Parameter]:
        return [parameter for each in self.optimiser.param_groups for parameter in each["params"]]


def _copy(module: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().cpu().clone() for name, value in module.state_dict().items()}


def run_training(
    settings: TrainSettings,
    make: Callable[[TrainingData], TrainingModule[B]],
    frozen: FrozenEncoder,
    examples: Examples,
    seed: int,
    context: TrainContext,
    began: float,
    *,
    pooled: tuple[bool, bool],
) -> TrainState | None:
    """Train, and leave the module with the best weights; None if there are no examples.

    Args:
        settings: How the model is trained.
        make: Makes the model's module for training.
        frozen: The part of the encoder that is not trained.
        examples: What it is trained on.
        seed: Random seed.
        context: Checkpoints, validation and budget.
        began: When the preparation of the model began, by the monotonic clock; it counts towards the budget.
        pooled: Whether the states of the validation's theorems are pooled, and those of its candidates.
    """
    if not len(examples):
        return None
    data = TrainingData(frozen, examples, Validation.of(settings, context.valid, frozen, pooled=pooled), seed)
    module = make(data)
    checkpoints = Checkpoints(context.folder, _fingerprint(settings, data))
    minutes = None if context.minutes is None else max(0.0, context.minutes - (time.monotonic() - began) / 60)
    trainer = Trainer[B](settings, checkpoints, seed, minutes, context.resume)
    fabric = new_fabric(settings.processes, settings.num_nodes)
    if settings.processes * settings.num_nodes == 1:
        trainer.progress = context.progress
        return trainer.run(module, fabric)
    with _progress_queue(context.progress) as queue:
        work: Any = _work
        fabric.launch(work, module, trainer, queue, max(1, torch.get_num_threads() // settings.processes))
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
        start_method: Any = "popen" if externally_launched() else "spawn"
        strategy = DDPStrategy(start_method=start_method, find_unused_parameters=True, broadcast_buffers=False)
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


def _work(fabric: Fabric, module: TrainingModule[Any], trainer: Trainer[Any], queue: Any, threads: int) -> None:
    """Train in one of several processes; the first reports progress through the queue."""
    torch.set_num_threads(threads)
    if fabric.is_global_zero:
        trainer.progress = lambda done, total, message="": queue.put((done, total, message))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # Fabric's use of torch's older collectives.
        trainer.run(module, fabric)


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
    kind: type[M], start: str, first: TrainSettings, train: TrainSet, seed: int, context: TrainContext
) -> M:
    """The model that another one starts from: the one in a folder, one that exists already, or one trained now."""
    name = first.module.rpartition(".")[2]
    found: object = load_model(Path(start)).fitted if start else context.made(first)
    if found is None:
        minutes = context.minutes / 2 if context.minutes else None
        found = first.train(train, seed=seed, context=replace(context, folder=context.folder / name, minutes=minutes))
    if not isinstance(found, kind):
        raise NotAModel(f"{start}: not a {name} model; make one with 'naturalproofs train {name}'")
    return found


def _fingerprint(settings: TrainSettings, data: TrainingData) -> str:
    """A short hash of all that training depends on; the number of processes is no part of it."""
    digest, examples = hashlib.blake2b(digest_size=12), data.examples
    digest.update(repr((replace(settings, processes=1, num_nodes=1), data.seed, data.frozen.fingerprint)).encode())
    for text in data.frozen.texts(examples.passages):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(examples.theorems.tobytes())
    for sequence in examples.sequences:
        digest.update(sequence.tobytes() + b"\0")
    return digest.hexdigest()
