"""Formulas by their structure: n-grams of signs, as written and with letters made alike.

``H^i(X, F)`` and ``H^0(Y, G)`` share no three signs, but the same shape. A gram is a 64-bit number made from its signs,
so that two million of them need no dictionary.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from naturalproofs.latex.display.symbols import LETTERS, OPERATORS

_SIGN = re.compile(r"\\[a-zA-Z]+|[^\W\d_]|\d+|[^\s\w]")
_FENCE = re.compile(r"^(?:\$\$?|\\\(|\\\[|\\begin\s*\{[^{}]*\})|(?:\$\$?|\\\)|\\\]|\\end\s*\{[^{}]*\})$")
_QUIET = frozenset(
    r"""{ } $ & ~ . , ; \ \left \right \big \Big \bigl \bigr \quad \qquad \label \nonumber \displaystyle \limits \text
    \mathrm \mbox \begin \end \notag \hskip""".split()
)
_SAME = {"\\le": "\\leq", "\\ge": "\\geq", "\\ne": "\\neq", "\\rightarrow": "\\to", "\\longrightarrow": "\\to"}
_BY_LOOK = {look: f"\\{name}" for table in (OPERATORS, LETTERS) for name, look in reversed(list(table.items()))}
EXACT_SIZES = (2, 3, 5)
SHAPE_SIZES = (4, 6)
SHAPE = 0x5348415045
"""Mixed into grams of shapes, so that they are no grams as written."""
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Numbers = NDArray[np.uint64]


def signs(formula: str) -> list[str]:
    """The signs that count, in order; braces, fences and layout do not."""
    found = _SIGN.findall(_FENCE.sub("", formula.strip()))
    spelt = (_BY_LOOK.get(sign, sign) if len(sign) == 1 else sign for sign in found)
    return [_SAME.get(sign, sign) for sign in spelt if sign not in _QUIET]


@lru_cache(maxsize=1 << 14)
def sign_numbers(sign: str) -> tuple[int, int]:
    """A sign as a number, as written and by shape: any letter is like any other, any numeral too."""
    own = zlib.crc32(sign.encode("utf-8", "replace"))
    if sign.isdigit():
        return own, 1
    return own, 2 if sign.isalpha() or sign[1:] in LETTERS else own


@lru_cache(maxsize=1 << 14)
def formula_numbers(formula: str) -> tuple[int, ...]:
    """The two numbers of each sign of a formula, one after another; short formulas repeat."""
    return tuple(number for sign in signs(formula) for number in sign_numbers(sign))


@lru_cache(maxsize=1 << 12)
def grams(formula: str) -> Numbers:
    """The grams of one formula."""
    numbers = np.array(formula_numbers(formula), dtype=np.uint64).reshape(-1, 2)
    return np.unique(np.concatenate([values for values, _ in stream_grams(numbers, np.zeros(len(numbers), np.int64))]))


def stream_grams(numbers: Numbers, owner: NDArray[np.int64]) -> list[tuple[Numbers, NDArray[np.int64]]]:
    """The grams of many formulas written one after another.

    Args:
        numbers: A row for each sign, as `sign_numbers` gives it.
        owner: Which formula each sign belongs to; no gram spans two.

    Returns:
        For each size the grams, and the index of the sign each begins with.
    """
    found = []
    for column, sizes, salt in ((0, EXACT_SIZES, 0), (1, SHAPE_SIZES, SHAPE)):
        for size in sizes:
            count = max(0, len(numbers) - size + 1)
            values = np.full(count, salt + size, dtype=np.uint64)
            for shift in range(size):
                values = (values ^ numbers[shift : shift + count, column]) * _PRIME
                values ^= values >> np.uint64(29)
            whole = owner[:count] == owner[size - 1 : size - 1 + count]
            found.append((values[whole], np.flatnonzero(whole)))
    # Short formulas have few grams; one that is met whole is met exactly.
    return found
