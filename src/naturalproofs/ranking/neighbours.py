"""Votes of similar proofs: what the proofs of similar training theorems cite, weighted by similarity.

`citation_matrix` and `votes` are the one implementation; the hybrid ranker uses them with similarities of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.lexical import TermScorer, TfIdf
from naturalproofs.ranking.term_vectors import Floats, Sparse
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet


def citing_proofs(examples: Sequence[TrainingExample]) -> dict[StatementId, tuple[int, ...]]:
    """By statement, the training proofs that cite it."""
    found: dict[StatementId, list[int]] = {}
    for row, example in enumerate(examples):
        for key in dict.fromkeys(example.references):
            found.setdefault(key, []).append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def citation_matrix(
    citing: Mapping[StatementId, tuple[int, ...]], column: Mapping[StatementId, int], shape: tuple[int, int]
) -> Sparse:
    """Ones where a training proof (row) cites a candidate (column).

    Args:
        citing: See `citing_proofs`.
        column: The column of each candidate.
        shape: The number of proofs and of candidates.
    """
    from scipy.sparse import csr_matrix

    known = {column[key]: rows for key, rows in citing.items() if key in column}
    rows = np.fromiter(chain.from_iterable(known.values()), dtype=np.intp)
    columns = np.repeat(np.fromiter(known, dtype=np.intp), [len(one) for one in known.values()])
    matrix = csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)
    matrix.sort_indices()
    return matrix


def votes(cited: Sparse, similarity: Floats, k: int, power: float) -> Floats:
    """For each candidate the votes of the k most similar proofs; a vote weighs similarity ** power.

    Args:
        cited: See `citation_matrix`.
        similarity: Of the query to each training theorem; zero for a proof that may not vote.
        k: How many proofs vote.
        power: How steeply a vote falls with similarity.
    """
    chosen = np.argpartition(-similarity, k)[:k] if k < len(similarity) else np.arange(len(similarity))
    near = similarity[chosen]
    weights = np.where(near > 0, near ** np.float32(power), np.float32(0))
    found: Floats = cited[chosen].T @ weights
    return found.astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """How many neighbours vote, and how steeply a vote falls with distance."""

    k: int = 100
    power: float = 3.0
    tokeniser: str = "maths"

    def fit(self, train: TrainSet, *, seed: int) -> FittedNeighbours:
        """Weigh the terms of the training theorems."""
        theorems = [example.theorem for example in train.examples]
        return FittedNeighbours(self, train, TfIdf(tokeniser=self.tokeniser).index(theorems))


@dataclass(frozen=True, slots=True)
class FittedNeighbours:
    """The training theorems as TF-IDF vectors."""

    settings: Neighbours
    train: TrainSet = field(repr=False)
    theorems: TermScorer = field(repr=False)

    def index(self, candidates: Sequence[Passage]) -> NeighboursScorer:
        """Find which training proof cites which candidate."""
        column = {candidate.id: position for position, candidate in enumerate(candidates)}
        examples = self.train.examples
        own: dict[StatementId, list[int]] = {}
        for row, example in enumerate(examples):
            own.setdefault(example.theorem.id, []).append(row)
        cited = citation_matrix(citing_proofs(examples), column, (len(examples), len(candidates)))
        return NeighboursScorer(self.settings, self.theorems, cited, own)


@dataclass(frozen=True, slots=True)
class NeighboursScorer:
    """Votes of the training proofs."""

    settings: Neighbours
    theorems: TermScorer = field(repr=False)
    cited: Sparse = field(repr=False)
    own: Mapping[StatementId, Sequence[int]] = field(repr=False)
    """By theorem, the rows of its own proofs, which do not vote for it."""

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Weighted votes of the nearest theorems."""
        scores = np.zeros((len(queries), self.cited.shape[1]), dtype=np.float32)
        for row, similarity in enumerate(self.theorems.score(queries)):
            similarity[list(self.own.get(queries[row].id, ()))] = 0
            scores[row] = votes(self.cited, similarity, self.settings.k, self.settings.power)
        return scores
