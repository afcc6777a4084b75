"""Tokenisers: from text to a list of tokens. A name picks one, so that methods can be printed and parsed."""

import re
from collections.abc import Callable

from naturalproofs.errors import UnknownName

_SIMPLE = re.compile(r"\w+|[^\w\s]")
_MATHS = re.compile(r"\\[a-zA-Z]+|[^\W\d_]+|\d+|[^\s\w]")
_PUNCTUATION = frozenset("${}(),.^_;:~&'`\"\\-")
_LAYOUT = frozenset(
    """
    \\begin \\end \\item \\label \\ref \\cref \\eqref \\cite \\left \\right \\big \\Big \\noindent \\medskip \\text
    \\emph \\quad \\ldots \\dots \\cdots \\par \\hskip \\mbox
    """.split()
)
_STOP = frozenset(
    """
    a an and any are as at be by can for from has have if in is it its let of on or over such that the then there
    this to we where which with
    """.split()
)


def simple(text: str) -> list[str]:
    """Words and single signs, as they are: close to what the paper's sub-word tokens give a bag of words."""
    return _SIMPLE.findall(text)


def maths(text: str) -> list[str]:
    r"""Words in lower case, LaTeX commands as they are, numbers and relation signs; no stop words, no layout.

    ``\mathcal`` and ``\otimes`` tell statements apart as well as any word; dollars, braces and ``\begin`` do not.
    """
    found = []
    for token in _MATHS.findall(text):
        if token[0] == "\\":
            if token not in _LAYOUT:
                found.append(token)
        elif token not in _PUNCTUATION:
            word = token.casefold()
            if word not in _STOP:
                found.append(word)
    return found


TOKENISERS: dict[str, Callable[[str], list[str]]] = {"simple": simple, "maths": maths}


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """The tokeniser of that name."""
    if name not in TOKENISERS:
        raise UnknownName(f"no tokeniser is called {name!r}; there are: {', '.join(TOKENISERS)}")
    return TOKENISERS[name]
