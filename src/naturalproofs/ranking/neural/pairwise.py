"""The pairwise model: theorem and reference are encoded separately and compared by cosine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural.encode import CosineScorer, Embedder, FrozenEncoder, embed, map_batches, new_towers
from naturalproofs.ranking.neural.encoder import Tower
from naturalproofs.ranking.neural.methods import Pairwise
from naturalproofs.ranking.neural.store import TrainState, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import (
    Examples,
    Numbers,
    TrainingData,
    TrainingModule,
    Validation,
    gather_rows,
    gold_masks,
    group,
    run_training,
    sample_negatives,
    shard,
    shuffled_batches,
    tower_groups,
)
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

TEMPERATURE = 0.05
"""The initial temperature of cosines; it is learnt."""
MINUS_INFINITY = -1e9
"""Stands for minus infinity where a row may hold nothing else."""


class TwoTowers(nn.Module):
    """A tower for theorems, a tower for references, and the inverse temperature of their cosine."""

    def __init__(self, tower: Tower) -> None:
        super().__init__()
        self.theorem = tower
        self.reference = deepcopy(tower)
        self.log_scale = nn.Parameter(torch.tensor(1.0 / TEMPERATURE).log())

    @property
    def scale(self) -> Tensor:
        """The factor of cosines, bounded for stability."""
        return self.log_scale.exp().clamp(max=100.0)

    def scores(self, theorems: Tensor, references: Tensor) -> Tensor:
        """Scaled cosines of vectors of length one."""
        return self.scale * (theorems @ references.T)


class PairBatch(NamedTuple):
    """Theorems and references of a step."""

    theorems: Numbers
    references: Numbers
    seed: tuple[int, ...] = ()
    """Seed of the sampled negatives."""


class PairwiseTraining(TrainingModule[PairBatch]):
    """Two towers, trained on theorems with their references against other references."""

    def __init__(self, settings: Pairwise, model: TwoTowers, data: TrainingData) -> None:
        super().__init__(data)
        self.settings, self.model = settings, model
        self.only_heads = model.theorem.only_head
        self.texts = data.frozen.encode(self.examples.passages, pooled=self.only_heads)
        self.unit = "statements" if self.only_heads else "tokens"
        self.stores_features = self.only_heads or settings.loss == "set"
        rows = len(self.examples.passages) if self.stores_features else 0
        self.features: Tensor
        self.register_buffer("features", torch.zeros(rows, model.reference.width))
        """The input of the reference head for every passage, as of the beginning of the epoch."""
        self.gold = self.examples.gold_of_theorems()

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Both towers, and the temperature."""
        towers, rate = [self.model.theorem, self.model.reference], self.settings.head_rate
        return [*tower_groups(towers, self.settings, rate), group([self.model.log_scale], rate)]

    def on_epoch_start(self, epoch: int) -> None:
        """Encode all passages, where their features are stored; frozen layers give the same in every epoch."""
        if self.stores_features and not (self.only_heads and epoch):
            tower = self.model.reference
            self.features.copy_(torch.from_numpy(map_batches(tower, tower.features, self.texts, tower.width)))

    def batches(self, epoch: int) -> Sequence[PairBatch]:
        """Batches of theorems with some of their references; with the paper's loss, of pairs."""
        seed, settings = (self.seed, epoch), self.settings
        lengths, examples = self.texts.lengths, self.examples
        gold = [examples.gold(example) for example in range(len(examples))]
        if settings.loss == "paper":
            theorems, references = np.repeat(examples.theorems, [len(own) for own in gold]), np.concatenate(gold)
            costs = lengths[theorems] + lengths[references]
            batches = shuffled_batches(costs, settings.step_tokens, seed, most=settings.batch_theorems)
            return [PairBatch(theorems[batch], references[batch]) for batch in batches]
        generator = np.random.default_rng([*seed, 1])
        most = settings.references
        gold = [generator.choice(own, most, replace=False) if len(own) > most else own for own in gold]
        costs = np.array([lengths[t] + lengths[own].sum() for t, own in zip(examples.theorems, gold, strict=True)])
        batches = shuffled_batches(costs, settings.step_tokens, seed, most=settings.batch_theorems)
        return [
            PairBatch(examples.theorems[batch], np.unique(np.concatenate([gold[i] for i in batch])), (*seed, 2, number))
            for number, batch in enumerate(batches)
        ]

    def forward(self, batch: PairBatch) -> Tensor:
        """The loss of a batch."""
        model, passages = self.model, len(self.examples.passages)
        theorems = model.theorem.vectors(self._features(model.theorem, batch.theorems))
        if self.settings.loss == "paper":
            features = self._features(model.reference, batch.references)
            return in_batch_loss(model.scores(theorems, model.reference.vectors(features)))
        cited = np.array(sorted(set().union(*(self.gold[t] for t in batch.theorems.tolist()))), dtype=np.intp)
        needed = np.union1d(batch.references, cited)
        columns = sample_negatives(needed, passages, self.settings.negatives, batch.seed)
        features = self.features[_tensor(columns.places, theorems)]
        if not self.only_heads:
            fresh = self._features(model.reference, batch.references)
            places = np.flatnonzero(np.isin(columns.places, batch.references))
            features = features.index_copy(0, _tensor(places, fresh), fresh)
        scores = model.scores(theorems, model.reference.vectors(features)) + _tensor(columns.log_weight, theorems)
        gold, own = gold_masks(columns.places, batch.theorems, self.gold, passages)
        return set_loss(scores, _tensor(gold, scores), _tensor(own, scores))

    def _features(self, tower: Tower, rows: Numbers) -> Tensor:
        if self.only_heads:  # Both towers take the same features.
            return self.features[_tensor(rows, self.features)]
        own = self.texts.batch(rows[shard(self.fabric, len(rows))]).to(self.features.device)
        return gather_rows(self.fabric, tower.features(own), len(rows))

    def count(self, batch: PairBatch) -> int:
        """Tokens of a batch; statements, where the encoder is frozen."""
        lengths = self.texts.lengths
        return int(lengths[batch.theorems].sum() + lengths[batch.references].sum())

    def validate(self, validation: Validation) -> float:
        """Mean average precision."""
        theorems = embed(self.model.theorem, validation.theorems)
        return validation.mean_average_precision(theorems @ embed(self.model.reference, validation.candidates).T)


def in_batch_loss(scores: Tensor) -> Tensor:
    """The original's: the n-th reference is gold for the n-th theorem, and every other one of the batch a negative."""
    return functional.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


def set_loss(scores: Tensor, gold: Tensor, ignored: Tensor | None = None) -> Tensor:
    """KL divergence from the softmax of all scores to the uniform distribution over the gold references.

    Args:
        scores: A row a theorem, a column a reference.
        gold: Which references the theorem's proof cites.
        ignored: Which are left out, such as the theorem itself.
    """
    if ignored is not None:
        scores = scores.masked_fill(ignored & ~gold, MINUS_INFINITY)
    target = gold.to(scores.dtype)
    target = target / target.sum(1, keepdim=True).clamp(min=1)
    return functional.kl_div(scores.log_softmax(1), target, reduction="batchmean")


def _tensor(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]], like: Tensor) -> Tensor:
    return torch.from_numpy(values).to(like.device)


def train(settings: Pairwise, training: TrainSet, seed: int, context: TrainContext) -> FittedPairwise:
    """Train two towers."""
    began = time.monotonic()
    examples = Examples.of(training)
    frozen, tower = new_towers(settings, examples.passages, seed)
    model = TwoTowers(tower)
    make, pooled = partial(PairwiseTraining, settings, model), (tower.only_head, tower.only_head)
    state = run_training(settings, make, frozen, examples, seed, context, began, pooled=pooled)
    return FittedPairwise.of(settings, frozen, model, state)


@dataclass(frozen=True, slots=True)
class FittedPairwise:
    """Two trained towers."""

    settings: Pairwise
    model: TwoTowers = field(repr=False)
    theorem: Embedder = field(repr=False)
    reference: Embedder = field(repr=False)
    state: TrainState | None = None

    @classmethod
    def of(
        cls, settings: Pairwise, frozen: FrozenEncoder, model: TwoTowers, state: TrainState | None
    ) -> FittedPairwise:
        """A model for inference."""
        model.eval()
        theorem, reference = Embedder.of(frozen, model.theorem), Embedder.of(frozen, model.reference)
        return cls(settings, model, theorem, reference, state)

    @property
    def frozen(self) -> FrozenEncoder:
        """The part of the encoder that both towers share."""
        return self.theorem.frozen

    def index(self, candidates: Sequence[Passage]) -> CosineScorer:
        """Encode the candidates."""
        return CosineScorer(self.theorem, self.reference.vectors(candidates))

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser and settings."""
        save_files(folder, self.settings, self.frozen, self.model, self.state)

    @classmethod
    def load(cls, folder: Path) -> FittedPairwise:
        """Read what ``save`` wrote."""
        files = load_files(folder, Pairwise)
        frozen, tower = files.towers(files.settings)
        model = TwoTowers(tower)
        files.load_into(model)
        return cls.of(files.settings, frozen, model, files.state)

    def describe(self) -> str:
        """For the model card."""
        about = "Pairwise model: a tower each for theorems and references, compared by cosine."
        return f"{about}\n\n{training_report(self.settings, self.state)}"
