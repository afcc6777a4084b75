"""Term counts and term weights of texts: TF-IDF and BM25, and fast products of one query with all texts.

This is the one implementation of both weightings. `TermCounts` counts terms, and survives an edit of a few texts.
`Vocabulary.matrix` gives TF-IDF rows of length one, `bm25_matrix` BM25 rows (Robertson and Zaragoza 2009). Inverted
(`inverted`), either answers a query in time proportional to the postings of the query's terms (`against_all`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadModel
from naturalproofs.io.arrays import load_array
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import write_file
from naturalproofs.tokens import K1, B

Floats: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int32]
Ints: TypeAlias = NDArray[np.intp]
Sparse: TypeAlias = Any
"""A scipy sparse matrix; scipy has no types."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """A sparse matrix with a row per text and a column per term; terms, and the columns of each row, are sorted."""

    terms: Sequence[str]
    starts: Integers
    """Where each row begins, and where the last one ends."""
    columns: Integers
    counts: Integers

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> TermCounts:
        """Count the terms of texts."""
        index: dict[str, int] = {}
        lengths: list[int] = []
        numbers: list[int] = []
        for text in texts:
            lengths.append(len(text))
            numbers.extend([index.setdefault(term, len(index)) for term in text])
        order = sorted(index)
        place = np.empty(len(order), dtype=np.int64)
        place[[index[term] for term in order]] = np.arange(len(order))
        found = place[np.array(numbers, dtype=np.int64)]
        return cls(order, *_counted(np.array(lengths, dtype=np.int64), found, len(order)))

    @classmethod
    def known(cls, texts: Iterable[Sequence[str]], index: Mapping[str, int]) -> TermCounts:
        """Count only the terms in an index, which must be sorted by term."""
        kept = [[number for term in text if (number := index.get(term)) is not None] for text in texts]
        lengths = np.array([len(text) for text in kept], dtype=np.int64)
        found = np.array([number for text in kept for number in text], dtype=np.int64)
        return cls(list(index), *_counted(lengths, found, len(index)))

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.starts) - 1

    def column_of(self) -> Mapping[str, int]:
        """The column of each term."""
        return dict(zip(self.terms, range(len(self.terms)), strict=True))

    @property
    def document_frequency(self) -> Integers:
        """The number of texts that have each term."""
        return np.bincount(self.columns, minlength=len(self.terms)).astype(np.int32)

    @property
    def lengths(self) -> Integers:
        """The number of terms of each text, repeats included."""
        total = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        return np.diff(total[self.starts]).astype(np.int32)

    def rows(self, chosen: Sequence[int] | NDArray[np.int64]) -> TermCounts:
        """Some of the texts, in the order given."""
        rows = np.asarray(chosen, dtype=np.int64)
        lengths = np.diff(self.starts)[rows].astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        at = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        return TermCounts(self.terms, starts.astype(np.int32), self.columns[at], self.counts[at])

    def only(self, terms: NDArray[np.bool_]) -> TermCounts:
        """Some of the terms."""
        if terms.all():
            return self
        inside = terms[self.columns]
        total = np.concatenate([[0], np.cumsum(inside)])
        place = (np.cumsum(terms) - 1).astype(np.int32)
        return TermCounts(
            list(compress(self.terms, terms.tolist())),
            total[self.starts].astype(np.int32),
            place[self.columns[inside]],
            self.counts[inside],
        )

    def within(self, index: Mapping[str, int]) -> TermCounts:
        """The counts of the terms in an index, which must be sorted by term, with its columns."""
        places = np.array([index.get(term, -1) for term in self.terms], dtype=np.int32)
        kept = self.only(places >= 0)
        return TermCounts(list(index), kept.starts, places[places >= 0][kept.columns], kept.counts)

    def followed_by(self, other: TermCounts) -> TermCounts:
        """The texts of both; terms that no text has are dropped."""
        terms, places = _merged(self.terms, other.terms)
        columns = np.concatenate([place[part.columns] for place, part in zip(places, (self, other), strict=True)])
        both = TermCounts(
            terms,
            np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]).astype(np.int32),
            columns.astype(np.int32),
            np.concatenate([self.counts, other.counts]),
        )
        return both.only(both.document_frequency > 0)


def _counted(lengths: NDArray[np.int64], found: NDArray[np.int64], size: int) -> tuple[Integers, Integers, Integers]:
    """Starts, columns and counts."""
    owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs, counts = np.unique(owners * max(size, 1) + found, return_counts=True)
    owners, columns = np.divmod(pairs, max(size, 1))
    starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=len(lengths)))])
    return starts.astype(np.int32), columns.astype(np.int32), counts.astype(np.int32)


def _merged(
    old: Sequence[str], new: Sequence[str]
) -> tuple[Sequence[str], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Two sorted lists of terms as one, and the position of each list's terms in it."""
    insertion = np.array([bisect_left(old, term) for term in new], dtype=np.int64)
    shared = np.array(
        [at < len(old) and old[at] == term for at, term in zip(insertion.tolist(), new, strict=True)], dtype=np.bool_
    )
    added = insertion[~shared]
    moved = np.arange(len(old)) + np.searchsorted(added, np.arange(len(old)), side="right")
    terms = sorted([*old, *compress(new, (~shared).tolist())])
    own = insertion + np.cumsum(~shared) - ~shared
    return terms, (moved, own)


@dataclass(frozen=True, slots=True)
class Bag:
    """The known terms of one text, by their columns in the vocabulary, and their weights."""

    terms: Ints
    weights: Floats


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms with their inverse document frequency."""

    index: Mapping[str, int]
    rarity: Floats
    """log((1 + n) / (1 + document frequency)): zero for a term that every text has."""

    @classmethod
    def of(cls, counts: TermCounts, rarity: Floats | None = None) -> Vocabulary:
        """All terms of counted texts, with the rarity that they have in these or, if it is given, in more texts."""
        if rarity is None:
            rarity = np.log((1 + len(counts)) / (1 + counts.document_frequency)).astype(np.float32)
        return cls(counts.column_of(), rarity)

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


def bm25_matrix(counts: TermCounts, rarity: Floats | None = None, *, k1: float = K1, b: float = B) -> Sparse:
    """BM25 weights of the terms of each text, a row each; `rarity` is as in `Vocabulary.of`."""
    values, lengths = counts.counts.astype(np.float32), counts.lengths.astype(np.float32)
    damping = k1 * (1 - b + b * lengths / max(float(lengths.mean()) if len(counts) else 1.0, 1e-6))
    if rarity is None:
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
    found: Floats = rows @ _dense(bag, rows.shape[1])
    return found


def largest(bag: Bag, rows: Sparse) -> Floats:
    """In each row the largest weight of the bag that it shares."""
    return row_max(_dense(bag, rows.shape[1])[rows.indices], rows.indptr)


def shared(bag: Bag, rows: Sparse) -> Floats:
    """For each row the sum of the bag's weights that it shares, whatever the weights of the row."""
    return row_sum(_dense(bag, rows.shape[1])[rows.indices], rows.indptr)


def _dense(bag: Bag, size: int) -> Floats:
    dense = np.zeros(size, dtype=np.float32)
    dense[bag.terms] = bag.weights
    return dense


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


# Latent semantic analysis (Deerwester et al. 1990): short dense vectors of texts.

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
            views = read_json(folder / TERMS, dict[str, _View])
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


@contextmanager
def one_thread() -> Iterator[None]:
    """Run linear algebra in one thread, also as a decorator.

    More threads add up products in another order, so that a seed would give another figure on another machine. The
    matrices are thin, and threads spend most of their time waiting for each other.
    """
    import scipy.linalg  # noqa: F401 - It has a library of its own, and only what is loaded can be limited.
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(limits=1, user_api="blas"):
        yield


@one_thread()
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
