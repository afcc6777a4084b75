"""Short dense vectors of passages: latent semantic analysis (Deerwester et al. 1990) of several views at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.counting import Counts
from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.terms import VIEWS, passage_terms
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
    def of(cls, cuts: Cuts, dimensions: int) -> Embedding:
        """Find the directions in which texts differ most; always the same ones."""
        from sklearn.utils.extmath import randomized_svd

        counts = cuts.views
        seen = {view: counts[view].only(counts[view].present >= LEAST[view]) for view in WEIGHTS}
        vocabularies = {view: Vocabulary.of(seen[view]) for view in WEIGHTS}
        weighted = _weighted(vocabularies, seen)
        size = min(dimensions, *(n - 1 for n in weighted.shape))
        _, _, directions = randomized_svd(weighted, size, n_iter=2, random_state=0)
        return cls(vocabularies, np.ascontiguousarray(directions.T, dtype=np.float32))

    def vectors(self, passages: Sequence[Passage]) -> Floats:
        """A vector of length one for each of a few passages."""
        terms = [passage_terms(passage) for passage in passages]
        return self._vectors(
            {view: Counts.known([VIEWS[view](t) for t in terms], v.index) for view, v in self.vocabularies.items()}
        )

    def vectors_of(self, cuts: Cuts) -> Floats:
        """The same for texts that are cut already."""
        return self._vectors({view: cuts.views[view].within(v.index) for view, v in self.vocabularies.items()})

    def _vectors(self, seen: Mapping[str, Counts]) -> Floats:
        return unit(np.asarray(_weighted(self.vocabularies, seen) @ self.projection, dtype=np.float32))


def _weighted(vocabularies: Mapping[str, Vocabulary], seen: Mapping[str, Counts]) -> Sparse:
    from scipy.sparse import hstack

    blocks = [vocabularies[view].matrix(seen[view]) * np.float32(weight) for view, weight in WEIGHTS.items()]
    return hstack(blocks, format="csr", dtype=np.float32)


def unit(rows: Floats) -> Floats:
    """Rows of length one; zero stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
