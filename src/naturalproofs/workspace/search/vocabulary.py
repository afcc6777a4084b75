"""The words of a corpus: looked up as they are, by their beginning, and with one slip of the finger."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

SHORTEST = 4
"""Shorter words are near too many others for a slip to be told."""
LONGEST = 24


@dataclass(frozen=True)
class Vocabulary:
    """Words in alphabetical order; a word's number is its place."""

    words: tuple[str, ...]
    """Folded."""
    spellings: tuple[str, ...]
    """How each is spelt most often."""
    slips: NDArray[np.uint32]
    """Hashes of every word with one letter left out, and of the word itself, in order."""
    slip_words: NDArray[np.int32]
    """The word that each belongs to."""

    @classmethod
    def of(cls, words: Sequence[str], spellings: Sequence[str]) -> Vocabulary:
        """Prepare words that are in alphabetical order."""
        found = [(_hash(form), number) for number, word in enumerate(words) for form in _shortened(word)]
        table = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
        return cls(tuple(words), tuple(spellings), table[:, 0].astype(np.uint32), table[:, 1].astype(np.int32))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Numbers by word."""
        return {word: number for number, word in enumerate(self.words)}

    def beginning(self, start: str) -> range:
        """The numbers of all words that begin like this."""
        low = bisect_left(self.words, start)
        return range(low, bisect_left(self.words, start + "\U0010ffff"))

    def near(self, word: str) -> list[int]:
        """Words that differ by one letter added, left out, mistaken, or by two neighbours exchanged."""
        found: set[int] = set()
        for form in _shortened(word):
            low, high = np.searchsorted(self.slips, [_hash(form), _hash(form) + 1])
            found.update(int(number) for number in self.slip_words[low:high])
        return sorted(number for number in found if one_slip(word, self.words[number]))


def one_slip(first: str, second: str) -> bool:
    """Whether two words are one slip apart, or equal."""
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    one, two = first[start:], second[start:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or (one[:2] == two[1::-1] and one[2:] == two[2:])


def _shortened(word: str) -> set[str]:
    if not SHORTEST <= len(word) <= LONGEST or not word.isalpha():
        return set()
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))
