"""Words of a LaTeX text with their places: folded, so that spelling, number and accents do not matter."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

_DISPLAYS = "equation|align|gather|multline|eqnarray|displaymath|math|alignat|flalign|CD|tikzcd|xymatrix|array"
_FORMULA = r"\$\$[^$]*+\$\$|\$[^$]*+\$|\\\((?:[^\\]|\\[^()])*+\\\)|\\\[(?:[^\\]|\\[^\[\]])*+\\\]"
"""No formula holds the beginning of another, so that many that are never closed cost no more than one."""
_SKIPPED = (
    r"\\(?:begin|end|label|[a-zA-Z]*ref|[a-zA-Z]*cite[a-z]*|input|include|vspace|hspace|index)\*?\s*+"
    r"(?:\[[^\[\]\\\n]*+\]\s*+)*+(?:\{[^{}]*+\})?"
    r"|%[^\n]*+|\\[a-zA-Z]++|\\."
)
_WORD = r"(?:[^\W_]|[\u0300-\u036f])++(?:['’](?:s\b|t\b))?"
_JOINT = r"[-‐‑–]{1,2}"
_BEGIN = rf"\\begin\s*+\{{((?:{_DISPLAYS})\*?)\}}"
_PIECE = re.compile(rf"(?P<formula>{_FORMULA})|{_BEGIN}|{_SKIPPED}|(?P<word>{_WORD})", re.DOTALL)
_QUICK = re.compile(rf"({_FORMULA})|{_SKIPPED}|({_WORD}(?:{_JOINT}{_WORD})*+)", re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_HYPHEN, _DISPLAY = re.compile(_JOINT), re.compile(_BEGIN)


class Word(NamedTuple):
    """A word where it stands, or a formula."""

    term: str
    """The word folded, or the source of the formula."""
    start: int
    end: int
    formula: bool = False
    joined: bool = False
    """Whether a hyphen alone parts it from the word before."""


def words(text: str) -> Iterator[Word]:
    """Words and formulas in order; commands, labels and comments are passed over."""
    at, last = 0, -9
    open_for_ever: set[str] = set()
    while match := _PIECE.search(text, at):
        at = match.end()
        if (word := match["word"]) is not None:
            start = match.start()
            joined = 1 <= start - last <= 2 and _HYPHEN.fullmatch(text, last, start) is not None
            yield Word(fold(word), start, at, False, joined)
            last = at
        elif match["formula"] is not None:
            yield Word(match["formula"], match.start(), at, formula=True)
        elif match[2] is not None:
            end = -1 if match[2] in open_for_ever else text.find(f"\\end{{{match[2]}}}", at)
            if end < 0:
                open_for_ever.add(match[2])
            else:
                at = end + len(match[2]) + 6
                yield Word(text[match.start() : at], match.start(), at, formula=True)


def quick_words(text: str) -> Iterator[tuple[str, bool, bool]]:
    """What `words` gives, without places and three times as fast: term, whether a formula, whether joined."""
    if _DISPLAY.search(text):
        yield from ((word.term, word.formula, word.joined) for word in words(text))
        return
    for formula, compound in _QUICK.findall(text):
        if compound:
            if compound.isalnum():
                yield fold(compound), False, False
                continue
            for place, part in enumerate(_HYPHEN.split(compound)):
                yield fold(part), False, place > 0
        elif formula:
            yield formula, True, False


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The form under which a word is known: lower case, no accents, no plural."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'").removesuffix("'s"))
    return stem("".join(sign for sign in plain if not unicodedata.combining(sign)))


def spelt(terms: Sequence[str], texts: Iterable[str]) -> list[str]:
    """The commonest spelling of each term in some texts; the term itself if it does not occur."""
    counts = Counter(chain.from_iterable(map(_LETTERS.findall, texts)))
    known = {fold(word): word.casefold() for word, _ in reversed(counts.most_common())}
    return [known.get(term, term) for term in terms]


def stem(word: str) -> str:
    """The word without its commonest endings: plurals, and what makes an adverb, a participle or a state of it."""
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
    """Harman's S-stemmer: the plurals of English and nothing else."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word
