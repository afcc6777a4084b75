"""Plots drawn by ourselves as SVG: they follow the page's colours and need no library."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from naturalproofs.web.html import Html, h

WIDTH, HEIGHT = 520, 250
LONG = 14
"""More bars than this are scrolled."""
_LEFT, _BOTTOM, _TOP, _RIGHT = 52, 42, 26, 14


def columns(title: str, heights: Sequence[int], names: Sequence[str], x: str, y: str) -> Html:
    """Columns side by side: a distribution over small numbers."""
    top = max([*heights, 1])
    step = (WIDTH - _LEFT - _RIGHT) / max(len(heights), 1)
    floor = HEIGHT - _BOTTOM
    parts: list[Html] = [_grid(value, floor - (floor - _TOP) * value / top) for value in _round_values(top)]
    every = max(1, len(names) // 12)
    for position, (height, name) in enumerate(zip(heights, names, strict=True)):
        tall = (floor - _TOP) * height / top
        left = _LEFT + position * step
        bar = h(
            "rect",
            h("title", f"{name}: {height:,}"),
            x=f"{left + step * 0.1:.1f}",
            y=f"{floor - tall:.1f}",
            width=f"{step * 0.8:.1f}",
            height=f"{tall:.1f}",
            class_="bar",
        )
        parts.append(bar)
        if position % every == 0 or position == len(names) - 1:
            parts.append(h("text", name, x=f"{left + step / 2:.1f}", y=floor + 16, class_="tick middle"))
    return _figure(title, parts, x, y, HEIGHT)


def dots(title: str, points: Sequence[tuple[int, int]], x: str, y: str) -> Html:
    """Points on two logarithmic axes: a few large, many small."""
    right, top = (max([log10(point[axis]) for point in points] + [1.0]) for axis in (0, 1))
    floor, wide = HEIGHT - _BOTTOM, WIDTH - _LEFT - _RIGHT
    parts: list[Html] = [_grid(10**n, floor - (floor - _TOP) * n / top) for n in range(int(top) + 1)]
    parts += [
        h("text", f"{10**n:,}", x=f"{_LEFT + wide * n / right:.1f}", y=floor + 16, class_="tick middle")
        for n in range(int(right) + 1)
    ]
    for across, up in points:
        place = {
            "cx": f"{_LEFT + wide * log10(across) / right:.1f}",
            "cy": f"{floor - (floor - _TOP) * log10(up) / top:.1f}",
        }
        parts.append(h("circle", h("title", f"{up:,} are used {across:,} times"), r=3.2, class_="dot", **place))
    return _figure(title, parts, x, y, HEIGHT)


def bars(title: str, rows: Sequence[tuple[str, int, str]], x: str) -> Html:
    """Bars with their names as links: the largest of many."""
    top = max([number for _, number, _ in rows] + [1])
    return h(
        "figure",
        h("figcaption", title),
        h(
            "ol",
            [
                h(
                    "li",
                    h("a", name, href=address) if address else h("span", name),
                    h("meter", value=number, max=top, min=0, aria_label=f"{name}: {number:,} {x}"),
                    h("span", number, class_="figure"),
                )
                for name, number, address in rows
            ],
            class_="bars",
            tabindex=0 if len(rows) > LONG else None,
        ),
        class_="chart",
    )


def _figure(title: str, parts: Sequence[Html], x: str, y: str, height: int) -> Html:
    return h(
        "figure",
        h("figcaption", title),
        h(
            "svg",
            h("title", title),
            parts,
            h("text", x, x=WIDTH - _RIGHT, y=height - 6, class_="axis end"),
            h("text", y, x=0, y=10, class_="axis"),
            viewBox=f"0 0 {WIDTH} {height}",
            role="img",
            aria_label=f"{title}; {y} by {x}",
        ),
        class_="chart",
    )


def _grid(value: float, y: float) -> Html:
    line = h("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid")
    return Html(line + h("text", f"{value:,.0f}", x=_LEFT - 7, y=f"{y + 4:.1f}", class_="tick end"))


def _round_values(top: int) -> list[float]:
    """Four or five round values from nothing to the top."""
    step = 10 ** int(log10(top))
    for finer in (5, 2, 1):
        if top / (step / finer) <= 5:
            step_size = step / finer
            break
    else:
        step_size = step * 2
    return [step_size * n for n in range(int(top / step_size) + 1)] if step_size >= 1 else [0, float(top)]
