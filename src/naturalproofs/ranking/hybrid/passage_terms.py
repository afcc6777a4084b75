"""The terms of a passage in several views, and their counts over many passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.ranking.term_counts import TermCounts
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
"""Leading words of a title, which may name its subject, such as a chapter."""


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """The terms of one passage, by view."""

    title: Terms
    """Words of the title."""
    words: Terms
    """Words outside formulas."""
    tokens: Terms
    """Words, commands and signs of title (twice) and text, as in TF-IDF and BM25."""
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
"""The views in which texts are compared."""
COUNTED: dict[str, Callable[[PassageTerms], Terms]] = {**VIEWS, "words": lambda t: t.words}
"""The views that are counted."""


def passage_terms(passage: Passage) -> PassageTerms:
    """The terms of a passage; recent results are cached."""
    return _cached_terms(passage.title, passage.text)


def extract_terms(title: str, text: str) -> PassageTerms:
    """The terms of a text."""
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
def _cached_terms(title: str, text: str) -> PassageTerms:
    return extract_terms(title, text)


def _words(text: str) -> Terms:
    return tuple(_singular(word) for found in _WORD.findall(text) if (word := found.casefold()) not in STOP_WORDS)


def _singular(word: str) -> str:
    """Strip plural endings only: more stemming would merge words that mathematics distinguishes."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Term counts of some passages by view, each passage identified by its hash, so that an edit costs what changed."""

    keys: tuple[bytes, ...]
    """The hash of each text."""
    views: dict[str, TermCounts]

    @classmethod
    def of(cls, passages: Sequence[Passage], before: PassageCounts | None = None) -> PassageCounts:
        """Count texts, except those that were counted before."""
        keys = tuple(_key(passage) for passage in passages)
        known = {key: row for row, key in enumerate(before.keys)} if before is not None else {}
        new = [position for position, key in enumerate(keys) if key not in known]
        terms = [extract_terms(passages[position].title, passages[position].text) for position in new]
        views = {view: TermCounts.of([select(one) for one in terms]) for view, select in COUNTED.items()}
        if before is not None:
            # Old texts first, then new ones; then all in the order of the passages.
            at = {position: len(before.keys) + row for row, position in enumerate(new)}
            order = [at[position] if position in at else known[key] for position, key in enumerate(keys)]
            views = {view: _ordered(before.views[view], views[view], order) for view in COUNTED}
        return cls(keys, views)


def _ordered(old: TermCounts, new: TermCounts, order: Sequence[int]) -> TermCounts:
    found = old.followed_by(new).rows(np.array(order, dtype=np.int64))
    return found.only(found.document_frequency > 0)


def _key(passage: Passage) -> bytes:
    text = f"{CACHE_VERSION}\0{passage.title}\0{passage.text}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
