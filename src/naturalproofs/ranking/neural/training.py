"""The one loop that trains every model.

Nothing random has a state: a step's randomness comes from the seed and the number of the step, the order of an epoch
from the seed and the number of the epoch. A checkpoint therefore needs weights, the optimiser's moments and a few
counters to go on exactly as if training had never stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from naturalproofs import progress as reporting
from naturalproofs.ranking.neural.checkpoints import Checkpoints, Saved, TrainState
from naturalproofs.ranking.neural.settings import TrainingSettings
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.towers import Tower

CHECKPOINT_SECONDS = 60.0
Plan = TypeVar("Plan")


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that learn alike."""

    parameters: list[nn.Parameter]
    rate: float
    """Learning rate at its highest."""
    decay: float = 0.0
    """Weight decay."""


class Learner(Protocol[Plan]):
    """What a model tells the loop."""

    watched: str
    """What validation measures."""
    unit: str
    """What is counted of a batch."""

    @property
    def module(self) -> nn.Module:
        """All that is trained, and buffers that change while training."""
        ...

    def groups(self) -> list[Group]:
        """What learns, and how fast."""
        ...

    def prepare(self, epoch: int) -> None:
        """Called before every epoch; what it computes is a buffer of the module."""
        ...

    def plans(self, epoch: int) -> Sequence[Plan]:
        """The batches of an epoch, a function of its number."""
        ...

    def loss(self, plan: Plan, team: Team) -> tuple[Tensor, int]:
        """The loss of a batch, and how much there is of it."""
        ...

    def validate(self) -> float | None:
        """What is watched, from 0 to 1, if there is something to validate on."""
        ...


@dataclass(slots=True)
class Loop(Generic[Plan]):
    """Training of one model."""

    learner: Learner[Plan]
    settings: TrainingSettings
    checkpoints: Checkpoints
    seed: int
    minutes: float | None = None
    tell: reporting.Progress = reporting.silent
    team: Team = field(default_factory=Team)
    progress: TrainState = field(default_factory=TrainState)
    best: dict[str, Tensor] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)

    def run(self, *, resume: bool) -> TrainState:
        """Train, and leave the module with the best weights."""
        module = self.learner.module.to(self.team.device)
        optimiser = self._optimiser()
        saved = self.checkpoints.start(resume=resume) if self.team.leads else None
        saved = self.team.agree(saved)
        if saved is not None:
            self._restore(module, optimiser, saved)
        module.train()
        clock = _Clock(self.progress.seconds)
        if saved is None:
            self.progress.watched, self.progress.unit = self.learner.watched, self.learner.unit
            self._validate(module, clock)  # Where it starts from: training may make a good encoder worse.
        while not self.progress.done and self.progress.epoch < self.settings.epochs:
            self._epoch(module, optimiser, clock)
        if not self.progress.done:
            self.progress.done = True
            self.best = self.best or _copy(module)
            self._write(optimiser, clock)
        module.load_state_dict(self.best)
        module.eval()
        best = f"best {self.learner.watched} {100 * self.progress.best:.2f}" if self.progress.best >= 0 else "done"
        self.tell(1, 1, best)
        return self.progress

    def _epoch(self, module: nn.Module, optimiser: torch.optim.Optimizer, clock: _Clock) -> None:
        now = self.progress
        if now.batch == 0:
            self.learner.prepare(now.epoch)
        plans = self.learner.plans(now.epoch)
        stops = {math.ceil(len(plans) * (i + 1) / self.settings.validations) for i in range(self.settings.validations)}
        for plan in plans[now.batch :]:
            done = self._share_done(len(plans), clock)
            if done >= 1:
                self._validate(module, clock)
                now.done = True
                break
            tokens = self._step(module, optimiser, plan, done)
            clock.count(tokens)
            now.batch += 1
            now.step += 1
            if now.batch in stops:
                self._validate(module, clock)
            self._say(done, clock)
            if now.done:
                break
            if self.team.leads and clock.since_written() >= CHECKPOINT_SECONDS:
                self._write(optimiser, clock)
        if now.done:
            self.best = self.best or _copy(module)
            self._write(optimiser, clock)
        else:
            now.epoch, now.batch = now.epoch + 1, 0

    def _step(self, module: nn.Module, optimiser: torch.optim.Optimizer, plan: Plan, done: float) -> int:
        torch.manual_seed((self.seed * 1_000_003 + self.progress.step) % (1 << 62))
        warm = self.settings.warmup
        rate = min(done / warm if warm else 1.0, (1 - done) / max(1e-9, 1 - warm))
        for group in optimiser.param_groups:
            group["lr"] = group["full"] * max(rate, 1e-3)
        optimiser.zero_grad(set_to_none=True)
        with autocast(self.team.device):
            loss, tokens = self.learner.loss(plan, self.team)
        loss.backward()
        parameters = [p for group in optimiser.param_groups for p in group["params"]]
        self.team.average(parameters)
        if self.settings.clip:
            nn.utils.clip_grad_norm_(parameters, self.settings.clip)
        optimiser.step()
        self.losses.append(float(loss.detach()))
        return tokens

    def _validate(self, module: nn.Module, clock: _Clock) -> None:
        now = self.progress
        found = self.team.agree(self.learner.validate() if self.team.leads else None)
        module.train()
        if found is None:
            return
        now.history.append((now.step, sum(self.losses) / max(1, len(self.losses)), found))
        now.speeds.append(clock.speed)
        self.losses.clear()
        now.waited += 1
        if found > now.best:
            now.best, now.best_step, now.waited = found, now.step, 0
            self.best = _copy(module)
        if self.settings.patience and now.waited >= self.settings.patience:
            now.done = True

    def _share_done(self, plans: int, clock: _Clock) -> float:
        """How much of training is over: by steps or by the clock, whichever is further."""
        steps = (self.progress.epoch + self.progress.batch / plans) / self.settings.epochs
        if self.minutes is None:
            return steps
        return max(steps, float(self.team.agree(clock.seconds / max(1e-9, 60 * self.minutes))))

    def _say(self, done: float, clock: _Clock) -> None:
        if not self.team.leads:
            return
        # Before anything is done, nobody knows how long the rest takes.
        left = f", {clock.seconds * (1 - done) / done / 60:.0f} min left" if done > 0.005 else ""
        best = f", {self.learner.watched} {100 * self.progress.best:.2f}" if self.progress.best >= 0 else ""
        recent = self.losses[-50:]
        loss = sum(recent) / len(recent) if recent else self.progress.history[-1][1]
        message = f"loss {loss:.3f}{best}, {clock.speed:,.0f} {self.learner.unit}/s{left}"
        self.tell(min(done, 0.999), 1, message)

    def _optimiser(self) -> torch.optim.Optimizer:
        groups = [
            {"params": group.parameters, "full": group.rate, "weight_decay": group.decay}
            for group in self.learner.groups()
            if group.parameters
        ]
        return torch.optim.AdamW(groups, lr=self.settings.learning_rate)

    def _write(self, optimiser: torch.optim.Optimizer, clock: _Clock) -> None:
        if not self.team.leads:
            return
        self.progress.seconds = clock.seconds
        tensors = {"best": self.best}
        if not self.progress.done:
            moments = {
                f"{number}.{name}": value
                for number, parameter in enumerate(_parameters(optimiser))
                for name, value in optimiser.state[parameter].items()
            }
            recent = torch.tensor(self.losses, dtype=torch.float64)
            tensors |= {"weights": _copy(self.learner.module), "moments": moments, "losses": {"recent": recent}}
        self.checkpoints.write(self.progress, tensors)
        clock.written()

    def _restore(self, module: nn.Module, optimiser: torch.optim.Optimizer, saved: Saved) -> None:
        self.progress, self.best = saved.progress, saved.tensors["best"]
        if self.progress.done:
            return
        module.load_state_dict(saved.tensors["weights"])
        self.losses = saved.tensors["losses"]["recent"].tolist()
        parameters = list(_parameters(optimiser))
        for key, value in saved.tensors["moments"].items():
            number, _, name = key.partition(".")
            parameter = parameters[int(number)]
            optimiser.state[parameter][name] = value if name == "step" else value.to(parameter.device)


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """Mixed precision where the device has it; a processor without it would be slower, not faster."""
    if device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.autocast("cuda", torch.bfloat16)
    return nullcontext()


def tower_groups(towers: Sequence[Tower], settings: TrainingSettings) -> list[Group]:
    """What learns of towers: matrices with weight decay, norms and biases without, heads faster."""
    distinct = list(dict.fromkeys(towers))
    heads = [p for tower in distinct if tower.head is not None for p in tower.head.parameters() if p.requires_grad]
    ours = set(heads)
    layers = [p for tower in distinct for p in tower.parameters() if p.requires_grad and p not in ours]
    rate = settings.learning_rate
    return [
        Group([p for p in layers if p.ndim > 1], rate, settings.weight_decay),
        Group([p for p in layers if p.ndim <= 1], rate),
        Group(heads, settings.head_rate),
    ]


def _parameters(optimiser: torch.optim.Optimizer) -> Iterator[nn.Parameter]:
    for group in optimiser.param_groups:
        yield from group["params"]


def _copy(module: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().cpu().clone() for name, value in module.state_dict().items()}


class _Clock:
    """Time spent, over interruptions."""

    def __init__(self, before: float) -> None:
        self._before = before
        self._start = self._written = time.monotonic()
        self._tokens = 0

    @property
    def seconds(self) -> float:
        return self._before + time.monotonic() - self._start

    @property
    def speed(self) -> float:
        return self._tokens / max(1e-9, time.monotonic() - self._start)

    def count(self, tokens: int) -> None:
        self._tokens += tokens

    def since_written(self) -> float:
        return time.monotonic() - self._written

    def written(self) -> None:
        self._written = time.monotonic()
