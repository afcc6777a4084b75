"""Geometry of the plots; the template `_charts.html` draws them as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from naturalproofs.tasks.measures.ranks import CalibrationCurve

WIDTH, HEIGHT = 520, 250
_LEFT, _BOTTOM, _TOP, _RIGHT = 52, 42, 26, 14
_FLOOR = HEIGHT - _BOTTOM
_INNER = WIDTH - _LEFT - _RIGHT


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with two axes: columns or dots."""

    title: str
    x: str
    y: str
    grid: list[tuple[str, float]]
    """Horizontal lines: label and height."""
    ticks: list[tuple[str, float]]
    """Labels below the horizontal axis."""
    bars: list[tuple[str, float, float, float, float]] = field(default_factory=list)
    """Columns: label, corner, width and height."""
    dots: list[tuple[str, float, float]] = field(default_factory=list)
    line: list[tuple[float, float]] = field(default_factory=list)
    """A broken line through these points."""
    diagonal: tuple[float, float, float, float] | None = None
    """From, to: where both axes have the same value."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    floor: int = _FLOOR


def columns(title: str, heights: Mapping[str, int], x: str, y: str) -> Plot:
    """A distribution over small numbers."""
    top = max([*heights.values(), 1])
    step = _INNER / max(len(heights), 1)
    bars = []
    for position, (name, height) in enumerate(heights.items()):
        tall = (_FLOOR - _TOP) * height / top
        bars.append((f"{name}: {height:,}", _LEFT + position * step + step * 0.1, _FLOOR - tall, step * 0.8, tall))
    every = max(1, len(heights) // 12)
    ticks = [
        (name, _LEFT + position * step + step / 2)
        for position, name in enumerate(heights)
        if position % every == 0 or position == len(heights) - 1
    ]
    grid = [(f"{value:,.0f}", _FLOOR - (_FLOOR - _TOP) * value / top) for value in _round_values(top)]
    return Plot(title, x, y, grid, ticks, bars=bars)


def calibration(title: str, curve: CalibrationCurve) -> Plot:
    """Stated probabilities and how often they held; on the diagonal they hold exactly."""

    def across(value: float) -> float:
        # The last label stands on both sides of its place.
        return _LEFT + (_INNER - _RIGHT) * value

    def up(value: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * value

    steps = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    points = [
        (
            f"{one.suggestions:,} suggestions: stated {one.stated:.1%}, cited {one.cited:.1%}",
            across(one.stated),
            up(one.cited),
        )
        for one in curve.bins
    ]
    return Plot(
        title,
        x="stated probability",
        y="cited",
        grid=[(f"{value:.0%}", up(value)) for value in steps],
        ticks=[(f"{value:.0%}", across(value)) for value in steps],
        dots=points,
        line=[(x, y) for _, x, y in points],
        diagonal=(across(0), up(0), across(1), up(1)),
    )


def _round_values(top: int) -> list[int]:
    """At most six round values from zero to the top."""
    step = next(step for power in count() for step in (10**power, 2 * 10**power, 5 * 10**power) if top <= 5 * step)
    return list(range(0, top + 1, step))
