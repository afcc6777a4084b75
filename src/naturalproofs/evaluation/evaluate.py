"""Measure every query first, and derive the aggregates from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from naturalproofs.evaluation.measure import Floats, Measure


class _Named(Protocol):
    @property
    def query(self) -> str: ...


Outcome = TypeVar("Outcome", bound=_Named)


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """What each query contributes to each measure."""

    queries: tuple[str, ...]
    parts: Mapping[Measure[Any], Floats]
    """For each measure a row for each query."""

    def per_query(self, measure: Measure[Any]) -> Floats:
        """The measure of each query; not a number where a query does not count."""
        return measure.value(self.parts[measure])

    def total(self, measure: Measure[Any]) -> float:
        """The measure of all queries together."""
        return float(measure.value(self.parts[measure].sum(axis=0)))

    def aggregate(self) -> dict[Measure[Any], float]:
        """Every measure of all queries together."""
        return {measure: self.total(measure) for measure in self.parts}

    def shown(self) -> dict[str, float | None]:
        """The aggregates by name as people read them, in percent where that is meant."""
        return {str(measure): measure.shown(value) for measure, value in self.aggregate().items()}


def evaluate(outcomes: Sequence[Outcome], measures: Sequence[Measure[Outcome]]) -> Results:
    """Measure the outcome of each query: ranked queries by retrieval measures, sequences by generation measures."""
    parts = {
        measure: np.array([measure.parts(outcome) for outcome in outcomes], dtype=np.float64).reshape(-1, measure.width)
        for measure in measures
    }
    return Results(tuple(outcome.query for outcome in outcomes), parts)
