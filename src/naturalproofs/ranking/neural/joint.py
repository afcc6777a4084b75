"""The joint model: one softmax over all references, from a theorem tower, a table of references and a memory of proofs.

The memory is the idea of nearest neighbours of words (`neighbours`) and of language models (Khandelwal et al. 2020):
the model's own distribution over references is mixed with the citations of the training proofs it attends to.
"""

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
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.errors import BadSettings
from naturalproofs.ranking.contract import FunctionScorer, Scores, TrainContext
from naturalproofs.ranking.neural.encode import (
    Embedder,
    EncodedTexts,
    FrozenEncoder,
    by_length,
    embed,
    inference,
    map_batches,
    new_towers,
    token_states,
)
from naturalproofs.ranking.neural.encoder import TextBatch, Tower
from naturalproofs.ranking.neural.methods import Joint, Pairwise, TrainSettings, first_stage, with_encoding_of
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY, FittedPairwise, set_loss
from naturalproofs.ranking.neural.store import ModelFiles, TrainState, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import (
    Examples,
    Numbers,
    SampledReferences,
    TrainingData,
    TrainingModule,
    Validation,
    first_model,
    gold_masks,
    group,
    run_training,
    sample_negatives,
    shard,
    shuffled_batches,
    tower_groups,
)
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class ReferenceRows:
    """Vectors of candidates."""

    ids: tuple[StatementId, ...]
    matrix: NDArray[np.float32]


class ReferenceTable(nn.Module):
    """A row for each reference of training: the vector of its text or, where rows start at random, a free vector.

    With rows of text, a reference that training has not seen has the vector of its text.
    """

    def __init__(self, ids: Sequence[StatementId], tower: Tower, *, textual: bool) -> None:
        super().__init__()
        self.ids = tuple(ids)
        self.position = {key: row for row, key in enumerate(self.ids)}
        self.tower = tower
        self.texts: Tensor
        self.register_buffer("texts", torch.zeros(0, tower.width), persistent=False)
        """The input of the tower's head for each reference; set for training."""
        self.free = None if textual else nn.Parameter(torch.zeros(len(self.ids), tower.width))

    def randomise(self, seed: int) -> None:
        """Random free vectors, for rows that are not textual."""
        if self.free is not None:
            with torch.no_grad():
                self.free.normal_(0.0, self.free.shape[1] ** -0.5, generator=torch.Generator().manual_seed(seed))

    def matrix(self, places: Tensor) -> Tensor:
        """Rows of some references of training."""
        return self.tower.vectors(self.texts[places]) if self.free is None else self.free[places]

    def rows(self, ids: Sequence[StatementId], texts: NDArray[np.float32]) -> ReferenceRows:
        """Rows of candidates: their text vectors, or the free vectors of those that training knew."""
        if self.free is None:
            return ReferenceRows(tuple(ids), texts)
        known = self.positions(ids).numpy()
        free = self.free.detach().cpu().numpy()
        return ReferenceRows(tuple(ids), np.concatenate([free, np.zeros_like(free, shape=(1, free.shape[1]))])[known])

    def positions(self, ids: Sequence[StatementId]) -> Tensor:
        """Positions of statements among the references of training, −1 for unknown ones."""
        return torch.tensor([self.position.get(key, -1) for key in ids], dtype=torch.long)


class ProofMemory(nn.Module):
    """Training theorems as keys, the references of their proofs as values."""

    keys: Tensor
    """The input of the tower's head for each training theorem."""
    owners: Tensor
    """The theorem of each proof, by its position among the references of training."""
    starts: Tensor
    cited: Tensor
    """The distinct references of all proofs, end to end."""
    lengths: Tensor
    """References of each proof, with repeats."""
    BUFFERS = ("keys", "owners", "starts", "cited", "lengths")

    def __init__(self, *buffers: Tensor) -> None:
        super().__init__()
        for name, values in zip(self.BUFFERS, buffers, strict=True):
            self.register_buffer(name, values)
        width = self.keys.shape[1]
        self.head = nn.Linear(width, width)
        self.log_scale = nn.Parameter(torch.tensor(20.0).log())
        self.gate = nn.Parameter(torch.tensor([0.0, -1.0]))

    @classmethod
    def of(cls, keys: NDArray[np.float32], examples: Examples, head: nn.Linear) -> ProofMemory:
        """Store examples; attention starts with the head that compares theorems with references."""
        gold = [examples.gold(example) for example in range(len(examples))]
        lengths = torch.tensor([float(len(sequence)) for sequence in examples.sequences])
        starts = torch.tensor(np.cumsum([0, *map(len, gold)]))
        cited = torch.from_numpy(np.concatenate(gold))
        found = cls(torch.from_numpy(keys), torch.from_numpy(examples.theorems.copy()), starts, cited, lengths)
        found.head.load_state_dict(head.state_dict())
        return found

    def citations(self, ids: Sequence[StatementId], candidates: Sequence[StatementId]) -> Tensor:
        """A sparse matrix from proofs (columns) to candidates (rows): each proof is uniform over what it cites.

        Args:
            ids: The references of training.
            candidates: The rows.
        """
        place = {key: row for row, key in enumerate(candidates)}
        rows = np.array([place.get(key, -1) for key in ids], dtype=np.intp)[self.cited.cpu().numpy()]
        lengths = np.diff(self.starts.cpu().numpy())
        proofs = np.repeat(np.arange(len(lengths)), lengths)
        known = rows >= 0
        where = torch.from_numpy(np.stack([rows[known], proofs[known]]))
        weights = torch.from_numpy((1.0 / lengths[proofs[known]]).astype(np.float32))
        shape = (len(candidates), len(lengths))
        return torch.sparse_coo_tensor(where, weights, shape, check_invariants=True).coalesce().to(self.keys.device)

    def recall(self, features: Tensor, citations: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of references by the proofs attended to, and the mixture weight, from 0 to 1.

        Args:
            features: The input of the tower's head for each query.
            citations: From proofs to references.
            own: The query's position among the references of training, −1 for an unknown one: a theorem does not
                attend to its own proofs.
        """
        similarity, weight_logit = self.compare(features, self.vectors(self.keys), own)
        recalled = torch.sparse.mm(citations, similarity.softmax(dim=1).T).T
        return recalled.clamp(min=1e-12).log(), torch.sigmoid(weight_logit)

    def vectors(self, features: Tensor) -> Tensor:
        """The vectors by which theorems are compared."""
        return functional.normalize(self.head(features), dim=1)

    def compare(self, features: Tensor, keys: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
        """The scaled similarity of theorems to those of the memory, and the mixture weight before the sigmoid.

        Args:
            features: The input of the tower's head for each query.
            keys: The vectors of the memory's theorems.
            own: As for `recall`.
        """
        cosines = self.vectors(features) @ keys.T
        hidden = self.owners[None, :] == own[:, None]
        scale = self.log_scale.exp().clamp(max=100.0)
        best = cosines.masked_fill(hidden, -1.0).amax(dim=1)
        return scale * cosines.masked_fill(hidden, MINUS_INFINITY), self.gate[0] * best + self.gate[1]


def mixture(scores: Tensor, recalled: Tensor, weight: Tensor) -> Tensor:
    """Log-probabilities of the mixture of the model and its memory."""
    weight = weight.clamp(1e-6, 1 - 1e-6)[:, None]
    return torch.logaddexp(scores.log_softmax(dim=1) + (1 - weight).log(), recalled + weight.log())


@dataclass(frozen=True, slots=True)
class EncodedTheorems:
    """Theorems as the network sees them."""

    features: Tensor
    """The input of the tower's head."""
    vectors: Tensor
    states: Tensor
    mask: Tensor


class JointNetwork(nn.Module):
    """A theorem tower, the references, and an optional memory."""

    def __init__(self, tower: Tower, table: ReferenceTable, log_scale: float, memory_share: float) -> None:
        super().__init__()
        self.tower = tower
        self.table = table
        self.log_scale = nn.Parameter(torch.tensor(log_scale))
        self.memory: ProofMemory | None = None
        self.memory_share = memory_share
        """Factor of the learnt mixture weight of the memory at inference."""

    def encode(self, batch: TextBatch) -> EncodedTheorems:
        """Encode theorems."""
        return self.from_states(self.tower.states(batch), batch)

    def from_states(self, states: Tensor, batch: TextBatch) -> EncodedTheorems:
        """The same, from states that are already computed."""
        features = self.tower.pooled(states, batch)
        return EncodedTheorems(features, self.tower.vectors(features), states, batch.mask)

    def scores(self, theorems: EncodedTheorems, matrix: Tensor) -> Tensor:
        """Unnormalised log-probabilities of references."""
        return self.log_scale.exp().clamp(max=100.0) * (theorems.vectors @ matrix.T)

    def score(self, texts: EncodedTexts, rows: ReferenceRows, asked: Sequence[StatementId]) -> Scores:
        """Scores of candidates, with the memory mixed in.

        Args:
            texts: The theorems.
            rows: The candidates.
            asked: The ids of the theorems: one that is a candidate takes no probability from the others.
        """
        device, memory = self.log_scale.device, self.memory
        matrix = torch.from_numpy(rows.matrix).to(device)
        citations = memory.citations(self.table.ids, rows.ids) if memory is not None else None
        own = self.table.positions(asked).to(device)
        column = {key: place for place, key in enumerate(rows.ids)}
        columns = torch.tensor([column.get(key, -1) for key in asked], dtype=torch.long, device=device)
        found = np.zeros((len(texts), len(rows.ids)), dtype=np.float32)
        with inference(self):
            for block in by_length(texts.lengths, device):
                theorems = self.encode(texts.batch(block).to(device))
                scores = self.scores(theorems, matrix)
                if memory is not None and citations is not None:
                    itself = one_column(columns[block], len(rows.ids))
                    recalled, weight = memory.recall(theorems.features, citations, own[block])
                    scores = mixture(scores.masked_fill(itself, MINUS_INFINITY), recalled, weight * self.memory_share)
                    scores = scores.masked_fill(itself, MINUS_INFINITY)
                found[block] = scores.float().cpu().numpy()
        return found


def one_column(columns: Tensor, width: int) -> Tensor:
    """A mask with at most one column a row; −1 for none."""
    found = torch.zeros(len(columns), width, dtype=torch.bool, device=columns.device)
    rows = torch.where(columns >= 0)[0]
    found[rows, columns[rows]] = True
    return found


# Training, and the trained model.

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

    def index(self, candidates: Sequence[Passage]) -> FunctionScorer:
        """Find the candidates' rows."""
        return FunctionScorer(partial(self._score, self.rows(candidates)))

    def _score(self, rows: ReferenceRows, queries: Sequence[Passage]) -> Scores:
        """Unnormalised log-probabilities."""
        texts = self.frozen.encode(queries, pooled=self.network.tower.only_head)
        return self.network.score(texts, rows, [query.id for query in queries])

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
