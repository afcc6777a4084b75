"""Whether stated probabilities hold: among the suggestions called 30 % probable, three in ten should be cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.tasks.measures.ranks import RankedQuery

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
