"""The excerpt of a statement that a result shows, and what to highlight in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.results import Mark
from naturalproofs.workspace.search.words import Word, words

LENGTH = 320
"""Characters of a snippet, about; a formula is not cut."""
MAX_TEXT = 20_000
"""Characters of a text that are searched."""
MAX_HITS = 200
"""Matches among which the best window is looked for."""
ALIKE = 0.5
"""The share of the grams of the query's formula that a formula must have to be highlighted."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """An excerpt of a text with marks."""

    text: str
    marks: tuple[Mark, ...]
    formulas: int = 0
    """How many of the marks are formulas."""


class Highlighter:
    """Finds the terms and formulas of one query in texts."""

    def __init__(self, terms: Collection[str], formulas: Sequence[str]) -> None:
        """Take folded words and the source of formulas."""
        self.terms = terms
        self.formulas = [found for formula in formulas if (found := grams(formula))]

    def snippet(self, text: str, length: int = LENGTH) -> Snippet:
        """The window of a text with the most terms of the query."""
        text = text[:MAX_TEXT]
        found = list(words(text))
        matches = self._matches(found)
        start, end = _window(text, found, matches, length)
        inside = [word for word in matches if start <= word.start and word.end <= end]
        marks = tuple((word.start - start, word.end - start) for word in inside)
        return Snippet(text[start:end], marks, sum(word.formula for word in inside))

    def _matches(self, found: Sequence[Word]) -> list[Word]:
        matches = {word.start: word for word in found if self._matching(word)}
        for before, word in pairwise(found):
            if word.joined and before.term + word.term in self.terms:
                matches |= {before.start: before, word.start: word}
        return [matches[start] for start in sorted(matches)]

    def _matching(self, word: Word) -> bool:
        if not word.formula:
            return word.term in self.terms
        return any(len(asked & grams(word.term)) >= ALIKE * len(asked) for asked in self.formulas)


def _window(text: str, found: Sequence[Word], matches: Sequence[Word], length: int) -> tuple[int, int]:
    """The whole text if it is short, else the window with the most different terms."""
    if len(text) <= length * 1.25:
        return 0, len(text)
    best, best_count = 0, 0
    matches = matches[:MAX_HITS]
    for word in matches:
        end = word.start + length
        count = len({other.term for other in matches if word.start <= other.start and other.end <= end})
        if count > best_count:
            best, best_count = word.start, count
    if best <= length // 2:
        best = 0
    # Start some words before the first match, and end after a word or a formula.
    starts = [word.start for word in found if word.start <= best][-6:]
    start = 0 if best == 0 else (starts[0] if starts else best)
    ends = [word.end for word in found if start < word.end <= start + length]
    if not ends:
        ends = [word.end for word in found if word.end > start][:1]
    return start, ends[-1] if ends else min(len(text), start + length)
