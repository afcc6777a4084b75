"""Tables of cells in formulas: matrices, cases, aligned lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalproofs.latex.display.cursor import CannotRender
from naturalproofs.latex.display.nodes import Grid, Node, row, without_tags
from naturalproofs.latex.macros.list_labels import split_options
from naturalproofs.latex.scan.arguments import read_group, read_option

_SEPARATOR = re.compile(
    r"\\(begin|end)(?=\s*+\{)|\\\\\*?+(?:\[[^][\n]{0,60}+\]|\s*+\[\s*+[-+]?+\s*+[\d.,]++\s*+(?:[a-z]{2}|\\[a-zA-Z@]++)\s*+\])?+"
    r"|\\cr(?![a-zA-Z])|\\.|[{}&]",
    re.DOTALL,
)
"""The skip after a line break stands directly behind it; after a space it is one if it is a length."""
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|nonumber|notag|IEEEnonumber|IEEEyesnumber|IEEEeqnarraynumspace)(?![a-zA-Z])\*?"
    r"|\\cline\s*\{[^{}]*\}"
)
_LINE = re.compile(r"\s*+\\(?:hline|toprule|midrule|bottomrule)(?![a-zA-Z])")
_REPEATED = re.compile(r"\*\s*+\{?(\d{1,3})\}?\s*+\{([^{}]*+)\}")
_COLUMN = re.compile(r"[@!><]\s*+\{(?:[^{}]|\{[^{}]*+\})*+\}|([lcrpmbXSLCR])(?:\s*+\{[^{}]*+\})?+|\|")
_MAX_CELLS = 400
_WITH_OPTION = ("aligned", "gathered", "split", "array", "alignedat", "multlined")


class Look(NamedTuple):
    """How a kind of grid looks: its class, its brackets, and whether an argument comes before the cells."""

    style: str
    left: str = ""
    right: str = ""
    arguments: int = 0


_ALIGNED = Look("al")
_CENTRED = Look("gt")
_COUNTED = Look("al", arguments=1)
_BRACKETS = {"": ("", ""), "p": ("(", ")"), "b": ("[", "]"), "B": ("{", "}"), "v": ("|", "|"), "V": ("‖", "‖")}
_MATRICES = ("matrix", "matrix*", "smallmatrix", "smallmatrix*", "NiceMatrix")
GRIDS: Mapping[str, Look] = {
    **{f"{sign}{kind}": Look("mx", *pair) for sign, pair in _BRACKETS.items() for kind in _MATRICES},
    **{f"{sign}NiceArray": Look("ar", *pair, arguments=1) for sign, pair in _BRACKETS.items()},
    "subarray": Look("gt", arguments=1),
    "cases": Look("cs", "{"),
    "dcases": Look("cs", "{"),
    "cases*": Look("cs", "{"),
    "dcases*": Look("cs", "{"),
    "rcases": Look("cs", "", "}"),
    "rcases*": Look("cs", "", "}"),
    "array": Look("ar", arguments=1),
    **dict.fromkeys(["aligned", "align", "align*", "split", "eqnarray", "eqnarray*", "flalign", "flalign*"], _ALIGNED),
    **dict.fromkeys(["alignat", "alignat*", "alignedat", "xalignat", "xalignat*", "xxalignat"], _COUNTED),
    **dict.fromkeys(["IEEEeqnarray", "IEEEeqnarray*", "IEEEeqnarraybox", "IEEEeqnarraybox*"], _COUNTED),
    **dict.fromkeys(["gathered", "gather", "gather*", "multline", "multline*", "multlined"], _CENTRED),
}
PLAIN_DISPLAYS = ("equation", "equation*", "displaymath", "math", "dmath", "dmath*")
"""Environments with one formula."""
_EMPHEQ_SIDE = re.compile(r"\\empheq(?:big)?(?:l|r)(brace|brack|angle|paren|vert|Vert|floor|ceil)(?![a-zA-Z])")
_EMPHEQ_SIGNS = {
    "brace": ("\\{", "\\}"), "brack": ("[", "]"), "angle": ("\\langle", "\\rangle"), "paren": ("(", ")"),
    "vert": ("|", "|"), "Vert": ("\\|", "\\|"), "floor": ("\\lfloor", "\\rfloor"), "ceil": ("\\lceil", "\\rceil"),
}  # fmt: skip


def _numbered_cases(body: str) -> str:
    r"""``\begin{numcases}{f(x)=}``: cases with a number on each line."""
    left = read_group(body, 0)
    if left is None:
        raise CannotRender("\\begin{numcases} without its argument")
    return f"{left.text}\\begin{{cases*}}{body[left.end :]}\\end{{cases*}}"


def _emphasised(body: str) -> str:
    r"""``\begin{empheq}[left=f(x)=\empheqlbrace]{align*}``: another environment between what stands beside it."""
    options = read_option(body, 0)
    inner = read_group(body, options.end if options else 0)
    if inner is None:
        raise CannotRender("\\begin{empheq} without its argument")
    name, _, columns = (part.strip() for part in inner.text.partition("="))
    given = dict(_key_value(part) for part in split_options(options.text)) if options else {}
    left, right = _side(given.get("left", ""), 0), _side(given.get("right", ""), 1)
    argument = f"{{{columns.strip('{}')}}}" if columns else ""
    return f"{left}\\begin{{{name}}}{argument}{body[inner.end :]}\\end{{{name}}}{right}"


def _key_value(option: str) -> tuple[str, str]:
    key, _, value = option.partition("=")
    group = read_group(value.strip(), 0)
    return key.strip(), group.text if group and group.end == len(value.strip()) else value


def _side(source: str, side: int) -> str:
    """What stands beside a formula, with its bracket as one that grows."""
    command = ("\\left", "\\right")[side]
    if not _EMPHEQ_SIDE.search(source):
        return f"{source}{command}." if side == 0 else f"{command}.{source}"
    return _EMPHEQ_SIDE.sub(lambda match: f"{command}{_EMPHEQ_SIGNS[match[1]][side]} ", source)


REWRITTEN_GRIDS: Mapping[str, Callable[[str], str]] = {
    "numcases": _numbered_cases,
    "subnumcases": _numbered_cases,
    "empheq": _emphasised,
}
"""Environments that are others with something beside them: from the body to a formula with these."""


def grid(kind: str, body: str, inside: Callable[[str], Node]) -> Grid:
    """The cells of an environment; `inside` parses one."""
    look = GRIDS[kind]
    columns = ""
    if body.lstrip().startswith("[") and (
        kind in _WITH_OPTION or kind.endswith("matrix*") or kind.startswith("IEEE") or "Nice" in kind
    ):
        body = body.split("]", 1)[-1]
    if look.arguments:
        argument = read_group(body, 0)
        if argument is None:
            raise CannotRender(f"\\begin{{{kind}}} without its argument")
        columns, body = argument.text, body[argument.end :]
    rows, lines = list[list[str]](), set[int]()
    for cells in split(body):
        if _LINE.match(cells[0]):
            lines.add(len(rows))
        cells[0] = _RULES.sub("", cells[0])
        if any(cell.strip() for cell in cells):
            rows.append([_RULES.sub("", cell) for cell in cells])
    if sum(map(len, rows)) > _MAX_CELLS:
        raise CannotRender("a very large table")
    if kind.endswith("cases*"):
        # The second column is text.
        rows = [[cell if place != 1 else f"\\text{{{cell.strip()}}}" for place, cell in enumerate(row)] for row in rows]
    made = tuple(_line([inside(cell) for cell in cells]) for cells in rows)
    return Grid(kind, made, columns, _bars(columns) if look.style == "ar" else frozenset(), frozenset(lines))


def _bars(columns: str) -> frozenset[int]:
    """The columns that a bar stands before, by a list of columns such as ``{cc|c}``."""
    plain = _REPEATED.sub(lambda match: match[2] * min(int(match[1]), _MAX_CELLS), columns)
    found, place = set[int](), 0
    for match in _COLUMN.finditer(plain):
        if match.group() == "|":
            found.add(place)
        place += match[1] is not None
    return frozenset(found)


def _line(cells: list[Node]) -> tuple[Node, ...]:
    """The cells of a line with its tags at the end of the last one."""
    parts = [without_tags(cell) for cell in cells[:-1]]
    tags = [tag for _, found in parts for tag in found]
    return (*(cell for cell, _ in parts), row([cells[-1], *tags])) if tags else tuple(cells)


def split(body: str) -> list[list[str]]:
    r"""Rows and cells, split where \\ and & stand outside of groups and inner environments."""
    rows: list[list[str]] = [[]]
    depth = start = 0
    for match in _SEPARATOR.finditer(body):
        sign = match.group()
        if sign == "{" or match[1] == "begin":
            depth += 1
        elif sign == "}" or match[1] == "end":
            depth -= 1
        elif depth == 0 and (sign == "&" or sign.startswith("\\\\") or sign == "\\cr"):
            rows[-1].append(body[start : match.start()])
            start = match.end()
            if sign != "&":
                rows.append([])
    rows[-1].append(body[start:])
    return rows


def halign_lines(body: str) -> list[str]:
    r"""The formulas of ``\halign`` with one column, below the line about alignment; none if it has more columns."""
    _, *rows = split(body)
    cells = [[cell.strip().strip("$") for cell in row] for row in rows if any(cell.strip() for cell in row)]
    return [row[0] for row in cells] if all(len(row) == 1 for row in cells) else []
