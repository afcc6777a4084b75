"""What a measure is: a value that prints and parses, with a part for each query and its own way to aggregate.

For every item a measure gives a short row of numbers, its *parts*, and it turns a *sum* of such rows into a value. A
mean has the parts (score, 1), a micro-average (numerator, denominator), corpus BLEU its counts of n-grams. Since
every aggregate is a function of a weighted sum of rows, bootstrap and randomisation are one matrix product for all.

One rule holds for empty cases: an item without gold has parts that are all zero, so it counts in no aggregate, and
an aggregate over nothing is not a number and prints as a dash.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Better: TypeAlias = Literal["higher", "lower", "nearer to 1"]
Aggregation: TypeAlias = Literal["mean", "micro", "corpus"]

Item = TypeVar("Item")


class Measure(ABC, Generic[Item]):
    """A measure; its implementations are frozen dataclasses, so that equal measures are equal keys."""

    __slots__ = ()

    aggregation: ClassVar[Aggregation] = "mean"
    better: ClassVar[Better] = "higher"
    percent: ClassVar[bool] = True
    """Whether values are fractions that people read as percentages."""

    @abstractmethod
    def __str__(self) -> str:
        """The name that parses back to this measure."""

    @property
    def width(self) -> int:
        """How many parts there are."""
        return 2

    @abstractmethod
    def parts(self, item: Item) -> tuple[float, ...]:
        """What one item contributes to the sums."""

    def value(self, sums: Floats) -> Floats:
        """The measure of summed parts, along the last axis; the sum may be of one row, which gives the item's value."""
        return ratio(sums[..., 0], sums[..., 1])

    def shown(self, value: float) -> float | None:
        """A value as people read it: in percent where that is meant, nothing where it is not a number."""
        if math.isnan(value):
            return None
        return 100 * value if self.percent else value

    def format(self, value: float) -> str:
        """A value as printed in a table, with two decimals."""
        shown = self.shown(value)
        return "–" if shown is None else f"{shown:.2f}"


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; nothing by nothing is not a number."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(numerator / denominator, dtype=np.float64)
