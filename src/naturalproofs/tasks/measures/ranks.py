"""Ranks of gold references: computed from scores without sorting, and broken down into groups.

Tie rule `order`: the higher score comes first; among equal scores, the earlier candidate. Tie rule `paper`, that of the
original code: among equal scores, the later candidate. NaN counts as minus infinity.

A rank is one plus the number of candidates that come before. They are counted in one pass over the two parts of the row
on either side of the candidate: an equal score comes first in one of them, only a higher score in the other. What is
excluded is taken out of the row first.

A breakdown by a property of the gold reference (kind, citations in training) restricts each query to its gold
references of the group. Ranks remain those among all candidates. A query without gold references of the group is left
out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadSchema, UnknownName
from naturalproofs.records import KINDS, Kind, StatementId

TieRule: TypeAlias = Literal["order", "paper"]

Excluded: TypeAlias = Sequence[Sequence[int]]
"""For each query the excluded candidates; a `range` takes no memory."""

ABSENT = -1
"""Marks a gold reference that is not among the candidates."""
TOP = 100
"""How many of the best candidates a run stores for display."""

_LEAST = -np.inf


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """The outcome of one query: the ranks of its gold references, without scores."""

    query: str
    gold: tuple[StatementId, ...]
    """Gold references, without repeats."""
    ranks: tuple[int | None, ...]
    """The rank of each gold reference, from 1; None when it is not a candidate, which counts as missed."""
    candidates: int
    top: tuple[StatementId, ...] = ()
    """The best candidates, best first, for display only."""
    probabilities: tuple[float, ...] = ()
    """That the proof cites each of the first of these, as far as the method states it; none in older runs."""

    def __post_init__(self) -> None:
        """Check consistency."""
        found = [rank for rank in self.ranks if rank is not None]
        if len(self.gold) != len(self.ranks):
            problem = f"{len(self.gold)} gold references but {len(self.ranks)} ranks"
        elif len(set(self.gold)) != len(self.gold):
            problem = "a gold reference is repeated"
        elif len(set(found)) != len(found):
            problem = "two gold references share a rank"
        elif found and not (min(found) >= 1 and max(found) <= self.candidates):
            problem = f"a rank lies outside 1 to {self.candidates}"
        elif len(self.probabilities) > len(self.top):
            problem = f"{len(self.probabilities)} probabilities for {len(self.top)} candidates"
        elif not all(0 <= value <= 1 for value in self.probabilities):
            problem = "a probability lies outside 0 to 1"
        else:
            return
        raise BadSchema(f"ranked query {self.query}: {problem}; evaluate again")

    @property
    def theorem(self) -> StatementId:
        """The theorem whose proof it asks about."""
        return self.query.rpartition("#")[0]

    @property
    def found(self) -> list[int]:
        """The ranks of the gold references that are candidates, ascending."""
        return sorted(rank for rank in self.ranks if rank is not None)

    def hits(self, k: int) -> int:
        """The number of gold references among the first k."""
        return sum(rank is not None and rank <= k for rank in self.ranks)


def ranked_queries(
    scores: NDArray[Any],
    *,
    queries: Sequence[str],
    gold: Sequence[Sequence[StatementId]],
    candidates: Sequence[StatementId],
    excluded: Excluded | None = None,
    top: int = TOP,
    tie: TieRule = "order",
    probabilities: NDArray[Any] | None = None,
) -> tuple[RankedQuery, ...]:
    """Turn scores (one row per query, one column per candidate) into ranked queries.

    Args:
        scores: Higher is better; NaN counts as minus infinity.
        queries: The ids of the rows.
        gold: The gold references of each row; repeats are dropped.
        candidates: The ids of the columns.
        excluded: For each row the columns that are not candidates of that query.
        top: How many of the best candidates to store.
        tie: The tie rule.
        probabilities: A table like the scores; NaN where the method states none.
    """
    if len(queries) != len(scores) or len(candidates) != scores.shape[1]:
        raise BadSchema(
            f"scores: a table of {scores.shape} for {len(queries)} queries and {len(candidates)} candidates"
        )
    column = {name: number for number, name in enumerate(candidates)}
    distinct = [tuple(dict.fromkeys(references)) for references in gold]
    columns = [[column.get(reference, ABSENT) for reference in references] for references in distinct]
    ranks = gold_ranks(scores, columns, excluded, tie=tie)
    found = []
    for number, query in enumerate(queries):
        without = excluded[number] if excluded else ()
        best = top_candidates(scores[number], top, without, tie=tie)
        names = tuple(candidates[index] for index in best.tolist())
        allowed = len(candidates) - len(set(without))
        stated = _stated(probabilities[number][best]) if probabilities is not None else ()
        found.append(RankedQuery(query, distinct[number], ranks[number], allowed, names, stated))
    return tuple(found)


def _stated(values: NDArray[Any]) -> tuple[float, ...]:
    """The values before the first NaN, with four digits."""
    missing = np.isnan(values)
    end = int(missing.argmax()) if missing.any() else len(values)
    return tuple(round(float(value), 4) for value in values[:end])


def gold_ranks(
    scores: NDArray[Any], gold: Sequence[Sequence[int]], excluded: Excluded | None = None, *, tie: TieRule = "order"
) -> list[tuple[int | None, ...]]:
    """The ranks, from 1, of the gold candidates of each query; None for an excluded or absent one.

    Beside the scores, only one row of memory is used.

    Args:
        scores: One row per query, one column per candidate.
        gold: For each query the columns of its gold references, `ABSENT` where there is none.
        excluded: For each query the columns that are not candidates.
        tie: The tie rule.
    """
    without: Excluded = [()] * len(scores) if excluded is None else excluded
    return [_ranks_in_row(row, columns, out, tie) for row, columns, out in zip(scores, gold, without, strict=True)]


def top_candidates(
    row: NDArray[Any], k: int, excluded: Sequence[int] = (), *, tie: TieRule = "order"
) -> NDArray[np.intp]:
    """The columns of the k best candidates of one query, best first, under the same tie rule."""
    out = _indices(excluded)
    values = np.where(np.isnan(row), _LEAST, row) if np.isnan(row.min(initial=np.inf)) else row
    values = np.delete(values, out) if len(out) else values
    # Reversed for the tie rule `paper`, so that the earlier of equal scores comes first in both cases.
    values = values if tie == "order" else values[::-1]
    chosen = _first(values, k)
    positions = chosen if tie == "order" else len(values) - 1 - chosen
    # Map positions among the remaining columns back to columns of the row.
    return positions + np.searchsorted(out - np.arange(len(out)), positions, side="right")


def _first(values: NDArray[Any], k: int) -> NDArray[np.intp]:
    """The positions of the k highest values, highest first; among equal values the earlier."""
    chosen = np.arange(len(values))
    if 0 < k < len(values):
        threshold = np.partition(values, len(values) - k)[len(values) - k]
        above, equal = np.flatnonzero(values > threshold), np.flatnonzero(values == threshold)
        chosen = np.sort(np.concatenate([above, equal[: k - len(above)]]))
    # The sort is stable: equal values keep their order.
    return chosen[np.argsort(-values[chosen], kind="stable")][: max(k, 0)]


def _ranks_in_row(
    row: NDArray[Any], gold: Sequence[int], excluded: Sequence[int], tie: TieRule
) -> tuple[int | None, ...]:
    out = _indices(excluded)
    values = np.delete(row, out) if len(out) else row
    left_out = {ABSENT, *out.tolist()}
    return tuple(
        None if column in left_out else 1 + _before(values, column - int(np.searchsorted(out, column)), tie)
        for column in gold
    )


def _before(row: NDArray[Any], column: int, tie: TieRule) -> int:
    """The number of candidates that come before the one in the column."""
    score = row[column]
    earlier, later = row[:column], row[column + 1 :]
    winning, losing = (earlier, later) if tie == "order" else (later, earlier)
    if not score > _LEAST:  # Minus infinity or NaN: all others are equal or higher.
        return len(winning) + int(np.count_nonzero(losing > _LEAST))
    return int(np.count_nonzero(winning >= score)) + int(np.count_nonzero(losing > score))


def _indices(columns: Sequence[int]) -> NDArray[np.intp]:
    if isinstance(columns, range):
        return np.arange(columns.start, columns.stop, columns.step)
    return np.unique(np.asarray(columns, dtype=np.intp))


Groups: TypeAlias = dict[str, tuple[RankedQuery, ...]]
SEEN_BANDS = {"unseen": range(1), "1–2": range(1, 3), "3–10": range(3, 11), "more": range(11, sys.maxsize)}
SIZE_BANDS = {"1": range(1, 2), "2": range(2, 3), "3–5": range(3, 6), "6+": range(6, sys.maxsize)}
WITHOUT_CATEGORY = "(none)"


def by_kind(queries: Sequence[RankedQuery], kinds: Mapping[StatementId, Kind]) -> Groups:
    """By kind of gold reference.

    The original code gives the same ranks: it does not filter the ranking for AP, and truncates it at k before it
    filters for R@k and Full@k.
    """

    def kind_of(reference: StatementId) -> str:
        if reference not in kinds:
            raise UnknownName(f"the kind of {reference!r} is unknown; was the run made with another corpus?")
        return kinds[reference]

    return _by_gold(queries, KINDS, kind_of)


def by_times_seen(queries: Sequence[RankedQuery], seen: Mapping[StatementId, int]) -> Groups:
    """By the number of training proofs that cite the gold reference; zero where `seen` has no entry."""

    def band_of(reference: StatementId) -> str:
        return next(name for name, band in SEEN_BANDS.items() if seen.get(reference, 0) in band)

    return _by_gold(queries, SEEN_BANDS, band_of)


def by_size(queries: Sequence[RankedQuery]) -> Groups:
    """By the number of gold references of the query; queries without any are in no group."""
    return {name: tuple(query for query in queries if len(query.gold) in band) for name, band in SIZE_BANDS.items()}


def by_category(queries: Sequence[RankedQuery], categories: Mapping[str, Iterable[str]]) -> Groups:
    """By category of the query, sorted by name; a query is in each of its categories, or in ``(none)``."""
    groups: dict[str, list[RankedQuery]] = {}
    for query in queries:
        for category in dict.fromkeys(categories.get(query.query, ())) or (WITHOUT_CATEGORY,):
            groups.setdefault(category, []).append(query)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def _by_gold(queries: Sequence[RankedQuery], names: Collection[str], group_of: Callable[[StatementId], str]) -> Groups:
    found: dict[str, list[RankedQuery]] = {name: [] for name in names}
    for query in queries:
        parts: dict[str, list[tuple[StatementId, int | None]]] = {}
        for reference, rank in zip(query.gold, query.ranks, strict=True):
            parts.setdefault(group_of(reference), []).append((reference, rank))
        for name, pairs in parts.items():
            gold, ranks = tuple(reference for reference, _ in pairs), tuple(rank for _, rank in pairs)
            found[name].append(replace(query, gold=gold, ranks=ranks))
    return {name: tuple(group) for name, group in found.items()}


# Whether stated probabilities hold: among the suggestions called 30 % probable, three in ten should be cited.

SHOWN = 10
"""Suggestions of a query that count: about as many as a reader looks at."""
BINS = 10
"""Intervals of equal width."""


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The suggestions whose probability lies in one interval."""

    low: float
    high: float
    suggestions: int
    stated: float
    """Their mean probability."""
    cited: float
    """The share of them that the proof cites."""


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """Probabilities beside what was cited."""

    error: float
    """The expected calibration error: the mean over all suggestions of the difference in their bin."""
    suggestions: int
    bins: tuple[CalibrationBin, ...]
    """Those that have suggestions."""


def calibration_curve(queries: Sequence[RankedQuery], shown: int = SHOWN) -> CalibrationCurve | None:
    """The curve of the first suggestions of all queries; None if no probabilities are stored with them."""
    stated = [value for query in queries for value in query.probabilities[:shown]]
    cited = [
        name in query.gold for query in queries for name, _ in zip(query.top[:shown], query.probabilities, strict=False)
    ]
    return curve_of(np.array(stated), np.array(cited, dtype=float)) if stated else None


def curve_of(stated: NDArray[Any], cited: NDArray[Any]) -> CalibrationCurve:
    """The curve of some suggestions.

    Args:
        stated: The probability of each.
        cited: One for each that is cited, else zero.
    """
    numbers = np.minimum((BINS * stated).astype(int), BINS - 1)
    bins, difference = [], 0.0
    for number in range(BINS):
        inside = numbers == number
        if inside.any():
            mean, share = float(stated[inside].mean()), float(cited[inside].mean())
            count = int(inside.sum())
            bins.append(CalibrationBin(number / BINS, (number + 1) / BINS, count, round(mean, 4), round(share, 4)))
            difference += count * abs(mean - share)
    return CalibrationCurve(round(difference / max(len(stated), 1), 4), len(stated), tuple(bins))
