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
from naturalproofs.evaluation.measures import Floats, Measure, Results

RESAMPLES = 2_000
PERMUTATIONS = 10_000

_CELLS = 4_000_000
"""Random numbers held in memory at a time."""
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


def randomisation_test(
    first: Results, second: Results, measure: Measure[Any], *, permutations: int = PERMUTATIONS, seed: int = 0
) -> tuple[float, float]:
    """The difference of two runs, first minus second, and its two-sided p-value.

    Under the null hypothesis the two outcomes of a query can be swapped. With few queries all swaps are enumerated and
    p is exact; otherwise swaps are sampled and the observed one is counted too, so p is never zero. Noreen,
    Computer-Intensive Methods for Testing Hypotheses, 1989; Smucker, Allan and Carterette, CIKM 2007.
    """
    one, other = _paired(first, second, measure)
    # Swapping equal outcomes has no effect.
    differing = np.flatnonzero((one != other).any(axis=1))
    total, opposite = one.sum(axis=0), other.sum(axis=0)
    observed = float(measure.value(total) - measure.value(opposite))
    if len(differing) == 0 or np.isnan(observed):
        return observed, 1.0
    change = other[differing] - one[differing]
    exact = len(differing) <= int(np.log2(permutations))
    extreme = 0
    for swaps in _all_swaps(len(differing)) if exact else _sampled_swaps(len(differing), permutations, seed):
        moved = swaps @ change
        differences = measure.value(total + moved) - measure.value(opposite - moved)
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(observed) - _SAME))
    return observed, extreme / 2 ** len(differing) if exact else (extreme + 1) / (permutations + 1)


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
    found = [
        randomisation_test(runs[one], runs[other], measure, permutations=permutations, seed=seed)
        for one, other, measure in tests
    ]
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


def _sampled_swaps(size: int, permutations: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    for rows in _blocks(permutations, size):
        yield generator.integers(2, size=(rows, size), dtype=np.int8).astype(np.float64)


def _all_swaps(size: int) -> Iterator[Floats]:
    yield (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(np.float64)


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
