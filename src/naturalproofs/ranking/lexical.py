"""The classical methods: TF-IDF, BM25, votes of similar theorems' proofs, and the fusion of several methods.

TF-IDF (Salton and Buckley 1988) and BM25 (Robertson and Zaragoza 2009) compare texts; the settings
``tfidf(tokeniser='simple', sublinear=False, title_weight=1)`` are the paper's baseline. `citation_matrix` and `votes`
are the one implementation of votes; the hybrid ranker uses them with similarities of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadSettings, PlacesUnknown
from naturalproofs.io.files import sha256_bytes
from naturalproofs.ranking.contract import (
    FittedMethod,
    FunctionRanker,
    FunctionScorer,
    Scorer,
    Scores,
    whole_text,
)
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.ranking.term_vectors import Floats, Ints, Sparse, TermCounts, Vocabulary, bm25_matrix, inverted
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.tokens import K1, B, tokeniser


@dataclass(frozen=True, slots=True)
class TfIdf:
    """Cosines of TF-IDF weights."""

    tokeniser: str = "maths"
    sublinear: bool = True
    """Damp repeated terms: 1 + log(count)."""
    title_weight: int = 2

    def fit(self, train: TrainSet, *, seed: int) -> TfIdf:
        """Return self: the weights come from the candidates."""
        return self

    def index(self, candidates: Sequence[Passage]) -> TermScorer:
        """Weigh the terms of the candidates."""
        counts = TermCounts.of(_terms(candidates, self.tokeniser, self.title_weight))
        vocabulary = Vocabulary.of(counts)
        return TermScorer(self, vocabulary, inverted(vocabulary.matrix(counts, sublinear=self.sublinear)))

    def query_rows(self, queries: Sequence[Passage], vocabulary: Vocabulary) -> Sparse:
        """The weights of the queries' known terms, a row each."""
        counts = TermCounts.known(_terms(queries, self.tokeniser, self.title_weight), vocabulary.index)
        return vocabulary.matrix(counts, sublinear=self.sublinear)


@dataclass(frozen=True, slots=True)
class BM25:
    """Sums of BM25 weights of a query's distinct terms."""

    tokeniser: str = "maths"
    k1: float = K1
    b: float = B
    title_weight: int = 2

    def fit(self, train: TrainSet, *, seed: int) -> BM25:
        """Return self: the weights come from the candidates."""
        return self

    def index(self, candidates: Sequence[Passage]) -> TermScorer:
        """Weigh the terms of the candidates."""
        counts = TermCounts.of(_terms(candidates, self.tokeniser, self.title_weight))
        return TermScorer(self, Vocabulary.of(counts), inverted(bm25_matrix(counts, k1=self.k1, b=self.b)))

    def query_rows(self, queries: Sequence[Passage], vocabulary: Vocabulary) -> Sparse:
        """Ones for the queries' known terms, a row each."""
        return vocabulary.presence(TermCounts.known(_terms(queries, self.tokeniser, 1), vocabulary.index))


@dataclass(frozen=True, slots=True)
class TermScorer:
    """The candidates' term weights, by term."""

    settings: TfIdf | BM25
    vocabulary: Vocabulary = field(repr=False)
    by_term: Sparse = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Products of the queries' weights with the candidates'."""
        rows = self.settings.query_rows(queries, self.vocabulary)
        scores: Scores = (rows @ self.by_term).toarray().astype(np.float32, copy=False)
        return scores


def _terms(passages: Sequence[Passage], name: str, title_weight: int) -> list[list[str]]:
    split = tokeniser(name)
    return [split(whole_text(passage, title_weight)) for passage in passages]


def citing_proofs(examples: Sequence[TrainingExample]) -> dict[StatementId, tuple[int, ...]]:
    """By statement, the training proofs that cite it."""
    found: dict[StatementId, list[int]] = {}
    for row, example in enumerate(examples):
        for key in dict.fromkeys(example.references):
            found.setdefault(key, []).append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def own_proofs(examples: Sequence[TrainingExample]) -> dict[StatementId, tuple[int, ...]]:
    """By theorem, its own training proofs."""
    found: dict[StatementId, list[int]] = {}
    for row, example in enumerate(examples):
        found.setdefault(example.theorem.id, []).append(row)
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


def proof_positions(examples: Sequence[TrainingExample]) -> Floats | None:
    """Where each proof stands in reading order; None if that is not known of all."""
    places = [example.theorem.place for example in examples]
    known = [place.position for place in places if place is not None]
    return np.array(known, dtype=np.float32) if len(known) == len(places) else None


def later_proofs(positions: Floats | None, query: Passage) -> Ints:
    """The proofs that do not come before a query, by their positions; none where there is no reading order."""
    if positions is None or query.place is None:
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(positions >= query.place.position)


def voters(similarity: Floats, k: int, power: float) -> tuple[Ints, Floats]:
    """The k most similar proofs, and the weights of their votes: similarity ** power.

    Args:
        similarity: Of the query to each training theorem; zero for a proof that may not vote.
        k: How many proofs vote.
        power: How steeply a vote falls with similarity.
    """
    chosen = np.argpartition(-similarity, k)[:k] if k < len(similarity) else np.arange(len(similarity))
    near = similarity[chosen]
    return chosen, np.where(near > 0, near ** np.float32(power), np.float32(0))


def votes(cited: Sparse, voting: Ints, weights: Floats) -> Floats:
    """For each candidate the weighted votes of some proofs (rows of `cited`, see `citation_matrix`)."""
    found: Floats = cited[voting].T @ weights
    return found.astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class VisibleProofs:
    """Which proof cites which candidate, and which proofs a query may not see."""

    cited: Sparse
    """A row for each proof, a column for each candidate."""
    own: Mapping[StatementId, Sequence[int]]
    """By theorem, the rows of its own proofs."""
    positions: Floats | None
    """Of the proofs, if only earlier ones are seen."""

    @classmethod
    def of(cls, train: TrainSet, candidates: Sequence[Passage]) -> VisibleProofs:
        """Bind the proofs of a training set to the candidates."""
        column, proofs = {candidate.id: position for position, candidate in enumerate(candidates)}, train.proofs
        cited = citation_matrix(citing_proofs(proofs), column, (len(proofs), len(candidates)))
        return cls(cited, own_proofs(proofs), proof_positions(proofs) if train.strict else None)

    def hidden(self, query: Passage) -> Ints:
        """The proofs of the query itself, and those that come later."""
        own = np.array(self.own.get(query.id, ()), dtype=np.intp)
        return np.concatenate([own, later_proofs(self.positions, query)])


@dataclass(frozen=True, slots=True)
class Neighbours:
    """How many neighbours vote, and how steeply a vote falls with distance."""

    k: int = 100
    power: float = 3.0
    tokeniser: str = "maths"

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Keep the proofs."""
        return FunctionRanker(partial(self._index, train))

    def _index(self, train: TrainSet, candidates: Sequence[Passage]) -> FunctionScorer:
        """Weigh the terms of the proofs' theorems; if later proofs are hidden, their theorems do not change weights."""
        weights, asked = TfIdf(tokeniser=self.tokeniser), [example.theorem for example in train.proofs]
        if train.strict:
            vocabulary = weights.index(candidates).vocabulary
            theorems = TermScorer(weights, vocabulary, inverted(weights.query_rows(asked, vocabulary)))
        else:
            theorems = weights.index(asked)
        return FunctionScorer(partial(self._score, theorems, VisibleProofs.of(train, candidates)))

    def _score(self, theorems: TermScorer, proofs: VisibleProofs, queries: Sequence[Passage]) -> Scores:
        """Weighted votes of the nearest theorems."""
        scores = np.zeros((len(queries), proofs.cited.shape[1]), dtype=np.float32)
        for row, similarity in enumerate(theorems.score(queries)):
            similarity[proofs.hidden(queries[row])] = 0
            scores[row] = votes(proofs.cited, *voters(similarity, self.k, self.power))
        return scores


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weighted sum of several methods' scores, each relative to its best one."""

    parts: tuple[str, ...] = ("tfidf", "bm25", "neighbours")
    """The methods by their printed forms."""
    weights: tuple[float, ...] = (1.0, 1.0, 0.5)
    labelled: bool = False
    """Whether statements without a label, which are seldom cited, come last."""

    def __post_init__(self) -> None:
        """Check that the settings go together."""
        if len(self.parts) != len(self.weights) or not self.parts:
            raise BadSettings("fusion needs as many weights as parts")

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Fit every part."""
        return FunctionRanker(partial(self._index, [parse_ranker(part).fit(train, seed=seed) for part in self.parts]))

    def _index(self, parts: Sequence[FittedMethod[Scorer]], candidates: Sequence[Passage]) -> FunctionScorer:
        labelled = np.array([candidate.labelled for candidate in candidates], dtype=np.bool_)
        return FunctionScorer(partial(self._score, [part.index(candidates) for part in parts], labelled))

    def _score(self, parts: Sequence[Scorer], labelled: NDArray[np.bool_], queries: Sequence[Passage]) -> Scores:
        """The weighted sum of the parts' relative scores."""
        found = [w * _relative(part.score(queries)) for w, part in zip(self.weights, parts, strict=True)]
        total: Scores = np.sum(found, axis=0, dtype=np.float32)
        if self.labelled:
            # No score of a part is negative, and none is above one.
            total = np.where(labelled, total, total - np.float32(sum(self.weights)) - 1)
        return total


def _relative(scores: Scores) -> Scores:
    """Scores as a share of the best one for the query."""
    best = scores.max(axis=1, keepdims=True, initial=0)
    relative: Scores = (scores / np.where(best > 0, best, 1)).astype(np.float32)
    return relative


# Baselines that do not read the query's text: a random order, citation frequency, and distance in the document.


@dataclass(frozen=True, slots=True)
class Random:
    """A random order for each query, the same for the same seed and theorem."""

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Keep the seed; there is nothing to learn."""

        def scores(candidates: Sequence[Passage], queries: Sequence[Passage]) -> Scores:
            found = np.zeros((len(queries), len(candidates)), dtype=np.float32)
            for row, query in enumerate(queries):
                # Each query has its own seed, so that scores do not depend on how queries are batched.
                state = int(sha256_bytes(f"{seed}/{query.id}".encode())[:16], 16)
                found[row] = np.random.default_rng(state).random(len(candidates), dtype=np.float32)
            return found

        return FunctionRanker(lambda candidates: FunctionScorer(partial(scores, candidates)))


@dataclass(frozen=True, slots=True)
class Frequency:
    """The number of training proofs that cite a candidate; if a query sees only earlier proofs, of these."""

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Keep the proofs."""

        def scores(proofs: VisibleProofs, queries: Sequence[Passage]) -> Scores:
            seen = np.ones((len(queries), proofs.cited.shape[0]), dtype=np.float32)
            for row, query in enumerate(queries if train.strict else ()):
                seen[row, proofs.hidden(query)] = 0
            return np.asarray(seen @ proofs.cited, dtype=np.float32)

        return FunctionRanker(lambda found: FunctionScorer(partial(scores, VisibleProofs.of(train, found))))


@dataclass(frozen=True, slots=True)
class LeakedFrequency:
    """The paper's "frequency" row: counts of the evaluation split's own answers.

    This is a leak, for comparison with the paper only. It is not registered, so no benchmark can pick it.
    """

    answers: tuple[tuple[StatementId, ...], ...]

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Ignore training, and count the answers, repeats included, as the original did."""
        counts = Counter(chain.from_iterable(self.answers))

        def index(candidates: Sequence[Passage]) -> Scorer:
            scores = np.array([counts[candidate.id] for candidate in candidates], dtype=np.float32)
            return FunctionScorer(lambda queries: np.tile(scores, (len(queries), 1)))

        return FunctionRanker(index)


@dataclass(frozen=True, slots=True)
class Recency:
    """The nearest preceding statements first; needs a protocol that shows places."""

    half: float = 30.0
    """Distance at which the score has halved; later statements score zero."""

    def fit(self, train: TrainSet, *, seed: int) -> Recency:
        """Return self: nothing is learnt."""
        return self

    def index(self, candidates: Sequence[Passage]) -> FunctionScorer:
        """Look up the candidates' positions."""
        places = _positions(candidates)

        def scores(queries: Sequence[Passage]) -> Scores:
            """Hyperbolic decay with distance, which never reaches zero, so that the order is total."""
            distance = _positions(queries)[:, None] - places[None, :]
            near = self.half / (self.half + np.maximum(distance, 0))
            return np.where(distance > 0, near, 0).astype(np.float32)

        return FunctionScorer(scores)


def _positions(passages: Sequence[Passage]) -> NDArray[np.float32]:
    found = [passage.place.position for passage in passages if passage.place is not None]
    if len(found) != len(passages):
        raise PlacesUnknown("recency needs the places of statements; use the protocol 'accessible'")
    return np.array(found, dtype=np.float32)
