"""Breakdowns of ranked queries by a property of the query or of the gold reference.

A breakdown by a property of the gold reference (kind, citations in training) restricts each query to its gold
references of the group. Ranks remain those among all candidates. A query without gold references of the group is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.records import KINDS, Kind, StatementId

Groups: TypeAlias = dict[str, tuple[RankedQuery, ...]]
EmptyRule: TypeAlias = Literal["leave out", "keep"]

WITHOUT_CATEGORY = "(none)"


@dataclass(frozen=True, slots=True)
class Band:
    """A closed range of counts; without an upper end it is unbounded."""

    name: str
    low: int
    high: int | None = None

    def __contains__(self, count: int) -> bool:
        """Whether a count lies in the range."""
        return self.low <= count and (self.high is None or count <= self.high)


SEEN_BANDS = (Band("unseen", 0, 0), Band("1–2", 1, 2), Band("3–10", 3, 10), Band("more", 11))
SIZE_BANDS = (Band("1", 1, 1), Band("2", 2, 2), Band("3–5", 3, 5), Band("6+", 6))


def by_kind(
    queries: Sequence[RankedQuery], kinds: Mapping[StatementId, Kind], *, empty: EmptyRule = "leave out"
) -> Groups:
    """By kind of gold reference.

    The original code gives the same ranks: it does not filter the ranking for AP, and truncates it at k before it
    filters for R@k and Full@k. It keeps queries without gold references of the kind: with ``empty="keep"`` they stay
    and count as found in ``Full(empty=1)@k``, and in no other measure.
    """

    def kind_of(reference: StatementId) -> str:
        if reference not in kinds:
            raise UnknownName(f"the kind of {reference!r} is unknown; was the run made with another corpus?")
        return kinds[reference]

    return _by_gold(queries, KINDS, kind_of, empty)


def by_times_seen(
    queries: Sequence[RankedQuery], seen: Mapping[StatementId, int], *, bands: Sequence[Band] = SEEN_BANDS
) -> Groups:
    """By the number of training proofs that cite the gold reference; zero where `seen` has no entry."""
    names = [band.name for band in bands]
    return _by_gold(queries, names, lambda reference: _band(seen.get(reference, 0), bands), "leave out")


def by_size(queries: Sequence[RankedQuery], *, bands: Sequence[Band] = SIZE_BANDS) -> Groups:
    """By the number of gold references of the query; queries without any are in no group."""
    return {band.name: tuple(query for query in queries if len(query.gold) in band) for band in bands}


def by_category(queries: Sequence[RankedQuery], categories: Mapping[str, Iterable[str]]) -> Groups:
    """By category of the query, sorted by name; a query is in each of its categories, or in ``(none)``."""
    groups: dict[str, list[RankedQuery]] = {}
    for query in queries:
        for category in dict.fromkeys(categories.get(query.query, ())) or (WITHOUT_CATEGORY,):
            groups.setdefault(category, []).append(query)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def only_gold(query: RankedQuery, wanted: Collection[StatementId]) -> RankedQuery:
    """A query restricted to some of its gold references, ranks unchanged."""
    pairs = [pair for pair in zip(query.gold, query.ranks, strict=True) if pair[0] in wanted]
    gold, ranks = tuple(reference for reference, _ in pairs), tuple(rank for _, rank in pairs)
    return RankedQuery(query.query, gold, ranks, query.candidates, query.top)


def _by_gold(
    queries: Sequence[RankedQuery], names: Sequence[str], group_of: Callable[[StatementId], str], empty: EmptyRule
) -> Groups:
    group = {reference: group_of(reference) for query in queries for reference in query.gold}
    members = {name: {reference for reference, own in group.items() if own == name} for name in names}
    return {
        name: tuple(part for query in queries if (part := only_gold(query, wanted)).gold or empty == "keep")
        for name, wanted in members.items()
    }


def _band(count: int, bands: Sequence[Band]) -> str:
    return next((band.name for band in bands if count in band), "")
