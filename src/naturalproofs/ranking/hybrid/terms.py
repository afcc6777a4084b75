"""What a passage says, cut into the terms that the views compare."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from naturalproofs.records import Passage
from naturalproofs.tokens import FORMULA, STOP_WORDS, maths

Terms: TypeAlias = tuple[str, ...]

_LABELS = re.compile(r"\\(?:begin|end|label)\{[^}]*\}")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_SIGN = re.compile(
    r"\\(?:math(?:cal|frak|bf|bb|scr|rm|it)|text(?:it|rm|bf)?|operatorname\*?|overline|widehat|widetilde|underline)"
    r"\s*\{?\s*[A-Za-z]+\s*\}?|\\[a-zA-Z]+|[A-Za-z]+|[^\s\w]"
)
_INVISIBLE = frozenset("{}$&~") | frozenset(
    r"\begin \end \item \label \ref \left \right \big \Big \text \emph \quad \ldots \dots \cdots \par \mbox".split()
)
OPENING = 3
"""Leading words of a title that may name what it belongs to, such as a chapter."""


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """One passage in every view."""

    title: Terms
    """Words of the title."""
    words: Terms
    """Words outside formulas."""
    tokens: Terms
    """Words, commands and signs of title (twice) and text: what TF-IDF and BM25 read."""
    pairs: Terms
    """Two neighbouring words."""
    signs: Terms
    """Names in formulas: commands, and letters with their alphabet."""
    shapes: Terms
    """Two and three neighbouring signs of a formula."""
    opening: Terms
    """The first word of the title, the first two, the first three."""

    @property
    def prose(self) -> Terms:
        """Title and words."""
        return self.title + self.words


VIEWS: dict[str, Callable[[PassageTerms], Terms]] = {
    "tokens": lambda t: t.tokens,
    "title": lambda t: t.title,
    "prose": lambda t: t.prose,
    "pairs": lambda t: t.pairs,
    "signs": lambda t: t.signs,
    "shapes": lambda t: t.shapes,
    "opening": lambda t: t.opening,
}
"""In what respects texts are compared."""
CUTS: dict[str, Callable[[PassageTerms], Terms]] = {**VIEWS, "words": lambda t: t.words}
"""All that is counted of a text."""


def passage_terms(passage: Passage) -> PassageTerms:
    """Cut a passage into terms; what was asked of lately is remembered."""
    return _remembered(passage.title, passage.text)


def cut_text(title: str, text: str) -> PassageTerms:
    """Cut a text into terms."""
    formulas = ["".join(groups) for groups in FORMULA.findall(text)]
    prose = FORMULA.sub(" ", _LABELS.sub(" ", text))
    named, words = _words(title), _words(prose)
    signs: list[str] = []
    shapes: list[str] = []
    for formula in formulas:
        found = ["".join(sign.split()) for sign in _SIGN.findall(formula) if sign not in _INVISIBLE]
        signs.extend(sign for sign in found if len(sign) > 1)
        for size in (2, 3):
            shapes.extend(" ".join(found[i : i + size]) for i in range(len(found) - size + 1))
    pairs = [f"{a} {b}" for part in (named, words) for a, b in pairwise(part)]
    return PassageTerms(
        title=named,
        words=words,
        tokens=tuple(maths(title)) * 2 + tuple(maths(text)),
        pairs=tuple(pairs),
        signs=tuple(signs),
        shapes=tuple(shapes),
        opening=tuple(" ".join(named[:n]) for n in range(1, min(OPENING, len(named)) + 1)),
    )


@lru_cache(maxsize=1 << 12)
def _remembered(title: str, text: str) -> PassageTerms:
    return cut_text(title, text)


def _words(text: str) -> Terms:
    return tuple(_singular(word) for found in _WORD.findall(text) if (word := found.casefold()) not in STOP_WORDS)


def _singular(word: str) -> str:
    """Modules and module are one word; more than plurals would join what mathematics tells apart."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
