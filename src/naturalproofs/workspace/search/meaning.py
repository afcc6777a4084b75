"""What words mean, from the company they keep: latent semantic analysis of the corpus itself.

Deerwester et al., Indexing by latent semantic analysis, 1990. Statements and words get places in a space of a few
hundred dimensions, where words that occur with the same words are near each other, though never together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.workspace.search.postings import Postings

FEWEST = 50
"""With fewer statements than this there is no company to learn from."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Places of words and statements in one space; statements are of length one."""

    words: Floats
    statements: Floats

    @classmethod
    def of(cls, postings: Postings, *, dimensions: int, seed: int = 0) -> Meaning:
        """Learn from which statements hold which words."""
        terms = len(postings.starts) - 1
        if postings.size < FEWEST or terms < FEWEST:
            return cls(np.zeros((terms, 0), np.float32), np.zeros((postings.size, 0), np.float32))
        from scipy.sparse import csr_matrix
        from scipy.sparse.linalg import svds
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        table = csr_matrix(
            (postings.impacts.astype(np.float64), postings.statements, postings.starts), shape=(terms, postings.size)
        )
        rank = min(dimensions, min(table.shape) - 1)
        start = np.random.default_rng(seed).standard_normal(min(table.shape))
        # Threads of the linear algebra wait for one another ten times as long as they work on matrices this thin.
        with threadpool_limits(limits=1):
            left, strength, right = svds(table, k=rank, v0=start)
        words = left[:, ::-1]
        places = (strength[:, None] * right)[::-1].T
        lengths = np.linalg.norm(places, axis=1, keepdims=True)
        return cls(words.astype(np.float32), (places / np.maximum(lengths, 1e-9)).astype(np.float32))

    def near(self, words: list[tuple[int, float]]) -> Floats | None:
        """How near each statement is to some words, each with a weight: a cosine, or nothing if no word has a place."""
        if not words or not self.words.shape[1]:
            return None
        numbers, weights = zip(*words, strict=True)
        place = np.asarray(weights, np.float32) @ self.words[list(numbers)]
        length = float(np.linalg.norm(place))
        if not length:
            return None
        return np.asarray(self.statements @ (place / length), dtype=np.float32)
