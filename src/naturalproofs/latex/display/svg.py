"""Diagrams as SVG: objects and labels are MathML inside, arrows are lines with heads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from naturalproofs.latex.display.diagram import DiagramArrow, GridDiagram

_SIGN = 9.5
"""Width of one character, in pixels."""
_LINE = 24.0
_GAP_X, _GAP_Y = 58.0, 46.0
_PAD = 7.0
_SMALL = 0.8
"""Size of labels, relative to objects."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A formula: its markup and how many characters wide it is."""

    markup: str
    signs: int


Render = Callable[[str], Rendered]


def draw(diagram: GridDiagram, render: Render) -> str:
    """The SVG of a diagram; `render` makes the markup of a formula."""
    cells = [[render(cell) if cell else Rendered("", 0) for cell in row] for row in diagram.cells]
    columns = len(cells[0])
    widths = [max(row[column].signs for row in cells) * _SIGN + 2 * _PAD for column in range(columns)]
    gaps = [_GAP_X] * max(columns - 1, 0)
    for arrow in diagram.arrows:
        (row, left), (end_row, right) = sorted((arrow.start, arrow.end), key=lambda cell: cell[1])
        longest = max((_label_width(render(label.source)) for label in arrow.labels), default=0.0)
        if row == end_row and right == left + 1:
            gaps[left] = max(gaps[left], longest + 26)
        elif left == right:
            # A label beside a vertical arrow keeps clear of the next column.
            for gap in range(max(left - 1, 0), min(left + 1, len(gaps))):
                gaps[gap] = max(gaps[gap], longest + 16 - widths[left] / 2)
    lines = [_tallest(row) for row in cells]
    centres_x, at = [], 0.0
    for column, width in enumerate(widths):
        centres_x.append(at + width / 2)
        at += width + (gaps[column] if column < len(gaps) else 0)
    total_x, centres_y, at = at, [], 0.0
    for row, height in enumerate(lines):
        centres_y.append(at + height / 2)
        at += height + (_GAP_Y if row + 1 < len(lines) else 0)
    margin = 26.0 if any(arrow.bend or arrow.shift for arrow in diagram.arrows) else 8.0
    frame = _Frame(cells, centres_x, centres_y, lines, render)
    parts = [frame.object(row, column) for row in range(len(cells)) for column in range(columns)]
    parts += [part for arrow in diagram.arrows for part in frame.arrow(arrow)]
    # Labels at the sides may reach beyond the objects.
    first, last = min(-margin, frame.left - 2), max(total_x + margin, frame.right + 2)
    width, height = last - first, at + 2 * margin
    box = f"{first:.0f} {-margin:.0f} {width:.0f} {height:.0f}"
    size = f'viewBox="{box}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg class="diagram" role="img" aria-label="Diagram" {size}>{"".join(parts)}</svg>'


def _label_width(label: Rendered) -> float:
    return label.signs * _SIGN * _SMALL + 4


def _tallest(row: list[Rendered]) -> float:
    return _LINE * (2 if any("<mfrac" in cell.markup or "<mtable" in cell.markup for cell in row) else 1.25)


@dataclass(slots=True)
class _Frame:
    cells: list[list[Rendered]]
    x: list[float]
    y: list[float]
    heights: list[float]
    render: Render
    left: float = 0.0
    right: float = 0.0
    """How far the labels reach."""

    def object(self, row: int, column: int) -> str:
        cell = self.cells[row][column]
        if not cell.markup:
            return ""
        return _box(
            cell.markup, self.x[column], self.y[row], cell.signs * _SIGN + 2 * _PAD, self.heights[row], "object"
        )

    def arrow(self, arrow: DiagramArrow) -> list[str]:
        """The line, the head, the tail and the labels."""
        (row, column), (end_row, end_column) = arrow.start, arrow.end
        x1, y1, x2, y2 = self.x[column], self.y[row], self.x[end_column], self.y[end_row]
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        # The left of the direction of travel, on a page whose y grows downwards.
        nx, ny = uy, -ux
        move = arrow.shift * 4.0
        first = self._edge(row, column, ux, uy)
        last = self._edge(end_row, end_column, ux, uy)
        x1, y1 = x1 + ux * first + nx * move, y1 + uy * first + ny * move
        x2, y2 = x2 - ux * last + nx * move, y2 - uy * last + ny * move
        rise = math.tan(math.radians(max(-70.0, min(70.0, arrow.bend)))) * math.hypot(x2 - x1, y2 - y1) / 2
        middle_x, middle_y = (x1 + x2) / 2 + nx * rise, (y1 + y2) / 2 + ny * rise
        parts = [] if arrow.line == "none" else self._line(arrow, (x1, y1), (middle_x, middle_y), (x2, y2), bool(rise))
        # A quadratic curve passes half way to its control point.
        anchor_x, anchor_y = (x1 + x2) / 2 + nx * rise / 2, (y1 + y2) / 2 + ny * rise / 2
        for label in arrow.labels:
            made = self.render(label.source)
            width = _label_width(made)
            away = label.side * (abs(nx) * width / 2 + abs(ny) * 11 + 2)
            kind = "label on" if label.side == 0 and arrow.line != "none" else "label"
            x, y = anchor_x + nx * away, anchor_y + ny * away
            self.left, self.right = min(self.left, x - width / 2), max(self.right, x + width / 2)
            parts.append(_box(made.markup, x, y, width, 20.0, kind))
        return parts

    def _edge(self, row: int, column: int, ux: float, uy: float) -> float:
        """How far the edge of an object lies from its middle in a direction."""
        half_x = (self.cells[row][column].signs * _SIGN) / 2 + _PAD
        half_y = self.heights[row] / 2 - 2
        return min(half_x / abs(ux) if ux else math.inf, half_y / abs(uy) if uy else math.inf)

    def _line(
        self,
        arrow: DiagramArrow,
        start: tuple[float, float],
        middle: tuple[float, float],
        end: tuple[float, float],
        curved: bool,
    ) -> list[str]:
        out = _unit(start, middle if curved else end)
        into = _unit(middle if curved else start, end)
        dash = {"dashed": ' stroke-dasharray="5 4"', "dotted": ' stroke-dasharray="1.5 3"'}.get(arrow.line, "")
        parts = []
        for aside in (-1.8, 1.8) if arrow.line == "double" else (0.0,):
            a, b, c = (_moved(point, out if point == start else into, aside) for point in (start, middle, end))
            if arrow.line == "squiggly" and not curved:
                path = _squiggle(a, c)
            elif curved:
                path = f"M{a[0]:.1f} {a[1]:.1f}Q{b[0]:.1f} {b[1]:.1f} {c[0]:.1f} {c[1]:.1f}"
            else:
                path = f"M{a[0]:.1f} {a[1]:.1f}L{c[0]:.1f} {c[1]:.1f}"
            parts.append(f'<path d="{path}"{dash}/>')
        if arrow.head in ("head", "two", "both"):
            parts.append(_head(end, into))
        if arrow.head == "two":
            parts.append(_head((end[0] - into[0] * 5, end[1] - into[1] * 5), into))
        if arrow.head == "both":
            parts.append(_head(start, (-out[0], -out[1])))
        if arrow.tail == "tail":
            parts.append(_head((start[0] + out[0] * 5, start[1] + out[1] * 5), out))
        if arrow.tail == "bar":
            nx, ny = out[1] * 4, -out[0] * 4
            parts.append(
                f'<path d="M{start[0] - nx:.1f} {start[1] - ny:.1f}L{start[0] + nx:.1f} {start[1] + ny:.1f}"/>'
            )
        if arrow.tail == "hook":
            nx, ny = out[1] * 5, -out[0] * 5
            x, y = start
            parts.append(
                f'<path d="M{x:.1f} {y:.1f}C{x - out[0] * 5:.1f} {y - out[1] * 5:.1f} '
                f'{x - out[0] * 5 + nx:.1f} {y - out[1] * 5 + ny:.1f} {x + nx:.1f} {y + ny:.1f}"/>'
            )
        return parts


def _box(markup: str, x: float, y: float, width: float, height: float, kind: str) -> str:
    return (
        f'<foreignObject x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}">'
        f'<div class="{kind}">{markup}</div></foreignObject>'
    )


def _unit(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _moved(point: tuple[float, float], direction: tuple[float, float], aside: float) -> tuple[float, float]:
    return point[0] + direction[1] * aside, point[1] - direction[0] * aside


def _head(tip: tuple[float, float], direction: tuple[float, float]) -> str:
    """Two strokes that meet at the tip."""
    (x, y), (ux, uy) = tip, direction
    left = (x - ux * 6 + uy * 3.5, y - uy * 6 - ux * 3.5)
    right = (x - ux * 6 - uy * 3.5, y - uy * 6 + ux * 3.5)
    return f'<path d="M{left[0]:.1f} {left[1]:.1f}L{x:.1f} {y:.1f}L{right[0]:.1f} {right[1]:.1f}"/>'


def _squiggle(start: tuple[float, float], end: tuple[float, float]) -> str:
    ux, uy = _unit(start, end)
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    points = [f"M{start[0]:.1f} {start[1]:.1f}"]
    steps = max(2, int(length // 6))
    for step in range(1, steps):
        aside = 2.2 if step % 2 else -2.2
        along = length * step / steps
        points.append(f"L{start[0] + ux * along + uy * aside:.1f} {start[1] + uy * along - ux * aside:.1f}")
    return "".join([*points, f"L{end[0]:.1f} {end[1]:.1f}"])
