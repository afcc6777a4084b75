"""Short dense vectors of passages: latent semantic analysis (Deerwester et al. 1990) of several views at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.library import VIEWS
from naturalproofs.ranking.hybrid.terms import passage_terms
from naturalproofs.ranking.hybrid.vectors import Floats, Sparse, Vocabulary
from naturalproofs.records import Passage

WEIGHTS = {"tokens": 1.0, "prose": 1.0, "pairs": 0.5, "title": 0.4, "opening": 0.2}
LEAST = {"tokens": 1, "prose": 1, "pairs": 3, "title": 1, "opening": 2}
"""In how many passages a term must stand to be seen: rare pairs are many and say little."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The terms that are seen, and the map from them to few dimensions."""

    vocabularies: dict[str, Vocabulary]
    projection: Floats

    @classmethod
    def of(cls, passages: Sequence[Passage], dimensions: int) -> Embedding:
        """Find the directions in which the passages differ most; always the same ones."""
        from sklearn.utils.extmath import randomized_svd

        terms = [passage_terms(passage) for passage in passages]
        vocabularies = {view: Vocabulary.of([VIEWS[view](t) for t in terms], LEAST[view]) for view in WEIGHTS}
        weighted = _weighted(vocabularies, passages)
        size = min(dimensions, *(n - 1 for n in weighted.shape))
        _, _, directions = randomized_svd(weighted, size, n_iter=2, random_state=0)
        return cls(vocabularies, np.ascontiguousarray(directions.T, dtype=np.float32))

    def vectors(self, passages: Sequence[Passage]) -> Floats:
        """A vector of length one for each passage."""
        found = np.asarray(_weighted(self.vocabularies, passages) @ self.projection, dtype=np.float32)
        return unit(found)


def _weighted(vocabularies: dict[str, Vocabulary], passages: Sequence[Passage]) -> Sparse:
    from scipy.sparse import hstack

    terms = [passage_terms(passage) for passage in passages]
    blocks = [
        vocabularies[view].matrix(VIEWS[view](t) for t in terms) * np.float32(weight)
        for view, weight in WEIGHTS.items()
    ]
    return hstack(blocks, format="csr", dtype=np.float32)


def unit(rows: Floats) -> Floats:
    """Rows of length one; zero stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
