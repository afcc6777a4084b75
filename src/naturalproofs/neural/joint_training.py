"""Training of joint models."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.neural.choosing_learner import ChoosingLearner
from naturalproofs.neural.choosing_scoring import first_scores
from naturalproofs.neural.choosing_training import begin, finished, settled
from naturalproofs.neural.core import bare
from naturalproofs.neural.examples import Examples, Numbers
from naturalproofs.neural.memory import ProofMemory, mixed
from naturalproofs.neural.network import Theorems
from naturalproofs.neural.reading import through
from naturalproofs.neural.team import Team
from naturalproofs.neural.towers import Batch
from naturalproofs.neural.validation import Validation
from naturalproofs.neural.workshops import left, run_loop, validation_of
from naturalproofs.ranking.contract import Scores, Workshop
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.neural.joint import FittedJoint, Joint


class JointLearner(ChoosingLearner["Joint"]):
    """One step from each theorem to its set of references."""

    values: Tensor | None = None

    def loss(self, plan: Numbers, team: Team) -> tuple[Tensor, int]:
        """The loss of a batch."""
        rows, weight = self.share(plan, team)
        network = self.network
        if not len(rows):
            return 0.0 * network.sharpness, self.tokens(plan)
        theorems = self.theorems(rows, team.device)
        scores = network.scores(network.queries(theorems, None)[:, 0], network.table.matrix(), network.table.bias)
        mix = None if network.memory is None else partial(self._mixed, theorems, rows, network.memory)
        return weight * self.set_loss(scores, rows, mix), self.tokens(plan)

    def _mixed(self, theorems: Theorems, rows: Numbers, memory: ProofMemory, scores: Tensor) -> Tensor:
        own = torch.from_numpy(self.examples.theorems[rows]).to(scores.device)
        if self.values is None:
            self.values = memory.values(self.network.table.ids, self.network.table.ids)
        return mixed(scores, *memory.recall(theorems.features, self.values, own))

    def prepare(self, epoch: int) -> None:
        """Remember theorems as their tower reads them now."""
        if self.network.memory is not None and not self.frozen:
            self.network.memory.keys.copy_(torch.from_numpy(self.keys()))

    def keys(self) -> NDArray[np.float32]:
        """What the memory is searched by."""
        network = self.network

        def compute(batch: Batch) -> Tensor:
            return (network.seen(batch.values, batch) if self.frozen else network.read(batch)).features

        return through(network, compute, self.texts, network.tower.width)

    def validate(self) -> float | None:
        """Mean average precision."""
        if self.validation is None:
            return None
        self.network.table.settle(self.counts)
        return self.validation.measure(self._scored)

    def _scored(self, asked: Validation) -> Scores:
        ids = [question.theorem.id for question in asked.task.questions]
        return first_scores(self.network, asked.theorems, self.rows(asked), ids)


def remember(learner: JointLearner, settings: Joint) -> None:
    """Give the network a memory of the training proofs."""
    network, examples = learner.network, learner.examples
    gold = [examples.gold(example) for example in range(len(examples))]
    network.memory = ProofMemory.of(learner.keys(), examples.theorems, gold)
    network.memory.begin_from(network.tower.head)
    network.memory_share = settings.memory_share


def train_joint(settings: Joint, train: TrainSet, seed: int, workshop: Workshop) -> FittedJoint:
    """Train a joint model."""
    from naturalproofs.neural.joint import FittedJoint

    began = time.monotonic()
    examples = Examples.of(train)
    begun = begin(settings, train, examples, seed, workshop)
    settings, core, network = begun.settings, begun.core, begun.network
    progress = None
    if len(examples):
        pooled = bare(network.tower) and network.decoder is None
        validation = validation_of(settings, workshop.valid, core.reader, pooled=pooled)
        learner = JointLearner(settings, network, core.reader, examples, validation, seed)
        if settings.memory:
            remember(learner, settings)
        own = replace(left(workshop, began), folder=workshop.folder / "joint")
        progress = run_loop(learner, settings, core.reader, examples, seed, own)
        settled(network, examples)
    return FittedJoint(finished(settings, core, network, progress), begun.layers)
