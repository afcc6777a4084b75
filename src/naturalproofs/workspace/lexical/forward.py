"""Which terms stand in which text: kept between runs, so that only texts that changed are cut again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import whole_text
from naturalproofs.records import Passage
from naturalproofs.tokens import maths

Integers: TypeAlias = NDArray[np.int32]
TITLE_WEIGHT = 2
"""As in `TfIdf` and `BM25`."""


@dataclass(frozen=True, slots=True)
class Forward:
    """Terms and their counts, text by text, in the order of the texts."""

    vocabulary: Mapping[str, int]
    starts: Integers
    """Where the terms of each text begin, and where the last ones end."""
    terms: Integers
    counts: Integers

    @property
    def size(self) -> int:
        """How many texts there are."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Integers:
        """The text that each entry belongs to."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.starts))

    def of(self, text: int) -> tuple[Integers, Integers]:
        """Terms and counts of one text."""
        span = slice(self.starts[text], self.starts[text + 1])
        return self.terms[span], self.counts[span]


def cut(passages: Sequence[Passage], known: Forward | None = None, same: Mapping[int, int] | None = None) -> Forward:
    """Cut texts into terms, taking those that are known from an older index.

    Args:
        passages: The texts.
        known: The older index.
        same: By position of a text: where the older index has the same text.
    """
    if known is None:
        return _cut(passages, {})
    where = same or {}
    new = _cut([one for position, one in enumerate(passages) if position not in where], dict(known.vocabulary))
    # First the old texts and then the new ones; then each where it belongs.
    ends = np.concatenate([known.starts, new.starts[1:] + known.starts[-1]]).astype(np.int64)
    rows = np.array([where.get(position, -1) for position in range(len(passages))], dtype=np.int64)
    rows[rows < 0] = known.size + np.arange(new.size)
    lengths = np.diff(ends)[rows]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    at = np.repeat(ends[rows] - starts[:-1], lengths) + np.arange(starts[-1])
    terms, counts = (np.concatenate(pair)[at] for pair in ((known.terms, new.terms), (known.counts, new.counts)))
    return _numbered_anew(Forward(new.vocabulary, starts.astype(np.int32), terms, counts))


def _cut(passages: Sequence[Passage], vocabulary: dict[str, int]) -> Forward:
    """Cut texts; the vocabulary grows."""
    rows: list[tuple[Integers, Integers]] = []
    for passage in passages:
        found = Counter(maths(whole_text(passage, TITLE_WEIGHT)))
        numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in found]
        rows.append((np.array(numbers, dtype=np.int32), np.array(list(found.values()), dtype=np.int32)))
    starts = np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int32)
    return Forward(vocabulary, starts, _joined([row[0] for row in rows]), _joined([row[1] for row in rows]))


def _numbered_anew(forward: Forward) -> Forward:
    """Number terms in the order in which they are first met, as if all texts were new; leave out those never met."""
    size = len(forward.terms)
    first = np.full(len(forward.vocabulary), size, dtype=np.int64)
    first[forward.terms[::-1]] = np.arange(size)[::-1]
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < size)]
    numbers = np.zeros(len(first), dtype=np.int32)
    numbers[order] = np.arange(len(order), dtype=np.int32)
    names = list(forward.vocabulary)
    vocabulary = {names[old]: number for number, old in enumerate(order.tolist())}
    return Forward(vocabulary, forward.starts, numbers[forward.terms], forward.counts)


def _joined(rows: Sequence[Integers]) -> Integers:
    return np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32)
