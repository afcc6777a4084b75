"""What a score is worth: the probability that the proof cites the candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.term_vectors import Floats


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rising curve through points; scores between are interpolated (isotonic regression)."""

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]

    @classmethod
    def of(cls, scores: Floats, labels: Floats) -> Calibration:
        """Fit on questions that the trees have not seen."""
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, labels)
        return cls(
            tuple(round(float(x), 5) for x in fitted.X_thresholds_),
            tuple(round(float(y), 6) for y in fitted.y_thresholds_),
        )

    def __call__(self, scores: Floats) -> Floats:
        """Probabilities of scores."""
        if not self.scores:
            return np.zeros_like(scores)
        return np.interp(scores, self.scores, self.probabilities).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Bin:
    """Candidates that were given about the same probability."""

    count: int
    said: float
    true: float


def reliability(probabilities: Floats, labels: Floats, bins: int = 10) -> tuple[Bin, ...]:
    """What was said beside what was true, in bins of equal width."""
    place = np.minimum((probabilities * bins).astype(np.intp), bins - 1)
    found = []
    for number in range(bins):
        here = place == number
        if here.any():
            found.append(Bin(int(here.sum()), float(probabilities[here].mean()), float(labels[here].mean())))
    return tuple(found)


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: the mean distance of said and true, weighted by counts."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.said - one.true) for one in bins) / total if total else 0.0


def expected_coverage(probabilities: Floats, k: int) -> float:
    """The share of a proof's references that its first k suggestions should hold, if the probabilities are right."""
    ordered = np.sort(probabilities)[::-1]
    total = float(ordered.sum())
    return float(ordered[:k].sum()) / total if total > 0 else 0.0
