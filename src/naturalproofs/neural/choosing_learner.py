"""What the joint and the autoregressive model learn from: theorems, against all references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from naturalproofs.neural.batching import Ragged, Texts, by_length, shuffled
from naturalproofs.neural.choosing import ChoosingSettings
from naturalproofs.neural.choosing_training import counts_of
from naturalproofs.neural.core import bare
from naturalproofs.neural.examples import Examples, Numbers, marks
from naturalproofs.neural.losses import FAR, set_divergence
from naturalproofs.neural.network import Network, Theorems
from naturalproofs.neural.reading import Reader, budget, device_of, evaluating, through
from naturalproofs.neural.references import Rows
from naturalproofs.neural.team import Team
from naturalproofs.neural.towers import Tower
from naturalproofs.neural.training import Group, tower_groups
from naturalproofs.neural.validation import Validation

S = TypeVar("S", bound=ChoosingSettings)


class ChoosingLearner(Generic[S]):
    """Theorems for the loop; what a batch loses is each model's own."""

    def __init__(
        self,
        settings: S,
        network: Network,
        reader: Reader,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        self.settings, self.examples, self.validation, self.seed = settings, examples, validation, seed
        self.network = network
        self.frozen = settings.trained_layers == 0
        passages = [examples.passages[i] for i in examples.theorems]
        self.pooled = bare(network.tower) and network.decoder is None
        self.texts = reader.read(passages, pooled=self.pooled)
        if self.frozen and not bare(network.tower):
            self.texts = beyond_layers(network.tower, self.texts)
        self.gold = examples.gold_of_theorems()
        self.counts = counts_of(examples)
        self.candidates = self._features(validation.candidates) if validation else torch.zeros(0, network.tower.width)

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
        new = [network.sharpness, network.begin, network.end, network.end_bias]
        new += [network.table.bias] if self.settings.train_bias else []
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

    def prepare(self, epoch: int) -> None:
        """Nothing changes from epoch to epoch."""

    def plans(self, epoch: int) -> Sequence[Numbers]:
        """Batches of examples."""
        most, budget = self.settings.batch_theorems, self.settings.step_tokens
        return shuffled(self.texts.lengths, budget, (self.seed, epoch), most=most)

    def theorems(self, rows: Numbers, device: torch.device) -> Theorems:
        """Encode the theorems of examples."""
        batch = self.texts.batch(rows).to(device)
        if not self.frozen:
            return self.network.read(batch)
        return self.network.seen(batch.values, batch)

    def set_loss(self, scores: Tensor, rows: Numbers, mix: Callable[[Tensor], Tensor] | None = None) -> Tensor:
        """Divergence of the first step from the set of cited references."""
        columns = np.arange(len(self.examples.passages))
        gold, own = marks(columns, self.examples.theorems[rows], self.gold, len(columns))
        cited, itself = torch.from_numpy(gold).to(scores.device), torch.from_numpy(own).to(scores.device)
        if mix is None:
            return set_divergence(scores, cited, itself)
        return set_divergence(mix(scores.masked_fill(itself, FAR)), cited)

    def share(self, rows: Numbers, team: Team) -> tuple[Numbers, float]:
        """This process's examples, and what its mean loss weighs so that the mean over processes is right."""
        own = rows[team.share(len(rows))]
        return own, team.size * len(own) / len(rows)

    def tokens(self, rows: Numbers) -> int:
        """How many tokens a batch has."""
        return int(self.texts.lengths[rows].sum())

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
