"""What the joint and the autoregressive model learn from: theorems, against all references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from naturalproofs.ranking.neural.batching import Ragged, Texts, by_length, shuffled
from naturalproofs.ranking.neural.core import bare
from naturalproofs.ranking.neural.examples import Examples, Numbers
from naturalproofs.ranking.neural.negatives import Columns, drawn
from naturalproofs.ranking.neural.network import Network, Theorems
from naturalproofs.ranking.neural.reading import Reader, budget, device_of, evaluating, through
from naturalproofs.ranking.neural.references import Rows
from naturalproofs.ranking.neural.settings import TrainingSettings
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.towers import Tower
from naturalproofs.ranking.neural.validation import Validation

S = TypeVar("S", bound=TrainingSettings)


@dataclass(frozen=True, slots=True)
class Plan:
    """A batch: which examples."""

    rows: Numbers
    draw: tuple[int, ...]
    """Numbers that decide which references it chooses from."""


class ChoosingLearner(Generic[S]):
    """Theorems for the loop; what a batch loses, and what learns, is each model's own."""

    watched = "mAP"

    def __init__(
        self,
        settings: S,
        network: Network,
        reader: Reader,
        examples: Examples,
        validation: Validation | None,
        seed: int,
        *,
        pooled: bool,
        frozen: bool,
    ) -> None:
        self.settings, self.examples, self.validation, self.seed = settings, examples, validation, seed
        self.network = network
        self.frozen = frozen
        passages = [examples.passages[i] for i in examples.theorems]
        self.texts = reader.read(passages, pooled=pooled)
        self.unit = "theorems" if pooled else "tokens"
        if self.frozen and not bare(network.tower):
            self.texts = beyond_layers(network.tower, self.texts)
        self.candidates = self._features(validation.candidates) if validation else torch.zeros(0, network.tower.width)

    def prepare(self, epoch: int) -> None:
        """Nothing changes from epoch to epoch."""

    def plans(self, epoch: int) -> Sequence[Plan]:
        """Batches of examples."""
        most, budget = self.settings.batch_theorems, self.settings.step_tokens
        batches = shuffled(self.texts.lengths, budget, (self.seed, epoch), most=most)
        return [Plan(batch, (self.seed, epoch, 2, n)) for n, batch in enumerate(batches)]

    def columns(self, plan: Plan) -> Columns:
        """What a batch chooses from: the same for all processes that share it."""
        needed = self.examples.cited_by(plan.rows)
        return drawn(needed, len(self.examples.passages), self.settings.negatives, plan.draw)

    def theorems(self, rows: Numbers, device: torch.device) -> Theorems:
        """Encode the theorems of examples."""
        batch = self.texts.batch(rows).to(device)
        if not self.frozen:
            return self.network.read(batch)
        return self.network.seen(batch.values, batch)

    def share(self, plan: Plan, team: Team) -> tuple[Numbers, float]:
        """This process's examples, and what its mean loss weighs so that the mean over processes is right."""
        own = plan.rows[team.share(len(plan.rows))]
        return own, team.size * len(own) / len(plan.rows)

    def tokens(self, plan: Plan) -> int:
        """How many tokens a batch has."""
        return int(self.texts.lengths[plan.rows].sum())

    def rows(self, validation: Validation) -> Rows:
        """Rows of the validation's candidates as the reference tower is now."""
        tower = self.network.table.reference
        with torch.inference_mode(), evaluating(tower):
            vectors = tower.vectors(self.candidates.to(self.network.sharpness.device)).cpu().numpy()
        return self.network.table.rows([candidate.id for candidate in validation.task.candidates], vectors)

    def _features(self, texts: Texts) -> Tensor:
        tower = self.network.table.reference
        return torch.from_numpy(through(tower, tower.features, texts, tower.width))


def beyond_layers(tower: Tower, texts: Texts) -> Texts:
    """States after a tower's layers, where these are not trained."""
    width = len(tower.centre)
    found = [np.zeros((0, width), dtype=np.float16)] * len(texts)
    device = device_of(tower)
    with torch.inference_mode(), evaluating(tower):
        for rows in by_length(texts.lengths, budget(device)):
            states = tower.states(texts.batch(rows).to(device)).cpu().numpy().astype(np.float16)
            for place, row in enumerate(rows):
                found[row] = states[place, : texts.lengths[row]]
    return Texts(Ragged.of(found, np.zeros((0, width), dtype=np.float16)), texts.lexical)
