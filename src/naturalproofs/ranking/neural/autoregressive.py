"""The autoregressive model: one reference after another, until the end."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from naturalproofs.ranking.contract import Scores, Sequences, TrainContext
from naturalproofs.ranking.decoding import (
    NextProbabilities,
    Utility,
    beam_search,
    best_sampled,
    greedy,
    sample_sequences,
)
from naturalproofs.ranking.neural.encode import FrozenEncoder, by_length, inference
from naturalproofs.ranking.neural.encoder import initialise
from naturalproofs.ranking.neural.joint import (
    EncodedTheorems,
    ExampleBatch,
    FittedJoint,
    JointNetwork,
    ReferenceRows,
    TheoremTraining,
    empty_joint,
    one_column,
)
from naturalproofs.ranking.neural.methods import Autoregressive, Joint, first_stage, with_encoding_of
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY
from naturalproofs.ranking.neural.store import TrainState, load_files, save_files, training_report
from naturalproofs.ranking.neural.train import (
    Examples,
    TrainingData,
    Validation,
    decayed_groups,
    first_model,
    run_training,
)
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

# The network of the autoregressive model: step by step over a joint model that is frozen.

NEW, REPEAT, END = range(3)
FARTHEST = 5
"""Distances from the end of the prefix are counted up to here."""
_KIND_FEATURES = 5
_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Prefixes:
    """References cited so far, by their columns; −1 where a row is shorter."""

    tokens: Tensor
    lengths: Tensor
    last: Tensor
    """The last occurrence of each distinct reference of a row."""
    count: Tensor
    """Occurrences of the reference at each place."""

    @classmethod
    def of(cls, tokens: Tensor, lengths: Tensor) -> Prefixes:
        """Truncate rows of tokens to their lengths."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        real = places < lengths[:, None]
        tokens = tokens.masked_fill(~real, -1)
        same = (tokens[:, :, None] == tokens[:, None, :]) & real[:, None, :]
        later = places[None, :] > places[:, None]
        return cls(tokens, lengths, real & ~(same & later).any(dim=2), same.sum(dim=2))

    @property
    def distance(self) -> Tensor:
        """References after each place."""
        places = torch.arange(self.tokens.shape[1], device=self.tokens.device)
        return (self.lengths[:, None] - 1 - places).clamp(0, FARTHEST)

    @property
    def repeats(self) -> Tensor:
        """References of each row that occurred before."""
        return self.lengths - self.last.sum(dim=1)

    def used(self, banned: Tensor) -> Tensor:
        """The mask of banned references (a row each, a column a reference), with those of the prefix added."""
        row, place = torch.where(self.last)
        return banned.index_put((row, self.tokens[row, place]), torch.ones((), dtype=torch.bool, device=banned.device))


@dataclass(frozen=True, slots=True)
class PreparedTheorems:
    """Theorems as the joint model sees them, compared with its memory."""

    vectors: Tensor
    states: Tensor
    """The token states that the decoder attends to."""
    mask: Tensor
    similarity: Tensor
    """Scaled similarity to each proof of the memory; of no width without a memory."""
    weight_logit: Tensor
    """The joint model's mixture weight of the memory, before the sigmoid."""

    def __len__(self) -> int:
        return len(self.mask)

    def one(self, row: int) -> PreparedTheorems:
        """One of the theorems."""
        return PreparedTheorems(*(getattr(self, each.name)[row : row + 1] for each in fields(self)))


@dataclass(frozen=True, slots=True)
class Choices:
    """References that can be cited."""

    matrix: Tensor
    offset: Tensor
    """Added to the scores: the logarithm of how many a sampled negative stands for."""
    citations: Tensor | None
    """Sparse, from the proofs of the memory to these references."""
    share: float = 1.0
    """Factor of the learnt mixture weight of the memory."""

    @classmethod
    def of(cls, network: JointNetwork, rows: ReferenceRows, share: float = 1.0) -> Choices:
        """Candidates."""
        device = network.log_scale.device
        citations = None if network.memory is None else network.memory.citations(network.table.ids, rows.ids)
        return cls(
            torch.from_numpy(rows.matrix).to(device), torch.zeros(len(rows.ids), device=device), citations, share
        )

    def __len__(self) -> int:
        return len(self.offset)

    def select(self, places: Tensor, offset: Tensor | None = None) -> Choices:
        """Some of them."""
        citations = None if self.citations is None else self.citations.index_select(0, places).coalesce()
        return Choices(self.matrix[places], self.offset[places] if offset is None else offset, citations, self.share)


@dataclass(frozen=True, slots=True)
class NextStep:
    """Log-probabilities of the next step."""

    kind: Tensor
    """Of a new reference, a repeat, and the end."""
    new: Tensor
    """Of each reference, given a new one."""
    repeat: Tensor
    """Of each place of the prefix, given a repeat."""

    def of(self, prefixes: Prefixes, tokens: Tensor, worst: float) -> Tensor:
        """Of given tokens, −1 for the end; a new reference counts as no less likely than the worst."""
        matches = prefixes.last & (prefixes.tokens == tokens[:, None])
        ended, repeated = tokens < 0, matches.any(dim=1) & (tokens >= 0)
        kind = torch.where(ended, END, torch.where(repeated, REPEAT, NEW))
        new = self.new.gather(1, tokens.clamp(min=0)[:, None])[:, 0].clamp(min=worst)
        found = self.kind.gather(1, kind[:, None])[:, 0] + new.masked_fill(ended | repeated, 0.0)
        return found + torch.where(matches, self.repeat, 0.0).sum(dim=1)

    def joined(self, prefixes: Prefixes) -> Tensor:
        """Of every reference, and of the end in the last column; new references are normalised over the choices."""
        new = self.new.log_softmax(dim=1) + self.kind[:, NEW : NEW + 1]
        found = torch.cat([new, self.kind[:, END:]], dim=1)
        row, place = torch.where(prefixes.last)
        repeat = self.kind[row, REPEAT] + self.repeat[row, place]
        return found.index_put((row, prefixes.tokens[row, place]), repeat)


class Decoder(nn.Module):
    """From the references so far to states, and from these to corrections of the theorem's vector.

    The output map starts at zero: at first every step ranks as the theorem's vector alone does.
    """

    def __init__(self, config: BertConfig, *, layers: int, width: int, steps: int, seed: int) -> None:
        super().__init__()
        config._attn_implementation = "sdpa"
        self.enter = nn.Linear(width, config.hidden_size)
        self.positions = nn.Embedding(steps, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        blocks = [BertLayer(config) for _ in range(layers)]
        self.layers = nn.ModuleList(blocks)
        self.leave = nn.Linear(config.hidden_size, width)
        parts: list[nn.Module] = [self.enter, self.positions]
        for block in blocks:
            parts += [block.attention, block.intermediate, block.output, block.crossattention]
        initialise((module for part in [*parts, self.leave] for module in part.modules()), seed)
        nn.init.zeros_(self.leave.weight)

    def forward(self, entered: Tensor, theorem: Tensor, mask: Tensor) -> Tensor:
        """States at all steps; ``leave`` maps them to corrections.

        Args:
            entered: The reference before each step, mapped by ``enter``; the first is the start symbol.
            theorem: States of the theorem's tokens; one theorem may serve all rows.
            mask: Which of these are not padding.
        """
        states: Tensor = self.dropout(self.norm(entered + self.positions.weight[: entered.shape[1]]))
        for layer in self.layers:
            states = layer(states, None, theorem, mask[:, None, None, :])
        return states


class SequenceNetwork(nn.Module):
    """A decoder over a joint network."""

    def __init__(
        self,
        joint: JointNetwork,
        encoder_width: int,
        *,
        epsilon: float,
        layers: int,
        width: int,
        steps: int,
        dropout: float,
        seed: int,
    ) -> None:
        super().__init__()
        self.joint = joint.requires_grad_(requires_grad=False)
        vector = joint.tower.width
        # Causal attention to the prefix, then attention to the theorem.
        config = BertConfig(
            hidden_size=width,
            num_attention_heads=max(1, width // 64),
            intermediate_size=3 * width,
            layer_norm_eps=epsilon,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
            is_decoder=True,
            add_cross_attention=True,
        )
        self.decoder = Decoder(config, layers=layers, width=vector, steps=steps, seed=seed)
        self.summary = nn.Linear(vector, width)
        self.look = nn.Linear(encoder_width, width)
        self.pointer = nn.Linear(width, width)
        self.kind = nn.Linear(width + _KIND_FEATURES, 3)
        self.share = nn.Linear(width, 1)
        initialise((self.summary, self.look, self.pointer, self.kind, self.share), seed + 1)
        nn.init.zeros_(self.share.weight)
        self.begin = nn.Parameter(torch.zeros(vector))
        self.log_scale = nn.Parameter(joint.log_scale.detach().clone())
        self.focus = nn.Parameter(torch.zeros(()))
        """Logarithm of how much sharper the attention to the memory is than the joint model's."""
        self.boost = nn.Parameter(torch.ones(2))
        """Added to a proof's attention for each reference that it shares, and for the last one."""
        self.habit = nn.Parameter(torch.tensor([0.5, 0.0]))
        """How a repeat becomes less likely with its distance, and more with each occurrence."""

    def train(self, mode: bool = True) -> SequenceNetwork:
        """Set the training mode; the joint model stays in evaluation mode."""
        super().train(mode)
        self.joint.eval()
        return self

    def prepare(self, theorems: EncodedTheorems, own: Tensor, keys: Tensor | None) -> PreparedTheorems:
        """Prepare theorems.

        Args:
            theorems: As the joint model encodes them.
            own: Their positions among the references of training, −1 for unknown ones.
            keys: The vectors of the memory's theorems, computed once.
        """
        vectors, memory = theorems.vectors, self.joint.memory
        similarity, weight_logit = vectors.new_zeros(len(vectors), 0), vectors.new_zeros(len(vectors))
        if memory is not None and keys is not None:
            with torch.no_grad():
                similarity, weight_logit = memory.compare(theorems.features, keys, own)
        return PreparedTheorems(vectors, theorems.states, theorems.mask, similarity, weight_logit)

    def memory_keys(self) -> Tensor | None:
        """The vectors of the memory's theorems."""
        if self.joint.memory is None:
            return None
        with torch.no_grad():
            return self.joint.memory.vectors(self.joint.memory.keys)

    def states(self, theorems: PreparedTheorems, given: Tensor) -> tuple[Tensor, Tensor]:
        """Decoder states at every step, and the given references as decoder inputs; one theorem may serve all rows."""
        summary = self.summary(theorems.vectors)[:, None]
        attended = torch.cat([summary, self.look(theorems.states)], dim=1)
        mask = torch.cat([theorems.mask.new_ones(len(summary), 1), theorems.mask], dim=1)
        before = torch.cat([self.begin.expand(len(given), 1, -1), given], dim=1)
        entered = self.decoder.enter(before)
        return self.decoder(entered + summary, attended, mask), entered[:, 1:]

    def next_step(
        self,
        theorems: PreparedTheorems,
        which: Tensor,
        states: Tensor,
        entered: Tensor,
        prefixes: Prefixes,
        choices: Choices,
        banned: Tensor,
    ) -> NextStep:
        """The distribution of the next step.

        Args:
            theorems: The theorems.
            which: The theorem of each row.
            states: The decoder's state of each row.
            entered: The prefix's references as decoder inputs.
            prefixes: References cited so far.
            choices: References that can be cited.
            banned: By row and reference, what may not be cited: the theorem itself.
        """
        query = functional.normalize(theorems.vectors[which] + self.decoder.leave(states), dim=1)
        scores = self.log_scale.exp().clamp(max=100.0) * (query @ choices.matrix.T) + choices.offset
        used = prefixes.used(banned)
        new = scores.masked_fill(used, MINUS_INFINITY).log_softmax(dim=1)
        attention = None
        if choices.citations is not None:
            attention = self._attention(theorems.similarity[which], prefixes, choices.citations)
            recalled = torch.sparse.mm(choices.citations, attention.T).T
            spent = torch.where(used, recalled, 0.0).sum(dim=1, keepdim=True)
            recalled = recalled.masked_fill(used, 0.0) / (1 - spent).clamp(min=0.05)
            share = choices.share * torch.sigmoid(theorems.weight_logit[which, None] + self.share(states))
            share = share.clamp(1e-6, 1 - 1e-6)
            new = torch.logaddexp(new + (1 - share).log(), recalled.clamp(min=_LEAST).log() + share.log())
            new = new.masked_fill(used, MINUS_INFINITY)
        kind = self.kind(torch.cat([states, self._kind_features(attention, new, prefixes)], dim=1))
        # The first step is always a new reference.
        first = (prefixes.lengths == 0)[:, None] & torch.tensor([False, True, True], device=kind.device)
        kind = kind.masked_fill(first, MINUS_INFINITY).log_softmax(dim=1)
        return NextStep(kind, new, self._repeat(states, entered, prefixes))

    def _attention(self, similarity: Tensor, prefixes: Prefixes, citations: Tensor) -> Tensor:
        """Attention to the proofs of the memory: by the theorem, and by the references shared with the prefix."""
        row, place = torch.where(prefixes.last)
        which, proofs = proofs_citing(citations, prefixes.tokens[row, place])
        recent = (place == prefixes.lengths[row] - 1)[which]
        boost = self.boost[0] + self.boost[1] * recent
        similarity = self.focus.exp() * similarity
        return similarity.index_put((row[which], proofs), boost, accumulate=True).softmax(dim=1)

    def _kind_features(self, attention: Tensor | None, new: Tensor, prefixes: Prefixes) -> Tensor:
        """Features of whether a proof ends: above all, the lengths of the proofs attended to."""
        with torch.no_grad():
            length = prefixes.lengths.to(new.dtype)
            end, expected = torch.zeros_like(length), torch.zeros_like(length)
            if attention is not None and self.joint.memory is not None:
                proofs = self.joint.memory.lengths
                longer = torch.where(proofs >= length[:, None], attention, 0.0).sum(dim=1)
                over = torch.where(proofs == length[:, None], attention, 0.0).sum(dim=1)
                end, expected = torch.logit((over + 0.02) / (longer + 0.04)), attention @ proofs
            best = new.amax(dim=1) if new.shape[1] else end
            return torch.stack([end, expected.log1p(), length.log1p(), best, prefixes.repeats.to(new.dtype)], dim=1)

    def _repeat(self, states: Tensor, entered: Tensor, prefixes: Prefixes) -> Tensor:
        scores = torch.einsum("nd,npd->np", self.pointer(states), entered) / entered.shape[2] ** 0.5
        scores = scores - self.habit[0] * prefixes.distance + self.habit[1] * prefixes.count
        found: Tensor = scores.masked_fill(~prefixes.last, MINUS_INFINITY).log_softmax(dim=1)
        return found

    def log_likelihood(
        self, theorems: PreparedTheorems, tokens: Tensor, choices: Choices, itself: Tensor, worst: float
    ) -> Tensor:
        """The log-probability of every step of some sequences, their ends included.

        Args:
            theorems: A theorem for each sequence.
            tokens: Columns of references, −1 after a sequence's end.
            choices: The references.
            itself: The theorem's own column, which it may not cite unless the sequence does; −1 for none.
            worst: A new reference counts as no less likely than this.
        """
        states, entered = self.states(theorems, choices.matrix[tokens.clamp(min=0)])
        lengths = (tokens >= 0).sum(dim=1)
        row, step = torch.where(torch.arange(tokens.shape[1] + 1, device=tokens.device) <= lengths[:, None])
        prefixes = Prefixes.of(tokens[row], step)
        targets = torch.cat([tokens, torch.full_like(tokens[:, :1], -1)], dim=1)[row, step]
        banned = one_column(itself[row].where(itself[row] != targets, -1), len(choices))
        found = self.next_step(theorems, row, states[row, step], entered[row], prefixes, choices, banned)
        return found.of(prefixes, targets, worst)

    def step_probabilities(
        self, theorems: PreparedTheorems, prefixes: NDArray[np.intp], choices: Choices, own: Sequence[int]
    ) -> NDArray[np.float32]:
        """Log-probabilities of the next reference, and of the end in the last column.

        Args:
            theorems: One for each prefix, or one for all.
            prefixes: A row each, all of one length.
            choices: The references.
            own: The column of each theorem, which it may not cite; −1 for none.
        """
        device, (count, length) = choices.offset.device, prefixes.shape
        which = torch.arange(count) if count == len(theorems) else torch.zeros(count, dtype=torch.long)
        tokens = torch.from_numpy(prefixes).to(device)
        states, entered = self.states(theorems, choices.matrix[tokens])
        known = Prefixes.of(tokens, torch.full((count,), length, device=device))
        banned = one_column(torch.tensor(own, dtype=torch.long, device=device)[which], len(choices))
        found = self.next_step(theorems, which, states[:, -1], entered, known, choices, banned)
        probabilities: NDArray[np.float32] = found.joined(known).clamp(min=MINUS_INFINITY).float().cpu().numpy()
        return probabilities


def proofs_citing(citations: Tensor, references: Tensor) -> tuple[Tensor, Tensor]:
    """The proofs of the memory that cite each of some references: pairs of an index into these, and a proof.

    Args:
        citations: From proofs to references, as ``ProofMemory.citations`` gives them.
        references: Rows of it.
    """
    rows, proofs = citations.indices()
    starts = torch.searchsorted(rows, torch.arange(citations.shape[0] + 1, device=rows.device))
    first, count = starts[references], starts[references + 1] - starts[references]
    which = torch.arange(len(references), device=rows.device).repeat_interleave(count)
    within = torch.arange(len(which), device=rows.device) - (count.cumsum(0) - count)[which]
    return which, proofs[first[which] + within]


def padded(sequences: Sequence[NDArray[np.int64]]) -> Tensor:
    """Sequences side by side, −1 after their ends."""
    found = np.full((len(sequences), max(map(len, sequences), default=0)), -1, dtype=np.int64)
    for row, own in enumerate(sequences):
        found[row, : len(own)] = own
    return torch.from_numpy(found)


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


class AutoregressiveTraining(TheoremTraining[Autoregressive]):
    """From each theorem to the sequence of its references."""

    metric: ClassVar[str] = "token likelihood"

    def __init__(
        self, settings: Autoregressive, joint: FittedJoint, network: SequenceNetwork, data: TrainingData
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


def train(settings: Autoregressive, training: TrainSet, seed: int, context: TrainContext) -> FittedAutoregressive:
    """Train an autoregressive model, which starts from a joint one."""
    began = time.monotonic()
    examples = Examples.of(training)
    method = Joint(**first_stage(settings), init=settings.init)
    joint = first_model(FittedJoint, settings.start, method, training, seed, context)
    settings = with_encoding_of(settings, joint.settings)
    network = new_network(settings, joint.network, joint.frozen, seed)
    make = partial(AutoregressiveTraining, settings, joint, network)
    own, pooled = (
        replace(context, folder=context.folder / "autoregressive"),
        (False, joint.network.table.tower.only_head),
    )
    state = run_training(settings, make, joint.frozen, examples, seed, own, began, pooled=pooled)
    network.eval()
    return FittedAutoregressive(settings, joint, network, state)


def new_network(settings: Autoregressive, joint: JointNetwork, frozen: FrozenEncoder, seed: int) -> SequenceNetwork:
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

    settings: Autoregressive
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
        files = load_files(folder, Autoregressive)
        below = msgspec.convert(files.extra.get("joint", {}), Joint)
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
