"""The retrieval measures, each computed from the ranks of the gold references alone.

Below, G is the set of gold references of a query and rank(g) the rank of one of them among all candidates, infinite
for one that is not a candidate. Relevance is binary.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.measure import Aggregation, Measure
from naturalproofs.evaluation.ranked import RankedQuery


class _Mean(Measure[RankedQuery]):
    """A measure whose aggregate is the mean over the queries that have gold references."""

    __slots__ = ()

    @abstractmethod
    def score(self, query: RankedQuery) -> float:
        """The measure of one query that has gold references."""

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """The score, counted once."""
        return (self.score(item), 1.0) if item.gold else (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _AtCutoff(Measure[RankedQuery]):
    """A measure of the first k candidates."""

    k: int
    name: ClassVar[str]

    def __post_init__(self) -> None:
        """Refuse a cut-off that keeps nothing."""
        if self.k < 1:
            raise UnknownName(f"{self.name}@{self.k} is no measure: a cut-off is at least 1")

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"


@dataclass(frozen=True, slots=True)
class MeanAveragePrecision(_Mean):
    """``mAP``, the mean of AP = 1/|G| · Σ over g in G of |{h in G: rank(h) ≤ rank(g)}| / rank(g).

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000. A missed reference adds nothing.
    """

    def __str__(self) -> str:
        return "mAP"

    def score(self, query: RankedQuery) -> float:
        """AP."""
        return sum(place / rank for place, rank in enumerate(query.found, 1)) / len(query.gold)


@dataclass(frozen=True, slots=True)
class ReciprocalRank(_Mean):
    """``RR``, the mean of 1 / min rank(g)."""

    def __str__(self) -> str:
        return "RR"

    def score(self, query: RankedQuery) -> float:
        """One over the first rank."""
        return 1 / query.found[0] if query.found else 0.0


@dataclass(frozen=True, slots=True)
class Recall(_AtCutoff):
    """``R@k``, micro-averaged: all hits among the first k over all gold references, as in the paper."""

    name: ClassVar[str] = "R"
    aggregation: ClassVar[Aggregation] = "micro"

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """Hits and gold references."""
        return float(item.hits(self.k)), float(len(item.gold))


@dataclass(frozen=True, slots=True)
class Full(_AtCutoff, _Mean):
    """``Full@k``, the share of queries whose gold references are all among the first k.

    ``Full(empty=1)@k`` counts a query without gold references as a success, as the original does in its breakdown by
    type; plain ``Full@k`` leaves it out like every other measure.
    """

    empty: bool = False
    name: ClassVar[str] = "Full"

    def __str__(self) -> str:
        return f"Full(empty=1)@{self.k}" if self.empty else f"Full@{self.k}"

    def score(self, query: RankedQuery) -> float:
        """One if nothing is missing."""
        return float(query.hits(self.k) == len(query.gold))

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """The score, counted once."""
        return (self.score(item), 1.0) if item.gold or self.empty else (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Precision(_AtCutoff, _Mean):
    """``P@k``, the mean of the share of gold references among the first k, over k even where fewer are ranked."""

    name: ClassVar[str] = "P"

    def score(self, query: RankedQuery) -> float:
        """Hits over k."""
        return query.hits(self.k) / self.k


@dataclass(frozen=True, slots=True)
class Hit(_AtCutoff, _Mean):
    """``Hit@k``, the share of queries with at least one gold reference among the first k."""

    name: ClassVar[str] = "Hit"

    def score(self, query: RankedQuery) -> float:
        """One if anything is found."""
        return float(query.hits(self.k) > 0)


@dataclass(frozen=True, slots=True)
class NormalisedGain(_AtCutoff, _Mean):
    """``nDCG@k``, the mean of Σ over the first k hits of 1/log₂(1 + rank), over the same sum of a perfect ranking.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002.
    """

    name: ClassVar[str] = "nDCG"

    def score(self, query: RankedQuery) -> float:
        """Gain over ideal gain."""
        gain = sum(1 / math.log2(1 + rank) for rank in query.found if rank <= self.k)
        return gain / sum(1 / math.log2(1 + rank) for rank in range(1, min(self.k, len(query.gold)) + 1))


RankingMeasure: TypeAlias = Measure[RankedQuery]

PLAIN: dict[str, RankingMeasure] = {
    "mAP": MeanAveragePrecision(),
    "AP": MeanAveragePrecision(),
    "RR": ReciprocalRank(),
}
"""Measures without a cut-off; ``AP`` is another name of ``mAP``, whose value for one query it is."""

WITH_CUTOFF: dict[str, Callable[[int], RankingMeasure]] = {
    "R": Recall,
    "Full": Full,
    "Full(empty=1)": lambda k: Full(k, empty=True),
    "P": Precision,
    "nDCG": NormalisedGain,
    "Hit": Hit,
}

PAPER_MEASURES: tuple[RankingMeasure, ...] = (MeanAveragePrecision(), Recall(10), Recall(100), Full(10), Full(100))
"""The columns of the paper's tables, in their order."""

DEFAULT_MEASURES: tuple[RankingMeasure, ...] = (
    *PAPER_MEASURES,
    Precision(10),
    ReciprocalRank(),
    NormalisedGain(10),
    Hit(10),
)
