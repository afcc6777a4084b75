"""TF-IDF (Salton and Buckley 1988) and BM25 (Robertson and Zaragoza 2009) over the candidates' terms.

The settings ``tfidf(tokeniser='simple', sublinear=False, title_weight=1)`` are the paper's baseline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.ranking.term_vectors import Sparse, Vocabulary, bm25_matrix, inverted
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tokens import tokeniser


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
    k1: float = 1.2
    b: float = 0.6
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
