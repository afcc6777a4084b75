"""The terms of statements as hashes, packed into bytes when a statement is indexed.

A pool of candidates is counted from these bytes, without reading its texts again: that would be the larger part of a
suggestion. The spelling of a term is not kept; a query's terms are hashed to be looked up. Two terms of one pool have
the same hash about once in twenty pools, and then count as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.candidates import PassageCounts, Terms
from naturalproofs.ranking.term_vectors import TermCounts

PACKED = ("tokens", "title", "words", "pairs", "signs", "shapes", "opening", "defined")
"""The views that are packed; prose is made of title and words."""
_TYPE = np.dtype("<u4")
_HEADER = len(PACKED) * _TYPE.itemsize

Hashes = NDArray[np.uint32]


def hashed(term: str) -> int:
    """The hash of a term."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def pack(terms: Terms) -> bytes:
    """The terms of one statement: how many each view has, then their hashes."""
    sizes = [len(terms[view]) for view in PACKED]
    hashes = [hashed(term) for view in PACKED for term in terms[view]]
    return np.array(sizes + hashes, dtype=_TYPE).tobytes()


def packed_tokens(packed: bytes) -> bytes:
    """The part that is equal for texts which differ in layout and stop words only."""
    size = int.from_bytes(packed[: _TYPE.itemsize], "little")
    return packed[_HEADER : _HEADER + size * _TYPE.itemsize]


def packed_counts(packed: Sequence[bytes]) -> PassageCounts:
    """The term counts of some statements."""
    arrays = [np.frombuffer(one, dtype=_TYPE) for one in packed]
    width = len(PACKED)
    sizes = np.array([one[:width] for one in arrays], dtype=np.int64).reshape(-1, width)
    hashes = np.concatenate([np.zeros(0, dtype=_TYPE), *(one[width:] for one in arrays)])
    owners, views = np.divmod(np.repeat(np.arange(sizes.size), sizes.ravel()), width)
    found: dict[str, TermCounts] = {}
    for number, view in enumerate(PACKED):
        inside = views == number
        found[view] = HashedCounts.of_pairs(owners[inside], hashes[inside], len(packed))
    prose = (views == PACKED.index("title")) | (views == PACKED.index("words"))
    found["prose"] = HashedCounts.of_pairs(owners[prose], hashes[prose], len(packed))
    return PassageCounts((), found)


class HashedTerms(Mapping[str, int]):
    """A vocabulary whose terms are known by their hashes."""

    def __init__(self, hashes: Hashes) -> None:
        """Take sorted hashes, whose positions are the columns of the terms."""
        self.hashes = hashes
        self._column: dict[int, int] = dict(zip(hashes.tolist(), range(len(hashes)), strict=True))

    def __getitem__(self, term: str) -> int:
        """The column of a term."""
        return self._column[hashed(term)]

    def __contains__(self, term: object) -> bool:
        """Whether a term is there."""
        return isinstance(term, str) and hashed(term) in self._column

    def get(self, term: str, default: int | None = None) -> int | None:  # type: ignore[override]
        """The column of a term, if it is there."""
        return self._column.get(hashed(term), default)

    def __iter__(self) -> Iterator[str]:
        """The hashes in figures, since nobody knows the terms."""
        return map(str, self.hashes.tolist())

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.hashes)


@dataclass(frozen=True, slots=True)
class HashedCounts(TermCounts):
    """Term counts whose terms are an array of sorted hashes."""

    @classmethod
    def of_pairs(cls, owners: NDArray[np.int64], hashes: Hashes, size: int) -> HashedCounts:
        """Count terms that are given by the number of their text and their hash."""
        pairs, counts = np.unique(owners.astype(np.uint64) << np.uint64(32) | hashes, return_counts=True)
        rows, found = (pairs >> np.uint64(32)).astype(np.int64), pairs.astype(np.uint32)
        terms, columns = np.unique(found, return_inverse=True)
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
        return cls(terms, starts.astype(np.int32), columns.astype(np.int32), counts.astype(np.int32))  # type: ignore[arg-type]

    def column_of(self) -> HashedTerms:
        """The column of each term."""
        return HashedTerms(self._hashes)

    def only(self, terms: NDArray[np.bool_]) -> TermCounts:
        """Some of the terms."""
        inside = terms[self.columns]
        total = np.concatenate([[0], np.cumsum(inside)])
        place = (np.cumsum(terms) - 1).astype(np.int32)
        starts = total[self.starts].astype(np.int32)
        return HashedCounts(self._hashes[terms], starts, place[self.columns[inside]], self.counts[inside])  # type: ignore[arg-type]

    def within(self, index: Mapping[str, int]) -> TermCounts:
        """The counts of the terms in a hashed vocabulary, with its columns."""
        assert isinstance(index, HashedTerms)
        places = positions(index.hashes, self._hashes)
        kept = self.only(places >= 0)
        columns = places[places >= 0][kept.columns].astype(np.int32)
        return HashedCounts(index.hashes, kept.starts, columns, kept.counts)  # type: ignore[arg-type]

    @property
    def _hashes(self) -> Hashes:
        return self.terms  # type: ignore[return-value]


def positions(sorted_hashes: Hashes, wanted: Hashes) -> NDArray[np.int64]:
    """Where some hashes are among sorted ones; -1 for those that are not there."""
    if not len(sorted_hashes):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(sorted_hashes, wanted), len(sorted_hashes) - 1)
    return np.where(sorted_hashes[at] == wanted, at, -1)
