"""Training of joint models."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.choosing_learner import ChoosingLearner, Plan
from naturalproofs.ranking.neural.choosing_scoring import first_scores, reads_pooled
from naturalproofs.ranking.neural.choosing_training import begin, counts_of, finished, settled
from naturalproofs.ranking.neural.core import bare
from naturalproofs.ranking.neural.examples import Examples, Numbers, marks
from naturalproofs.ranking.neural.losses import FAR, set_divergence
from naturalproofs.ranking.neural.memory import ProofMemory, mixed
from naturalproofs.ranking.neural.negatives import Columns
from naturalproofs.ranking.neural.network import Network, Theorems
from naturalproofs.ranking.neural.reading import Reader, through
from naturalproofs.ranking.neural.running import left, run_loop, validation_of
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.towers import Batch
from naturalproofs.ranking.neural.training import Group, tower_groups
from naturalproofs.ranking.neural.validation import Validation
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.joint import FittedJoint, Joint


class JointLearner(ChoosingLearner["Joint"]):
    """One step from each theorem to its set of references."""

    def __init__(
        self,
        settings: Joint,
        network: Network,
        reader: Reader,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        pooled, frozen = reads_pooled(network), settings.trained_layers == 0
        super().__init__(settings, network, reader, examples, validation, seed, pooled=pooled, frozen=frozen)
        self.gold, self.counts = examples.gold_of_theorems(), counts_of(examples)
        self.values: Tensor | None = None

    @property
    def module(self) -> Network:
        """The network."""
        return self.network

    def groups(self) -> list[Group]:
        """The towers, and all that is new."""
        network, rate = self.network, self.settings.head_rate
        trained = self.settings
        if trained.init != "none":
            trained = replace(trained, head_rate=trained.tune_rate)
        new = [network.sharpness, *([network.table.bias] if self.settings.train_bias else [])]
        new += [network.begin] if network.decoder is not None else []
        decoder = list(network.decoder.parameters()) if network.decoder is not None else []
        free = [network.table.free] if network.table.free.requires_grad else []
        return [
            *tower_groups([network.tower, network.table.reference], trained),
            Group(new, rate),
            Group([p for p in decoder if p.ndim > 1], rate, self.settings.weight_decay),
            Group([p for p in decoder if p.ndim <= 1], rate),
            Group(free, self.settings.row_rate, self.settings.free_decay),
            Group(list(network.memory.parameters()) if network.memory is not None else [], rate),
        ]

    def loss(self, plan: Plan, team: Team) -> tuple[Tensor, int]:
        """The loss of a batch."""
        rows, weight = self.share(plan, team)
        network = self.network
        if not len(rows):
            return 0.0 * network.sharpness, self.tokens(plan)
        theorems, columns = self.theorems(rows, team.device), self.columns(plan)
        places = torch.from_numpy(columns.places).to(team.device)
        queries = network.queries(theorems)
        scores = network.scores(queries, network.table.matrix(places), network.table.bias[places])
        scores = scores + torch.from_numpy(columns.shift).to(team.device)
        mix = None if network.memory is None else partial(self._mixed, theorems, rows, places, network.memory)
        return weight * self._set_loss(scores, rows, columns, mix), self.tokens(plan)

    def _set_loss(
        self, scores: Tensor, rows: Numbers, columns: Columns, mix: Callable[[Tensor], Tensor] | None = None
    ) -> Tensor:
        """Divergence of the first step from the set of cited references."""
        gold, own = marks(columns.places, self.examples.theorems[rows], self.gold, len(self.examples.passages))
        cited, itself = torch.from_numpy(gold).to(scores.device), torch.from_numpy(own).to(scores.device)
        if mix is None:
            return set_divergence(scores, cited, itself)
        return set_divergence(mix(scores.masked_fill(itself, FAR)), cited)

    def _mixed(self, theorems: Theorems, rows: Numbers, places: Tensor, memory: ProofMemory, scores: Tensor) -> Tensor:
        own = torch.from_numpy(self.examples.theorems[rows]).to(scores.device)
        if self.values is None:
            self.values = memory.values(self.network.table.ids, self.network.table.ids)
        return mixed(scores, *memory.recall(theorems.features, self.values.index_select(0, places), own))

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
        ids = [question.theorem.id for question in asked.task.queries]
        return first_scores(self.network, asked.theorems, self.rows(asked), ids)


def remember(learner: JointLearner, settings: Joint) -> None:
    """Give the network a memory of the training proofs."""
    network, examples = learner.network, learner.examples
    network.memory = ProofMemory.of(learner.keys(), examples)
    network.memory.begin_from(network.tower.head)
    network.memory_share = settings.memory_share


def train_joint(settings: Joint, train: TrainSet, seed: int, context: TrainContext) -> FittedJoint:
    """Train a joint model."""
    from naturalproofs.ranking.neural.joint import FittedJoint

    began = time.monotonic()
    examples = Examples.of(train)
    begun = begin(settings, train, examples, seed, context)
    settings, core, network = begun.settings, begun.core, begun.network
    progress = None
    if len(examples):
        validation = validation_of(
            settings, context.valid, core.reader, theorems=reads_pooled(network), candidates=bare(network.tower)
        )
        learner = JointLearner(settings, network, core.reader, examples, validation, seed)
        if settings.memory:
            remember(learner, settings)
        own = replace(left(context, began), folder=context.folder / "joint")
        progress = run_loop(learner, settings, core.reader, examples, seed, own)
        settled(network, examples)
    return FittedJoint(finished(settings, core, network, progress), begun.layers)
