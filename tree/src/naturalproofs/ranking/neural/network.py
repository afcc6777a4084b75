"""The network of the joint model: a theorem tower, the matrix of references, and a memory of proofs.

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

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.data import Examples
from naturalproofs.ranking.neural.encode import EncodedTexts, by_length, inference
from naturalproofs.ranking.neural.encoder import TextBatch, Tower
from naturalproofs.ranking.neural.pairwise import MINUS_INFINITY
from naturalproofs.records import StatementId


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
