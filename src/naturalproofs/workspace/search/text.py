"""Words and formulas of a LaTeX text: words are folded to one form, formulas are cut into n-grams of signs."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from naturalproofs.latex.display.symbols import LETTERS, OPERATORS

_DISPLAYS = "equation|align|gather|multline|eqnarray|displaymath|math|alignat|flalign|CD|tikzcd|xymatrix|array"
_FORMULA = r"\$\$[^$]*+\$\$|\$[^$]*+\$|\\\((?:[^\\]|\\[^()])*+\\\)|\\\[(?:[^\\]|\\[^\[\]])*+\\\]"
"""A formula never contains the start of another, so that many unclosed ones cost no more than one."""
_SKIPPED = (
    r"\\(?:begin|end|label|[a-zA-Z]*ref|[a-zA-Z]*cite[a-z]*|input|include|vspace|hspace|index)\*?\s*+"
    r"(?:\[[^\[\]\\\n]*+\]\s*+)*+(?:\{[^{}]*+\})?"
    r"|%[^\n]*+|\\[a-zA-Z]++|\\."
)
_WORD = r"[^\W_]++(?:[\u0300-\u036f]++[^\W_]*+)*+(?:['’](?:s\b|t\b))?"
_BEGIN = rf"\\begin\s*+\{{(?P<display>(?:{_DISPLAYS})\*?)\}}"
_PIECE = re.compile(rf"(?P<word>{_WORD})|(?P<formula>{_FORMULA})|{_BEGIN}|{_SKIPPED}", re.DOTALL)
_HYPHENS = frozenset(one + other for one in "-‐‑–" for other in ("", *"-‐‑–"))


class Word(NamedTuple):
    """A word or a formula, with its offsets."""

    term: str
    """The folded word, or the source of the formula."""
    start: int
    end: int
    formula: bool = False
    joined: bool = False
    """Whether only a hyphen separates it from the word before."""


def words(text: str) -> Iterator[Word]:
    """Words and formulas in order; commands, labels and comments are skipped."""
    return map(Word._make, pieces(text))


def pieces(text: str) -> Iterator[tuple[str, int, int, bool, bool]]:
    """The same as plain tuples, which are made faster."""
    at, last = 0, -9
    unclosed: set[str] = set()
    while at >= 0:
        found, at = _PIECE.finditer(text, at), -1
        for match in found:
            kind = match.lastgroup
            start, end = match.span()
            if kind == "word":
                yield fold(match[0]), start, end, False, start - last <= 2 and text[last:start] in _HYPHENS
                last = end
            elif kind == "formula":
                yield match[0], start, end, True, False
            elif kind == "display" and (name := match["display"]) not in unclosed:
                closing = text.find(f"\\end{{{name}}}", end)
                if closing < 0:
                    unclosed.add(name)
                    continue
                at = closing + len(name) + 6
                yield text[start:at], start, at, True, False
                break


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The form under which a word is indexed: lower case, no accents, stemmed."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'").removesuffix("'s"))
    return stem("".join(sign for sign in plain if not unicodedata.combining(sign)))


def stem(word: str) -> str:
    """The word without its commonest endings: plurals, and those of adverbs, participles and abstract nouns."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = singular(word)
    for ending, instead in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            word = rest + instead
            break
    if word[-1:] == word[-2:-1] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_VOWEL = re.compile("[aeiouy]")
_ENDINGS = (
    ("isation", "ize"), ("ization", "ize"), ("ally", "al"), ("ness", ""), ("ly", ""), ("ity", ""), ("ing", ""),
    ("ised", "ize"), ("ized", "ize"), ("ise", "ize"), ("ied", "y"), ("ed", ""), ("our", "or"),
)  # fmt: skip


def singular(word: str) -> str:
    """Harman's S-stemmer: English plurals only."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


def one_edit(first: str, second: str) -> bool:
    """Whether two words are equal or differ by one letter inserted, deleted or replaced, or by two swapped."""
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    one, two = first[start:], second[start:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or (one[:2] == two[1::-1] and one[2:] == two[2:])


_SIGN = re.compile(r"\\[a-zA-Z]+|[^\W\d_]|\d+|[^\s\w]")
_FENCE = re.compile(r"^(?:\$\$?|\\\(|\\\[|\\begin\s*\{[^{}]*\})|(?:\$\$?|\\\)|\\\]|\\end\s*\{[^{}]*\})$")
_IGNORED = r"""{ } $ & ~ . , ; \ \left \right \big \Big \bigl \bigr \quad \qquad \label \nonumber \displaystyle
    \limits \text \mathrm \mbox \begin \end \notag \hskip""".split()
_SAME = {"\\le": "\\leq", "\\ge": "\\geq", "\\ne": "\\neq", "\\rightarrow": "\\to", "\\longrightarrow": "\\to"}
_BY_LOOK = {look: f"\\{name}" for table in (OPERATORS, LETTERS) for name, look in reversed(list(table.items()))}
_SIGNS = {
    **{look: _SAME.get(name, name) for look, name in _BY_LOOK.items() if len(look) == 1},
    **_SAME,
    **dict.fromkeys(_IGNORED, ""),
}
"""The sign that another one stands for; empty for one that only lays out."""
_SCRIPTS = str.maketrans(
    {
        **{sign: f"^{digit}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{sign: str(digit) for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        **{"ⁿ": "^n", "ⁱ": "^i", "⁻": "^-"},
    }
)


def signs(formula: str) -> list[str]:
    """The signs of a formula in order, without braces, delimiters and layout; Unicode signs as LaTeX commands."""
    found = _SIGN.findall(_FENCE.sub("", formula.strip()).translate(_SCRIPTS))
    return [sign for one in found if (sign := _SIGNS.get(one, one))]


@lru_cache(maxsize=1 << 14)
def _shape(sign: str) -> str:
    """One sign for all numerals and one for all letters."""
    if sign.isdigit():
        return "0"
    return "a" if sign.isalpha() or sign[1:] in LETTERS else sign


@lru_cache(maxsize=1 << 14)
def grams(formula: str) -> frozenset[int]:
    """The n-grams of a formula's signs as 32-bit hashes: of 2, 3 and 5 signs, and of 4 and 6 with all letters alike.

    ``H^i(X, F)`` and ``H^0(Y, G)`` share few signs, but the same shape.
    """
    written = signs(formula)
    exact = [_number(sign) for sign in written]
    pairs = _joined(exact, exact[1:])
    triples = _joined(pairs, exact[2:])
    shapes = [_number(_shape(sign)) for sign in written]
    shape_pairs = _joined(shapes, shapes[1:])
    fours = _joined(shape_pairs, shape_pairs[2:])
    return frozenset((*pairs, *triples, *_joined(triples, pairs[3:]), *fours, *_joined(fours, shape_pairs[4:])))


def _joined(first: list[int], second: list[int]) -> list[int]:
    """The hashes of what is side by side."""
    return [(one * 1_000_003 ^ two) & 0xFFFFFFFF for one, two in zip(first, second, strict=False)]


@lru_cache(maxsize=1 << 14)
def _number(sign: str) -> int:
    return zlib.crc32(sign.encode("utf-8", "replace"))
