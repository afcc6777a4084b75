"""What the pairwise model learns from: theorems with all their references, against the references of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from naturalproofs.ranking.neural.batching import shuffled
from naturalproofs.ranking.neural.core import bare
from naturalproofs.ranking.neural.examples import Examples, Numbers, hard_negatives, marks
from naturalproofs.ranking.neural.losses import masked_contrast, paired_contrast, set_divergence
from naturalproofs.ranking.neural.negatives import Columns, drawn
from naturalproofs.ranking.neural.reading import Reader, embed, through
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.towers import Tower
from naturalproofs.ranking.neural.training import Group, tower_groups
from naturalproofs.ranking.neural.two_towers import TwoTowers
from naturalproofs.ranking.neural.validation import Validation

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.pairwise import Pairwise


@dataclass(frozen=True, slots=True)
class Plan:
    """A batch: which theorems, and which references."""

    theorems: Numbers
    references: Numbers
    draw: tuple[int, ...] = ()
    """Numbers that decide which others are drawn."""


class Workbench(nn.Module):
    """The model, and what its reference tower's head sees of every text, as at the beginning of the epoch."""

    def __init__(self, model: TwoTowers, references: int) -> None:
        super().__init__()
        self.model = model
        self.memory: Tensor
        self.register_buffer("memory", torch.zeros(references, model.width))


class PairwiseLearner:
    """Pairs for the loop."""

    watched = "mAP"

    def __init__(
        self,
        settings: Pairwise,
        model: TwoTowers,
        reader: Reader,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        self.settings, self.examples, self.validation, self.seed = settings, examples, validation, seed
        self.bare = bare(model.theorem)
        self.texts = reader.read(examples.passages, pooled=self.bare)
        self.unit = "statements" if self.bare else "tokens"
        self.remembers = self.bare or settings.against == "all"
        self._module = Workbench(model, len(examples.passages) if self.remembers else 0)
        self.gold = examples.gold_of_theorems()
        self.hard = hard_negatives(examples, settings.hard_from, settings.hard_depth) if settings.hard else None

    @property
    def module(self) -> Workbench:
        """The model and its memory."""
        return self._module

    def groups(self) -> list[Group]:
        """Both towers, and how sharp cosines are."""
        model = self.module.model
        return [
            *tower_groups([model.theorem, model.reference], self.settings),
            Group([model.sharpness], self.settings.head_rate),
        ]

    def prepare(self, epoch: int) -> None:
        """Encode all texts afresh, where they are remembered."""
        if self.remembers and not (self.bare and epoch):
            tower = self.module.model.reference
            self.module.memory.copy_(torch.from_numpy(through(tower, tower.features, self.texts, tower.width)))

    def plans(self, epoch: int) -> Sequence[Plan]:
        """Batches of about so many tokens; in the original's, every pair of a theorem and a reference is an item."""
        budget, order = self.settings.step_tokens, (self.seed, epoch)
        lengths = self.texts.lengths
        if self.settings.loss == "paper":
            gold = [self.examples.gold(example) for example in range(len(self.examples))]
            theorems, references = np.repeat(self.examples.theorems, [len(own) for own in gold]), np.concatenate(gold)
            batches = shuffled(
                lengths[theorems] + lengths[references], budget, order, most=self.settings.batch_theorems
            )
            return [Plan(theorems[batch], references[batch]) for batch in batches]
        generator = np.random.default_rng([*order, 1])
        chosen = [self._chosen(example, generator) for example in range(len(self.examples))]
        costs = np.array(
            [lengths[t] + lengths[own].sum() for t, own in zip(self.examples.theorems, chosen, strict=True)], np.int64
        )
        batches = shuffled(costs, budget, order, most=self.settings.batch_theorems)
        return [
            Plan(self.examples.theorems[batch], np.unique(np.concatenate([chosen[i] for i in batch])), (*order, 2, n))
            for n, batch in enumerate(batches)
        ]

    def _chosen(self, example: int, generator: np.random.Generator) -> Numbers:
        """The references of an example that an epoch shows, and its hard negatives."""
        own = self.examples.gold(example)
        if len(own) > self.settings.references:
            own = generator.choice(own, self.settings.references, replace=False)
        if self.hard is None or not len(self.hard[example]):
            return own
        some = min(self.settings.hard, len(self.hard[example]))
        return np.concatenate([own, generator.choice(self.hard[example], some, replace=False)])

    def loss(self, plan: Plan, team: Team) -> tuple[Tensor, int]:
        """The loss of a batch."""
        model, count = self.module.model, len(self.examples.passages)
        theorems = model.theorem.vectors(self._features(model.theorem, plan.theorems, team))
        tokens = int(self.texts.lengths[plan.theorems].sum() + self.texts.lengths[plan.references].sum())
        if self.settings.loss == "paper" or self.settings.against == "batch":
            columns = Columns(plan.references, np.zeros(len(plan.references), dtype=np.float32))
            features = self._features(model.reference, plan.references, team)
        else:
            cited = np.array(sorted(set().union(*(self.gold[t] for t in plan.theorems.tolist()))), dtype=np.intp)
            columns = drawn(np.union1d(plan.references, cited), count, self.settings.negatives, plan.draw)
            features = self.module.memory[_tensor(columns.places, theorems)]
            if not self.bare:
                fresh = self._features(model.reference, plan.references, team)
                places = np.flatnonzero(np.isin(columns.places, plan.references))
                features = features.index_copy(0, _tensor(places, fresh), fresh)
        scores = model.scores(theorems, model.reference.vectors(features)) + _tensor(columns.shift, theorems)
        if self.settings.loss == "paper":
            return paired_contrast(scores), tokens
        gold, own = marks(columns.places, plan.theorems, self.gold, count)
        loss = masked_contrast if self.settings.loss == "masked" else set_divergence
        return loss(scores, _tensor(gold, scores), _tensor(own, scores)), tokens

    def _features(self, tower: Tower, rows: Numbers, team: Team) -> Tensor:
        if self.bare:  # Nothing below the head is trained: both towers see what is remembered.
            return self.module.memory[_tensor(rows, self.module.memory)]
        own = self.texts.batch(rows[team.share(len(rows))])
        return team.gather(tower.features(own.to(team.device)), len(rows))

    def validate(self) -> float | None:
        """Mean average precision."""
        if self.validation is None:
            return None
        model = self.module.model
        return self.validation.measure(
            lambda asked: embed(model.theorem, asked.theorems) @ embed(model.reference, asked.candidates).T
        )


def _tensor(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]], like: Tensor) -> Tensor:
    return torch.from_numpy(values).to(like.device)
