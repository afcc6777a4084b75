"""The joint model: one softmax over all references."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.errors import BadSettings
from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.data import (
    Examples,
    Numbers,
    SampledReferences,
    TrainingData,
    Validation,
    gold_masks,
    sample_negatives,
    shuffled_batches,
)
from naturalproofs.ranking.neural.encode import (
    Embedder,
    EncodedTexts,
    FrozenEncoder,
    embed,
    map_batches,
    new_towers,
    token_states,
)
from naturalproofs.ranking.neural.encoder import TextBatch, Tower
from naturalproofs.ranking.neural.methods import Joint, Pairwise, TrainSettings, first_stage, with_encoding_of
from naturalproofs.ranking.neural.network import (
    EncodedTheorems,
    JointNetwork,
    ProofMemory,
    ReferenceRows,
    ReferenceTable,
    mixture,
)
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY, FittedPairwise, set_loss
from naturalproofs.ranking.neural.store import ModelFiles, TrainState, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import TrainingModule, first_model, group, run_training, shard, tower_groups
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

LOG_SCALE = float(np.log(20.0))
"""The initial inverse temperature of a model that starts from no other."""
S = TypeVar("S", bound=TrainSettings)


class ExampleBatch(NamedTuple):
    """Examples of a step."""

    rows: Numbers
    seed: tuple[int, ...]
    """Seed of the sampled negatives."""


class TheoremTraining(TrainingModule[ExampleBatch], Generic[S]):
    """What the joint and the autoregressive model share: batches of theorems against sampled references."""

    def __init__(
        self,
        settings: S,
        network: JointNetwork,
        data: TrainingData,
        *,
        pooled: bool,
        frozen_layers: bool,
    ) -> None:
        super().__init__(data)
        self.settings, self.frozen_layers = settings, frozen_layers
        texts = data.frozen.encode([self.examples.passages[i] for i in self.examples.theorems], pooled=pooled)
        self.unit = "theorems" if pooled else "tokens"
        if frozen_layers and not network.tower.only_head:
            states = token_states(network.tower, network.tower.states, texts, data.frozen.width)
            texts = EncodedTexts(states, texts.lexical)
        self.texts = texts

    @property
    def joint_network(self) -> JointNetwork:
        """The network of the joint model."""
        raise NotImplementedError

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return self.joint_network.log_scale.device

    def batches(self, epoch: int) -> Sequence[ExampleBatch]:
        """Batches of examples."""
        seed, most = (self.seed, epoch), self.settings.batch_theorems
        batches = shuffled_batches(self.texts.lengths, self.settings.step_tokens, seed, most=most)
        return [ExampleBatch(batch, (*seed, 2, number)) for number, batch in enumerate(batches)]

    def count(self, batch: ExampleBatch) -> int:
        """Tokens of a batch; theorems, where states are pooled."""
        return int(self.texts.lengths[batch.rows].sum())

    def own_rows(self, batch: ExampleBatch) -> Numbers:
        """The examples that this process computes."""
        return batch.rows[shard(self.fabric, len(batch.rows))]

    def sampled(self, batch: ExampleBatch) -> SampledReferences:
        """The references of a batch and sampled negatives, the same in all processes."""
        needed = self.examples.cited_by(batch.rows)
        return sample_negatives(needed, len(self.examples.passages), self.settings.negatives, batch.seed)

    def encode_theorems(self, batch: TextBatch) -> EncodedTheorems:
        """Encode a batch of theorems; the states of frozen layers are stored."""
        network = self.joint_network
        return network.from_states(batch.values, batch) if self.frozen_layers else network.encode(batch)

    def candidate_rows(self, validation: Validation) -> ReferenceRows:
        """Rows of the validation's candidates, with the current head of the reference tower."""
        table = self.joint_network.table
        return table.rows([c.id for c in validation.task.candidates], embed(table.tower, validation.candidates))


class JointTraining(TheoremTraining[Joint]):
    """From each theorem to the set of its references."""

    def __init__(self, settings: Joint, network: JointNetwork, data: TrainingData) -> None:
        frozen_layers = settings.trained_layers == 0
        super().__init__(settings, network, data, pooled=network.tower.only_head, frozen_layers=frozen_layers)
        self.network = network
        self.gold = self.examples.gold_of_theorems()
        self.citations: Tensor | None = None
        if settings.memory and network.tower.head is not None:
            network.memory = ProofMemory.of(self.memory_keys(), self.examples, network.tower.head)

    @property
    def joint_network(self) -> JointNetwork:
        """The network."""
        return self.network

    def parameter_groups(self) -> list[dict[str, Any]]:
        """The towers, and all that is new."""
        network, rate = self.network, self.settings.head_rate
        head_rate = rate if self.settings.init == "none" else self.settings.tune_rate
        new = [network.log_scale, *([] if network.table.free is None else [network.table.free])]
        memory = [] if network.memory is None else network.memory.parameters()
        return [
            *tower_groups([network.tower, network.table.tower], self.settings, head_rate),
            group([*new, *memory], rate),
        ]

    def on_epoch_start(self, epoch: int) -> None:
        """Refresh the keys of the memory, where the theorem tower changes them."""
        if self.network.memory is not None and not self.frozen_layers:
            self.network.memory.keys.copy_(torch.from_numpy(self.memory_keys()))

    def memory_keys(self) -> NDArray[np.float32]:
        """The input of the tower's head for each training theorem."""
        network = self.network
        return map_batches(network, lambda batch: self.encode_theorems(batch).features, self.texts, network.tower.width)

    def forward(self, batch: ExampleBatch) -> Tensor:
        """The loss of a batch: divergence from the set of cited references."""
        rows, network, device = self.own_rows(batch), self.network, self.device
        if not len(rows):
            return 0.0 * network.log_scale
        theorems, columns = self.encode_theorems(self.texts.batch(rows).to(device)), self.sampled(batch)
        places = torch.from_numpy(columns.places).to(device)
        scores = network.scores(theorems, network.table.matrix(places))
        scores = scores + torch.from_numpy(columns.log_weight).to(device)
        owners = self.examples.theorems[rows]
        masks = gold_masks(columns.places, owners, self.gold, len(self.examples.passages))
        cited, itself = (torch.from_numpy(mask).to(device) for mask in masks)
        if network.memory is None:
            loss = set_loss(scores, cited, itself)
        else:
            if self.citations is None:
                self.citations = network.memory.citations(network.table.ids, network.table.ids)
            own = torch.from_numpy(owners).to(device)
            recalled = network.memory.recall(theorems.features, self.citations.index_select(0, places), own)
            loss = set_loss(mixture(scores.masked_fill(itself, MINUS_INFINITY), *recalled), cited)
        # Processes with unequal shards: the mean over processes is the mean over the batch.
        return self.fabric.world_size * len(rows) / len(batch.rows) * loss

    def validate(self, validation: Validation) -> float:
        """Mean average precision."""
        asked = [query.theorem.id for query in validation.task.queries]
        scores = self.network.score(validation.theorems, self.candidate_rows(validation), asked)
        return validation.mean_average_precision(scores)


def train(settings: Joint, training: TrainSet, seed: int, context: TrainContext) -> FittedJoint:
    """Train a joint model, which starts from a pairwise one unless the settings say otherwise."""
    began = time.monotonic()
    examples = Examples.of(training)
    first = None
    if settings.init != "none":
        method = Pairwise(**first_stage(settings))
        first = first_model(FittedPairwise, settings.start, method, training, seed, context)
        settings = _with_settings_of(settings, first)
    frozen, network = untrained_joint(settings, first, examples, seed)
    make, own = partial(JointTraining, settings, network), replace(context, folder=context.folder / "joint")
    pooled = (network.tower.only_head, network.tower.only_head)
    state = run_training(settings, make, frozen, examples, seed, own, began, pooled=pooled)
    return FittedJoint.of(settings, frozen, network, state)


def untrained_joint(
    settings: Joint, first: FittedPairwise | None, examples: Examples, seed: int
) -> tuple[FrozenEncoder, JointNetwork]:
    """A network from a pairwise model, or from the encoder alone."""
    if first is None:
        frozen, theorem = new_towers(settings, examples.passages, seed)
        reference, log_scale = deepcopy(theorem), LOG_SCALE
    else:
        frozen, theorem, reference = first.frozen, first.model.theorem, deepcopy(first.model.reference)
        log_scale = float(first.model.log_scale.detach())
    for tower in (theorem, reference):
        tower.dropout.p = settings.dropout
    network = _network(settings, theorem, reference, [p.id for p in examples.passages], log_scale)
    network.table.randomise(seed)
    if network.table.free is None:
        texts = frozen.encode(examples.passages, pooled=reference.only_head)
        features = map_batches(reference, reference.features, texts, reference.width)
        network.table.texts = torch.from_numpy(features)
    return frozen, network


def _with_settings_of(settings: Joint, first: FittedPairwise) -> Joint:
    """The settings with the encoder of the pairwise model."""
    layers = first.settings.trained_layers
    if settings.train_layers not in {None, 0, layers}:
        raise BadSettings(f"train_layers={settings.train_layers}: 0, or {layers} as the pairwise model it starts from")
    train_layers = layers if settings.train_layers is None else settings.train_layers
    return replace(with_encoding_of(settings, first.settings), train_layers=train_layers)


def _network(
    settings: Joint, theorem: Tower, reference: Tower, ids: Sequence[StatementId], log_scale: float
) -> JointNetwork:
    """A network whose reference tower is frozen but for its head; the theorem tower's layers may be frozen too."""
    for tower, trained in ((theorem, settings.trained_layers != 0), (reference, False)):
        for name, parameter in tower.named_parameters():
            parameter.requires_grad_(trained or name.startswith("head."))
    table = ReferenceTable(ids, reference, textual=settings.init == "thm+refs")
    return JointNetwork(theorem, table, log_scale, settings.memory_share)


@dataclass(frozen=True, slots=True)
class FittedJoint:
    """A trained network."""

    settings: Joint
    network: JointNetwork = field(repr=False)
    reference: Embedder = field(repr=False)
    state: TrainState | None = None

    @classmethod
    def of(cls, settings: Joint, frozen: FrozenEncoder, network: JointNetwork, state: TrainState | None) -> FittedJoint:
        """A model for inference."""
        network.eval()
        return cls(settings, network, Embedder.of(frozen, network.table.tower), state)

    @property
    def frozen(self) -> FrozenEncoder:
        """The part of the encoder that both towers share."""
        return self.reference.frozen

    def index(self, candidates: Sequence[Passage]) -> JointScorer:
        """Find the candidates' rows."""
        return JointScorer(self, self.rows(candidates))

    def rows(self, candidates: Sequence[Passage]) -> ReferenceRows:
        """Rows of candidates."""
        return self.network.table.rows([c.id for c in candidates], self.reference.vectors(candidates))

    @property
    def extra(self) -> dict[str, Any]:
        """What rebuilds the network beside the settings: the ids of the references, and the layers."""
        return {"ids": self.network.table.ids, "layers": self.network.tower.own_layers}

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the ids of the references."""
        save_files(folder, self.settings, self.frozen, self.network, self.state, self.extra)

    @classmethod
    def load(cls, folder: Path) -> FittedJoint:
        """Read what ``save`` wrote."""
        files = load_files(folder, Joint)
        frozen, network = empty_joint(files, files.settings, "model.")
        files.load_into(network)
        return cls.of(files.settings, frozen, network, files.state)

    def describe(self) -> str:
        """For the model card."""
        start = {
            "none": "It starts from the encoder alone, its references at random.",
            "thm": "Its theorem tower starts from a pairwise model, its references at random.",
            "thm+refs": "Its theorem tower and its references start from a pairwise model.",
        }[self.settings.init]
        count = f"It knows {len(self.network.table.ids):,} references; others are scored by their text."
        about = f"Joint model: a softmax over all references at once. {start} {count}"
        return f"{about}\n\n{training_report(self.settings, self.state)}"


def empty_joint(files: ModelFiles[S], settings: Joint, prefix: str) -> tuple[FrozenEncoder, JointNetwork]:
    """The network in a model's files, before its weights are loaded.

    Args:
        files: The files.
        settings: The settings of the joint model.
        prefix: The beginning of the names of its weights.
    """
    frozen, theorem = files.towers(replace(settings, train_layers=int(files.extra.get("layers", 0))))
    network = _network(settings, theorem, deepcopy(theorem), files.extra.get("ids", ()), 0.0)
    if f"{prefix}memory.keys" in files.weights:
        network.memory = ProofMemory(*(files.weights[f"{prefix}memory.{name}"] for name in ProofMemory.BUFFERS))
    return frozen, network


@dataclass(frozen=True, slots=True)
class JointScorer:
    """Rows of the candidates."""

    fitted: FittedJoint
    rows: ReferenceRows = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Unnormalised log-probabilities."""
        network = self.fitted.network
        texts = self.fitted.frozen.encode(queries, pooled=network.tower.only_head)
        return network.score(texts, self.rows, [query.id for query in queries])
