"""Retrieval measures, computed from the ranks of the gold references.

G is the set of gold references of a query and rank(g) the rank of one of them, infinite for one that is not a
candidate. Relevance is binary.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from naturalproofs.errors import BadSettings, UnknownName
from naturalproofs.evaluation.measure import Aggregation, Measure
from naturalproofs.evaluation.ranks import RankedQuery


class _Mean(Measure[RankedQuery]):
    """A mean over the queries that have gold references."""

    __slots__ = ()

    @abstractmethod
    def score(self, query: RankedQuery) -> float:
        """The measure of one query that has gold references."""

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """The score and a count of one."""
        return (self.score(item), 1.0) if item.gold else (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _AtCutoff(Measure[RankedQuery]):
    """A measure of the first k candidates."""

    k: int
    name: ClassVar[str]

    def __post_init__(self) -> None:
        """Check the cutoff."""
        if self.k < 1:
            raise BadSettings(f"{self.name}@{self.k} is not a measure: the cutoff must be at least 1")

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"


@dataclass(frozen=True, slots=True)
class MeanAveragePrecision(_Mean):
    """``mAP``, the mean of AP = 1/|G| · Σ over g in G of |{h in G: rank(h) ≤ rank(g)}| / rank(g).

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000. A missed reference
    contributes zero.
    """

    def __str__(self) -> str:
        return "mAP"

    def score(self, query: RankedQuery) -> float:
        """Average precision."""
        return sum(place / rank for place, rank in enumerate(query.found, 1)) / len(query.gold)


@dataclass(frozen=True, slots=True)
class ReciprocalRank(_Mean):
    """``RR``, the mean of 1 / min rank(g)."""

    def __str__(self) -> str:
        return "RR"

    def score(self, query: RankedQuery) -> float:
        """One over the best rank."""
        return 1 / query.found[0] if query.found else 0.0


@dataclass(frozen=True, slots=True)
class Recall(_AtCutoff):
    """``R@k``, micro-averaged: hits among the first k over gold references, as in the paper."""

    name: ClassVar[str] = "R"
    aggregation: ClassVar[Aggregation] = "micro"

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """Hits and gold references."""
        return float(item.hits(self.k)), float(len(item.gold))


@dataclass(frozen=True, slots=True)
class Full(_AtCutoff, _Mean):
    """``Full@k``, the share of queries whose gold references are all among the first k.

    ``Full(empty=1)@k`` counts a query without gold references as a success, as the original code does in its breakdown
    by type; ``Full@k`` leaves it out, as all other measures do.
    """

    empty: bool = False
    name: ClassVar[str] = "Full"

    def __str__(self) -> str:
        return f"Full(empty=1)@{self.k}" if self.empty else f"Full@{self.k}"

    def score(self, query: RankedQuery) -> float:
        """One if all are found."""
        return float(query.hits(self.k) == len(query.gold))

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """The score and a count of one."""
        return (self.score(item), 1.0) if item.gold or self.empty else (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Precision(_AtCutoff, _Mean):
    """``P@k``, the mean share of gold references among the first k; divided by k even where fewer are ranked."""

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

_WITHOUT_CUTOFF: dict[str, RankingMeasure] = {
    "mAP": MeanAveragePrecision(),
    "AP": MeanAveragePrecision(),
    "RR": ReciprocalRank(),
}
"""``AP`` is an alias of ``mAP``: its value for one query."""

_WITH_CUTOFF: dict[str, Callable[[int], RankingMeasure]] = {
    "R": Recall,
    "Full": Full,
    "Full(empty=1)": lambda k: Full(k, empty=True),
    "P": Precision,
    "nDCG": NormalisedGain,
    "Hit": Hit,
}

PAPER_MEASURES: tuple[RankingMeasure, ...] = (MeanAveragePrecision(), Recall(10), Recall(100), Full(10), Full(100))
"""The columns of the paper's tables."""

DEFAULT_MEASURES: tuple[RankingMeasure, ...] = (
    *PAPER_MEASURES,
    Precision(10),
    ReciprocalRank(),
    NormalisedGain(10),
    Hit(10),
)

_CUTOFF = re.compile(r"(?P<name>.+)@(?P<k>[1-9][0-9]{0,8})", re.ASCII)


def parse_measure(name: str) -> RankingMeasure:
    """The retrieval measure of a name: ``parse_measure("R@10")``."""
    if name in _WITHOUT_CUTOFF:
        return _WITHOUT_CUTOFF[name]
    parsed = _CUTOFF.fullmatch(name)
    if parsed and (make := _WITH_CUTOFF.get(parsed["name"])):
        return make(int(parsed["k"]))
    hint = f" ({name} needs a cutoff, such as {name}@10)" if name in _WITH_CUTOFF else ""
    known = ", ".join((*_WITHOUT_CUTOFF, *(f"{measure}@k" for measure in _WITH_CUTOFF)))
    raise UnknownName(f"no measure is called {name!r}{hint}; available: {known}")
