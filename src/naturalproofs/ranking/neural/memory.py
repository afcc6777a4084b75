"""A memory of training proofs: what the proofs of like theorems cite.

The same idea as nearest neighbours of words (`neighbours`) and of language models (Khandelwal et al. 2020): the model's
own distribution over references is mixed with that of the training proofs it attends to.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.losses import FAR
from naturalproofs.records import StatementId


class ProofMemory(nn.Module):
    """Training theorems as keys, and the references of their proofs as values."""

    def __init__(self, examples: int, citations: int, width: int) -> None:
        super().__init__()
        self.keys: Tensor
        self.owners: Tensor
        self.starts: Tensor
        self.cited: Tensor
        self.register_buffer("keys", torch.zeros(examples, width))
        """What a tower's head sees of each training theorem."""
        self.register_buffer("owners", torch.zeros(examples, dtype=torch.long))
        """The theorem of each, by its place among the references of training."""
        self.register_buffer("starts", torch.zeros(examples + 1, dtype=torch.long))
        self.register_buffer("cited", torch.zeros(citations, dtype=torch.long))
        """The distinct references of all proofs, end to end."""
        self.lengths: Tensor
        self.register_buffer("lengths", torch.zeros(examples))
        """How many references each proof has, repeats counted."""
        self.head = nn.Linear(width, width)
        self.sharpness = nn.Parameter(torch.tensor(20.0).log())
        self.gate = nn.Parameter(torch.tensor([0.0, -1.0]))

    @classmethod
    def of(cls, keys: NDArray[np.float32], examples: Examples) -> ProofMemory:
        """Remember examples."""
        gold = [examples.gold(example) for example in range(len(examples))]
        found = cls(len(keys), sum(map(len, gold)), keys.shape[1])
        found.keys.copy_(torch.from_numpy(keys))
        found.owners.copy_(torch.from_numpy(examples.theorems))
        found.starts.copy_(torch.tensor(np.cumsum([0, *map(len, gold)])))
        found.lengths.copy_(torch.tensor([float(len(sequence)) for sequence in examples.sequences]))
        if gold:
            found.cited.copy_(torch.from_numpy(np.concatenate(gold)))
        return found

    def begin_from(self, head: nn.Linear | None) -> None:
        """Attend at first by what tells theorems from references."""
        if head is not None:
            self.head.load_state_dict(head.state_dict())
        else:
            nn.init.eye_(self.head.weight)
            nn.init.zeros_(self.head.bias)

    def values(self, ids: Sequence[StatementId], candidates: Sequence[StatementId]) -> Tensor:
        """A sparse matrix from proofs to candidates: each proof is even over what it cites."""
        place = {key: column for column, key in enumerate(candidates)}
        columns = np.array([place.get(key, -1) for key in ids], dtype=np.intp)[self.cited.cpu().numpy()]
        lengths = np.diff(self.starts.cpu().numpy())
        proofs = np.repeat(np.arange(len(lengths)), lengths)
        known = columns >= 0
        where = torch.from_numpy(np.stack([columns[known], proofs[known]]))
        weights = torch.from_numpy((1.0 / lengths[proofs[known]]).astype(np.float32))
        shape = (len(candidates), len(lengths))
        return torch.sparse_coo_tensor(where, weights, shape, check_invariants=True).coalesce().to(self.keys.device)

    def recall(self, features: Tensor, values: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of references by the proofs attended to, and how much these are to count, from 0 to 1.

        Args:
            features: What a tower's head sees of the theorems asked about.
            values: From proofs to references.
            own: The theorem's place among the references of training, −1 for one that is not there: no theorem may
                look at its own proofs.
        """
        cosines, hidden = self.cosines(features, self.vectors(self.keys)), self.hidden(own)
        attention = (self.scale * cosines.masked_fill(hidden, FAR)).softmax(dim=1)
        recalled = torch.sparse.mm(values, attention.T).T
        return recalled.clamp(min=1e-12).log(), torch.sigmoid(self.share(cosines, hidden))

    def vectors(self, features: Tensor) -> Tensor:
        """What theorems are compared by."""
        return functional.normalize(self.head(features), dim=1)

    def cosines(self, features: Tensor, keys: Tensor) -> Tensor:
        """How near theorems are to those remembered, whose vectors are given."""
        return self.vectors(features) @ keys.T

    def hidden(self, own: Tensor) -> Tensor:
        """Which proofs each theorem may not look at."""
        return self.owners[None, :] == own[:, None]

    def share(self, cosines: Tensor, hidden: Tensor) -> Tensor:
        """How much the memory counts, before the sigmoid."""
        best = cosines.masked_fill(hidden, -1.0).amax(dim=1)
        return self.gate[0] * best + self.gate[1]

    @property
    def scale(self) -> Tensor:
        """What cosines are multiplied by."""
        return self.sharpness.exp().clamp(max=100.0)


def citing(values: Tensor, references: Tensor) -> tuple[Tensor, Tensor]:
    """The remembered proofs that cite each of some references: which of these, and the proof, pair by pair.

    Args:
        values: From references to proofs, as ``ProofMemory.values`` gives them.
        references: Rows of it.
    """
    rows, proofs = values.indices()
    starts = torch.searchsorted(rows, torch.arange(values.shape[0] + 1, device=rows.device))
    first, count = starts[references], starts[references + 1] - starts[references]
    which = torch.arange(len(references), device=rows.device).repeat_interleave(count)
    within = torch.arange(len(which), device=rows.device) - (count.cumsum(0) - count)[which]
    return which, proofs[first[which] + within]


def mixed(scores: Tensor, recalled: Tensor, weight: Tensor) -> Tensor:
    """Log-probabilities of both together."""
    weight = weight.clamp(1e-6, 1 - 1e-6)[:, None]
    return torch.logaddexp(scores.log_softmax(dim=1) + (1 - weight).log(), recalled + weight.log())
