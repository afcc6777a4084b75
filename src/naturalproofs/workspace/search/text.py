"""Words and formulas of a LaTeX text; words are folded to one form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from naturalproofs.tokens import OPENING, singular

_DISPLAYS = "equation|align|gather|multline|eqnarray|displaymath|math|alignat|flalign|CD|tikzcd|xymatrix|array"
FORMULA = (
    r"\$\$(?:[^$\\]|\\.)*+\$\$|\$(?:[^$\\]|\\.)*+\$"
    rf"|{OPENING}\((?:[^\\]|\\[^()])*+\\\)|{OPENING}\[(?:[^\\]|\\[^\[\]])*+\\\]"
)
"""A formula never contains the start of another, so that many unclosed ones cost no more than one."""
_SKIPPED = (
    r"\\(?:begin|end|label|[a-zA-Z]*ref|[a-zA-Z]*cite[a-z]*|input|include|vspace|hspace|index)\*?\s*+"
    r"(?:\[[^\[\]\\\n]*+\]\s*+)*+(?:\{(?:[^{}]|\{[^{}]*+\})*+\})?"
    r"|%[^\n]*+|\\[a-zA-Z]++|\\."
)
_WORD = r"[^\W_]++(?:[\u0300-\u036f]++[^\W_]*+)*+(?:['’](?:s\b|t\b))?"
_BEGIN = rf"\\begin\s*+\{{(?P<display>(?:{_DISPLAYS})\*?)\}}"
PIECE = re.compile(rf"(?P<word>{_WORD})|(?P<formula>{FORMULA})|{_BEGIN}|{_SKIPPED}", re.DOTALL)
_HYPHENS = frozenset(one + other for one in "-‐‑–" for other in ("", *"-‐‑–"))


STOP = frozenset(
    """
    a all an and any are as at be by can do does each every for from has have how i if iff implies imply in into is it
    its let me of on or over show some such that the then there this to we what when where which who why with
    """.split()
)
"""Words that say nothing about what is searched for."""
KINDS_OF_RESULT = frozenset({"theorem", "lemma", "proposition", "corollary", "definition"})
"""Words for what a statement is, which titles and queries have or leave out."""


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
        found, at = PIECE.finditer(text, at), -1
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
    return stem("".join(letter for letter in plain if not unicodedata.combining(letter)))


def stem(word: str) -> str:
    """The word without its commonest endings: plurals, and those of adverbs, participles and abstract nouns."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = singular(word)
    for ending, instead in ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= SHORTEST.get(ending, 3) and VOWEL.search(rest):
            word = rest + instead
            break
    if word[-1:] == word[-2:-1] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


VOWEL = re.compile("[aeiouy]")
ENDINGS = (
    ("isation", "ize"), ("ization", "ize"), ("ability", "able"), ("ably", "able"), ("ally", "al"), ("ness", ""),
    ("ly", ""), ("uity", ""), ("uous", ""), ("ity", ""), ("ing", ""), ("ised", "ize"), ("ized", "ize"), ("ise", "ize"),
    ("ied", "y"), ("ed", ""), ("our", "or"), ("ence", ""), ("ent", ""),
)  # fmt: skip
SHORTEST = {"ence": 5, "ent": 5}
"""How long the rest must be, where three letters would be too few: a sequence is no sequ."""


def one_edit(first: str, second: str) -> bool:
    """Whether two words are equal or differ by one letter inserted, deleted or replaced, or by two swapped."""
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    one, two = first[start:], second[start:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or (one[:2] == two[1::-1] and one[2:] == two[2:])


def near(first: str, second: str) -> bool:
    """Whether two words are at most two letters inserted, deleted or replaced apart; "ph" counts as "f"."""
    first, second = first.replace("ph", "f"), second.replace("ph", "f")
    if abs(len(first) - len(second)) > 2:
        return False
    # The cells of the table of edit distances that are at most two steps off its diagonal.
    row = {0: 0, 1: 1, 2: 2}
    for at, letter in enumerate(first, start=1):
        cells: dict[int, int] = {}
        for to in range(max(0, at - 2), min(len(second), at + 2) + 1):
            steps = [row[to] + 1] if to in row else []
            if to and to - 1 in row:
                steps.append(row[to - 1] + (letter != second[to - 1]))
            if to - 1 in cells:
                steps.append(cells[to - 1] + 1)
            cells[to] = min(steps)
        row = cells
    return row.get(len(second), 3) <= 2


def key_of(text: str) -> str:
    """The folded words by which titles and queries are compared: no formulas, no stop words, no "theorem"."""
    found = [(word.term, text[word.start : word.end].casefold()) for word in words(text) if not word.formula]
    return " ".join(term for term, spelt in found if spelt not in STOP and term not in KINDS_OF_RESULT)
