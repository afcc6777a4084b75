r"""Commutative diagrams: the grid and the arrows of ``tikzcd``, ``\xymatrix`` and ``CD``.

The usual cases are read: objects in a grid, arrows between them with labels, styles, bends and shifts. A diagram with
anything else is refused as a whole, and its source is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from naturalproofs.sources.latex.display.cursor import CannotRender
from naturalproofs.sources.latex.display.formula import split_cells
from naturalproofs.sources.latex.scan.arguments import read_group, read_option

_MAX_CELLS = 120
_MAX_ARROWS = 160


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an arrow: its source, and its side (1 left of the direction of travel, -1 right, 0 on the line)."""

    source: str
    side: int


@dataclass(frozen=True, slots=True)
class DiagramArrow:
    """An arrow between two cells (row, column)."""

    start: tuple[int, int]
    end: tuple[int, int]
    labels: tuple[Label, ...] = ()
    line: str = "solid"
    """solid, dashed, dotted, double, squiggly or none."""
    tail: str = ""
    """hook, tail or bar."""
    head: str = "head"
    """head, two, none or both."""
    bend: float = 0.0
    """How far it bends to the left of its direction, in degrees."""
    shift: float = 0.0
    """How far it is moved to the left of its direction, in lines."""


@dataclass(frozen=True, slots=True)
class GridDiagram:
    """Objects by row and column, and arrows."""

    cells: tuple[tuple[str, ...], ...]
    arrows: tuple[DiagramArrow, ...]


def read_diagram(kind: str, body: str) -> GridDiagram:
    """The grid of a diagram; raises CannotRender for what is not a grid with arrows."""
    if kind.rstrip("*") == "tikzcd":
        found = _read_cells(body.split("]", 1)[1] if body.lstrip().startswith("[") else body, _tikz_arrows)
    elif kind == "xymatrix":
        found = _read_cells(body, _xy_arrows)
    elif kind == "CD":
        found = _read_cd(body)
    else:
        raise CannotRender(f"{kind} is not a grid")
    if sum(map(len, found.cells)) > _MAX_CELLS or len(found.arrows) > _MAX_ARROWS or not found.cells:
        raise CannotRender("a very large diagram")
    height, width = len(found.cells), max(map(len, found.cells))
    for arrow in found.arrows:
        for row, column in (arrow.start, arrow.end):
            if not (0 <= row < height and 0 <= column < width):
                raise CannotRender("an arrow leads out of the diagram")
    return replace(found, cells=tuple((*cells, *[""] * (width - len(cells))) for cells in found.cells))


_CellReader = Callable[[str, tuple[int, int]], tuple[str, list[DiagramArrow]]]
"""From the source of a cell and its place to the object and the arrows that start there."""


def _read_cells(body: str, read: _CellReader) -> GridDiagram:
    cells: list[tuple[str, ...]] = []
    arrows: list[DiagramArrow] = []
    rows = split_cells(body)
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    for row, sources in enumerate(rows):
        objects = []
        for column, source in enumerate(sources):
            shown, found = read(source, (row, column))
            objects.append(shown.strip())
            arrows.extend(found)
        cells.append(tuple(objects))
    return GridDiagram(tuple(cells), tuple(arrows))


def _is_direction(source: str) -> bool:
    return not source.strip("lrud")


def _moved(start: tuple[int, int], directions: str) -> tuple[int, int]:
    return (
        start[0] + directions.count("d") - directions.count("u"),
        start[1] + directions.count("r") - directions.count("l"),
    )


# tikzcd

_ARROW = re.compile(r"\\(?:arrow|ar|([lrud]{1,4})ar)(?![a-zA-Z])")
_QUOTED = re.compile(
    r'"((?:[^"{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\})*+)"(\')?\s*+(\{[^{}]*+\}|description|swap)?+'
)
_SWAPPED = frozenset({"swap", "'"})
_STYLES: Mapping[str, Mapping[str, str]] = {
    name: style
    for names, style in (
        ("dashed|dashrightarrow|densely dashed", {"line": "dashed"}),
        ("dotted|densely dotted|loosely dotted", {"line": "dotted"}),
        ("equal|equals", {"line": "double", "head": "none"}),
        ("Rightarrow|Leftarrow", {"line": "double"}),
        ("Leftrightarrow", {"line": "double", "head": "both"}),
        ("leftrightarrow", {"head": "both"}),
        ("squiggly|rightsquigarrow|leadsto", {"line": "squiggly"}),
        ("phantom", {"line": "none", "head": "none"}),
        ("hook|hook'|hookrightarrow|hookleftarrow", {"tail": "hook"}),
        ("tail|rightarrowtail", {"tail": "tail"}),
        ("mapsto|maps to", {"tail": "bar"}),
        ("two heads|twoheadrightarrow", {"head": "two"}),
        ("no head|dash|-", {"head": "none"}),
    )
    for name in names.split("|")
}
_REVERSED = frozenset({"leftarrow", "Leftarrow", "hookleftarrow", "twoheadleftarrow", "leftarrowtail"})
_HARMLESS = re.compile(
    r"(?:crossing over|sloped|(?:very )?near (?:start|end)|yshift|xshift|pos|name|color|text|draw|thick|marking"
    r"|very thick|thin|start anchor|end anchor|outer sep|inner sep|shorten|description|rightarrow|to head|red|blue"
    r"|green|orange|gray|black|purple|teal|magenta|cyan|brown|violet|labels|shorten [<>]|[a-z]+![0-9!a-z]*|line width)"
    r"(?:\s*[=<>].*)?|",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?\d*\.?\d+")


def _tikz_arrows(source: str, start: tuple[int, int]) -> tuple[str, list[DiagramArrow]]:
    shown: list[str] = []
    found: list[DiagramArrow] = []
    at = 0
    while match := _ARROW.search(source, at):
        shown.append(source[at : match.start()])
        at, option = match.end(), read_option(source, match.end())
        if option is not None and (match[1] is None or '"' in option.text or read_group(source, option.end) is None):
            # \arrow[r, "f"] or \rar["f"]
            at = option.end
            found.append(_tikz_arrow(f"{match[1] or ''},{option.text}", start))
            continue
        group = None if match[1] else read_group(source, at)
        if group is None and not match[1]:
            raise CannotRender("an arrow without its options")
        at = group.end if group else at
        labels, at = _old_labels(source, at)
        found.append(replace(_tikz_arrow(group.text if group else match[1], start), labels=labels))
    text = "".join([*shown, source[at:]])
    if text.lstrip().startswith("|["):
        raise CannotRender("a styled cell")
    return text, found


def _old_labels(source: str, at: int) -> tuple[tuple[Label, ...], int]:
    r"""The labels behind ``\arrow{u}[swap]{g}{h}``: the second one stands on the other side."""
    labels: list[Label] = []
    while len(labels) < 2:
        option = read_option(source, at)
        label = read_group(source, option.end if option else at)
        if label is None:
            break
        if option is not None and option.text.strip() != "swap":
            raise CannotRender("a label that is not understood")
        labels.append(Label(label.text, -1 if labels or option else 1))
        at = label.end
    return tuple(label for label in labels if label.source), at


def _tikz_arrow(options: str, start: tuple[int, int]) -> DiagramArrow:
    arrow = DiagramArrow(start, start)
    labels: list[Label] = []
    swap = backwards = False
    for option in _options(options):
        if option.startswith('"'):
            labels.append(_tikz_label(option))
        elif option in _SWAPPED:
            swap = True
        else:
            backwards = backwards or option in _REVERSED
            arrow = _placed(arrow, option, start) or _styled(arrow, option)
    if swap:
        labels = [replace(label, side=-label.side) for label in labels]
    arrow = replace(arrow, labels=tuple(labels))
    if arrow.start == arrow.end:
        raise CannotRender("a loop")
    if backwards:
        turned = tuple(replace(label, side=-label.side) for label in arrow.labels)
        arrow = replace(arrow, start=arrow.end, end=arrow.start, labels=turned, bend=-arrow.bend, shift=-arrow.shift)
    return arrow


def _tikz_label(option: str) -> Label:
    quoted = _QUOTED.match(option)
    if quoted is None:
        raise CannotRender("a label that is not closed")
    extra = (quoted[3] or "") + option[quoted.end() :]
    if not all(_HARMLESS.fullmatch(one.strip()) or one.strip() == "swap" for one in extra.strip("{} ").split(",")):
        raise CannotRender("a label that is not understood")
    side = 0 if "description" in extra else -1 if quoted[2] or "swap" in extra else 1
    text = quoted[1]
    return Label(text[1:-1] if text.startswith("{") and text.endswith("}") else text, side)


def _placed(arrow: DiagramArrow, option: str, start: tuple[int, int]) -> DiagramArrow | None:
    """The arrow with another place, if that is what an option says."""
    key, _, value = (part.strip() for part in option.partition("="))
    number = _NUMBER.search(value)
    if option and _is_direction(option):
        return replace(arrow, end=_moved(start, option))
    row, _, column = value.partition("-")
    if key in ("from", "to") and row.isdecimal() and column.isdecimal():
        cell = (int(row[:4]) - 1, int(column[:4]) - 1)
        return replace(arrow, start=cell) if key == "from" else replace(arrow, end=cell)
    if key == "to" and value and _is_direction(value):
        return replace(arrow, end=_moved(start, value))
    if key in ("bend left", "bend right"):
        degrees = float(number[0]) if number else 30.0
        return replace(arrow, bend=degrees if key == "bend left" else -degrees)
    if key in ("shift left", "shift right"):
        lines = min(float(number[0]), 4.0) if number else 1.0
        return replace(arrow, shift=arrow.shift + (lines if key == "shift left" else -lines))
    return None


def _styled(arrow: DiagramArrow, option: str) -> DiagramArrow:
    if option not in _STYLES and option not in _REVERSED and not _HARMLESS.fullmatch(option):
        raise CannotRender(f"{option} is not understood")
    return replace(arrow, **_STYLES.get(option, {}))  # type: ignore[arg-type]


def _options(source: str) -> Iterator[str]:
    """Options split at commas outside of groups and quotes."""
    depth, quoted, start = 0, False, 0
    for index, character in enumerate(source):
        if character == '"' and depth == 0:
            quoted = not quoted
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0 and not quoted:
            yield " ".join(source[start:index].split())
            start = index + 1
    if last := " ".join(source[start:].split()):
        yield last


# xymatrix

_XY_STYLE = re.compile(
    r"@(?:\d?\{(?P<shaft>(?:[^{}]|\{[^{}]*\})*)\}|/(?P<curve>[^/]*)/|<(?P<shift>[^<>]*)>|(?P<old>[-=.~]+>?))"
)
_XY_LABEL = re.compile(r"\s*+([\^_|])\s*+(?:[-+<>!]|\(\s*+\.?+\d*+\.?+\d*+\s*+\))*+\s*+(\\[a-zA-Z]+|[^\s{])?+")
_XY_SHAFTS = {
    "->": {}, "": {"line": "none", "head": "none"}, "-": {"head": "none"}, "-->": {"line": "dashed"},
    "--": {"line": "dashed", "head": "none"}, ".>": {"line": "dotted"}, "..>": {"line": "dotted"},
    ".": {"line": "dotted", "head": "none"}, "=": {"line": "double", "head": "none"}, "=>": {"line": "double"},
    "->>": {"head": "two"}, "^(->": {"tail": "hook"}, "_(->": {"tail": "hook"}, "^{(}->": {"tail": "hook"},
    "_{(}->": {"tail": "hook"}, ">->": {"tail": "tail"}, ">->>": {"tail": "tail", "head": "two"},
    "|->": {"tail": "bar"}, "~>": {"line": "squiggly"}, "<->": {"head": "both"},
    "<=>": {"line": "double", "head": "both"},
    "^{(}-->": {"tail": "hook", "line": "dashed"}, "-->>": {"line": "dashed", "head": "two"},
    "~": {"line": "squiggly", "head": "none"},
}  # fmt: skip


def _xy_arrows(source: str, start: tuple[int, int]) -> tuple[str, list[DiagramArrow]]:
    shown: list[str] = []
    found: list[DiagramArrow] = []
    at = 0
    while match := _ARROW.search(source, at):
        shown.append(source[at : match.start()])
        arrow, at = _xy_arrow(source, match.end(), start)
        found.append(arrow)
    return re.sub(r"^\s*\*?\+?(?:\[[A-Z]\])?", "", "".join([*shown, source[at:]])), found


def _xy_arrow(source: str, at: int, start: tuple[int, int]) -> tuple[DiagramArrow, int]:
    arrow, labels = DiagramArrow(start, start), []
    while True:
        if style := _XY_STYLE.match(source, at):
            at = style.end()
            arrow = _xy_styled(arrow, style)
        elif arrow.end == start and (target := read_option(source, at)) and _is_direction(target.text):
            arrow, at = replace(arrow, end=_moved(start, target.text)), target.end
        elif label := _XY_LABEL.match(source, at):
            group = read_group(source, label.end())
            if label[2] is None and group is None:
                raise CannotRender("a label is missing")
            text, at = (group.text, group.end) if group and label[2] is None else (label[2] or "", label.end())
            labels.append(Label(text, {"^": 1, "_": -1, "|": 0}[label[1]]))
        else:
            break
    if arrow.end == start:
        raise CannotRender("a loop, or an arrow without target")
    return replace(arrow, labels=tuple(label for label in labels if label.source)), at


def _xy_styled(arrow: DiagramArrow, style: re.Match[str]) -> DiagramArrow:
    if (curve := style["curve"]) is not None:
        return replace(arrow, bend=-35.0 if curve.startswith("_") else 35.0)
    if (shift := style["shift"]) is not None:
        number = _NUMBER.search(shift)
        return replace(arrow, shift=(1.0 if number is None or not number[0].startswith("-") else -1.0))
    shaft = style["shaft"] if style["shaft"] is not None else style["old"]
    if shaft in ("<-", "<--", "<="):
        raise CannotRender("an arrow that is drawn backwards")
    if shaft not in _XY_SHAFTS:
        raise CannotRender(f"the arrow {shaft}")
    return replace(arrow, **_XY_SHAFTS[shaft])  # type: ignore[arg-type]


# CD

_CD_ARROW = re.compile(
    r"@(?:(?P<character>[><VA])(?P<first>[^@]*?)(?P=character)(?P<second>[^@]*?)(?P=character)|(?P<line>[=|.]))"
)


def _read_cd(body: str) -> GridDiagram:
    """Rows of objects with arrows between them, and below each row those that lead down from its columns."""
    cells: list[tuple[str, ...]] = []
    arrows: list[DiagramArrow] = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", body.replace("@)))", "@>>>").replace("@(((", "@<<<")):
        found = list(_CD_ARROW.finditer(line))
        down = any(match["character"] in ("V", "A") or match["line"] == "|" for match in found)
        if not down and line.strip():
            edges = [0, *(edge for match in found for edge in match.span()), len(line)]
            cells.append(tuple(line[a:b].strip() for a, b in zip(edges[::2], edges[1::2], strict=True)))
        row = len(cells) - 1
        for column, match in enumerate(found):
            if match["line"] != ".":
                arrows.append(_cd_arrow(match, (row, column), (row + 1, column) if down else (row, column + 1)))
    return GridDiagram(tuple(cells), tuple(arrows))


def _cd_arrow(match: re.Match[str], first: tuple[int, int], second: tuple[int, int]) -> DiagramArrow:
    if match["line"]:
        return DiagramArrow(first, second, line="double", head="none")
    backwards = match["character"] in ("<", "A")
    # Above or to the left comes first; going right, left of the direction is above; going down it is to the right.
    sides = {">": (1, -1), "<": (-1, 1), "V": (-1, 1), "A": (1, -1)}[match["character"]]
    texts = (match["first"].strip(), match["second"].strip())
    labels = tuple(Label(text, side) for text, side in zip(texts, sides, strict=True) if text)
    return DiagramArrow(second, first, labels) if backwards else DiagramArrow(first, second, labels)


# Drawing: objects and labels are MathML inside the SVG, arrows are lines with heads.


_CHARACTER = 9.5
"""Width of one character, in pixels."""
_LEFT = -1j
"""Turns a direction to its left, on a page whose y grows downwards. Points are complex numbers."""
_LINE = 24.0
_GAP_X, _GAP_Y = 58.0, 46.0
_PAD = 7.0
_SMALL = 0.8
"""Size of labels, relative to objects."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A formula: its markup and how many characters wide it is."""

    markup: str
    width: int


Render = Callable[[str], Rendered]


def draw(diagram: GridDiagram, render: Render) -> str:
    """The SVG of a diagram; `render` makes the markup of a formula."""
    cells = [[render(cell) if cell else Rendered("", 0) for cell in row] for row in diagram.cells]
    columns = len(cells[0])
    widths = [max(row[column].width for row in cells) * _CHARACTER + 2 * _PAD for column in range(columns)]
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
    tall = [any("<mfrac" in cell.markup or "<mtable" in cell.markup for cell in row) for row in cells]
    lines = [_LINE * (2 if one else 1.25) for one in tall]
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
    return label.width * _CHARACTER * _SMALL + 4


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
            cell.markup, self._centre(row, column), cell.width * _CHARACTER + 2 * _PAD, self.heights[row], "object"
        )

    def arrow(self, arrow: DiagramArrow) -> list[str]:
        """The line, the head, the tail and the labels."""
        start, end = self._centre(*arrow.start), self._centre(*arrow.end)
        direction = _unit(end - start)
        left = _LEFT * direction
        aside = left * arrow.shift * 4.0
        start = start + direction * self._edge(*arrow.start, direction) + aside
        end = end - direction * self._edge(*arrow.end, direction) + aside
        rise = math.tan(math.radians(max(-70.0, min(70.0, arrow.bend)))) * abs(end - start) / 2
        control = (start + end) / 2 + left * rise if rise else None
        parts = [] if arrow.line == "none" else _line(arrow, start, control, end)
        # A quadratic curve passes half way to its control point.
        anchor = (start + end) / 2 + left * rise / 2
        for label in arrow.labels:
            made = self.render(label.source)
            width = _label_width(made)
            away = label.side * (abs(left.real) * width / 2 + abs(left.imag) * 11 + 2)
            kind = "label on" if label.side == 0 and arrow.line != "none" else "label"
            at = anchor + left * away
            self.left, self.right = min(self.left, at.real - width / 2), max(self.right, at.real + width / 2)
            parts.append(_box(made.markup, at, width, 20.0, kind))
        return parts

    def _centre(self, row: int, column: int) -> complex:
        return complex(self.x[column], self.y[row])

    def _edge(self, row: int, column: int, direction: complex) -> float:
        """How far the edge of an object lies from its middle in a direction."""
        across, down = abs(direction.real), abs(direction.imag)
        half_x = (self.cells[row][column].width * _CHARACTER) / 2 + _PAD
        half_y = self.heights[row] / 2 - 2
        return min(half_x / across if across else math.inf, half_y / down if down else math.inf)


def _line(arrow: DiagramArrow, start: complex, control: complex | None, end: complex) -> list[str]:
    """The line of an arrow, straight or curved, with its head and its tail."""
    out = _unit((end if control is None else control) - start)
    into = _unit(end - (start if control is None else control))
    dash = {"dashed": ' stroke-dasharray="5 4"', "dotted": ' stroke-dasharray="1.5 3"'}.get(arrow.line, "")
    paths = []
    for aside in (-1.8, 1.8) if arrow.line == "double" else (0.0,):
        first, last = start + _LEFT * out * aside, end + _LEFT * into * aside
        if control is not None:
            paths.append(f"M{_point(first)}Q{_point(control + _LEFT * into * aside)} {_point(last)}")
        elif arrow.line == "squiggly":
            paths.append(_squiggle(first, last))
        else:
            paths.append(f"M{_point(first)}L{_point(last)}")
    parts = [f'<path d="{path}"{dash}/>' for path in paths]
    ends = []
    if arrow.head in ("head", "two", "both"):
        ends.append(_head(end, into))
    if arrow.head == "two":
        ends.append(_head(end - into * 5, into))
    if arrow.head == "both":
        ends.append(_head(start, -out))
    if arrow.tail == "tail":
        ends.append(_head(start + out * 5, out))
    if arrow.tail == "bar":
        ends.append(f"M{_point(start - _LEFT * out * 4)}L{_point(start + _LEFT * out * 4)}")
    if arrow.tail == "hook":
        back, left = start - out * 5, _LEFT * out * 5
        ends.append(f"M{_point(start)}C{_point(back)} {_point(back + left)} {_point(start + left)}")
    return [*parts, *(f'<path d="{path}"/>' for path in ends)]


def _box(markup: str, centre: complex, width: float, height: float, kind: str) -> str:
    x, y = centre.real - width / 2, centre.imag - height / 2
    return (
        f'<foreignObject x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}">'
        f'<div class="{kind}">{markup}</div></foreignObject>'
    )


def _unit(way: complex) -> complex:
    return way / (abs(way) or 1.0)


def _point(place: complex) -> str:
    return f"{place.real:.1f} {place.imag:.1f}"


def _head(tip: complex, direction: complex) -> str:
    """Two strokes that meet at the tip."""
    back, left = tip - direction * 6, _LEFT * direction * 3.5
    return f"M{_point(back + left)}L{_point(tip)}L{_point(back - left)}"


def _squiggle(start: complex, end: complex) -> str:
    direction, length = _unit(end - start), abs(end - start)
    steps = max(2, int(length // 6))
    points = [start]
    points += [
        start + direction * (length * step / steps) + _LEFT * direction * (2.2 if step % 2 else -2.2)
        for step in range(1, steps)
    ]
    return f"M{'L'.join(map(_point, [*points, end]))}"
