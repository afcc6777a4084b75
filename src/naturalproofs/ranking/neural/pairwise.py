"""The pairwise model: theorem and reference are encoded separately and compared by cosine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.checkpoint import TrainState
from naturalproofs.ranking.neural.data import (
    Examples,
    Numbers,
    SampledReferences,
    Validation,
    gold_masks,
    hard_negatives,
    sample_negatives,
    shuffled_batches,
)
from naturalproofs.ranking.neural.encode import Backbone, FrozenEncoder, embed, map_batches
from naturalproofs.ranking.neural.encoder import Tower
from naturalproofs.ranking.neural.launch import remaining, run_training
from naturalproofs.ranking.neural.settings import PairwiseSettings
from naturalproofs.ranking.neural.store import load_files, save_files, training_report
from naturalproofs.ranking.neural.train import ParameterGroup, TrainingModule, gather_rows, shard, tower_groups
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

    def __init__(
        self,
        settings: PairwiseSettings,
        model: TwoTowers,
        frozen: FrozenEncoder,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        super().__init__()
        self.settings, self.examples, self.validation, self.seed = settings, examples, validation, seed
        self.model = model
        self.only_heads = model.theorem.only_head
        self.texts = frozen.encode(examples.passages, pooled=self.only_heads)
        self.unit = "statements" if self.only_heads else "tokens"
        self.stores_features = self.only_heads or settings.against == "all"
        rows = len(examples.passages) if self.stores_features else 0
        self.features: Tensor
        self.register_buffer("features", torch.zeros(rows, model.reference.width))
        """The input of the reference head for every passage, as of the beginning of the epoch."""
        self.gold = examples.gold_of_theorems()
        self.hard = hard_negatives(examples, settings.hard_from) if settings.hard else None

    def parameter_groups(self) -> list[ParameterGroup]:
        """Both towers, and the temperature."""
        towers = [self.model.theorem, self.model.reference]
        rate = self.settings.head_rate
        return [*tower_groups(towers, self.settings, rate), ParameterGroup([self.model.log_scale], rate)]

    def on_epoch_start(self, epoch: int) -> None:
        """Encode all passages, where their features are stored; frozen layers give the same in every epoch."""
        if self.stores_features and not (self.only_heads and epoch):
            tower = self.model.reference
            self.features.copy_(torch.from_numpy(map_batches(tower, tower.features, self.texts, tower.width)))

    def batches(self, epoch: int) -> Sequence[PairBatch]:
        """Batches of theorems with some of their references; with the paper's loss, of pairs."""
        seed = (self.seed, epoch)
        lengths, examples = self.texts.lengths, self.examples
        if self.settings.loss == "paper":
            gold = [examples.gold(example) for example in range(len(examples))]
            theorems, references = np.repeat(examples.theorems, [len(own) for own in gold]), np.concatenate(gold)
            batches = self._shuffled(lengths[theorems] + lengths[references], seed)
            return [PairBatch(theorems[batch], references[batch]) for batch in batches]
        generator = np.random.default_rng([*seed, 1])
        chosen = [self._references(example, generator) for example in range(len(examples))]
        costs = [lengths[t] + lengths[own].sum() for t, own in zip(examples.theorems, chosen, strict=True)]
        return [
            PairBatch(examples.theorems[batch], np.unique(np.concatenate([chosen[i] for i in batch])), (*seed, 2, n))
            for n, batch in enumerate(self._shuffled(np.array(costs, np.int64), seed))
        ]

    def _shuffled(self, costs: Any, seed: Sequence[int]) -> list[Numbers]:
        return shuffled_batches(costs, self.settings.step_tokens, seed, most=self.settings.batch_theorems)

    def _references(self, example: int, generator: np.random.Generator) -> Numbers:
        """The references of an example that an epoch uses, and its hard negatives."""
        own = self.examples.gold(example)
        if len(own) > self.settings.references:
            own = generator.choice(own, self.settings.references, replace=False)
        if self.hard is None or not len(self.hard[example]):
            return own
        count = min(self.settings.hard, len(self.hard[example]))
        return np.concatenate([own, generator.choice(self.hard[example], count, replace=False)])

    def forward(self, batch: PairBatch) -> Tensor:
        """The loss of a batch."""
        model, passages = self.model, len(self.examples.passages)
        theorems = model.theorem.vectors(self._features(model.theorem, batch.theorems))
        if self.settings.loss == "paper" or self.settings.against == "batch":
            columns = SampledReferences(batch.references, np.zeros(len(batch.references), dtype=np.float32))
            features = self._features(model.reference, batch.references)
        else:
            cited = np.array(sorted(set().union(*(self.gold[t] for t in batch.theorems.tolist()))), dtype=np.intp)
            needed = np.union1d(batch.references, cited)
            columns = sample_negatives(needed, passages, self.settings.negatives, batch.seed)
            features = self.features[_tensor(columns.places, theorems)]
            if not self.only_heads:
                fresh = self._features(model.reference, batch.references)
                places = np.flatnonzero(np.isin(columns.places, batch.references))
                features = features.index_copy(0, _tensor(places, fresh), fresh)
        scores = model.scores(theorems, model.reference.vectors(features)) + _tensor(columns.log_weight, theorems)
        if self.settings.loss == "paper":
            return in_batch_loss(scores)
        gold, own = gold_masks(columns.places, batch.theorems, self.gold, passages)
        loss = contrastive_loss if self.settings.loss == "masked" else set_loss
        return loss(scores, _tensor(gold, scores), _tensor(own, scores))

    def _features(self, tower: Tower, rows: Numbers) -> Tensor:
        if self.only_heads:  # Both towers take the same features.
            return self.features[_tensor(rows, self.features)]
        own = self.texts.batch(rows[shard(self.fabric, len(rows))]).to(self.features.device)
        return gather_rows(self.fabric, tower.features(own), len(rows))

    def count(self, batch: PairBatch) -> int:
        """Tokens of a batch; statements, where the encoder is frozen."""
        lengths = self.texts.lengths
        return int(lengths[batch.theorems].sum() + lengths[batch.references].sum())

    def validate(self) -> float | None:
        """Mean average precision."""
        if self.validation is None:
            return None
        theorem, reference = self.model.theorem, self.model.reference
        return self.validation.mean_average_precision(
            lambda sample: embed(theorem, sample.theorems) @ embed(reference, sample.candidates).T
        )


def contrastive_loss(scores: Tensor, gold: Tensor, ignored: Tensor) -> Tensor:
    """Each gold reference against those that are not gold: other gold references are no negatives.

    Args:
        scores: A row a theorem, a column a reference.
        gold: Which references the theorem's proof cites.
        ignored: Which are left out, such as the theorem itself.
    """
    negatives = scores.masked_fill(gold | ignored, MINUS_INFINITY).logsumexp(1, keepdim=True)
    losses = functional.softplus(negatives - scores)
    weights = gold.to(scores.dtype)
    return ((losses * weights).sum(1) / weights.sum(1).clamp(min=1)).mean()


def in_batch_loss(scores: Tensor) -> Tensor:
    """The original's: the n-th reference is gold for the n-th theorem, and every other one of the batch a negative."""
    return functional.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


def set_loss(scores: Tensor, gold: Tensor, ignored: Tensor | None = None) -> Tensor:
    """KL divergence from the softmax of all scores to the uniform distribution over the gold references."""
    if ignored is not None:
        scores = scores.masked_fill(ignored & ~gold, MINUS_INFINITY)
    target = gold.to(scores.dtype)
    target = target / target.sum(1, keepdim=True).clamp(min=1)
    return functional.kl_div(scores.log_softmax(1), target, reduction="batchmean")


def _tensor(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]], like: Tensor) -> Tensor:
    return torch.from_numpy(values).to(like.device)


def train_pairwise(settings: PairwiseSettings, train: TrainSet, seed: int, context: TrainContext) -> FittedPairwise:
    """Train two towers."""
    began = time.monotonic()
    examples = Examples.of(train)
    backbone = Backbone.new(settings, examples.passages, seed)
    frozen, model = backbone.frozen, TwoTowers(backbone.tower)
    state = None
    if len(examples):
        pooled = backbone.tower.only_head
        validation = Validation.of(settings, context.valid, frozen, pooled_theorems=pooled, pooled_candidates=pooled)
        module = PairwiseTraining(settings, model, frozen, examples, validation, seed)
        state = run_training(module, settings, frozen, examples, seed, remaining(context, began))
    return FittedPairwise.of(settings, backbone, model, state)


@dataclass(frozen=True, slots=True)
class FittedPairwise:
    """Two trained towers."""

    settings: PairwiseSettings
    backbone: Backbone = field(repr=False)
    """The frozen encoder; its tower has become the theorem tower."""
    model: TwoTowers = field(repr=False)
    fingerprints: tuple[str, str]
    """Of the theorem tower and of the reference tower."""
    state: TrainState | None = None

    @classmethod
    def of(
        cls, settings: PairwiseSettings, backbone: Backbone, model: TwoTowers, state: TrainState | None
    ) -> FittedPairwise:
        """A model for inference."""
        model.eval()
        names = (backbone.fingerprint(model.theorem), backbone.fingerprint(model.reference))
        return cls(settings, backbone, model, names, state)

    def index(self, candidates: Sequence[Passage]) -> PairwiseScorer:
        """Encode the candidates."""
        return PairwiseScorer(self, self.backbone.vectors(self.model.reference, candidates, self.fingerprints[1]))

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser and settings."""
        save_files(folder, self.settings, self.backbone, self.model.state_dict(), self.state)

    @classmethod
    def load(cls, folder: Path) -> FittedPairwise:
        """Read what ``save`` wrote."""
        files = load_files(folder, PairwiseSettings)
        backbone = files.backbone(files.settings)
        model = TwoTowers(backbone.tower)
        files.load_into(model)
        return cls.of(files.settings, backbone, model, files.state)

    def describe(self) -> str:
        """For the model card."""
        about = "Pairwise model: a tower each for theorems and references, compared by cosine."
        return f"{about}\n\n{training_report(self.settings, self.state)}"


@dataclass(frozen=True, slots=True)
class PairwiseScorer:
    """Vectors of the candidates."""

    fitted: FittedPairwise
    candidates: Scores = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        fitted = self.fitted
        vectors = fitted.backbone.vectors(fitted.model.theorem, queries, fitted.fingerprints[0])
        scores: Scores = vectors @ self.candidates.T
        return scores
