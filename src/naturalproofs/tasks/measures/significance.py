"""Bootstrap confidence intervals, paired randomisation tests, and Holm's correction.

All random numbers come from one seeded generator, so results are reproducible. Queries are resampled or swapped and the
aggregate is computed again, so micro-averages and corpus BLEU are handled like means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from naturalproofs.errors import NotComparable
from naturalproofs.tasks.measures.retrieval import Floats, Measure, Results

RESAMPLES = 2_000
PERMUTATIONS = 10_000

_CELLS = 4_000_000
"""Numbers of one array held in memory at a time."""
_SAME = 1e-12
"""Tolerance for rounding when differences are compared."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference of two runs in one measure, first minus second."""

    first: str
    second: str
    measure: Measure[Any]
    difference: float
    p: float
    """Two-sided p-value."""
    adjusted: float
    """The p-value after Holm's correction over all comparisons."""


def bootstrap_intervals(
    results: Results, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> dict[Measure[Any], tuple[float, float]]:
    """Percentile bootstrap intervals of all measures, over the same resamples of the queries.

    Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    """
    generator = np.random.default_rng(seed)
    drawn: dict[Measure[Any], list[Floats]] = {measure: [] for measure in results.parts}
    for weights in _resamples(len(results.queries), resamples, generator):
        for measure, parts in results.parts.items():
            drawn[measure].append(measure.value(weights @ parts))
    return {measure: _percentiles(values, level) for measure, values in drawn.items()}


def shown_intervals(
    results: Results, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, tuple[float | None, float | None]]:
    """The bootstrap intervals by name of the measure, as values are shown."""
    found = bootstrap_intervals(results, resamples=resamples, seed=seed)
    return {str(measure): (measure.shown(low), measure.shown(high)) for measure, (low, high) in found.items()}


class _Pair:
    """Two runs and a measure: the difference, and what swapping the outcomes of a query changes."""

    def __init__(self, first: Results, second: Results, measure: Measure[Any]) -> None:
        one, other = _paired(first, second, measure)
        self.measure = measure
        self.change = other - one
        self.total, self.opposite = one.sum(axis=0), other.sum(axis=0)
        self.observed = float(measure.value(self.total) - measure.value(self.opposite))
        # Swapping equal outcomes has no effect.
        self.differing = np.flatnonzero(self.change.any(axis=1))

    def extreme(self, moved: Floats) -> int:
        """How many swaps give at least the observed difference."""
        differences = self.measure.value(self.total + moved) - self.measure.value(self.opposite - moved)
        return int(np.count_nonzero(np.abs(differences) >= abs(self.observed) - _SAME))


def _tests(pairs: Sequence[_Pair], permutations: int, seed: int) -> list[tuple[float, float]]:
    """The difference, first minus second, and the two-sided p-value of each pair; all use the same swaps.

    Under the null hypothesis the two outcomes of a query can be swapped. With few queries all swaps are enumerated and
    p is exact; otherwise swaps are sampled and the observed one is counted too, so p is never zero. Noreen,
    Computer-Intensive Methods for Testing Hypotheses, 1989; Smucker, Allan and Carterette, CIKM 2007.
    """
    found: list[tuple[float, float]] = [(pair.observed, 1.0) for pair in pairs]
    sampled: list[int] = []
    for number, pair in enumerate(pairs):
        differing = len(pair.differing)
        if differing == 0 or np.isnan(pair.observed):
            continue
        if differing <= int(np.log2(permutations)):
            swaps = np.arange(2**differing)[:, None] >> np.arange(differing) & 1
            moved = swaps.astype(np.float64) @ pair.change[pair.differing]
            found[number] = pair.observed, pair.extreme(moved) / 2**differing
        else:
            sampled.append(number)
    if sampled:
        changes = np.hstack([pairs[number].change for number in sampled])
        ends = np.cumsum([pairs[number].change.shape[1] for number in sampled])[:-1]
        extreme = np.zeros(len(sampled), dtype=np.int64)
        generator = np.random.default_rng(seed)
        for rows in _blocks(permutations, max(changes.shape)):
            swaps = generator.integers(2, size=(rows, len(changes)), dtype=np.int8).astype(np.float64)
            parts = np.split(swaps @ changes, ends, axis=1)
            extreme += [pairs[number].extreme(moved) for number, moved in zip(sampled, parts, strict=True)]
        for number, count in zip(sampled, extreme, strict=True):
            found[number] = pairs[number].observed, (int(count) + 1) / (permutations + 1)
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for multiple comparisons; each can be compared with the family-wise level.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 1979.
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, stepped)
    return [float(value) for value in adjusted]


def compare(
    runs: Mapping[str, Results],
    measures: Sequence[Measure[Any]],
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """Test every pair of runs in every measure, corrected together."""
    tests = [(one, other, measure) for one, other in combinations(runs, 2) for measure in measures]
    found = _tests([_Pair(runs[one], runs[other], measure) for one, other, measure in tests], permutations, seed)
    adjusted = holm([p for _, p in found])
    return tuple(
        Comparison(*names, difference, p, corrected)
        for names, (difference, p), corrected in zip(tests, found, adjusted, strict=True)
    )


def _paired(first: Results, second: Results, measure: Measure[Any]) -> tuple[Floats, Floats]:
    if first.queries != second.queries:
        raise NotComparable(
            f"the runs have different queries ({len(first.queries)} and {len(second.queries)}); "
            "compare runs of the same corpus, split and protocol"
        )
    if measure not in first.parts or measure not in second.parts:
        raise NotComparable(f"one of the runs lacks the measure {measure}; evaluate it again with that measure")
    return first.parts[measure], second.parts[measure]


def _resamples(size: int, resamples: int, generator: np.random.Generator) -> Iterator[Floats]:
    """How often each query is drawn, one row per resample, in blocks."""
    for rows in _blocks(resamples, size):
        drawn = generator.integers(size, size=(rows, size)) if size else np.empty((rows, 0), dtype=np.int64)
        drawn += np.arange(rows)[:, None] * size
        yield np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)


def _blocks(count: int, width: int) -> Iterator[int]:
    rows = max(1, _CELLS // max(1, width))
    for start in range(0, count, rows):
        yield min(rows, count - start)


def _percentiles(values: Sequence[Floats], level: float) -> tuple[float, float]:
    counted = np.concatenate(values)
    counted = counted[~np.isnan(counted)]
    if len(counted) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(counted, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
