"""Term counts of texts as arrays: the input of every weighting, and what survives an edit of a few texts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int32]


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
        lengths, found = _numbered(texts, index)
        order = sorted(index)
        place = np.empty(len(order), dtype=np.int64)
        place[[index[term] for term in order]] = np.arange(len(order))
        return cls(order, *_counted(lengths, place[found] if order else found, len(order)))

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


def _numbered(texts: Iterable[Sequence[str]], index: dict[str, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lengths of texts, and the numbers of all their terms."""
    lengths: list[int] = []
    found: list[int] = []
    for text in texts:
        lengths.append(len(text))
        found.extend([index.setdefault(term, len(index)) for term in text])
    return np.array(lengths, dtype=np.int64), np.array(found, dtype=np.int64)


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
