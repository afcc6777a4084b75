"""Formulas as n-grams of signs, as written and with all letters alike.

``H^i(X, F)`` and ``H^0(Y, G)`` share few signs, but the same shape. A gram is indexed as a 32-bit hash.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from naturalproofs.latex.display.symbols import LETTERS, OPERATORS

_SIGN = re.compile(r"\\[a-zA-Z]+|[^\W\d_]|\d+|[^\s\w]")
_FENCE = re.compile(r"^(?:\$\$?|\\\(|\\\[|\\begin\s*\{[^{}]*\})|(?:\$\$?|\\\)|\\\]|\\end\s*\{[^{}]*\})$")
_IGNORED = frozenset(
    r"""{ } $ & ~ . , ; \ \left \right \big \Big \bigl \bigr \quad \qquad \label \nonumber \displaystyle \limits \text
    \mathrm \mbox \begin \end \notag \hskip""".split()
)
_SAME = {"\\le": "\\leq", "\\ge": "\\geq", "\\ne": "\\neq", "\\rightarrow": "\\to", "\\longrightarrow": "\\to"}
_BY_LOOK = {look: f"\\{name}" for table in (OPERATORS, LETTERS) for name, look in reversed(list(table.items()))}
_RAISED = str.maketrans({**{s: f"^{d}" for d, s in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, "ⁿ": "^n", "ⁱ": "^i", "⁻": "^-"})
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
EXACT_SIZES = (2, 3, 5)
SHAPE_SIZES = (4, 6)


def signs(formula: str) -> list[str]:
    """The signs of a formula in order, without braces, delimiters and layout; Unicode signs as LaTeX commands."""
    found = _SIGN.findall(_FENCE.sub("", formula.strip()).translate(_RAISED).translate(_LOWERED))
    named = (_BY_LOOK.get(sign, sign) if len(sign) == 1 else sign for sign in found)
    return [_SAME.get(sign, sign) for sign in named if sign not in _IGNORED]


def _shape(sign: str) -> str:
    """One sign for all numerals and one for all letters."""
    if sign.isdigit():
        return "0"
    return "a" if sign.isalpha() or sign[1:] in LETTERS else sign


@lru_cache(maxsize=1 << 14)
def grams(formula: str) -> frozenset[str]:
    """The grams of a formula, as index terms."""
    written = signs(formula)
    shapes = [_shape(sign) for sign in written]
    return frozenset(
        _term(kind, row[at : at + size])
        for kind, row, sizes in (("exact", written, EXACT_SIZES), ("shape", shapes, SHAPE_SIZES))
        for size in sizes
        for at in range(len(row) - size + 1)
    )


def _term(kind: str, row: list[str]) -> str:
    return f"{zlib.crc32(' '.join((kind, *row)).encode('utf-8', 'replace')):x}"
