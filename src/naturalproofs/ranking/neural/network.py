"""The network of the joint model: a theorem tower, the matrix of references, a memory of proofs, and a decoder.

The memory is the idea of nearest neighbours of words (`neighbours`) and of language models (Khandelwal et al. 2020):
the model's own distribution over references is mixed with the citations of the training proofs it attends to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from naturalproofs.ranking.neural.data import Examples
from naturalproofs.ranking.neural.encoder import TextBatch, Tower, initialise
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY
from naturalproofs.records import StatementId


@dataclass(frozen=True, slots=True)
class ReferenceRows:
    """Vectors of candidates."""

    ids: tuple[StatementId, ...]
    matrix: NDArray[np.float32]


class ReferenceTable(nn.Module):
    """A row for each reference of training: the vector of its text, where rows are textual, plus a free vector.

    A reference that training has not seen has the vector of its text.
    """

    def __init__(
        self, ids: Sequence[StatementId], texts: Tensor, tower: Tower, *, textual: bool, trained: bool
    ) -> None:
        super().__init__()
        self.ids = tuple(ids)
        self.position = {key: row for row, key in enumerate(self.ids)}
        self.tower = tower
        self.textual = textual
        self.trained = trained
        """Whether the head of the reference tower is trained, so that vectors of texts change."""
        self.texts: Tensor
        self.register_buffer("texts", texts)
        """The head's input for each text if the head is trained, the vector of each text otherwise."""
        self.free = nn.Parameter(torch.zeros(len(self.ids), tower.width))

    def randomise(self, seed: int) -> None:
        """Random free vectors, for rows that are not textual."""
        with torch.no_grad():
            self.free.normal_(0.0, self.free.shape[1] ** -0.5, generator=torch.Generator().manual_seed(seed))

    def matrix(self, places: Tensor) -> Tensor:
        """Rows of some references of training."""
        if not self.textual:
            return self.free[places]
        texts = self.texts[places]
        found = self.tower.vectors(texts) if self.trained else texts
        return found + self.free[places] if self.free.requires_grad else found

    def rows(self, ids: Sequence[StatementId], texts: NDArray[np.float32]) -> ReferenceRows:
        """Rows of candidates: from training if it knew them, otherwise from their text vectors."""
        matrix = texts.copy() if self.textual else np.zeros_like(texts)
        free = self.free.detach().cpu().numpy()
        for row, key in enumerate(ids):
            if key in self.position:
                matrix[row] += free[self.position[key]]
        return ReferenceRows(tuple(ids), matrix)

    def positions(self, ids: Sequence[StatementId]) -> Tensor:
        """Positions of statements among the references of training, −1 for unknown ones."""
        return torch.tensor([self.position.get(key, -1) for key in ids], dtype=torch.long)


class ProofMemory(nn.Module):
    """Training theorems as keys, the references of their proofs as values."""

    def __init__(self, examples: int, citations: int, width: int) -> None:
        super().__init__()
        self.keys: Tensor
        self.owners: Tensor
        self.starts: Tensor
        self.cited: Tensor
        self.lengths: Tensor
        self.register_buffer("keys", torch.zeros(examples, width))
        """The input of the tower's head for each training theorem."""
        self.register_buffer("owners", torch.zeros(examples, dtype=torch.long))
        """The theorem of each proof, by its position among the references of training."""
        self.register_buffer("starts", torch.zeros(examples + 1, dtype=torch.long))
        self.register_buffer("cited", torch.zeros(citations, dtype=torch.long))
        """The distinct references of all proofs, end to end."""
        self.register_buffer("lengths", torch.zeros(examples))
        """References of each proof, with repeats."""
        self.head = nn.Linear(width, width)
        self.log_scale = nn.Parameter(torch.tensor(20.0).log())
        self.gate = nn.Parameter(torch.tensor([0.0, -1.0]))

    @classmethod
    def of(cls, keys: NDArray[np.float32], examples: Examples, head: nn.Linear) -> ProofMemory:
        """Store examples; attention starts with the head that compares theorems with references."""
        gold = [examples.gold(example) for example in range(len(examples))]
        found = cls(len(keys), sum(map(len, gold)), keys.shape[1])
        found.keys.copy_(torch.from_numpy(keys))
        found.owners.copy_(torch.from_numpy(examples.theorems))
        found.starts.copy_(torch.tensor(np.cumsum([0, *map(len, gold)])))
        found.lengths.copy_(torch.tensor([float(len(sequence)) for sequence in examples.sequences]))
        if gold:
            found.cited.copy_(torch.from_numpy(np.concatenate(gold)))
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
        cosines, hidden = self.cosines(features, self.vectors(self.keys)), self.hidden(own)
        attention = (self.scale * cosines.masked_fill(hidden, MINUS_INFINITY)).softmax(dim=1)
        recalled = torch.sparse.mm(citations, attention.T).T
        return recalled.clamp(min=1e-12).log(), torch.sigmoid(self.weight_logit(cosines, hidden))

    def vectors(self, features: Tensor) -> Tensor:
        """The vectors by which theorems are compared."""
        return functional.normalize(self.head(features), dim=1)

    def cosines(self, features: Tensor, keys: Tensor) -> Tensor:
        """Similarity of theorems to those of the memory, whose vectors are given."""
        return self.vectors(features) @ keys.T

    def hidden(self, own: Tensor) -> Tensor:
        """The proofs that each theorem must not see."""
        return self.owners[None, :] == own[:, None]

    def weight_logit(self, cosines: Tensor, hidden: Tensor) -> Tensor:
        """The mixture weight of the memory before the sigmoid."""
        best = cosines.masked_fill(hidden, -1.0).amax(dim=1)
        return self.gate[0] * best + self.gate[1]

    @property
    def scale(self) -> Tensor:
        """The factor of cosines."""
        return self.log_scale.exp().clamp(max=100.0)


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


def mixture(scores: Tensor, recalled: Tensor, weight: Tensor) -> Tensor:
    """Log-probabilities of the mixture of the model and its memory."""
    weight = weight.clamp(1e-6, 1 - 1e-6)[:, None]
    return torch.logaddexp(scores.log_softmax(dim=1) + (1 - weight).log(), recalled + weight.log())


class Decoder(nn.Module):
    """From the references so far to states, and from these to corrections of the theorem's vector.

    The output map starts at zero: at first every step ranks as the theorem's vector alone does.
    """

    def __init__(self, config: BertConfig, *, layers: int, width: int, steps: int, seed: int) -> None:
        super().__init__()
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


def decoder_config(width: int, heads: int, inner: int, epsilon: float, dropout: float) -> BertConfig:
    """The configuration of decoder layers: causal attention to the prefix, then attention to the theorem."""
    config = BertConfig(
        hidden_size=width,
        num_attention_heads=heads,
        intermediate_size=inner,
        layer_norm_eps=epsilon,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        is_decoder=True,
        add_cross_attention=True,
    )
    config._attn_implementation = "sdpa"
    return config


@dataclass(frozen=True, slots=True)
class EncodedTheorems:
    """Theorems as the network sees them."""

    features: Tensor
    """The input of the tower's head."""
    vectors: Tensor
    states: Tensor
    mask: Tensor


class JointNetwork(nn.Module):
    """A theorem tower, an optional one-step decoder, the references, and an optional memory."""

    def __init__(self, tower: Tower, decoder: Decoder | None, table: ReferenceTable, log_scale: float) -> None:
        super().__init__()
        self.tower = tower
        self.decoder = decoder
        self.table = table
        self.log_scale = nn.Parameter(torch.tensor(log_scale))
        self.begin = nn.Parameter(torch.zeros(tower.width))
        self.memory: ProofMemory | None = None
        self.memory_share = 1.0

    @property
    def needs_states(self) -> bool:
        """Whether token states of theorems are needed; pooled ones are enough otherwise."""
        return not self.tower.only_head or self.decoder is not None

    def encode(self, batch: TextBatch) -> EncodedTheorems:
        """Encode theorems."""
        return self.from_states(self.tower.states(batch), batch)

    def from_states(self, states: Tensor, batch: TextBatch) -> EncodedTheorems:
        """The same, from states that are already computed."""
        features = self.tower.pooled(states, batch)
        return EncodedTheorems(features, self.tower.vectors(features), states, batch.mask)

    def queries(self, theorems: EncodedTheorems) -> Tensor:
        """Query vectors: the theorem's vector, corrected by one step of the decoder if there is one."""
        if self.decoder is None:
            return theorems.vectors
        begin = self.begin.expand(len(theorems.vectors), 1, -1)
        states = self.decoder(self.decoder.enter(begin), theorems.states, theorems.mask)
        correction: Tensor = self.decoder.leave(states)[:, 0]
        return theorems.vectors + correction

    def scores(self, queries: Tensor, matrix: Tensor) -> Tensor:
        """Unnormalised log-probabilities of references."""
        return self.log_scale.exp().clamp(max=100.0) * (queries @ matrix.T)
