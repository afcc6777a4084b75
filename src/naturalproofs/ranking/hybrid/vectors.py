"""Sparse vectors of terms: weights by rarity, and products with one query that cost what the query's terms cost."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.counting import Counts
from naturalproofs.ranking.hybrid.terms import Terms

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.intp]
Sparse: TypeAlias = Any
"""A scipy sparse matrix; scipy has no types."""


@dataclass(frozen=True, slots=True)
class Bag:
    """The known terms of one text: where they stand in the vocabulary, and their weights."""

    terms: Ints
    weights: Floats


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms with their rarity."""

    index: dict[str, int]
    rarity: Floats
    """log((1 + n) / (1 + texts that have it)): nothing for what stands everywhere."""

    @classmethod
    def of(cls, counts: Counts) -> Vocabulary:
        """All terms of counted texts."""
        rarity = np.log((1 + len(counts)) / (1 + counts.present)).astype(np.float32)
        return cls(dict(zip(counts.terms, range(len(counts.terms)), strict=True)), rarity)

    def bag(self, text: Terms) -> Bag:
        """Weights of one text: damped counts times rarity, of length one."""
        counts = Counter(found for term in text if (found := self.index.get(term)) is not None)
        terms = np.fromiter(sorted(counts), dtype=np.intp, count=len(counts))
        damped = np.array([1 + math.log(counts[term]) for term in terms.tolist()], dtype=np.float32)
        weights = damped * (self.rarity[terms] + 1)
        length = float(np.sqrt((weights * weights).sum()))
        return Bag(terms, weights / length if length else weights)

    def present(self, text: Terms) -> Bag:
        """The rarity of each distinct term of one text."""
        terms = np.unique(np.array([i for term in text if (i := self.index.get(term)) is not None], dtype=np.intp))
        return Bag(terms, self.rarity[terms])

    def matrix(self, counts: Counts) -> Sparse:
        """`bag` of many texts, a row each."""
        most = int(counts.counts.max(initial=1))
        damped = np.array([0, *(1 + math.log(n) for n in range(1, most + 1))], dtype=np.float32)
        weights = damped[counts.counts] * (self.rarity[counts.columns] + 1)
        lengths = np.sqrt(row_sum(weights * weights, counts.starts))
        owners = np.repeat(np.arange(len(counts)), np.diff(counts.starts))
        return self._sparse(counts, (weights / lengths[owners]).astype(np.float32))

    def presence(self, counts: Counts) -> Sparse:
        """Ones where a text has a term."""
        return self._sparse(counts, np.ones(len(counts.columns), dtype=np.float32))

    def _sparse(self, counts: Counts, values: Floats) -> Sparse:
        from scipy.sparse import csr_matrix

        shape = (len(counts), len(self.index))
        return csr_matrix((values, counts.columns, counts.starts), shape=shape)


def inverted(matrix: Sparse) -> Sparse:
    """Rows by term, for `against_all`."""
    return matrix.T.tocsr()


def row_terms(matrix: Sparse, row: int) -> Ints:
    """The columns of one row; the matrix's own way to one row takes longer than all that is done with it."""
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
