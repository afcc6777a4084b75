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
from naturalproofs.text.tokens import maths

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
        known: The older index; its vocabulary grows.
        same: By position of a text: where the older index has the same text.
    """
    vocabulary = dict(known.vocabulary) if known is not None else {}
    rows: list[tuple[Integers, Integers]] = []
    for position, passage in enumerate(passages):
        old = same.get(position) if same else None
        if known is not None and old is not None:
            rows.append(known.of(old))
            continue
        found = Counter(maths(whole_text(passage, TITLE_WEIGHT)))
        numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in found]
        rows.append((np.array(numbers, dtype=np.int32), np.array(list(found.values()), dtype=np.int32)))
    starts = np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int32)
    return Forward(vocabulary, starts, _joined([row[0] for row in rows]), _joined([row[1] for row in rows]))


def _joined(rows: Sequence[Integers]) -> Integers:
    return np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32)
