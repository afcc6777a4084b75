"""The interface of a measure, and the values of measures over a set of queries.

For each item a measure gives a short row of numbers, its *parts*, and it maps a *sum* of rows to a value. A mean has
the parts (score, 1), a micro-average (numerator, denominator), corpus BLEU its n-gram counts. Every aggregate is thus a
function of a weighted sum of rows, so bootstrap and randomisation tests are one matrix product for all measures.

An item without gold references has zero parts and counts in no aggregate. An aggregate over no items is NaN and prints
as a dash.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Better: TypeAlias = Literal["higher", "lower", "nearer to 1"]
Aggregation: TypeAlias = Literal["mean", "micro", "corpus"]

Item = TypeVar("Item")


class Measure(ABC, Generic[Item]):
    """A measure. Implementations are frozen dataclasses, so equal measures are equal dictionary keys."""

    __slots__ = ()

    aggregation: ClassVar[Aggregation] = "mean"
    better: ClassVar[Better] = "higher"
    percent: ClassVar[bool] = True
    """Whether values are fractions that are shown as percentages."""

    @abstractmethod
    def __str__(self) -> str:
        """The name that parses back to this measure."""

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


class _Named(Protocol):
    @property
    def query(self) -> str: ...


Outcome = TypeVar("Outcome", bound=_Named)


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


def compute_measures(outcomes: Sequence[Outcome], measures: Sequence[Measure[Outcome]]) -> Results:
    """Apply measures to outcomes: retrieval measures to ranked queries, generation measures to sequences."""
    parts = {
        measure: np.array([measure.parts(outcome) for outcome in outcomes], dtype=np.float64).reshape(-1, measure.width)
        for measure in measures
    }
    return Results(tuple(outcome.query for outcome in outcomes), parts)
