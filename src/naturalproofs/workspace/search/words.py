"""Words and formulas of a LaTeX text with their offsets; words are folded to one form for all spellings and endings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_DISPLAYS = "equation|align|gather|multline|eqnarray|displaymath|math|alignat|flalign|CD|tikzcd|xymatrix|array"
_FORMULA = r"\$\$[^$]*+\$\$|\$[^$]*+\$|\\\((?:[^\\]|\\[^()])*+\\\)|\\\[(?:[^\\]|\\[^\[\]])*+\\\]"
"""A formula never contains the start of another, so that many unclosed ones cost no more than one."""
_SKIPPED = (
    r"\\(?:begin|end|label|[a-zA-Z]*ref|[a-zA-Z]*cite[a-z]*|input|include|vspace|hspace|index)\*?\s*+"
    r"(?:\[[^\[\]\\\n]*+\]\s*+)*+(?:\{[^{}]*+\})?"
    r"|%[^\n]*+|\\[a-zA-Z]++|\\."
)
_WORD = r"(?:[^\W_]|[\u0300-\u036f])++(?:['’](?:s\b|t\b))?"
_BEGIN = rf"\\begin\s*+\{{(?P<display>(?:{_DISPLAYS})\*?)\}}"
_PIECE = re.compile(rf"(?P<formula>{_FORMULA})|{_BEGIN}|{_SKIPPED}|(?P<word>{_WORD})", re.DOTALL)
_HYPHEN = re.compile(r"[-‐‑–]{1,2}")


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
    at, last = 0, -9
    unclosed: set[str] = set()
    while match := _PIECE.search(text, at):
        at = match.end()
        if (word := match["word"]) is not None:
            start = match.start()
            joined = 1 <= start - last <= 2 and _HYPHEN.fullmatch(text, last, start) is not None
            yield Word(fold(word), start, at, False, joined)
            last = at
        elif match["formula"] is not None:
            yield Word(match["formula"], match.start(), at, formula=True)
        elif (display := match["display"]) is not None:
            end = -1 if display in unclosed else text.find(f"\\end{{{display}}}", at)
            if end < 0:
                unclosed.add(display)
            else:
                at = end + len(display) + 6
                yield Word(text[match.start() : at], match.start(), at, formula=True)


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The form under which a word is indexed: lower case, no accents, stemmed."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'").removesuffix("'s"))
    return stem("".join(sign for sign in plain if not unicodedata.combining(sign)))


def stem(word: str) -> str:
    """The word without its commonest endings: plurals, and those of adverbs, participles and abstract nouns."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = _singular(word)
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


def _singular(word: str) -> str:
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
