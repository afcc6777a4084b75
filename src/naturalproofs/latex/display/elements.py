"""The MathML elements of a formula, and the tables of matrices, cases and aligned lines."""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from naturalproofs.latex.arguments import read_group
from naturalproofs.latex.display.cursor import CannotRender

_LOOKS = {"-": "−", "*": "∗", "`": "‘"}
_ATTRIBUTES = {
    ":": ' lspace="0.22em" rspace="0.22em"',
    "/": ' lspace="0" rspace="0"',
    "|": ' lspace="0" rspace="0"',
    "!": ' lspace="0" rspace="0"',
    ".": ' lspace="0" rspace="0"',
    "?": ' lspace="0" rspace="0"',
}
"""Where the browser's idea of space around a sign is not TeX's."""


class Piece(NamedTuple):
    """An element of a formula, and how its neighbours and scripts stand to it."""

    markup: str
    operand: bool = False
    """A letter, a number or the like: a function's name keeps its distance from it."""
    function: bool = False
    """The name of a function, such as sin."""
    limits: bool = False
    """Scripts stand above and below."""
    fixed: bool = False
    """They do so in running text too."""


def row(pieces: Sequence[Piece]) -> str:
    """One element from several."""
    parts = spaced(pieces)
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def spaced(pieces: Sequence[Piece]) -> list[str]:
    """The elements in order, with thin spaces around the names of functions."""
    shown = [piece for piece in pieces if piece.markup]
    parts: list[str] = []
    for index, piece in enumerate(shown):
        before = shown[index - 1] if index else None
        after = shown[index + 1] if index + 1 < len(shown) else None
        thin = space("0.17em").markup
        lead = thin if piece.function and before and before.operand else ""
        tail = thin if piece.function and after and (after.operand or after.function) else ""
        parts.extend(filter(None, (lead, piece.markup, tail)))
    return parts


def scripts(base: Piece, below: str, above: str, primes: str) -> Piece:
    """A base with what stands below and above it."""
    upper = f"<mo>{primes}</mo>" if primes else ""
    if upper and above:
        upper = f"<mrow>{upper}{above}</mrow>"
    upper = upper or above
    if not below and not upper:
        return base
    core = base.markup or "<mrow></mrow>"
    if base.limits and base.fixed:
        core = core.replace(' movablelimits="true"', "")
    under, over, both = ("munder", "mover", "munderover") if base.limits else ("msub", "msup", "msubsup")
    if below and upper:
        markup = f"<{both}>{core}{below}{upper}</{both}>"
    elif below:
        markup = f"<{under}>{core}{below}</{under}>"
    else:
        markup = f"<{over}>{core}{upper}</{over}>"
    return Piece(markup, base.operand, base.function)


def operator(sign: str) -> Piece:
    """An operator or a relation."""
    return Piece(f"<mo{_ATTRIBUTES.get(sign, '')}>{escape(_LOOKS.get(sign, sign))}</mo>")


def bracket(sign: str) -> Piece:
    """A bracket that keeps its size."""
    return Piece(f'<mo stretchy="false"{_ATTRIBUTES.get(sign, "")}>{escape(sign)}</mo>')


def fence(sign: str, form: str) -> str:
    """A bracket that grows with what it holds."""
    return f'<mo fence="true" form="{form}" stretchy="true">{escape(sign)}</mo>' if sign else ""


def space(width: str) -> Piece:
    """White space."""
    return Piece(f'<mspace width="{width}"></mspace>')


def fraction(top: str, bottom: str, style: str = "") -> Piece:
    """A fraction, or the same without its line, or a binomial coefficient."""
    line = ' linethickness="0"' if style else ""
    markup = f"<mfrac{line}>{top}{bottom}</mfrac>"
    if style == "choose":
        markup = f"<mrow>{fence('(', 'prefix')}{markup}{fence(')', 'postfix')}</mrow>"
    return Piece(markup, operand=True)


def accent(base: str, sign: str, *, stretchy: bool) -> Piece:
    """A base with an accent above."""
    grows = "true" if stretchy else "false"
    return Piece(f'<mover accent="true">{base}<mo stretchy="{grows}">{escape(sign)}</mo></mover>', operand=True)


def under(base: str, sign: str) -> Piece:
    """A base with a stretching sign below."""
    return Piece(f'<munder accentunder="true">{base}<mo stretchy="true">{escape(sign)}</mo></munder>', operand=True)


_SEPARATOR = re.compile(
    r"\\(begin|end)(?=\s*\{)|\\\\\*?(?:\s*\[[\d.\s]*[a-z]{2}\])?|\\cr(?![a-zA-Z])|\\.|[{}&]", re.DOTALL
)
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
            raise CannotRender(f"\\begin{{{kind}}} without its argument")
        columns, body = argument.text, body[argument.end :]
    rows = [cells for cells in split(_RULES.sub("", body)) if any(cell.strip() for cell in cells)]
    if sum(map(len, rows)) > MAX_CELLS:
        raise CannotRender("a very large table")
    column = _COLUMNS.search(columns) if look.style == "ar" else None
    style = f"{look.style} {column[0]}" if column else look.style
    lines = "".join(f"<mtr>{''.join(f'<mtd>{inside(cell)}</mtd>' for cell in cells)}</mtr>" for cells in rows)
    table = f'<mtable class="{style}">{lines}</mtable>'
    if not (look.left or look.right):
        return table
    return f"<mrow>{fence(look.left, 'prefix')}{table}{fence(look.right, 'postfix')}</mrow>"


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
