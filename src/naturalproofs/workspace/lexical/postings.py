"""Weighted postings: for each term, the texts it stands in and how much it says there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.workspace.lexical.forward import Forward, Integers

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """Texts and weights, term by term."""

    starts: Integers
    texts: Integers
    weights: Weights
    rarity: Weights
    """By term: the weight that its rarity gives it."""
    size: int

    def scores(self, terms: Integers, weights: Weights) -> Weights:
        """The sum over the terms of a query, for every text."""
        spans = [slice(self.starts[term], self.starts[term + 1]) for term in terms]
        if not spans:
            return np.zeros(self.size, dtype=np.float32)
        texts = np.concatenate([self.texts[span] for span in spans])
        lengths = [span.stop - span.start for span in spans]
        products = np.concatenate([self.weights[span] for span in spans]) * np.repeat(weights, lengths)
        return np.bincount(texts, weights=products, minlength=self.size).astype(np.float32)

    def cosine_weights(self, terms: Integers, counts: Integers) -> Weights:
        """The weights of a query by TF-IDF, of length one."""
        weights = (1 + np.log(counts)) * self.rarity[terms]
        length = float(np.sqrt((weights**2).sum())) or 1.0
        found: Weights = (weights / length).astype(np.float32)
        return found


def cosine(forward: Forward, rows: Integers | None = None) -> Postings:
    """TF-IDF as `TfIdf` has it: damped counts, smooth rarity, texts of length one.

    Args:
        forward: The terms of all texts.
        rows: Only these texts, in this order; a text may come twice.
    """
    terms, counts, owners, size = _rows(forward, rows)
    rarity = np.log((1 + size) / (1 + np.bincount(terms, minlength=len(forward.vocabulary)))) + 1
    weights = (1 + np.log(counts)) * rarity[terms]
    lengths = np.sqrt(np.bincount(owners, weights=weights**2, minlength=size))
    return _inverted(terms, owners, weights / lengths[owners], rarity, size)


def bm25(forward: Forward, k1: float, b: float) -> Postings:
    """BM25 as `BM25` has it: the weights of Lucene."""
    terms, counts, owners, size = _rows(forward, None)
    present = np.bincount(terms, minlength=len(forward.vocabulary))
    rarity = np.log(1 + (size - present + 0.5) / (present + 0.5))
    lengths = np.bincount(owners, weights=counts, minlength=size)
    mean = lengths.mean() if size else 1.0
    weights = rarity[terms] * counts / (counts + k1 * (1 - b + b * lengths[owners] / (mean or 1.0)))
    return _inverted(terms, owners, weights, rarity, size)


def _rows(forward: Forward, rows: Integers | None) -> tuple[Integers, Integers, Integers, int]:
    if rows is None:
        return forward.terms, forward.counts, forward.owners, forward.size
    lengths = np.diff(forward.starts)[rows]
    owners = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    # Where each entry stands: the start of its row, and how far it is into it.
    into = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    at = np.repeat(forward.starts[rows], lengths) + into
    return forward.terms[at], forward.counts[at], owners, len(rows)


def _inverted(
    terms: Integers, owners: Integers, weights: NDArray[np.float64], rarity: NDArray[np.float64], size: int
) -> Postings:
    order = np.argsort(terms, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=len(rarity)))]).astype(np.int32)
    return Postings(starts, owners[order], weights[order].astype(np.float32), rarity.astype(np.float32), size)
