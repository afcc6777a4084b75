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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import UnknownName
from naturalproofs.tasks.measures.ranks import RankedQuery

Floats: TypeAlias = NDArray[np.float64]


class _Answered(Protocol):
    """A query with its gold references."""

    @property
    def query(self) -> str: ...

    @property
    def gold(self) -> Sequence[Any]: ...


Item = TypeVar("Item", bound=_Answered)


def ratio(sums: Floats) -> Floats:
    """The first part over the second: a mean, or a micro-average."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Measure(Generic[Item]):
    """A measure; those of the same name are equal."""

    name: str
    parts: Callable[[Item], tuple[float, ...]] = field(compare=False, repr=False)
    """The contribution of one item to the sums."""
    width: int = 2
    """The number of parts."""
    value: Callable[[Floats], Floats] = field(default=ratio, compare=False, repr=False)
    """The measure of summed parts along the last axis; a single row gives the item's own value."""
    percent: bool = True
    """Whether values are fractions that are shown as percentages."""

    def __str__(self) -> str:
        return self.name

    def shown(self, value: float) -> float | None:
        """A value for display: in percent where the measure is a fraction, None for NaN."""
        if math.isnan(value):
            return None
        return 100 * value if self.percent else value

    def format(self, value: float) -> str:
        """A value for a table, with two decimals."""
        shown = self.shown(value)
        return "–" if shown is None else f"{shown:.2f}"


def mean(name: str, score: Callable[[Item], float], *, percent: bool = True) -> Measure[Item]:
    """The mean of a score over the items that have gold references."""

    def parts(item: Item) -> tuple[float, ...]:
        return (score(item), 1.0) if item.gold else (0.0, 0.0)

    return Measure(name, parts, percent=percent)


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


RankingMeasure: TypeAlias = Measure[RankedQuery]


def average_precision(query: RankedQuery) -> float:
    """AP = 1/|G| · Σ over g in G of |{h in G: rank(h) ≤ rank(g)}| / rank(g); a missed reference contributes zero.

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000.
    """
    return sum(place / rank for place, rank in enumerate(query.found, 1)) / len(query.gold)


MAP = mean("mAP", average_precision)
RECIPROCAL_RANK: RankingMeasure = mean("RR", lambda query: 1 / query.found[0] if query.found else 0.0)
"""The mean of 1 / min rank(g)."""


def recall(k: int) -> RankingMeasure:
    """``R@k``, micro-averaged: hits among the first k over gold references, as in the paper."""
    return Measure(f"R@{k}", lambda query: (float(query.hits(k)), float(len(query.gold))))


def full(k: int) -> RankingMeasure:
    """``Full@k``, the share of queries whose gold references are all among the first k."""
    return mean(f"Full@{k}", lambda query: float(query.hits(k) == len(query.gold)))


def precision(k: int) -> RankingMeasure:
    """``P@k``, the mean share of gold references among the first k; divided by k even where fewer are ranked."""
    return mean(f"P@{k}", lambda query: query.hits(k) / k)


def hit(k: int) -> RankingMeasure:
    """``Hit@k``, the share of queries with at least one gold reference among the first k."""
    return mean(f"Hit@{k}", lambda query: float(query.hits(k) > 0))


def normalised_gain(k: int) -> RankingMeasure:
    """``nDCG@k``, the mean of Σ over the first k hits of 1/log₂(1 + rank), over the same sum of a perfect ranking.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002.
    """

    def score(query: RankedQuery) -> float:
        gain = sum(1 / math.log2(1 + rank) for rank in query.found if rank <= k)
        return gain / sum(1 / math.log2(1 + rank) for rank in range(1, min(k, len(query.gold)) + 1))

    return mean(f"nDCG@{k}", score)


PAPER_MEASURES = (MAP, recall(10), recall(100), full(10), full(100))
"""The columns of the paper's tables."""
DEFAULT_MEASURES = (*PAPER_MEASURES, precision(10), RECIPROCAL_RANK, normalised_gain(10), hit(10))

_WITHOUT_CUTOFF = {"mAP": MAP, "AP": MAP, "RR": RECIPROCAL_RANK}
"""``AP`` is an alias of ``mAP``: its value for one query."""
_WITH_CUTOFF = {"R": recall, "Full": full, "P": precision, "nDCG": normalised_gain, "Hit": hit}
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
