"""The interface of a measure, the values of measures over a set of queries, and the retrieval measures.

For each item a measure gives a short row of numbers, its *parts*, and it maps a *sum* of rows to a value. A mean has
the parts (score, 1), a micro-average (numerator, denominator), corpus BLEU its n-gram counts. Every aggregate is thus a
function of a weighted sum of rows, so bootstrap and randomisation tests are one matrix product for all measures.

An item without gold references has zero parts and counts in no aggregate. An aggregate over no items is NaN and prints
as a dash.

Retrieval measures are computed from the ranks of the gold references. G is the set of gold references of a query and
rank(g) the rank of one of them, infinite for one that is not a candidate. Relevance is binary.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadSettings, UnknownName
from naturalproofs.evaluation.ranks import RankedQuery

Floats: TypeAlias = NDArray[np.float64]


class _Answered(Protocol):
    """A query with its gold references."""

    @property
    def query(self) -> str: ...

    @property
    def gold(self) -> Sequence[Any]: ...


Item = TypeVar("Item", bound=_Answered)


class Measure(ABC, Generic[Item]):
    """A measure. Implementations are frozen dataclasses, so equal measures are equal dictionary keys."""

    __slots__ = ()

    name: ClassVar[str]
    percent: ClassVar[bool] = True
    """Whether values are fractions that are shown as percentages."""

    def __str__(self) -> str:
        """The name that parses back to this measure."""
        return self.name

    @property
    def width(self) -> int:
        """The number of parts."""
        return 2

    @abstractmethod
    def parts(self, item: Item) -> tuple[float, ...]:
        """The contribution of one item to the sums."""

    def value(self, sums: Floats) -> Floats:
        """The measure of summed parts along the last axis; a single row gives the item's own value."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)

    def shown(self, value: float) -> float | None:
        """A value for display: in percent where the measure is a fraction, None for NaN."""
        if math.isnan(value):
            return None
        return 100 * value if self.percent else value

    def format(self, value: float) -> str:
        """A value for a table, with two decimals."""
        shown = self.shown(value)
        return "–" if shown is None else f"{shown:.2f}"


class Mean(Measure[Item]):
    """A mean over the items that have gold references."""

    __slots__ = ()

    @abstractmethod
    def score(self, item: Item) -> float:
        """The measure of one item that has gold references."""

    def parts(self, item: Item) -> tuple[float, ...]:
        """The score and a count of one."""
        return (self.score(item), 1.0) if item.gold else (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The parts of each query for each measure."""

    queries: tuple[str, ...]
    parts: Mapping[Measure[Any], Floats]
    """For each measure one row per query."""

    def per_query(self, measure: Measure[Any]) -> Floats:
        """The measure of each query; NaN where a query does not count."""
        return measure.value(self.parts[measure])

    def total(self, measure: Measure[Any]) -> float:
        """The measure over all queries."""
        return float(measure.value(self.parts[measure].sum(axis=0)))

    def shown(self) -> dict[str, float | None]:
        """Every measure over all queries, by name, for display."""
        return {str(measure): measure.shown(self.total(measure)) for measure in self.parts}


def compute_measures(items: Sequence[Item], measures: Sequence[Measure[Item]]) -> Results:
    """Apply retrieval measures to ranked queries, or generation measures to sequences."""
    parts = {
        measure: np.array([measure.parts(item) for item in items], dtype=np.float64).reshape(-1, measure.width)
        for measure in measures
    }
    return Results(tuple(item.query for item in items), parts)


@dataclass(frozen=True, slots=True)
class MeanAveragePrecision(Mean[RankedQuery]):
    """``mAP``, the mean of AP = 1/|G| · Σ over g in G of |{h in G: rank(h) ≤ rank(g)}| / rank(g).

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000. A missed reference
    contributes zero.
    """

    name: ClassVar[str] = "mAP"

    def score(self, item: RankedQuery) -> float:
        """Average precision."""
        return sum(place / rank for place, rank in enumerate(item.found, 1)) / len(item.gold)


@dataclass(frozen=True, slots=True)
class ReciprocalRank(Mean[RankedQuery]):
    """``RR``, the mean of 1 / min rank(g)."""

    name: ClassVar[str] = "RR"

    def score(self, item: RankedQuery) -> float:
        """One over the best rank."""
        return 1 / item.found[0] if item.found else 0.0


@dataclass(frozen=True, slots=True)
class _AtCutoff(Measure[RankedQuery]):
    """A measure of the first k candidates."""

    k: int

    def __post_init__(self) -> None:
        """Check the cutoff."""
        if self.k < 1:
            raise BadSettings(f"{self} is not a measure: the cutoff must be at least 1")

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"


@dataclass(frozen=True, slots=True)
class Recall(_AtCutoff):
    """``R@k``, micro-averaged: hits among the first k over gold references, as in the paper."""

    name: ClassVar[str] = "R"

    def parts(self, item: RankedQuery) -> tuple[float, ...]:
        """Hits and gold references."""
        return float(item.hits(self.k)), float(len(item.gold))


@dataclass(frozen=True, slots=True)
class Full(_AtCutoff, Mean[RankedQuery]):
    """``Full@k``, the share of queries whose gold references are all among the first k."""

    name: ClassVar[str] = "Full"

    def score(self, item: RankedQuery) -> float:
        """One if all are found."""
        return float(item.hits(self.k) == len(item.gold))


@dataclass(frozen=True, slots=True)
class Precision(_AtCutoff, Mean[RankedQuery]):
    """``P@k``, the mean share of gold references among the first k; divided by k even where fewer are ranked."""

    name: ClassVar[str] = "P"

    def score(self, item: RankedQuery) -> float:
        """Hits over k."""
        return item.hits(self.k) / self.k


@dataclass(frozen=True, slots=True)
class Hit(_AtCutoff, Mean[RankedQuery]):
    """``Hit@k``, the share of queries with at least one gold reference among the first k."""

    name: ClassVar[str] = "Hit"

    def score(self, item: RankedQuery) -> float:
        """One if anything is found."""
        return float(item.hits(self.k) > 0)


@dataclass(frozen=True, slots=True)
class NormalisedGain(_AtCutoff, Mean[RankedQuery]):
    """``nDCG@k``, the mean of Σ over the first k hits of 1/log₂(1 + rank), over the same sum of a perfect ranking.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002.
    """

    name: ClassVar[str] = "nDCG"

    def score(self, item: RankedQuery) -> float:
        """Gain over ideal gain."""
        gain = sum(1 / math.log2(1 + rank) for rank in item.found if rank <= self.k)
        return gain / sum(1 / math.log2(1 + rank) for rank in range(1, min(self.k, len(item.gold)) + 1))


RankingMeasure: TypeAlias = Measure[RankedQuery]

PAPER_MEASURES: tuple[RankingMeasure, ...] = (MeanAveragePrecision(), Recall(10), Recall(100), Full(10), Full(100))
"""The columns of the paper's tables."""
DEFAULT_MEASURES = (*PAPER_MEASURES, Precision(10), ReciprocalRank(), NormalisedGain(10), Hit(10))

_WITHOUT_CUTOFF: dict[str, RankingMeasure] = {
    "mAP": MeanAveragePrecision(),
    "AP": MeanAveragePrecision(),
    "RR": ReciprocalRank(),
}
"""``AP`` is an alias of ``mAP``: its value for one query."""
_WITH_CUTOFF: dict[str, Callable[[int], RankingMeasure]] = {
    kind.name: kind for kind in (Recall, Full, Precision, NormalisedGain, Hit)
}
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
