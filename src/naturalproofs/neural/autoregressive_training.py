"""Training of autoregressive models."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from naturalproofs.neural.choosing_learner import ChoosingLearner
from naturalproofs.neural.choosing_training import begin, finished, settled
from naturalproofs.neural.decoding import rank
from naturalproofs.neural.examples import Examples, Numbers
from naturalproofs.neural.losses import token_loss
from naturalproofs.neural.team import Team
from naturalproofs.neural.validation import Validation
from naturalproofs.neural.workshops import left, run_loop, validation_of
from naturalproofs.ranking.contract import Scores, Workshop
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.neural.autoregressive import Autoregressive, FittedAutoregressive

PAD = -100


class AutoregressiveLearner(ChoosingLearner["Autoregressive"]):
    """From each theorem to the sequence of its references."""

    def loss(self, plan: Numbers, team: Team) -> tuple[Tensor, int]:
        """Cross-entropy of the sequences, and the divergence of the first step from the set."""
        rows, weight = self.share(plan, team)
        if not len(rows):
            return 0.0 * self.network.sharpness, self.tokens(plan)
        network, matrix = self.network, self.network.table.matrix()
        targets = self._targets(rows, self._width(plan)).to(team.device)
        given = matrix[targets[:, :-1].clamp(0, len(matrix) - 1)]
        queries = network.queries(self.theorems(rows, team.device), given)
        scores = network.scores(queries, matrix, network.table.bias)
        ends = network.end_scores(queries)[..., None]
        every = sum(min(len(self.examples.sequences[i]), self.settings.longest) + 1 for i in plan.tolist())
        loss = token_loss(torch.cat([scores, ends], dim=-1), targets, PAD) * team.size / every
        if self.settings.set_weight:
            loss = loss + self.settings.set_weight * weight * self.set_loss(scores[:, 0], rows)
        return loss, self.tokens(plan)

    def _width(self, rows: Numbers) -> int:
        return 1 + max(min(len(self.examples.sequences[i]), self.settings.longest) for i in rows.tolist())

    def _targets(self, rows: Numbers, width: int) -> Tensor:
        """The sequences, each with its end, padded."""
        end = len(self.examples.passages)
        found = np.full((len(rows), width), PAD, dtype=np.int64)
        for place, row in enumerate(rows.tolist()):
            own = self.examples.sequences[row][: self.settings.longest]
            found[place, : len(own)] = own
            found[place, len(own)] = end
        return torch.from_numpy(found)

    def validate(self) -> float | None:
        """Mean average precision of ranking."""
        if self.validation is None:
            return None
        self.network.table.settle(self.counts)
        return self.validation.measure(self._ranked)

    def _ranked(self, asked: Validation) -> Scores:
        place = {candidate.id: position for position, candidate in enumerate(asked.task.candidates)}
        own = [[place[q.theorem.id]] if q.theorem.id in place else [] for q in asked.task.questions]
        return rank(self.network, asked.theorems, self.rows(asked), own, self.settings.decoded)


def train_autoregressive(
    settings: Autoregressive, train: TrainSet, seed: int, workshop: Workshop
) -> FittedAutoregressive:
    """Train an autoregressive model."""
    from naturalproofs.neural.autoregressive import FittedAutoregressive

    began = time.monotonic()
    examples = Examples.of(train)
    begun = begin(settings, train, examples, seed, workshop)
    settings, core, network = begun.settings, begun.core, begun.network
    progress = None
    if len(examples):
        validation = validation_of(settings, workshop.valid, core.reader, pooled=False)
        learner = AutoregressiveLearner(settings, network, core.reader, examples, validation, seed)
        own = replace(left(workshop, began), folder=workshop.folder / "autoregressive")
        progress = run_loop(learner, settings, core.reader, examples, seed, own)
        settled(network, examples)
    return FittedAutoregressive(settings, finished(settings, core, network, progress), begun.layers)
