"""From scores to ranks under one rule for ties, without sorting.

The rule `order`: the higher score comes first, and of equal scores the earlier candidate. The rule `paper` is the
original's: of equal scores the later candidate. Under both, not a number counts as minus infinity.

A rank is one plus the number of candidates that come before. Those are counted in one pass over the two pieces of
the row on either side of the candidate: before it, an equal score comes first; after it, only a higher one does.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadSchema

TieRule: TypeAlias = Literal["order", "paper"]

Excluded: TypeAlias = Sequence[Sequence[int]]
"""For each query the candidates that do not take part; a `range` costs no memory."""

ABSENT = -1
"""Stands for a gold reference that is not among the candidates."""

_LEAST = -np.inf


def gold_ranks(
    scores: NDArray[Any], gold: Sequence[Sequence[int]], excluded: Excluded | None = None, *, tie: TieRule = "order"
) -> list[tuple[int | None, ...]]:
    """For each query the ranks, from 1, of its gold candidates; none for one that does not take part.

    Beside the scores, memory is needed for one row only.

    Args:
        scores: A row for each query, a column for each candidate.
        gold: For each query the columns of its gold references, `ABSENT` where there is none.
        excluded: For each query the columns that do not take part.
        tie: Who comes first of equal scores.
    """
    rows = len(scores)
    if len(gold) != rows or (excluded is not None and len(excluded) != rows):
        others = "" if excluded is None else f" and excluded candidates of {len(excluded)}"
        raise BadSchema(f"ranks: {rows} rows of scores, but gold references of {len(gold)} queries{others}")
    return [
        _ranks_in_row(row, columns, () if excluded is None else excluded[number], tie)
        for number, (row, columns) in enumerate(zip(scores, gold, strict=True))
    ]


def top_candidates(
    row: NDArray[Any], k: int, excluded: Sequence[int] = (), *, tie: TieRule = "order"
) -> NDArray[np.intp]:
    """The columns of the k best candidates of one query, best first, by the same rule."""
    out = _indices(excluded, len(row))
    values = np.where(np.isnan(row), _LEAST, row) if np.isnan(row.min(initial=np.inf)) else row
    values = np.delete(values, out) if len(out) else values
    # From here on equal scores stand in the order in which they come.
    values = values if tie == "order" else values[::-1]
    chosen = _first(values, k)
    places = chosen if tie == "order" else len(values) - 1 - chosen
    # Each excluded column at or before a place moves it one on.
    return places + np.searchsorted(out - np.arange(len(out)), places, side="right")


def _first(values: NDArray[Any], k: int) -> NDArray[np.intp]:
    """The places of the k highest values, of equal ones the earlier, highest first."""
    chosen = np.arange(len(values))
    if 0 < k < len(values):
        threshold = np.partition(values, len(values) - k)[len(values) - k]
        above, equal = np.flatnonzero(values > threshold), np.flatnonzero(values == threshold)
        chosen = np.sort(np.concatenate([above, equal[: k - len(above)]]))
    # A stable sort keeps equal values in place.
    return chosen[np.argsort(-values[chosen], kind="stable")][: max(k, 0)]


def _ranks_in_row(
    row: NDArray[Any], gold: Sequence[int], excluded: Sequence[int], tie: TieRule
) -> tuple[int | None, ...]:
    out = _indices(excluded, len(row))
    ranks: list[int | None] = []
    for column in gold:
        if not ABSENT <= column < len(row):
            raise BadSchema(f"ranks: gold candidate {column} is outside the {len(row)} that were scored")
        if column == ABSENT or bool((out == column).any()):
            ranks.append(None)
        else:
            ranks.append(1 + _before(row, column, tie) - _before_among(row, column, out, tie))
    return tuple(ranks)


def _before(row: NDArray[Any], column: int, tie: TieRule) -> int:
    """How many candidates of the row come before the one in the column."""
    score = row[column]
    earlier, later = row[:column], row[column + 1 :]
    winning, losing = (earlier, later) if tie == "order" else (later, earlier)
    if not score > _LEAST:  # Least, or not a number, which no comparison finds: all others are equal or higher.
        return len(winning) + int(np.count_nonzero(losing > _LEAST))
    return int(np.count_nonzero(winning >= score)) + int(np.count_nonzero(losing > score))


def _before_among(row: NDArray[Any], column: int, others: NDArray[np.intp], tie: TieRule) -> int:
    """How many of some other candidates come before the one in the column."""
    score, scores = row[column], row[others]
    winning = others < column if tie == "order" else others > column
    if not score > _LEAST:
        return int(np.count_nonzero(winning | (scores > _LEAST)))
    return int(np.count_nonzero((scores > score) | (winning & (scores == score))))


def _indices(columns: Sequence[int], width: int) -> NDArray[np.intp]:
    if isinstance(columns, range):
        found = np.arange(columns.start, columns.stop, columns.step)
    else:
        found = np.unique(np.asarray(columns, dtype=np.intp))
    if len(found) and not (found.min() >= 0 and found.max() < width):
        raise BadSchema(f"ranks: an excluded candidate is outside the {width} that were scored")
    return found
