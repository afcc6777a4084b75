r"""From a passage to the text that an encoder reads.

Encoders are trained on prose. What LaTeX spells (``\mathcal{O}_X``) costs many sub-word tokens and says little to
them, so markup is taken away before a text is cut to length.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from naturalproofs.errors import UnknownName
from naturalproofs.records import Passage

_POINTERS = re.compile(r"\\(?:label|cite[a-z]*|ref|eqref|cref|Cref|autoref)\*?\s*(?:\[[^]\n]*\]\s*)?\{[^{}]*\}")
_ENVIRONMENTS = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^]\n]*\])?")
_FORMS = re.compile(
    r"\\(?:math(?:cal|frak|bf|rm|bb|it|scr|sf|op)|text(?:it|bf|rm|sc|tt)?|emph|operatorname|rm|it|bf|sf|"
    r"overline|underline|wide(?:tilde|hat)|tilde|hat|bar|left|right|[bB]ig[lr]?|displaystyle|(?:no)?limits|xymatrix|"
    r"item|noindent|medskip|q?quad|[lc]?dots)(?![a-zA-Z])"
)
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_ESCAPED = re.compile(r"\\[^a-zA-Z]")
_MARKS = re.compile(r"[$\\&~{}^_]")
_FORMULA = re.compile(r"\$\$[^$]*\$\$|\$[^$]*\$|\\\[.*?\\\]|\\\(.*?\\\)", re.DOTALL)
_LONG = re.compile(r"[^\W\d_]{3,}")
_LINK = re.compile(r"\[\[([^][]*)\]\]")
_TITLE_MARKS = re.compile(r"[-_:]")
_TITLE_FORMS = re.compile(
    r"\b(?:lemma|proposition|theorem|definition|remark|equation|item|section|situation|example)\b"
)
_QUOTES = re.compile(r"``|''")
_SIGNS = re.compile(r"\s*(?:[,.;:()\[\]|=+*/'<>-]\s*)+")
_EMPTY = re.compile(r"\b(?:let|be|an?|the|is|are|that|such|then|we|for|and|if|with|there|exists?)\b", re.IGNORECASE)


def words(passage: Passage) -> str:
    r"""Formulas as words: fonts and layout dropped, ``\otimes`` as "otimes", scripts as separate letters."""
    text = _FORMS.sub(" ", _without_structure(passage))
    text = _COMMAND.sub(r" \1 ", _ESCAPED.sub(" ", text))
    return " ".join(_MARKS.sub(" ", text).split())


def prose(passage: Passage) -> str:
    r"""The words around formulas, and of a formula only what is a word: ``\Spec``, ``Hom``; no single letters.

    A title that is a label is read as words. Words that every statement has are left out: a text is cut to length.
    """
    text = _FORMULA.sub(_spoken, _without_structure(passage))
    text = _QUOTES.sub("", _MARKS.sub(" ", _FORMS.sub(" ", text)))
    return " ".join(_EMPTY.sub(" ", _SIGNS.sub(_sign, text)).split())


def strip(passage: Passage) -> str:
    """Commands and dollars removed, all else kept."""
    text = re.sub(r"\\[a-zA-Z]+", " ", f"{passage.title}. {passage.text}")
    return " ".join(re.sub(r"[${}\\]", " ", text).split())


def paper(passage: Passage) -> str:
    """As the original: title, the separator token, the lines joined, links replaced by what they show."""
    text = f"{passage.title}[SEP]{' '.join(passage.text.split(chr(10)))}"
    return _LINK.sub(_shown, text)


def _without_structure(passage: Passage) -> str:
    text = f"{_TITLE_FORMS.sub(' ', _TITLE_MARKS.sub(' ', passage.title))}. {passage.text}"
    return _ENVIRONMENTS.sub(" ", _POINTERS.sub(" ", _LINK.sub(_shown, text)))


def _spoken(match: re.Match[str]) -> str:
    return f" {' '.join(_LONG.findall(_FORMS.sub(' ', match[0])))} "


def _sign(match: re.Match[str]) -> str:
    return ". " if "." in match[0] else ", " if "," in match[0] else " "


def _shown(match: re.Match[str]) -> str:
    first, *rest = match[1].split("|")
    return "".join(rest) if rest else first


PREPARATIONS: dict[str, Callable[[Passage], str]] = {"words": words, "prose": prose, "strip": strip, "paper": paper}


def preparation(name: str) -> Callable[[Passage], str]:
    """The preparation of that name."""
    if name not in PREPARATIONS:
        raise UnknownName(f"no preparation is called {name!r}; there are: {', '.join(PREPARATIONS)}")
    return PREPARATIONS[name]
