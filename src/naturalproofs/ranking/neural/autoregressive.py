"""The autoregressive model: one reference after another, until the end."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.ranking.contract import Scores, Sequences, Trainable, TrainContext
from naturalproofs.ranking.decoding import (
    NextProbabilities,
    Utility,
    beam_search,
    best_sampled,
    greedy,
    sample_sequences,
)
from naturalproofs.ranking.neural.data import Examples, TrainingData, Validation
from naturalproofs.ranking.neural.encode import FrozenEncoder, by_length, inference
from naturalproofs.ranking.neural.joint import ExampleBatch, FittedJoint, TheoremTraining, empty_joint
from naturalproofs.ranking.neural.network import JointNetwork
from naturalproofs.ranking.neural.sequence_network import Choices, PreparedTheorems, SequenceNetwork, padded
from naturalproofs.ranking.neural.settings import AutoregressiveSettings, JointSettings, with_encoding_of
from naturalproofs.ranking.neural.store import TrainState, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import decayed_groups, first_model, run_training
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

WORST = -16.0
"""Bounds the loss of a single reference."""
BLOCK = 64
"""Theorems that are decoded together."""
FIRST = 1e4
"""Score of the first decoded reference, above all others."""
POOL = 600
"""A sequence is made of this many references: the most likely ones of the first step."""


UTILITY = Utility(name=0.14, exact=1.5, edit=0.5, length=0.1)
"""Chosen on Stacks valid; the price of a name is about half of the F1 that is reached."""


class AutoregressiveTraining(TheoremTraining[AutoregressiveSettings]):
    """From each theorem to the sequence of its references."""

    metric: ClassVar[str] = "token likelihood"

    def __init__(
        self, settings: AutoregressiveSettings, joint: FittedJoint, network: SequenceNetwork, data: TrainingData
    ) -> None:
        super().__init__(settings, joint.network, data, pooled=False, frozen_layers=True)
        self.network = network
        passages = self.examples.passages
        self.rows = joint.rows(passages)
        self.own = joint.network.table.positions([passages[i].id for i in self.examples.theorems])
        self.choices: Choices | None = None
        self.keys: Tensor | None = None

    @property
    def joint_network(self) -> JointNetwork:
        """The network of the joint model, which is frozen."""
        return self.network.joint

    def parameter_groups(self) -> list[dict[str, Any]]:
        """All but the joint model, which is frozen."""
        return decayed_groups(self.network.parameters(), self.settings.head_rate, self.settings.weight_decay)

    def forward(self, batch: ExampleBatch) -> Tensor:
        """Negative log-likelihood of the sequences."""
        rows, device = self.own_rows(batch), self.device
        if not len(rows):
            return 0.0 * self.network.focus
        if self.choices is None:
            self.choices, self.keys = Choices.of(self.joint_network, self.rows), self.network.memory_keys()
        sampled = self.sampled(batch)
        log_weight = torch.from_numpy(sampled.log_weight).to(device)
        choices = self.choices.select(torch.from_numpy(sampled.places).to(device), log_weight)
        column = np.full(len(self.examples.passages), -1, dtype=np.int64)
        column[sampled.places] = np.arange(len(sampled.places))
        sequences = [column[self.examples.sequences[i][: self.settings.longest]] for i in rows.tolist()]
        theorems = self.encode_theorems(self.texts.batch(rows).to(device))
        prepared = self.network.prepare(theorems, self.own[rows].to(device), self.keys)
        itself = torch.from_numpy(column[self.examples.theorems[rows]]).to(device)
        likely = self.network.log_likelihood(prepared, padded(sequences).to(device), choices, itself, WORST)
        return -likely.sum() * self.fabric.world_size / len(batch.rows)

    def validate(self, validation: Validation) -> float:
        """The geometric mean of the probabilities of the references and ends of validation proofs."""
        joint, device = self.joint_network, self.device
        choices, keys = Choices.of(joint, self.candidate_rows(validation)), self.network.memory_keys()
        place = {candidate.id: position for position, candidate in enumerate(validation.task.candidates)}
        sequences = [
            np.array([place[key] for key in q.sequence if key in place][: self.settings.longest], dtype=np.int64)
            for q in validation.task.queries
        ]
        names = [query.theorem.id for query in validation.task.queries]
        itself, own = torch.tensor([place.get(name, -1) for name in names]), joint.table.positions(names)
        total, count = 0.0, 0
        with inference(self.network):
            for block in by_length(validation.theorems.lengths, device):
                rows = np.array([row for row in block.tolist() if len(sequences[row])], dtype=np.intp)
                theorems = joint.encode(validation.theorems.batch(rows).to(device))
                prepared = self.network.prepare(theorems, own[rows].to(device), keys)
                tokens = padded([sequences[row] for row in rows]).to(device)
                likely = self.network.log_likelihood(prepared, tokens, choices, itself[rows].to(device), WORST)
                total, count = total + float(likely.sum()), count + len(likely)
        return float(np.exp(total / max(1, count)))


def train_autoregressive(
    settings: AutoregressiveSettings, first: Trainable, train: TrainSet, seed: int, context: TrainContext
) -> FittedAutoregressive:
    """Train an autoregressive model.

    Args:
        settings: The settings.
        first: The joint method to start from, unless the settings name a model.
        train: The training set.
        seed: Random seed.
        context: Checkpoints, validation and budget.
    """
    began = time.monotonic()
    examples = Examples.of(train)
    joint = first_model(FittedJoint, "joint", settings.start, first, train, seed, context)
    settings = with_encoding_of(settings, joint.settings)
    network = new_network(settings, joint.network, joint.frozen, seed)
    state = None
    if len(examples):
        pooled = (False, joint.network.table.tower.only_head)
        validation = Validation.of(settings, context.valid, joint.frozen, pooled=pooled)
        data = TrainingData(joint.frozen, examples, validation, seed)
        module = AutoregressiveTraining(settings, joint, network, data)
        own = replace(context, folder=context.folder / "autoregressive")
        state = run_training(module, settings, data, own, began)
    network.eval()
    return FittedAutoregressive(settings, joint, network, state)


def new_network(
    settings: AutoregressiveSettings, joint: JointNetwork, frozen: FrozenEncoder, seed: int
) -> SequenceNetwork:
    """A network that is not trained yet."""
    return SequenceNetwork(
        joint,
        frozen.width,
        epsilon=frozen.config.get("layer_norm_eps", 1e-12),
        layers=settings.decoder_layers,
        width=settings.decoder_width,
        steps=settings.longest + 1,
        dropout=settings.decoder_dropout,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class FittedAutoregressive:
    """A trained network."""

    generates: ClassVar[bool] = True

    settings: AutoregressiveSettings
    joint: FittedJoint
    network: SequenceNetwork = field(repr=False)
    state: TrainState | None = None

    def index(self, candidates: Sequence[Passage]) -> AutoregressiveScorer:
        """Find the candidates' rows; those of an unknown corpus come from their texts."""
        rows = self.joint.rows(candidates)
        choices = Choices.of(self.joint.network, rows, self.settings.memory_share)
        places = {name: place for place, name in enumerate(rows.ids)}
        return AutoregressiveScorer(self, rows.ids, places, choices, self.network.memory_keys())

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the ids of the references."""
        extra = {**self.joint.extra, "joint": msgspec.to_builtins(self.joint.settings)}
        save_files(folder, self.settings, self.joint.frozen, self.network, self.state, extra)

    @classmethod
    def load(cls, folder: Path) -> FittedAutoregressive:
        """Read what ``save`` wrote."""
        files = load_files(folder, AutoregressiveSettings)
        below = msgspec.convert(files.extra.get("joint", {}), JointSettings)
        frozen, joint = empty_joint(files, below, "model.joint.")
        network = new_network(files.settings, joint, frozen, 0)
        files.load_into(network)
        network.eval()
        return cls(files.settings, FittedJoint.of(below, frozen, joint, files.state), network, files.state)

    def describe(self) -> str:
        """For the model card."""
        about = "Autoregressive model: predicts the references of a proof in order, over a joint model."
        report = training_report(self.settings, self.state)
        return f"{about}\n\n{report}\n\n## The joint model\n\n{self.joint.describe()}"


@dataclass(frozen=True, slots=True)
class AutoregressiveScorer:
    """The candidates; ranks and generates."""

    fitted: FittedAutoregressive
    names: tuple[StatementId, ...] = field(repr=False)
    places: dict[StatementId, int] = field(repr=False)
    choices: Choices = field(repr=False)
    keys: Tensor | None = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """What greedy decoding gives, in order, then all others by the probability of the first step."""
        settings, network = self.fitted.settings, self.fitted.network
        count, longest = len(self.names), min(settings.retrieved, settings.longest)
        scores = np.zeros((len(queries), count), dtype=np.float32)
        with inference(network):
            for first in range(0, len(queries), BLOCK):
                block = queries[first : first + BLOCK]
                following = self._following(self._prepare(block), self.choices, self._own(block))
                start = following(np.zeros((len(block), 0), dtype=np.intp))
                scores[first : first + BLOCK] = start[:, :count]
                for row, tokens in enumerate(greedy(following, len(block), count, longest)):
                    scores[first + row, list(tokens)] = FIRST - np.arange(len(tokens))
        return scores

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each theorem; none cites itself."""
        excluded = excluded or [()] * len(queries)
        found: list[tuple[StatementId, ...]] = []
        with inference(self.fitted.network):
            for first in range(0, len(queries), BLOCK):
                block = queries[first : first + BLOCK]
                prepared, own = self._prepare(block), self._own(block)
                start = self._following(prepared, self.choices, own)(np.zeros((len(block), 0), np.intp))
                for row in range(len(block)):
                    tokens = self._sequence(prepared.one(row), start[row], {*excluded[first + row], own[row]} - {-1})
                    found.append(tuple(self.names[token] for token in tokens))
        return found

    def _sequence(
        self, theorem: PreparedTheorems, start: NDArray[np.float32], excluded: Collection[int]
    ) -> tuple[int, ...]:
        settings = self.fitted.settings
        likely = start[:-1].copy()
        likely[list(excluded)] = -np.inf
        pool = np.argsort(-likely, kind="stable")[: min(POOL, int(np.isfinite(likely).sum()))]
        following = self._following(theorem, self.choices.select(torch.from_numpy(pool)), [-1])
        if settings.choose == "beam":
            tokens = beam_search(
                following,
                len(pool),
                beam=settings.beam,
                longest=settings.longest,
                shortest=1,
                power=settings.length_power,
            )[0].tokens
        else:
            generator = np.random.default_rng(0)
            samples = sample_sequences(following, len(pool), settings.samples, settings.longest, generator)
            tokens = best_sampled(samples, UTILITY)
        return tuple(int(pool[token]) for token in tokens)

    def _prepare(self, queries: Sequence[Passage]) -> PreparedTheorems:
        joint, device = self.fitted.joint, self.choices.offset.device
        batch = joint.frozen.encode(queries).batch(np.arange(len(queries))).to(device)
        known = joint.network.table.positions([query.id for query in queries]).to(device)
        return self.fitted.network.prepare(joint.network.encode(batch), known, self.keys)

    def _following(self, theorems: PreparedTheorems, choices: Choices, own: Sequence[int]) -> NextProbabilities:
        return partial(self.fitted.network.step_probabilities, theorems, choices=choices, own=own)

    def _own(self, queries: Sequence[Passage]) -> list[int]:
        return [self.places.get(query.id, -1) for query in queries]
