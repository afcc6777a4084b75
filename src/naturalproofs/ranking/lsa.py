"""Latent semantic analysis (Deerwester et al. 1990): short dense vectors of texts.

This is the one implementation, on two levels:

* With term counts, in one view or several that are concatenated::

      space = LatentSpace.fit({"words": TermCounts.of(texts)}, 256)
      vectors = space.vectors({"words": TermCounts.of(texts)})     # a row of length one per text
      query = space.vectors_of_terms({"words": [query_terms]})[0]
      space.save(folder); space = LatentSpace.load(folder)

* With any weighted matrix of texts × terms, such as BM25 weights: ``found = directions(matrix, 256)``, then
  ``unit(matrix @ found)`` for the texts and ``unit(query_weights @ found)`` for a query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np

from naturalproofs.errors import BadModel
from naturalproofs.io.arrays import load_array
from naturalproofs.io.files import write_file
from naturalproofs.ranking.term_vectors import Floats, Sparse, TermCounts, Vocabulary

TERMS, PROJECTION = "lsa.json", "projection.npy"


class _View(msgspec.Struct, frozen=True):
    scale: float
    terms: list[str]
    rarity: list[float]


@dataclass(frozen=True, slots=True)
class LatentSpace:
    """The terms that are read, and the map from their weights to few dimensions."""

    vocabularies: dict[str, Vocabulary] = field(repr=False)
    scales: dict[str, float]
    """The weight of each view."""
    projection: Floats = field(repr=False)
    """A row per term, views one after the other."""

    @classmethod
    def fit(
        cls,
        counts: Mapping[str, TermCounts],
        dimensions: int,
        *,
        scales: Mapping[str, float] | None = None,
        rarest: Mapping[str, int] | None = None,
        iterations: int = 2,
        seed: int = 0,
    ) -> LatentSpace:
        """Find the directions in which texts differ most.

        Args:
            counts: Term counts of the same texts, by view.
            dimensions: How many directions; fewer if there are fewer texts or terms.
            scales: The weight of each view, 1 by default.
            rarest: In how many texts a term of a view must occur, 1 by default.
            iterations: Power iterations of the randomized SVD.
            seed: Random seed.
        """
        scale = {view: (scales or {}).get(view, 1.0) for view in counts}
        least = {view: (rarest or {}).get(view, 1) for view in counts}
        seen = {view: one.only(one.document_frequency >= least[view]) for view, one in counts.items()}
        vocabularies = {view: Vocabulary.of(one) for view, one in seen.items()}
        weighted = _weighted(vocabularies, scale, seen)
        return cls(vocabularies, scale, directions(weighted, dimensions, iterations=iterations, seed=seed))

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.projection.shape[1])

    def vectors(self, counts: Mapping[str, TermCounts]) -> Floats:
        """A vector of length one per text; zero for a text without known terms."""
        seen = {view: counts[view].within(vocabulary.index) for view, vocabulary in self.vocabularies.items()}
        weighted = _weighted(self.vocabularies, self.scales, seen)
        return unit(np.asarray(weighted @ self.projection, dtype=np.float32))

    def vectors_of_terms(self, texts: Mapping[str, Sequence[Sequence[str]]]) -> Floats:
        """The same for a few texts given by their terms in each view, in time proportional to their length."""
        found = np.zeros((max(map(len, texts.values()), default=0), self.dimensions), dtype=np.float32)
        start = 0
        for view, vocabulary in self.vocabularies.items():
            for row, terms in enumerate(texts[view]):
                bag = vocabulary.bag(terms)
                found[row] += np.float32(self.scales[view]) * (bag.weights @ self.projection[start + bag.terms])
            start += len(vocabulary.index)
        return unit(found)

    def save(self, folder: Path) -> None:
        """Write the terms and the projection."""
        views = {
            view: _View(self.scales[view], list(one.index), one.rarity.tolist())
            for view, one in self.vocabularies.items()
        }
        write_file(folder / TERMS, msgspec.json.encode(views))
        np.save(folder / PROJECTION, self.projection, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> LatentSpace:
        """Read what `save` wrote; sizes that contradict each other are an error."""
        try:
            views = msgspec.json.decode((folder / TERMS).read_bytes(), type=dict[str, _View])
            projection = load_array(folder / PROJECTION)
        except (OSError, ValueError, EOFError) as error:
            raise BadModel(f"{folder}: the latent semantic space is unreadable ({error}); train again") from error
        terms = sum(len(view.terms) for view in views.values())
        whole = all(len(view.terms) == len(view.rarity) == len(set(view.terms)) for view in views.values())
        if not whole or projection.ndim != 2 or projection.dtype != np.float32 or len(projection) != terms:
            raise BadModel(f"{folder}: terms and projection of the latent semantic space disagree; train again")
        vocabularies = {
            name: Vocabulary({t: i for i, t in enumerate(view.terms)}, np.array(view.rarity, dtype=np.float32))
            for name, view in views.items()
        }
        return cls(vocabularies, {name: view.scale for name, view in views.items()}, projection)


def directions(matrix: Sparse, dimensions: int, *, iterations: int = 2, seed: int = 0) -> Floats:
    """The right singular vectors of a weighted matrix of texts × terms, a row per term, by a randomized SVD."""
    from sklearn.utils.extmath import randomized_svd

    size = min(dimensions, *(n - 1 for n in matrix.shape))
    if size < 1:
        return np.zeros((matrix.shape[1], 0), dtype=np.float32)
    _, _, found = randomized_svd(matrix, size, n_iter=iterations, random_state=seed)
    return np.ascontiguousarray(found.T, dtype=np.float32)


def unit(rows: Floats) -> Floats:
    """Rows of length one; zero stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _weighted(
    vocabularies: Mapping[str, Vocabulary], scales: Mapping[str, float], counts: Mapping[str, TermCounts]
) -> Sparse:
    from scipy.sparse import hstack

    blocks = [one.matrix(counts[view]) * np.float32(scales[view]) for view, one in vocabularies.items()]
    return hstack(blocks, format="csr", dtype=np.float32)
