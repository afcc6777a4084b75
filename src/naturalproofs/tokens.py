"""Tokenisers: from text to a list of tokens, by name; the singular of words, and how BM25 weighs terms."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import resources

import msgspec

from naturalproofs.errors import UnknownName

_SIMPLE = re.compile(r"\w+|[^\w\s]")
_MATHS = re.compile(r"\\[a-zA-Z]+|[^\W\d_]+|\d+|[^\s\w]")
OPENING = r"(?:(?<!\\)|(?<=(?<!\\)\\\\))\\"
r"""A backslash that begins a command: none stands before it, or two of them, which are a line break."""
FORMULA = re.compile(
    rf"\$\$([^$]++)\$\$|\$([^$]++)\$|{OPENING}\(((?:[^\\]|\\[^()])*+)\\\)|{OPENING}\[((?:[^\\]|\\[^\[\]])*+)\\\]"
)
"""A formula never contains the start of another, so that many unclosed ones cost no more than one."""
_INVISIBLE = frozenset("{}$&~")
_PUNCTUATION = frozenset("${}(),.^_;:~&'`\"\\-")
_LAYOUT = frozenset(
    """
    \\begin \\end \\item \\label \\ref \\cref \\eqref \\cite \\left \\right \\big \\Big \\noindent \\medskip \\text
    \\emph \\quad \\ldots \\dots \\cdots \\par \\hskip \\mbox
    """.split()
)
STOP_WORDS = frozenset(
    """
    a an and any are as at be by can for from has have if in is it its let of on or over such that the then there
    this to we where which with
    """.split()
)


@cache
def function_words() -> dict[str, frozenset[str]]:
    """Words without a subject of their own, by language: English, French, German, Spanish, Italian and Russian."""
    others = word_lists("function_words")
    return {"en": STOP_WORDS} | {name: frozenset(map(str.casefold, words)) for name, words in others.items()}


@cache
def word_lists(name: str) -> dict[str, frozenset[str]]:
    """The words in a file of the package's data, by language."""
    text = (resources.files("naturalproofs.data") / f"{name}.json").read_bytes()
    return {one: frozenset(words.split()) for one, words in msgspec.json.decode(text, type=dict[str, str]).items()}


def language_of(words: Iterable[str]) -> str:
    """The language that has the most of these words as function words; English if none has more."""
    counts = Counter(words)
    shares = {name: sum(counts[word] for word in known) for name, known in function_words().items()}
    return max(shares, key=lambda name: (shares[name], name == "en"))


def singular(word: str) -> str:
    """The singular of an English word in lower case, as far as its ending shows; the only stemmer of plurals.

    The ranker strips nothing else: more stemming would merge words that mathematics distinguishes. Other languages
    keep their words.
    """
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


K1, B = 1.2, 0.6
"""BM25's saturation and its normalisation by length (Robertson and Zaragoza 2009), wherever we weigh terms ourselves.

Search gives each field a normalisation of its own (BM25F)."""


def idf(count: int, size: int) -> float:
    """The inverse document frequency in BM25 of a term that `count` of `size` texts have; never negative."""
    return math.log1p((size - count + 0.5) / (count + 0.5))


def simple(text: str) -> list[str]:
    """Words and single symbols as they are; as a bag of words close to the paper's sub-word tokens."""
    return _SIMPLE.findall(text)


def maths(text: str) -> list[str]:
    r"""Words in lower case, LaTeX commands as they are, numbers and relation symbols; no stop words, no layout.

    ``\mathcal`` and ``\otimes`` discriminate between statements as well as words do; braces and ``\begin`` do not.
    """
    return list(_maths(text))


@lru_cache(maxsize=1 << 16)
def _maths(text: str) -> tuple[str, ...]:
    """Cached, since several methods tokenise the same statements."""
    return tuple(filter(None, map(_form, _MATHS.findall(text))))


@lru_cache(maxsize=1 << 18)
def _form(token: str) -> str:
    """The normalised token; empty if it is dropped. Cached, so that equal tokens share one string."""
    if token[0] == "\\":
        return "" if token in _LAYOUT else token
    word = token.casefold()
    return "" if token in _PUNCTUATION or word in STOP_WORDS else word


def forget() -> None:
    """Clear the caches."""
    _maths.cache_clear()
    _form.cache_clear()


def formulas(text: str) -> list[str]:
    """What `maths` gives, and every two and three neighbouring symbols of a formula as one token.

    ``H^i(X, F)`` and ``H^0(X, O)`` share few words, but the n-grams ``H ^`` and ``( X``.
    """
    found = maths(text)
    for groups in FORMULA.findall(text):
        symbols = [symbol for symbol in _MATHS.findall("".join(groups)) if symbol not in _INVISIBLE]
        for size in (2, 3):
            found.extend(" ".join(symbols[i : i + size]) for i in range(len(symbols) - size + 1))
    return found


TOKENISERS: dict[str, Callable[[str], list[str]]] = {"simple": simple, "maths": maths, "formulas": formulas}


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """The tokeniser of that name."""
    if name not in TOKENISERS:
        raise UnknownName(f"no tokeniser is called {name!r}; there are: {', '.join(TOKENISERS)}")
    return TOKENISERS[name]
