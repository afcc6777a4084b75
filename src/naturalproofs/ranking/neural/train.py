"""The training loop of all models.

Random numbers have no state: those of a step are seeded by the seed and the step's number, the order of an epoch by
the seed and the epoch's number. A checkpoint of weights, optimiser moments and counters is therefore enough to
continue exactly as if training had not been interrupted.

Several processes share every batch through Lightning Fabric. The gradient is that of one process on the whole batch:
a process encodes its `shard` of the rows, `gather_rows` gives every process all rows, and Fabric averages gradients.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn

from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.neural.checkpoint import Checkpoint, Checkpoints, TrainState
from naturalproofs.ranking.neural.encoder import Tower
from naturalproofs.ranking.neural.settings import TrainSettings

CHECKPOINT_SECONDS = 60.0
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters with the same learning rate and weight decay."""

    parameters: list[nn.Parameter]
    rate: float
    """The greatest learning rate."""
    decay: float = 0.0


class TrainingModule(nn.Module, Generic[B]):
    """A model with its training data. Its forward pass is the loss of a batch."""

    metric: ClassVar[str] = "mAP"
    """What validation measures."""
    unit: str = "tokens"
    """What the speed of training is counted in."""
    fabric: Fabric
    """Set when training starts."""

    def parameter_groups(self) -> list[ParameterGroup]:
        """The trained parameters."""
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

    def validate(self) -> float | None:
        """The metric, from 0 to 1, if there is a validation task."""
        raise NotImplementedError


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


@dataclass(slots=True)
class Trainer(Generic[B]):
    """Training of one model."""

    settings: TrainSettings
    checkpoints: Checkpoints
    seed: int
    minutes: float | None = None
    resume: bool = False
    progress: Progress = silent
    clock: Callable[[], float] = time.monotonic
    state: TrainState = field(default_factory=TrainState)
    best: dict[str, Tensor] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)

    def run(self, module: TrainingModule[B], fabric: Fabric) -> TrainState:
        """Train, and leave the module with the best weights."""
        module.fabric = fabric
        wrapped, optimiser = fabric.setup(module, self._optimiser(module))
        found = fabric.broadcast(self.checkpoints.start(resume=self.resume) if fabric.is_global_zero else None)
        if found is not None:
            self._restore(module, optimiser, found)
        module.train()
        watch = _Stopwatch(self.clock, self.state.seconds)
        if found is None:
            self.state.metric, self.state.unit = module.metric, module.unit
            self._validate(module, watch)  # The score before training, which may make a good encoder worse.
        while not self.state.done and self.state.epoch < self.settings.epochs:
            self._epoch(module, wrapped, optimiser, watch)
        if not self.state.done:
            self._finish(module, optimiser, watch)
        fabric.barrier()
        module.load_state_dict(self.best)
        module.eval()
        best = f"best {module.metric} {100 * self.state.best:.2f}" if self.state.best >= 0 else "done"
        self.progress(1, 1, best)
        return self.state

    def _epoch(self, module: TrainingModule[B], wrapped: Any, optimiser: Any, watch: _Stopwatch) -> None:
        state, fabric = self.state, module.fabric
        if state.batch == 0:
            module.on_epoch_start(state.epoch)
        batches = module.batches(state.epoch)
        for batch in batches[state.batch :]:
            done = self._share_done(len(batches), watch, fabric)
            if done >= 1:
                self._validate(module, watch)
                return self._finish(module, optimiser, watch)
            self._step(wrapped, optimiser, batch, done, fabric)
            watch.count(module.count(batch))
            state.batch += 1
            state.step += 1
            if state.batch == len(batches):
                self._validate(module, watch)
            self._report(module, done, watch)
            if self.settings.patience and state.waited >= self.settings.patience:
                return self._finish(module, optimiser, watch)
            if watch.since_written() >= CHECKPOINT_SECONDS:
                self._write(module, optimiser, watch)
        state.epoch, state.batch = state.epoch + 1, 0
        return None

    def _step(self, wrapped: Any, optimiser: Any, batch: B, done: float, fabric: Fabric) -> None:
        torch.manual_seed((self.seed * 1_000_003 + self.state.step) % (1 << 62))
        warmup = self.settings.warmup
        rate = min(done / warmup if warmup else 1.0, (1 - done) / max(1e-9, 1 - warmup))
        for group in optimiser.param_groups:
            group["lr"] = group["full"] * max(rate, 1e-3)
        optimiser.zero_grad(set_to_none=True)
        loss = wrapped(batch)
        fabric.backward(loss)
        if self.settings.clip:
            fabric.clip_gradients(wrapped, optimiser, max_norm=self.settings.clip, error_if_nonfinite=False)
        optimiser.step()
        self.losses.append(float(loss.detach()))

    def _validate(self, module: TrainingModule[B], watch: _Stopwatch) -> None:
        state = self.state
        score = module.fabric.broadcast(module.validate() if module.fabric.is_global_zero else None)
        module.train()
        if score is None:
            return
        state.history.append((state.step, sum(self.losses) / max(1, len(self.losses)), score))
        state.speeds.append(watch.speed)
        self.losses.clear()
        state.waited += 1
        if score > state.best:
            state.best, state.best_step, state.waited = score, state.step, 0
            self.best = _copy(module)

    def _finish(self, module: TrainingModule[B], optimiser: Any, watch: _Stopwatch) -> None:
        self.state.done = True
        self.best = self.best or _copy(module)
        self._write(module, optimiser, watch)

    def _share_done(self, batches: int, watch: _Stopwatch, fabric: Fabric) -> float:
        """The share of training that is over: by steps or by time, whichever is greater."""
        steps = (self.state.epoch + self.state.batch / batches) / self.settings.epochs
        if self.minutes is None:
            return steps
        return max(steps, float(fabric.broadcast(watch.seconds / max(1e-9, 60 * self.minutes))))

    def _report(self, module: TrainingModule[B], done: float, watch: _Stopwatch) -> None:
        left = f", {watch.seconds * (1 - done) / done / 60:.0f} min left" if done > 0.005 else ""
        best = f", {module.metric} {100 * self.state.best:.2f}" if self.state.best >= 0 else ""
        recent = self.losses[-50:]
        loss = sum(recent) / len(recent) if recent else self.state.history[-1][1]
        self.progress(min(done, 0.999), 1, f"loss {loss:.3f}{best}, {watch.speed:,.0f} {module.unit}/s{left}")

    def _optimiser(self, module: TrainingModule[B]) -> torch.optim.Optimizer:
        groups = [
            {"params": group.parameters, "full": group.rate, "weight_decay": group.decay}
            for group in module.parameter_groups()
            if group.parameters
        ]
        return torch.optim.AdamW(groups, lr=self.settings.learning_rate)

    def _write(self, module: TrainingModule[B], optimiser: Any, watch: _Stopwatch) -> None:
        watch.written()
        if not module.fabric.is_global_zero:
            return
        self.state.seconds = watch.seconds
        tensors = {"best": self.best}
        if not self.state.done:
            moments = {
                f"{number}.{name}": value
                for number, parameter in enumerate(_parameters(optimiser))
                for name, value in optimiser.state[parameter].items()
            }
            recent = torch.tensor(self.losses, dtype=torch.float64)
            tensors |= {"weights": _copy(module), "moments": moments, "losses": {"recent": recent}}
        self.checkpoints.write(self.state, tensors)

    def _restore(self, module: nn.Module, optimiser: Any, found: Checkpoint) -> None:
        self.state, self.best = found.state, found.tensors["best"]
        if self.state.done:
            return
        module.load_state_dict(found.tensors["weights"])
        self.losses = found.tensors["losses"]["recent"].tolist()
        parameters = list(_parameters(optimiser))
        for key, value in found.tensors["moments"].items():
            number, _, name = key.partition(".")
            parameter = parameters[int(number)]
            optimiser.state[parameter][name] = value if name == "step" else value.to(parameter.device)


def tower_groups(towers: Sequence[Tower], settings: TrainSettings, head_rate: float) -> list[ParameterGroup]:
    """The trained parameters of towers: matrices with weight decay, norms and biases without, heads faster."""
    heads = [p for tower in towers if tower.head is not None for p in tower.head.parameters() if p.requires_grad]
    in_heads = set(heads)
    layers = [p for tower in towers for p in tower.parameters() if p.requires_grad and p not in in_heads]
    decayed = decayed_groups(layers, settings.learning_rate, settings.weight_decay)
    return [*decayed, ParameterGroup(heads, head_rate)]


def decayed_groups(parameters: Sequence[nn.Parameter], rate: float, decay: float) -> list[ParameterGroup]:
    """Matrices with weight decay, norms and biases without."""
    return [
        ParameterGroup([p for p in parameters if p.ndim > 1], rate, decay),
        ParameterGroup([p for p in parameters if p.ndim <= 1], rate),
    ]


def _parameters(optimiser: Any) -> Iterator[nn.Parameter]:
    for group in optimiser.param_groups:
        yield from group["params"]


def _copy(module: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().cpu().clone() for name, value in module.state_dict().items()}


class _Stopwatch:
    """Time spent in training, interruptions excluded."""

    def __init__(self, clock: Callable[[], float], before: float) -> None:
        self._clock, self._before = clock, before
        self._start = self._written = clock()
        self._units = 0

    @property
    def seconds(self) -> float:
        return self._before + self._clock() - self._start

    @property
    def speed(self) -> float:
        return self._units / max(1e-9, self._clock() - self._start)

    def count(self, units: int) -> None:
        self._units += units

    def since_written(self) -> float:
        return self._clock() - self._written

    def written(self) -> None:
        self._written = self._clock()
