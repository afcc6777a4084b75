"""How often each term stands in each text, as arrays: what weights are worked out from, and what outlives an edit."""

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
class Counts:
    """A row a text, a column a term; the terms are in order, and so are the columns of a row."""

    terms: Sequence[str]
    starts: Integers
    """Where each row begins, and where the last one ends."""
    columns: Integers
    counts: Integers

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> Counts:
        """Count the terms of texts."""
        index: dict[str, int] = {}
        lengths, found = _numbered(texts, index)
        order = sorted(index)
        place = np.empty(len(order), dtype=np.int64)
        place[[index[term] for term in order]] = np.arange(len(order))
        return cls(order, *_counted(lengths, place[found] if order else found, len(order)))

    @classmethod
    def known(cls, texts: Iterable[Sequence[str]], index: Mapping[str, int]) -> Counts:
        """Count the terms of texts that stand in an index, whose numbers are in the order of its terms."""
        kept = [[number for term in text if (number := index.get(term)) is not None] for text in texts]
        lengths = np.array([len(text) for text in kept], dtype=np.int64)
        found = np.array([number for text in kept for number in text], dtype=np.int64)
        return cls(list(index), *_counted(lengths, found, len(index)))

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self.starts) - 1

    @property
    def present(self) -> Integers:
        """In how many texts each term stands."""
        return np.bincount(self.columns, minlength=len(self.terms)).astype(np.int32)

    @property
    def lengths(self) -> Integers:
        """How many terms each text has, repeats included."""
        total = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        return np.diff(total[self.starts]).astype(np.int32)

    def rows(self, chosen: Sequence[int] | NDArray[np.int64]) -> Counts:
        """Some of the texts, in another order."""
        rows = np.asarray(chosen, dtype=np.int64)
        lengths = np.diff(self.starts)[rows].astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        at = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        return Counts(self.terms, starts.astype(np.int32), self.columns[at], self.counts[at])

    def only(self, terms: NDArray[np.bool_]) -> Counts:
        """Some of the terms."""
        if terms.all():
            return self
        inside = terms[self.columns]
        total = np.concatenate([[0], np.cumsum(inside)])
        place = (np.cumsum(terms) - 1).astype(np.int32)
        return Counts(
            list(compress(self.terms, terms.tolist())),
            total[self.starts].astype(np.int32),
            place[self.columns[inside]],
            self.counts[inside],
        )

    def within(self, index: Mapping[str, int]) -> Counts:
        """The same in the terms of an index, whose numbers are in the order of its terms; others are left out."""
        places = np.array([index.get(term, -1) for term in self.terms], dtype=np.int32)
        kept = self.only(places >= 0)
        return Counts(list(index), kept.starts, places[places >= 0][kept.columns], kept.counts)

    def followed_by(self, other: Counts) -> Counts:
        """The texts of both; terms that stand in neither are left out."""
        terms, places = _joined(self.terms, other.terms)
        columns = np.concatenate([place[part.columns] for place, part in zip(places, (self, other), strict=True)])
        both = Counts(
            terms,
            np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]).astype(np.int32),
            columns.astype(np.int32),
            np.concatenate([self.counts, other.counts]),
        )
        return both.only(both.present > 0)


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


def _joined(
    old: Sequence[str], new: Sequence[str]
) -> tuple[Sequence[str], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Two ordered lists of terms as one, and where the terms of each are in it."""
    spots = np.array([bisect_left(old, term) for term in new], dtype=np.int64)
    there = np.array(
        [spot < len(old) and old[spot] == term for spot, term in zip(spots.tolist(), new, strict=True)], dtype=np.bool_
    )
    added = spots[~there]
    moved = np.arange(len(old)) + np.searchsorted(added, np.arange(len(old)), side="right")
    terms = sorted([*old, *compress(new, (~there).tolist())])
    # A new term stands after the old ones before it and after the new ones before it.
    own = spots + np.cumsum(~there) - ~there
    return terms, (moved, own)
