"""Nearest neighbours: what the proofs of similar training theorems cite, weighted by how similar they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.tfidf import TfIdf, new_vectoriser
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Neighbours:
    """How many neighbours vote, and how steeply a vote falls with distance."""

    k: int = 100
    power: float = 3.0
    tokeniser: str = "maths"

    def fit(self, train: TrainSet, *, seed: int) -> "FittedNeighbours":
        """Weigh the terms of the training theorems."""
        vectoriser = new_vectoriser(TfIdf(tokeniser=self.tokeniser))
        theorems = [example.theorem for example in train.examples]
        matrix = vectoriser.fit_transform(theorems) if theorems else None
        return FittedNeighbours(self, train, vectoriser, matrix)


@dataclass(frozen=True, slots=True)
class FittedNeighbours:
    """The training theorems as vectors."""

    settings: Neighbours
    train: TrainSet = field(repr=False)
    vectoriser: Any = field(repr=False)
    matrix: Any = field(repr=False)

    def index(self, candidates: Sequence[Passage]) -> "NeighboursScorer":
        """Which training proof cites which candidate."""
        from scipy.sparse import csr_matrix

        column = {candidate.id: position for position, candidate in enumerate(candidates)}
        pairs = [
            (row, column[key])
            for row, example in enumerate(self.train.examples)
            for key in dict.fromkeys(example.references)
            if key in column
        ]
        shape = (len(self.train.examples), len(candidates))
        rows, columns = ([pair[i] for pair in pairs] for i in (0, 1))
        cited = csr_matrix((np.ones(len(pairs), dtype=np.float32), (rows, columns)), shape=shape)
        return NeighboursScorer(self, cited)


@dataclass(frozen=True, slots=True)
class NeighboursScorer:
    """Votes of the training proofs."""

    fitted: FittedNeighbours
    cited: Any

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Weighted votes of the nearest theorems; a theorem never votes for itself."""
        from scipy.sparse import csr_matrix

        fitted = self.fitted
        if fitted.matrix is None or not queries:
            return np.zeros((len(queries), self.cited.shape[1]), dtype=np.float32)
        similarity = (fitted.vectoriser.transform(queries) @ fitted.matrix.T).toarray()
        own: dict[str, list[int]] = {}
        for position, example in enumerate(fitted.train.examples):
            own.setdefault(example.theorem.id, []).append(position)
        for row, query in enumerate(queries):
            similarity[row, own.get(query.id, [])] = 0.0
        k = min(fitted.settings.k, similarity.shape[1])
        smallest = np.partition(similarity, -k, axis=1)[:, -k, None]
        weights = np.where((similarity >= smallest) & (similarity > 0), similarity**fitted.settings.power, 0)
        scores: Scores = (csr_matrix(weights.astype(np.float32)) @ self.cited).toarray()
        return scores
