"""Baselines that do not read the query's text: a random order, citation frequency, and distance in the document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import PlacesUnknown
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.lexical import citation_matrix, citing_proofs, later_proofs, proof_positions
from naturalproofs.ranking.term_vectors import Floats, Sparse
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Random:
    """A random order for each query, the same for the same seed and theorem."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedRandom:
        """Store the seed; there is nothing to learn."""
        return FittedRandom(seed)


@dataclass(frozen=True, slots=True)
class FittedRandom:
    """The seed, and the number of candidates once indexed."""

    seed: int
    size: int = 0

    def index(self, candidates: Sequence[Passage]) -> FittedRandom:
        """Count the candidates."""
        return FittedRandom(self.seed, len(candidates))

    def score(self, queries: Sequence[Passage]) -> Scores:
        """A uniform number for every pair."""
        rows = []
        for query in queries:
            # Each query has its own seed, so that scores do not depend on how queries are batched.
            state = int(sha256_bytes(f"{self.seed}/{query.id}".encode())[:16], 16)
            rows.append(np.random.default_rng(state).random(self.size, dtype=np.float32))
        return np.stack(rows) if rows else np.zeros((0, self.size), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Frequency:
    """The number of training proofs that cite a candidate."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedFrequency | FittedEarlierFrequency:
        """Count citations, once per proof; if a query sees only earlier proofs, when it is scored."""
        if train.strict:
            return FittedEarlierFrequency(train)
        return FittedFrequency(Counter(key for example in train.examples for key in set(example.references)))


@dataclass(frozen=True, slots=True)
class FittedEarlierFrequency:
    """Proofs that are counted for the queries that come after them."""

    train: TrainSet

    def index(self, candidates: Sequence[Passage]) -> EarlierFrequencyScorer:
        """Find which proof cites which candidate."""
        column = {candidate.id: position for position, candidate in enumerate(candidates)}
        proofs = self.train.proofs
        cited = citation_matrix(citing_proofs(proofs), column, (len(proofs), len(candidates)))
        own: dict[StatementId, list[int]] = {}
        for row, proof in enumerate(proofs):
            own.setdefault(proof.theorem.id, []).append(row)
        return EarlierFrequencyScorer(cited, own, proof_positions(proofs))


@dataclass(frozen=True, slots=True)
class EarlierFrequencyScorer:
    """Counts of the proofs that come before a query."""

    cited: Sparse
    own: Mapping[StatementId, Sequence[int]]
    """By theorem, the rows of its own proofs."""
    positions: Floats | None

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Count the proofs before each query, except those of its own theorem."""
        seen = np.ones((len(queries), self.cited.shape[0]), dtype=np.float32)
        for row, query in enumerate(queries):
            seen[row, later_proofs(self.positions, query)] = 0
            seen[row, list(self.own.get(query.id, ()))] = 0
        scores: Scores = np.asarray(seen @ self.cited, dtype=np.float32)
        return scores


@dataclass(frozen=True, slots=True)
class LeakedFrequency:
    """The paper's "frequency" row: counts of the evaluation split's own answers.

    This is a leak, for comparison with the paper only. It is not registered, so no benchmark can pick it.
    """

    counts: tuple[tuple[StatementId, int], ...]

    @classmethod
    def of(cls, answers: Iterable[Sequence[StatementId]]) -> LeakedFrequency:
        """Count the answers, repeats included, as the original did."""
        return cls(tuple(Counter(key for answer in answers for key in answer).items()))

    def fit(self, train: TrainSet, *, seed: int) -> FittedFrequency:
        """Ignore training."""
        return FittedFrequency(dict(self.counts))


@dataclass(frozen=True, slots=True)
class FittedFrequency:
    """Citation counts by statement."""

    counts: Mapping[StatementId, int]

    def index(self, candidates: Sequence[Passage]) -> FrequencyScorer:
        """Look up one score per candidate."""
        return FrequencyScorer(np.array([self.counts.get(c.id, 0) for c in candidates], dtype=np.float32))


@dataclass(frozen=True, slots=True)
class FrequencyScorer:
    """The same scores for every query."""

    scores: Scores

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Repeat the scores."""
        return np.tile(self.scores, (len(queries), 1))


@dataclass(frozen=True, slots=True)
class Recency:
    """The nearest preceding statements first; needs a protocol that shows places."""

    half: float = 30.0
    """Distance at which the score has halved; later statements score zero."""

    def fit(self, train: TrainSet, *, seed: int) -> Recency:
        """Return self: nothing is learnt."""
        return self

    def index(self, candidates: Sequence[Passage]) -> RecencyScorer:
        """Look up the candidates' positions."""
        return RecencyScorer(self.half, _positions(candidates))


@dataclass(frozen=True, slots=True)
class RecencyScorer:
    """The candidates' positions in reading order."""

    half: float
    places: NDArray[np.float32]

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Hyperbolic decay with distance, which never reaches zero, so that the order is total."""
        distance = _positions(queries)[:, None] - self.places[None, :]
        earlier = distance > 0
        scores: Scores = np.where(earlier, self.half / (self.half + np.maximum(distance, 0)), 0).astype(np.float32)
        return scores


def _positions(passages: Sequence[Passage]) -> NDArray[np.float32]:
    found = [passage.place.position for passage in passages if passage.place is not None]
    if len(found) != len(passages):
        raise PlacesUnknown("recency needs the places of statements; use the protocol 'accessible'")
    return np.array(found, dtype=np.float32)
