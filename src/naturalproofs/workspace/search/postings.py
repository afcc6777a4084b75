"""Which statements hold which term, and how much that counts: BM25 over fields, worked out when the index is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much a field counts, and how much its length is held against it."""

    weight: float
    length: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """For each term the statements that hold it, with what the match is worth."""

    starts: NDArray[np.int64]
    """Where each term's statements begin; one more than there are terms."""
    statements: Ints
    impacts: Floats
    size: int
    """How many statements there are."""

    def of(self, term: int) -> tuple[Ints, Floats]:
        """The statements of one term and the worth of each match."""
        start, end = int(self.starts[term]), int(self.starts[term + 1])
        return self.statements[start:end], self.impacts[start:end]

    def count(self, term: int) -> int:
        """How many statements hold a term."""
        return int(self.starts[term + 1] - self.starts[term])

    def rarity(self, term: int) -> float:
        """The term's idf."""
        return float(idf(np.array(self.count(term)), self.size))


def idf(counts: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """How telling a term is, by how many statements hold it; never negative."""
    return np.asarray(np.log1p((size - counts + 0.5) / (counts + 0.5)), dtype=np.float64)


def weigh(
    fields: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]],
    weights: Mapping[str, FieldWeight],
    *,
    terms: int,
    size: int,
    saturation: float,
) -> Postings:
    """BM25F: field counts are weighed and added before they saturate, so a term in two fields is not counted twice.

    Args:
        fields: By name, the terms of each field and the statement each stands in, as parallel arrays.
        weights: What each field counts.
        terms: How many terms there are.
        size: How many statements there are.
        saturation: BM25's k1.
    """
    keys: list[NDArray[np.int64]] = []
    amounts: list[NDArray[np.float64]] = []
    for name, (term, statement) in fields.items():
        lengths = np.bincount(statement, minlength=size).astype(np.float64)
        held = lengths[lengths > 0]
        share = weights[name].length
        norm = 1 - share + share * lengths / (held.mean() if len(held) else 1.0)
        pair, count = np.unique(term * size + statement, return_counts=True)
        keys.append(pair)
        amounts.append(weights[name].weight * count / norm[pair % size])
    pairs, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(inverse, weights=np.concatenate(amounts), minlength=len(pairs))
    term_of, statement_of = pairs // size, pairs % size
    counts = np.bincount(term_of, minlength=terms)
    impact = idf(counts, size)[term_of] * total * (saturation + 1) / (saturation + total)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Postings(starts, statement_of.astype(np.int32), impact.astype(np.float32), size)


def best_of(postings: Postings, terms: Sequence[tuple[int, float]]) -> Floats:
    """For each statement the best of several terms, each with a share of its worth: alternatives of one word."""
    scores = np.zeros(postings.size, dtype=np.float32)
    for term, share in terms:
        where, worth = postings.of(term)
        scores[where] = np.maximum(scores[where], np.float32(share) * worth)
    return scores
