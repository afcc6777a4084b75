"""The part of a statement worth showing, and what to highlight in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from naturalproofs.workspace.search.formulas import formula_numbers, grams
from naturalproofs.workspace.search.found import Mark
from naturalproofs.workspace.search.words import Word, words

LENGTH = 320
"""Characters of a snippet, about; a formula is not cut."""
LOOKED_AT = 20_000
"""Characters of a text that are looked through; few statements have a tenth of that."""
MOST_HITS = 200
"""Hits among which the best stretch is looked for; a text with more is about it everywhere."""
ALIKE = 0.5
"""The share of a formula's grams that another must have to be highlighted."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text with marks in it."""

    text: str
    marks: tuple[Mark, ...]
    formulas: int = 0
    """How many of the marks are formulas."""


class Highlighter:
    """Finds what one query asks for."""

    def __init__(self, looked_for: Collection[str], formulas: Sequence[str]) -> None:
        """Bind the words, folded, and the formulas."""
        self.looked_for = frozenset(looked_for)
        self.formulas = [grams(formula) for formula in formulas]
        # A formula half as long cannot have half of the grams; most of a text are single letters.
        self._least = min((len(formula_numbers(formula)) // 4 for formula in formulas), default=0)

    def snippet(self, text: str, length: int = LENGTH) -> Snippet:
        """The stretch of a text with most of what is asked for, marked."""
        text = text[:LOOKED_AT]
        found = list(words(text))
        hits = self._hits(found)
        start, end = _stretch(text, found, hits, length)
        cut = text[start:end]
        inside = [word for word in hits if start <= word.start and word.end <= end]
        marks = tuple((word.start - start, word.end - start) for word in inside)
        return Snippet(cut, marks, sum(word.formula for word in inside))

    def _hits(self, found: list[Word]) -> list[Word]:
        hits = {word.start: word for word in found if self._matches(word)}
        for before, word in pairwise(found):
            if word.joined and before.term + word.term in self.looked_for:
                hits |= {before.start: before, word.start: word}
        return [hits[start] for start in sorted(hits)]

    def _matches(self, word: Word) -> bool:
        if not word.formula:
            return word.term in self.looked_for
        if not self.formulas or len(formula_numbers(word.term)) // 2 <= self._least:
            return False
        own = grams(word.term)
        return any(len(asked) and np.isin(asked, own).mean() >= ALIKE for asked in self.formulas)


def _stretch(text: str, found: list[Word], hits: list[Word], length: int) -> tuple[int, int]:
    """Where to cut: the whole if it is short, else the window whose words are the most different hits."""
    if len(text) <= length * 1.25:
        return 0, len(text)
    best, best_count = 0, 0
    hits = hits[:MOST_HITS]
    for word in hits:
        count = len({other.term for other in hits if word.start <= other.start and other.end <= word.start + length})
        if count > best_count:
            best, best_count = word.start, count
    if best <= length // 2:
        best = 0
    # Begin some words before the first hit, and end where a word or a formula does.
    begins = [word.start for word in found if word.start <= best][-6:]
    start = 0 if best == 0 else (begins[0] if begins else best)
    ends = [word.end for word in found if start < word.end <= start + length]
    if not ends:
        ends = [word.end for word in found if word.end > start][:1]
    return start, ends[-1] if ends else min(len(text), start + length)
