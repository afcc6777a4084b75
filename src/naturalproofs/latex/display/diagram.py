r"""Commutative diagrams: the grid and the arrows of ``tikzcd``, ``\xymatrix`` and ``CD``.

The usual cases are read: objects in a grid, arrows between them with labels, styles, bends and shifts. A diagram with
anything else is refused as a whole, and its source is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from naturalproofs.latex.display.cursor import CannotRender
from naturalproofs.latex.display.grid import split
from naturalproofs.latex.scan.arguments import read_group, read_option

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
    rows = split(body)
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


def _moved(start: tuple[int, int], directions: str) -> tuple[int, int]:
    return (
        start[0] + directions.count("d") - directions.count("u"),
        start[1] + directions.count("r") - directions.count("l"),
    )


# tikzcd

_TIKZ_ARROW = re.compile(r"\\(?:arrow|ar|([lrud]{1,4})ar)(?![a-zA-Z])")
_DIRECTION = re.compile(r"[lrud]+")
_PLACE = re.compile(r"(\d+)-(\d+)")
_QUOTED = re.compile(
    r'"((?:[^"{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\})*+)"(\')?\s*+(\{[^{}]*+\}|description|swap)?+'
)
_SWAPPED = frozenset({"swap", "'"})
_LINES = {
    "dashed": "dashed", "dashrightarrow": "dashed", "densely dashed": "dashed", "dotted": "dotted",
    "densely dotted": "dotted", "loosely dotted": "dotted", "equal": "double", "equals": "double",
    "Rightarrow": "double", "Leftarrow": "double", "Leftrightarrow": "double", "squiggly": "squiggly",
    "rightsquigarrow": "squiggly", "leadsto": "squiggly", "phantom": "none",
}  # fmt: skip
_TAILS = {"hook": "hook", "hook'": "hook", "hookrightarrow": "hook", "tail": "tail", "rightarrowtail": "tail",
          "mapsto": "bar", "maps to": "bar", "hookleftarrow": "hook"}  # fmt: skip
_HEADS = {"two heads": "two", "twoheadrightarrow": "two", "no head": "none", "dash": "none", "equal": "none",
          "equals": "none", "phantom": "none", "leftrightarrow": "both", "-": "none",
          "Leftrightarrow": "both"}  # fmt: skip
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
    while match := _TIKZ_ARROW.search(source, at):
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
    option = read_option(text.strip(), 0) if text.strip().startswith("|[") else None
    if option is not None:
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
    if _DIRECTION.fullmatch(option):
        return replace(arrow, end=_moved(start, option))
    if key in ("from", "to") and (place := _PLACE.fullmatch(value)):
        cell = (int(place[1]) - 1, int(place[2]) - 1)
        return replace(arrow, start=cell) if key == "from" else replace(arrow, end=cell)
    if key == "to" and _DIRECTION.fullmatch(value):
        return replace(arrow, end=_moved(start, value))
    if key in ("bend left", "bend right"):
        degrees = float(number[0]) if number else 30.0
        return replace(arrow, bend=degrees if key == "bend left" else -degrees)
    if key in ("shift left", "shift right"):
        lines = min(float(number[0]), 4.0) if number else 1.0
        return replace(arrow, shift=arrow.shift + (lines if key == "shift left" else -lines))
    return None


def _styled(arrow: DiagramArrow, option: str) -> DiagramArrow:
    known = option in _LINES or option in _TAILS or option in _HEADS or option in _REVERSED
    if not known and not _HARMLESS.fullmatch(option):
        raise CannotRender(f"{option} is not understood")
    if option in _LINES:
        arrow = replace(arrow, line=_LINES[option])
    if option in _TAILS:
        arrow = replace(arrow, tail=_TAILS[option])
    if option in _HEADS:
        arrow = replace(arrow, head=_HEADS[option])
    return arrow


def _options(source: str) -> Iterator[str]:
    """Options split at commas outside of groups and quotes."""
    depth, quoted, start = 0, False, 0
    for index, sign in enumerate(source):
        if sign == '"' and depth == 0:
            quoted = not quoted
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0 and not quoted:
            yield " ".join(source[start:index].split())
            start = index + 1
    if last := " ".join(source[start:].split()):
        yield last


# xymatrix

_XY_ARROW = re.compile(r"\\ar(?![a-zA-Z])")
_XY_STYLE = re.compile(
    r"@(?:\d?\{(?P<shaft>(?:[^{}]|\{[^{}]*\})*)\}|/(?P<curve>[^/]*)/|<(?P<shift>[^<>]*)>|(?P<old>[-=.~]+>?))"
)
_XY_TARGET = re.compile(r"\s*\[([lrud]*)\]")
_XY_LABEL = re.compile(r"\s*+([\^_|])\s*+(?:[-+<>!]|\(\s*+\.?+\d*+\.?+\d*+\s*+\))*+\s*+")
_XY_TOKEN = re.compile(r"\\[a-zA-Z]+|\S")
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
    while match := _XY_ARROW.search(source, at):
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
        elif (target := _XY_TARGET.match(source, at)) and arrow.end == start:
            arrow, at = replace(arrow, end=_moved(start, target[1])), target.end()
        elif label := _XY_LABEL.match(source, at):
            text, at = _xy_text(source, label.end())
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


def _xy_text(source: str, at: int) -> tuple[str, int]:
    group = read_group(source, at)
    if group is not None:
        return group.text, group.end
    token = _XY_TOKEN.match(source, at)
    if token is None:
        raise CannotRender("a label is missing")
    return token.group(), token.end()


# CD

_CD_ARROW = re.compile(r"@(?:(?P<sign>[><VA])(?P<first>[^@]*?)(?P=sign)(?P<second>[^@]*?)(?P=sign)|(?P<line>[=|.]))")


def _read_cd(body: str) -> GridDiagram:
    cells: list[tuple[str, ...]] = []
    arrows: list[DiagramArrow] = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", body.replace("@)))", "@>>>").replace("@(((", "@<<<")):
        found = list(_CD_ARROW.finditer(line))
        if not line.strip():
            continue
        down = [match for match in found if match["sign"] in ("V", "A") or match["line"] == "|"]
        if down:
            row = len(cells) - 1
            for column, match in enumerate(match for match in found):
                if match["line"] == ".":
                    continue
                arrows.append(_cd_arrow(match, (row, column), (row + 1, column)))
            continue
        objects, at = [], 0
        for column, match in enumerate(found):
            objects.append(line[at : match.start()].strip())
            at = match.end()
            if match["line"] != ".":
                arrows.append(_cd_arrow(match, (len(cells), column), (len(cells), column + 1)))
        cells.append((*objects, line[at:].strip()))
    return GridDiagram(tuple(cells), tuple(arrows))


def _cd_arrow(match: re.Match[str], first: tuple[int, int], second: tuple[int, int]) -> DiagramArrow:
    if match["line"]:
        return DiagramArrow(first, second, line="double", head="none")
    backwards = match["sign"] in ("<", "A")
    # Above or to the left comes first; going right, left of the direction is above; going down it is to the right.
    sides = {">": (1, -1), "<": (-1, 1), "V": (-1, 1), "A": (1, -1)}[match["sign"]]
    texts = (match["first"].strip(), match["second"].strip())
    labels = tuple(Label(text, side) for text, side in zip(texts, sides, strict=True) if text)
    return DiagramArrow(second, first, labels) if backwards else DiagramArrow(first, second, labels)
