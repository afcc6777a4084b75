"""Term weights over a term-document matrix: TF-IDF and BM25, and fast products of one query with all texts.

This is the one implementation of both weightings. `Vocabulary.matrix` gives TF-IDF rows of length one, `bm25_matrix`
BM25 rows (Robertson and Zaragoza 2009). Inverted (`inverted`), either answers a query in time proportional to the
postings of the query's terms (`against_all`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.term_counts import TermCounts

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.intp]
Sparse: TypeAlias = Any
"""A scipy sparse matrix; scipy has no types."""


@dataclass(frozen=True, slots=True)
class Bag:
    """The known terms of one text, by their columns in the vocabulary, and their weights."""

    terms: Ints
    weights: Floats


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms with their inverse document frequency."""

    index: dict[str, int]
    rarity: Floats
    """log((1 + n) / (1 + document frequency)): zero for a term that every text has."""

    @classmethod
    def of(cls, counts: TermCounts) -> Vocabulary:
        """All terms of counted texts."""
        rarity = np.log((1 + len(counts)) / (1 + counts.document_frequency)).astype(np.float32)
        return cls(dict(zip(counts.terms, range(len(counts.terms)), strict=True)), rarity)

    def bag(self, text: Iterable[str]) -> Bag:
        """TF-IDF weights of one text: (1 + log count) (rarity + 1), of length one."""
        counts = Counter(found for term in text if (found := self.index.get(term)) is not None)
        terms = np.fromiter(sorted(counts), dtype=np.intp, count=len(counts))
        damped = np.array([1 + math.log(counts[term]) for term in terms.tolist()], dtype=np.float32)
        weights = damped * (self.rarity[terms] + 1)
        length = float(np.sqrt((weights * weights).sum()))
        return Bag(terms, weights / length if length else weights)

    def present(self, text: Iterable[str]) -> Bag:
        """The rarity of each distinct term of one text."""
        terms = np.unique(np.array([i for term in text if (i := self.index.get(term)) is not None], dtype=np.intp))
        return Bag(terms, self.rarity[terms])

    def matrix(self, counts: TermCounts, *, sublinear: bool = True) -> Sparse:
        """`bag` of many texts, a row each; without `sublinear` a term weighs its plain count."""
        most = int(counts.counts.max(initial=1))
        scale = (1 + math.log(n) if sublinear else n for n in range(1, most + 1))
        frequency = np.array([0, *scale], dtype=np.float32)[counts.counts]
        weights = frequency * (self.rarity[counts.columns] + 1)
        lengths = np.sqrt(row_sum(weights * weights, counts.starts))
        owners = np.repeat(np.arange(len(counts)), np.diff(counts.starts))
        return _sparse(counts, (weights / lengths[owners]).astype(np.float32), len(self.index))

    def presence(self, counts: TermCounts) -> Sparse:
        """Ones where a text has a term."""
        return _sparse(counts, np.ones(len(counts.columns), dtype=np.float32), len(self.index))


def bm25_matrix(counts: TermCounts, *, k1: float = 1.2, b: float = 0.6) -> Sparse:
    """BM25 weights of the terms of each text, a row each."""
    values, lengths = counts.counts.astype(np.float32), counts.lengths.astype(np.float32)
    damping = k1 * (1 - b + b * lengths / max(float(lengths.mean()) if len(counts) else 1.0, 1e-6))
    frequency = counts.document_frequency.astype(np.float32)
    rarity = np.log1p((len(counts) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    weights = values / (values + np.repeat(damping, np.diff(counts.starts))) * rarity[counts.columns]
    return _sparse(counts, weights.astype(np.float32), len(counts.terms))


def _sparse(counts: TermCounts, values: Floats, width: int) -> Sparse:
    from scipy.sparse import csr_matrix

    return csr_matrix((values, counts.columns, counts.starts), shape=(len(counts), width))


def inverted(matrix: Sparse) -> Sparse:
    """Rows by term, for `against_all`."""
    return matrix.T.tocsr()


def row_terms(matrix: Sparse, row: int) -> Ints:
    """The columns of one row; slicing the matrix itself is much slower."""
    found: Ints = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return found


def against_all(bag: Bag, by_term: Sparse) -> Floats:
    """The product of a bag with every row of a matrix that is given by term."""
    if not len(bag.terms):
        return np.zeros(by_term.shape[1], dtype=np.float32)
    found: Floats = by_term[bag.terms].T @ bag.weights
    return found.astype(np.float32, copy=False)


def against(bag: Bag, rows: Sparse) -> Floats:
    """The product of a bag with a few rows."""
    dense = np.zeros(rows.shape[1], dtype=np.float32)
    dense[bag.terms] = bag.weights
    found: Floats = rows @ dense
    return found


def largest(bag: Bag, rows: Sparse) -> Floats:
    """In each row the largest weight of the bag that it shares."""
    dense = np.zeros(rows.shape[1], dtype=np.float32)
    dense[bag.terms] = bag.weights
    return row_max(dense[rows.indices], rows.indptr)


def row_max(values: Floats, starts: NDArray[Any]) -> Floats:
    """The largest value of each row, zero for an empty one."""
    found = np.zeros(len(starts) - 1, dtype=np.float32)
    full = np.flatnonzero(np.diff(starts))
    if len(full):
        found[full] = np.maximum.reduceat(values, starts[full])
    positive: Floats = np.maximum(found, 0)
    return positive


def row_sum(values: Floats, starts: NDArray[Any]) -> Floats:
    """The sum of each row."""
    total = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    found: Floats = (total[starts[1:]] - total[starts[:-1]]).astype(np.float32)
    return found


def best(values: Floats, k: int) -> Ints:
    """Positions of the k largest values, largest first, of equal ones the earlier."""
    if k >= len(values):
        return np.argsort(-values, kind="stable")
    chosen = np.sort(np.argpartition(-values, k)[:k])
    return chosen[np.argsort(-values[chosen], kind="stable")]


def relative(values: Floats) -> Floats:
    """As a share of the largest."""
    top = float(values.max(initial=0))
    return values / np.float32(top) if top > 0 else np.zeros_like(values)


def rank_of(values: Floats) -> Floats:
    """The rank of each value from 0, the largest first."""
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks
