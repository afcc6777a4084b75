"""Matrices, cases and aligned lines: rows and cells."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalproofs.latex.arguments import read_group
from naturalproofs.latex.display.cursor import NotShown
from naturalproofs.latex.display.pieces import fence

_CUT = re.compile(r"\\(begin|end)(?=\s*\{)|\\\\\*?(?:\s*\[[\d.\s]*[a-z]{2}\])?|\\cr(?![a-zA-Z])|\\.|[{}&]", re.DOTALL)
_RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|nonumber|notag)(?![a-zA-Z])|\\cline\s*\{[^{}]*\}")
_COLUMNS = re.compile(r"[lcr]")
MAX_CELLS = 400


class Look(NamedTuple):
    """How a kind of grid looks: its class, its brackets, and whether an argument comes before the cells."""

    style: str
    left: str = ""
    right: str = ""
    arguments: int = 0


_ALIGNED = Look("al")
_CENTRED = Look("gt")
GRIDS: Mapping[str, Look] = {
    "matrix": Look("mx"),
    "smallmatrix": Look("mx"),
    "pmatrix": Look("mx", "(", ")"),
    "bmatrix": Look("mx", "[", "]"),
    "Bmatrix": Look("mx", "{", "}"),
    "vmatrix": Look("mx", "|", "|"),
    "Vmatrix": Look("mx", "‖", "‖"),
    "cases": Look("cs", "{"),
    "dcases": Look("cs", "{"),
    "rcases": Look("cs", "", "}"),
    "array": Look("ar", arguments=1),
    **dict.fromkeys(["aligned", "align", "align*", "split", "eqnarray", "eqnarray*", "flalign", "flalign*"], _ALIGNED),
    **dict.fromkeys(["alignat", "alignat*", "alignedat"], Look("al", arguments=1)),
    **dict.fromkeys(["gathered", "gather", "gather*", "multline", "multline*"], _CENTRED),
}


def grid(kind: str, body: str, inside: Callable[[str], str]) -> str:
    """The table of an environment; `inside` makes the MathML of a cell."""
    look = GRIDS[kind]
    columns = ""
    if body.lstrip().startswith("[") and kind != "array":
        body = body.split("]", 1)[-1]
    if look.arguments:
        argument = read_group(body, 0)
        if argument is None:
            raise NotShown(f"\\begin{{{kind}}} without its argument")
        columns, body = argument.text, body[argument.end :]
    rows = [cells for cells in split(_RULES.sub("", body)) if any(cell.strip() for cell in cells)]
    if sum(map(len, rows)) > MAX_CELLS:
        raise NotShown("a very large table")
    column = _COLUMNS.search(columns) if look.style == "ar" else None
    style = f"{look.style} {column[0]}" if column else look.style
    lines = "".join(f"<mtr>{''.join(f'<mtd>{inside(cell)}</mtd>' for cell in cells)}</mtr>" for cells in rows)
    table = f'<mtable class="{style}">{lines}</mtable>'
    if not (look.left or look.right):
        return table
    return f"<mrow>{fence(look.left, 'prefix')}{table}{fence(look.right, 'postfix')}</mrow>"


def split(body: str) -> list[list[str]]:
    r"""Rows and cells, cut where \\ and & stand outside of groups and inner environments."""
    rows: list[list[str]] = [[]]
    depth = start = 0
    for match in _CUT.finditer(body):
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
