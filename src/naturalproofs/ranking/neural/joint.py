"""The joint model: one softmax over all references."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.errors import BadSettings
from naturalproofs.ranking.contract import Scores, Trainable, TrainContext
from naturalproofs.ranking.neural.checkpoint import TrainState
from naturalproofs.ranking.neural.data import (
    Examples,
    Numbers,
    SampledReferences,
    Validation,
    gold_masks,
    sample_negatives,
    shuffled_batches,
)
from naturalproofs.ranking.neural.encode import (
    Backbone,
    EncodedTexts,
    FrozenEncoder,
    by_length,
    device_of,
    inference,
    map_batches,
    states_after_layers,
)
from naturalproofs.ranking.neural.encoder import TextBatch, Tower
from naturalproofs.ranking.neural.launch import first_model, remaining, run_training
from naturalproofs.ranking.neural.network import (
    Decoder,
    EncodedTheorems,
    JointNetwork,
    ProofMemory,
    ReferenceRows,
    ReferenceTable,
    decoder_config,
    mixture,
)
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY, FittedPairwise, set_loss
from naturalproofs.ranking.neural.settings import JointSettings, TrainSettings, with_encoding_of
from naturalproofs.ranking.neural.store import ModelFiles, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import ParameterGroup, TrainingModule, decayed_groups, shard, tower_groups
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
        frozen: FrozenEncoder,
        examples: Examples,
        validation: Validation | None,
        seed: int,
        *,
        pooled: bool,
        frozen_layers: bool,
    ) -> None:
        super().__init__()
        self.settings, self.examples, self.validation, self.seed = settings, examples, validation, seed
        self.frozen_layers = frozen_layers
        self.texts = frozen.encode([examples.passages[i] for i in examples.theorems], pooled=pooled)
        self.unit = "theorems" if pooled else "tokens"
        if frozen_layers and not network.tower.only_head:
            self.texts = states_after_layers(network.tower, self.texts)
        tower = network.table.tower
        self.candidates = torch.zeros(0, tower.width)
        if validation is not None:
            features = map_batches(tower, tower.features, validation.candidates, tower.width)
            self.candidates = torch.from_numpy(features)

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
        most, budget = self.settings.batch_theorems, self.settings.step_tokens
        batches = shuffled_batches(self.texts.lengths, budget, (self.seed, epoch), most=most)
        return [ExampleBatch(batch, (self.seed, epoch, 2, n)) for n, batch in enumerate(batches)]

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
        with inference(table.tower):
            vectors = table.tower.vectors(self.candidates.to(self.device)).cpu().numpy()
        return table.rows([candidate.id for candidate in validation.task.candidates], vectors)


class JointTraining(TheoremTraining[JointSettings]):
    """From each theorem to the set of its references."""

    def __init__(
        self,
        settings: JointSettings,
        network: JointNetwork,
        frozen: FrozenEncoder,
        examples: Examples,
        validation: Validation | None,
        seed: int,
    ) -> None:
        super().__init__(
            settings,
            network,
            frozen,
            examples,
            validation,
            seed,
            pooled=not network.needs_states,
            frozen_layers=settings.trained_layers == 0,
        )
        self.network = network
        self.gold = examples.gold_of_theorems()
        self.citations: Tensor | None = None
        if settings.memory and network.tower.head is not None:
            network.memory = ProofMemory.of(self.memory_keys(), examples, network.tower.head)
            network.memory_share = settings.memory_share

    @property
    def joint_network(self) -> JointNetwork:
        """The network."""
        return self.network

    def parameter_groups(self) -> list[ParameterGroup]:
        """The towers, and all that is new."""
        network, settings, rate = self.network, self.settings, self.settings.head_rate
        head_rate = rate if settings.init == "none" else settings.tune_rate
        decoder = list(network.decoder.parameters()) if network.decoder is not None else []
        return [
            *tower_groups([network.tower, network.table.tower], settings, head_rate),
            ParameterGroup([network.log_scale, *([network.begin] if decoder else [])], rate),
            *decayed_groups(decoder, rate, settings.weight_decay),
            ParameterGroup([network.table.free] if network.table.free.requires_grad else [], settings.row_rate),
            ParameterGroup(list(network.memory.parameters()) if network.memory is not None else [], rate),
        ]

    def on_epoch_start(self, epoch: int) -> None:
        """Refresh the keys of the memory, where the theorem tower changes them."""
        if self.network.memory is not None and not self.frozen_layers:
            self.network.memory.keys.copy_(torch.from_numpy(self.memory_keys()))

    def memory_keys(self) -> NDArray[np.float32]:
        """The input of the tower's head for each training theorem."""
        network = self.joint_network
        return map_batches(network, lambda batch: self.encode_theorems(batch).features, self.texts, network.tower.width)

    def forward(self, batch: ExampleBatch) -> Tensor:
        """The loss of a batch: divergence from the set of cited references."""
        rows, network, device = self.own_rows(batch), self.network, self.device
        if not len(rows):
            return 0.0 * network.log_scale
        theorems, columns = self.encode_theorems(self.texts.batch(rows).to(device)), self.sampled(batch)
        places = torch.from_numpy(columns.places).to(device)
        scores = network.scores(network.queries(theorems), network.table.matrix(places))
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

    def validate(self) -> float | None:
        """Mean average precision."""
        if self.validation is None:
            return None
        return self.validation.mean_average_precision(
            lambda sample: first_scores(
                self.network,
                sample.theorems,
                self.candidate_rows(sample),
                [query.theorem.id for query in sample.task.queries],
            )
        )


def first_scores(
    network: JointNetwork, texts: EncodedTexts, rows: ReferenceRows, asked: Sequence[StatementId]
) -> Scores:
    """Scores of all candidates.

    Args:
        network: The model.
        texts: The theorems.
        rows: The candidates.
        asked: The ids of the theorems: one that is a candidate takes no probability from the others.
    """
    device = device_of(network)
    matrix, memory = torch.from_numpy(rows.matrix).to(device), network.memory
    citations = memory.citations(network.table.ids, rows.ids) if memory is not None else None
    own = network.table.positions(asked).to(device)
    column = {key: place for place, key in enumerate(rows.ids)}
    found = np.zeros((len(texts), len(rows.ids)), dtype=np.float32)
    with inference(network):
        for block in by_length(texts.lengths, device):
            theorems = network.encode(texts.batch(block).to(device))
            scores = network.scores(network.queries(theorems), matrix)
            if memory is not None and citations is not None:
                cells = [(place, column.get(asked[row], -1)) for place, row in enumerate(block.tolist())]
                itself = torch.zeros_like(scores, dtype=torch.bool)
                for place, own_column in cells:
                    if own_column >= 0:
                        itself[place, own_column] = True
                recalled, weight = memory.recall(theorems.features, citations, own[torch.from_numpy(block)])
                scores = mixture(scores.masked_fill(itself, MINUS_INFINITY), recalled, weight * network.memory_share)
                scores = scores.masked_fill(itself, MINUS_INFINITY)
            found[block] = scores.float().cpu().numpy()
    return found


def train_joint(
    settings: JointSettings, pairwise: Trainable, train: TrainSet, seed: int, context: TrainContext
) -> FittedJoint:
    """Train a joint model.

    Args:
        settings: The settings.
        pairwise: The method to start from, unless the settings name a model or start from none.
        train: The training set.
        seed: Random seed.
        context: Checkpoints, validation and budget.
    """
    began = time.monotonic()
    examples = Examples.of(train)
    first = None
    if settings.init != "none":
        first = first_model(FittedPairwise, "pairwise", settings.start, pairwise, train, seed, context)
        settings = _with_settings_of(settings, first)
    fitted = untrained_joint(settings, first, examples, seed)
    frozen, network = fitted.backbone.frozen, fitted.network
    state = None
    if len(examples):
        validation = Validation.of(
            settings,
            context.valid,
            frozen,
            pooled_theorems=not network.needs_states,
            pooled_candidates=network.tower.only_head,
        )
        module = JointTraining(settings, network, frozen, examples, validation, seed)
        own = replace(remaining(context, began), folder=context.folder / "joint")
        state = run_training(module, settings, frozen, examples, seed, own)
    return FittedJoint.of(settings, fitted.backbone, network, fitted.layers, state)


def untrained_joint(
    settings: JointSettings, first: FittedPairwise | None, examples: Examples, seed: int
) -> FittedJoint:
    """A network from a pairwise model, or from the encoder alone."""
    if first is None:
        backbone = Backbone.new(settings, examples.passages, seed)
        theorem, reference, log_scale = backbone.tower, deepcopy(backbone.tower), LOG_SCALE
        layers = settings.trained_layers
    else:
        backbone, theorem, reference = first.backbone, first.model.theorem, deepcopy(first.model.reference)
        log_scale, layers = float(first.model.log_scale.detach()), first.settings.trained_layers
    for tower in (theorem, reference):
        tower.dropout.p = settings.dropout
    _freeze(settings, theorem, reference)
    texts = backbone.frozen.encode(examples.passages, pooled=reference.only_head)
    trained = settings.train_references
    rows = map_batches(reference, reference.features if trained else reference, texts, reference.width)
    table = _table(settings, [p.id for p in examples.passages], torch.from_numpy(rows), reference)
    if not table.textual:
        table.randomise(seed)
    table.free.requires_grad_(settings.row_rate > 0)
    network = JointNetwork(theorem, _decoder(settings, backbone, seed), table, log_scale)
    return FittedJoint(settings, backbone, network, layers, "")


def _with_settings_of(settings: JointSettings, first: FittedPairwise) -> JointSettings:
    """The settings with the encoder of the pairwise model."""
    layers = first.settings.trained_layers
    if settings.train_layers not in {None, 0, layers}:
        raise BadSettings(f"train_layers={settings.train_layers}: 0, or {layers} as the pairwise model it starts from")
    train_layers = layers if settings.train_layers is None else settings.train_layers
    return replace(with_encoding_of(settings, first.settings), train_layers=train_layers)


def _freeze(settings: JointSettings, theorem: Tower, reference: Tower) -> None:
    """Freeze the layers of the reference tower, those of the theorem tower unless trained, and untrained heads."""
    for tower, layers, head in (
        (theorem, settings.trained_layers != 0, True),
        (reference, False, settings.train_references),
    ):
        for name, parameter in tower.named_parameters():
            parameter.requires_grad_(head if name.startswith("head.") else layers)


def _table(settings: JointSettings, ids: Sequence[StatementId], texts: Tensor, tower: Tower) -> ReferenceTable:
    return ReferenceTable(ids, texts, tower, textual=settings.init == "thm+refs", trained=settings.train_references)


def _decoder(settings: JointSettings, backbone: Backbone, seed: int) -> Decoder | None:
    if not settings.decoder_layers:
        return None
    encoder, width = backbone.config, backbone.frozen.width
    config = decoder_config(
        width,
        encoder.get("num_attention_heads", max(1, width // 64)),
        encoder.get("intermediate_size", 4 * width),
        encoder.get("layer_norm_eps", 1e-12),
        settings.decoder_dropout,
    )
    return Decoder(config, layers=settings.decoder_layers, width=backbone.tower.width, steps=1, seed=seed)


@dataclass(frozen=True, slots=True)
class FittedJoint:
    """A trained network."""

    settings: JointSettings
    backbone: Backbone = field(repr=False)
    network: JointNetwork = field(repr=False)
    layers: int
    """How many layers the towers have of their own."""
    fingerprint: str
    """Identifies what the vectors of references depend on."""
    state: TrainState | None = None

    @classmethod
    def of(
        cls, settings: JointSettings, backbone: Backbone, network: JointNetwork, layers: int, state: TrainState | None
    ) -> FittedJoint:
        """A model for inference."""
        network.eval()
        return cls(settings, backbone, network, layers, backbone.fingerprint(network.table.tower), state)

    def index(self, candidates: Sequence[Passage]) -> JointScorer:
        """Find the candidates' rows."""
        return JointScorer(self, self.rows(candidates))

    def rows(self, candidates: Sequence[Passage]) -> ReferenceRows:
        """Rows of candidates."""
        table = self.network.table
        texts = self.backbone.vectors(table.tower, candidates, self.fingerprint)
        return table.rows([candidate.id for candidate in candidates], texts)

    def stored_weights(self) -> dict[str, Tensor]:
        """The weights of the model's files: without what is computed from texts, and without free vectors of zero."""
        left_out = {"table.texts"} | ({"table.free"} if not bool(self.network.table.free.any()) else set())
        return {name: value for name, value in self.network.state_dict().items() if name not in left_out}

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the ids of the references."""
        extra = {"ids": self.network.table.ids, "layers": self.layers}
        save_files(folder, self.settings, self.backbone, self.stored_weights(), self.state, extra)

    @classmethod
    def load(cls, folder: Path) -> FittedJoint:
        """Read what ``save`` wrote."""
        files = load_files(folder, JointSettings)
        return cls.from_files(files, files.settings, files.state)

    @classmethod
    def from_files(
        cls, files: ModelFiles[S], settings: JointSettings, state: TrainState | None, prefix: str = "model."
    ) -> FittedJoint:
        """The network in a model's files."""
        layers = int(files.extra.get("layers", settings.trained_layers))
        backbone = files.backbone(replace(settings, train_layers=layers))
        theorem, reference = backbone.tower, deepcopy(backbone.tower)
        table = _table(settings, files.extra.get("ids", ()), torch.zeros(0, reference.width), reference)
        network = JointNetwork(theorem, _decoder(settings, backbone, 0), table, 0.0)
        if f"{prefix}memory.keys" in files.weights:
            keys, cited = files.weights[f"{prefix}memory.keys"], files.weights[f"{prefix}memory.cited"]
            network.memory = ProofMemory(len(keys), len(cited), theorem.width)
            network.memory_share = settings.memory_share
        files.load_into(network, prefix, {"table.free": table.free.detach(), "table.texts": table.texts})
        _freeze(settings, theorem, reference)
        return cls.of(settings, backbone, network, layers, state)

    def describe(self) -> str:
        """For the model card."""
        settings = self.settings
        start = {
            "none": "It starts from the encoder alone, its references at random.",
            "thm": "Its theorem tower starts from a pairwise model, its references at random.",
            "thm+refs": "Its theorem tower and its references start from a pairwise model.",
        }[settings.init]
        trained = ["the map of reference vectors"] if settings.train_references else []
        trained += ["a free vector for each"] if settings.row_rate else []
        rows = f"Trained of the references: {' and '.join(trained) or 'nothing'}."
        count = f"It knows {len(self.network.table.ids):,} references; others are scored by their text."
        about = f"Joint model: a softmax over all references at once. {start} {rows} {count}"
        return f"{about}\n\n{training_report(settings, self.state)}"


@dataclass(frozen=True, slots=True)
class JointScorer:
    """Rows of the candidates."""

    fitted: FittedJoint
    rows: ReferenceRows = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Unnormalised log-probabilities."""
        network = self.fitted.network
        texts = self.fitted.backbone.frozen.encode(queries, pooled=not network.needs_states)
        return first_scores(network, texts, self.rows, [query.id for query in queries])
