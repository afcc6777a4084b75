"""Training, keeping and reading of autoregressive models."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import torch
from torch import Tensor

from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural.batching import by_length
from naturalproofs.ranking.neural.choosing import READING
from naturalproofs.ranking.neural.choosing_learner import ChoosingLearner, Plan
from naturalproofs.ranking.neural.choosing_scoring import candidate_rows
from naturalproofs.ranking.neural.choosing_training import Chooser, chooser_of, first_model, kept
from naturalproofs.ranking.neural.core import bare
from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.reading import budget, evaluating
from naturalproofs.ranking.neural.running import left, run_loop, validation_of
from naturalproofs.ranking.neural.sequencer import Sequencer, narrow
from naturalproofs.ranking.neural.sequences import log_likelihood, padded
from naturalproofs.ranking.neural.steps import choices_of, keys_of, places_of
from naturalproofs.ranking.neural.storage import load_parts, save_parts
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.training import Group
from naturalproofs.ranking.neural.validation import Validation
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.autoregressive import Autoregressive, FittedAutoregressive

WORST = -16.0
"""A reference that is less likely than this teaches no more."""


class AutoregressiveLearner(ChoosingLearner["Autoregressive"]):
    """From each theorem to the sequence of its references."""

    watched = "token likelihood"

    def __init__(
        self,
        settings: Autoregressive,
        chooser: Chooser,
        sequencer: Sequencer,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        super().__init__(
            settings, chooser.network, chooser.core.reader, examples, validation, seed, pooled=False, frozen=True
        )
        self.sequencer = sequencer
        self.choices = choices_of(self.network, candidate_rows(chooser, examples.passages))
        names = [examples.passages[place].id for place in examples.theorems.tolist()]
        self.own = places_of(self.network, names)
        self.keys = keys_of(self.network)

    @property
    def module(self) -> Sequencer:
        """The network; the joint model in it does not change."""
        return self.sequencer

    def groups(self) -> list[Group]:
        """All but the joint model."""
        learns = [p for p in self.sequencer.parameters() if p.requires_grad]
        rate = self.settings.head_rate
        matrices = [p for p in learns if p.ndim > 1]
        return [Group(matrices, rate, self.settings.weight_decay), Group([p for p in learns if p.ndim <= 1], rate)]

    def loss(self, plan: Plan, team: Team) -> tuple[Tensor, int]:
        """Negative log-likelihood of the sequences."""
        rows, _ = self.share(plan, team)
        if not len(rows):
            return 0.0 * self.sequencer.focus, self.tokens(plan)
        device, columns = team.device, self.columns(plan)
        choices = self.choices.only(torch.from_numpy(columns.places).to(device))
        choices = replace(choices, bias=choices.bias + torch.from_numpy(columns.shift).to(device))
        column = np.full(len(self.examples.passages), -1, dtype=np.int64)
        column[columns.places] = np.arange(len(columns.places))
        sequences = [column[self.examples.sequences[i][: self.settings.longest]] for i in rows.tolist()]
        asked = self.sequencer.asked(self.theorems(rows, device), self.own[rows].to(device), self.keys)
        itself = torch.from_numpy(column[self.examples.theorems[rows]]).to(device)
        likely, _ = log_likelihood(self.sequencer, asked, padded(sequences).to(device), choices, itself, WORST)
        return -likely.sum() * team.size / len(plan.rows), self.tokens(plan)

    def validate(self) -> float | None:
        """The geometric mean of the probabilities of the references and ends of validation proofs."""
        if self.validation is None:
            return None
        asked, network = self.validation, self.network
        device = self.sequencer.focus.device
        choices = choices_of(network, self.rows(asked))
        place = {candidate.id: position for position, candidate in enumerate(asked.task.candidates)}
        sequences = [
            np.array([place[key] for key in q.sequence if key in place][: self.settings.longest], dtype=np.int64)
            for q in asked.task.queries
        ]
        names = [question.theorem.id for question in asked.task.queries]
        itself, own = torch.tensor([place.get(name, -1) for name in names]), places_of(network, names)
        total, count = 0.0, 0
        with torch.inference_mode(), evaluating(self.sequencer):
            for block in by_length(asked.theorems.lengths, budget(device)):
                some = np.array([row for row in block.tolist() if len(sequences[row])], dtype=np.intp)
                theorems = network.read(asked.theorems.batch(some).to(device))
                about = self.sequencer.asked(theorems, own[some].to(device), self.keys)
                tokens = padded([sequences[row] for row in some]).to(device)
                likely, steps = log_likelihood(self.sequencer, about, tokens, choices, itself[some].to(device), WORST)
                total, count = total + float(likely.sum()), count + steps
        return float(np.exp(total / max(1, count)))


def new_sequencer(settings: Autoregressive, chooser: Chooser, seed: int) -> Sequencer:
    """A sequencer that has not been trained."""
    shape = chooser.core.shape
    return Sequencer(
        chooser.network,
        shape.width,
        narrow(shape, settings.decoder_width),
        layers=settings.decoder_layers,
        steps=settings.longest + 1,
        dropout=settings.decoder_dropout,
        seed=seed,
    )


def train_autoregressive(
    settings: Autoregressive, train: TrainSet, seed: int, context: TrainContext
) -> FittedAutoregressive:
    """Train an autoregressive model, and before it the joint model that it stands on, if there is none."""
    from naturalproofs.ranking.neural.autoregressive import FittedAutoregressive
    from naturalproofs.ranking.neural.joint import FittedJoint

    began = time.monotonic()
    examples = Examples.of(train)
    joint = first_model(FittedJoint, "joint", settings.start, settings.first, train, seed, context)
    chooser = joint.chooser
    reading: dict[str, Any] = {name: getattr(chooser.settings, name) for name in READING}
    settings = replace(settings, **reading)
    sequencer = new_sequencer(settings, chooser, seed)
    progress = None
    if len(examples):
        pooled = bare(chooser.network.table.reference)
        validation = validation_of(settings, context.valid, chooser.core.reader, theorems=False, candidates=pooled)
        learner = AutoregressiveLearner(settings, chooser, sequencer, examples, validation, seed)
        own = replace(left(context, began), folder=context.folder / "autoregressive")
        progress = run_loop(learner, settings, chooser.core.reader, examples, seed, own)
    sequencer.eval()
    return FittedAutoregressive(settings, chooser, sequencer, joint.layers, progress)


def save_autoregressive(folder: Path, fitted: FittedAutoregressive) -> None:
    """Write a model's files."""
    chooser = fitted.chooser
    weights = {f"network.{name}": value for name, value in kept(chooser.network).items()}
    own = {n: value for n, value in fitted.sequencer.state_dict().items() if not n.startswith("network.")}
    extra = {
        "ids": chooser.network.table.ids, "layers": fitted.layers, "joint": msgspec.to_builtins(chooser.settings),
    }  # fmt: skip
    save_parts(folder, fitted.settings, chooser.core, weights | own, fitted.progress, extra)


def load_autoregressive(folder: Path) -> FittedAutoregressive:
    """Read a model's files."""
    from naturalproofs.ranking.neural.autoregressive import Autoregressive, FittedAutoregressive
    from naturalproofs.ranking.neural.joint import Joint

    found = load_parts(folder, Autoregressive)
    below = msgspec.convert(found.extra.get("joint", {}), Joint)
    chooser, layers = chooser_of(found.under(below), "model.network.")
    sequencer = new_sequencer(found.settings, chooser, 0)

    def restore(weights: dict[str, Tensor]) -> None:
        network = {f"network.{name}": value for name, value in chooser.network.state_dict().items()}
        sequencer.load_state_dict(network | {n: v for n, v in weights.items() if not n.startswith("network.")})

    found.into(restore)
    sequencer.eval()
    return FittedAutoregressive(found.settings, chooser, sequencer, layers, found.progress)
