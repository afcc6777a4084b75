r"""From a passage to the text that an encoder reads.

Encoders are trained on prose. LaTeX markup (``\mathcal{O}_X``) costs many sub-word tokens and carries little meaning
for them, so it is removed before a text is truncated.
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
_STOP_WORDS = re.compile(
    r"\b(?:let|be|an?|the|is|are|that|such|then|we|for|and|if|with|there|exists?)\b", re.IGNORECASE
)


def prose(passage: Passage) -> str:
    r"""The words around formulas, and the words inside them: ``\Spec``, ``Hom``; no single letters.

    A title that is a label is split into words. Stop words are removed, so that more fits before truncation.
    """
    title = _TITLE_FORMS.sub(" ", _TITLE_MARKS.sub(" ", passage.title))
    text = _ENVIRONMENTS.sub(" ", _POINTERS.sub(" ", _LINK.sub(_link_text, f"{title}. {passage.text}")))
    text = _FORMULA.sub(_formula_words, text)
    text = _QUOTES.sub("", _MARKS.sub(" ", _FORMS.sub(" ", text)))
    return " ".join(_STOP_WORDS.sub(" ", _SIGNS.sub(_punctuation, text)).split())


def paper(passage: Passage) -> str:
    """As in the original: title, the separator token, the lines joined, links replaced by their text."""
    text = f"{passage.title}[SEP]{' '.join(passage.text.split(chr(10)))}"
    return _LINK.sub(_link_text, text)


def _formula_words(match: re.Match[str]) -> str:
    return f" {' '.join(_LONG.findall(_FORMS.sub(' ', match[0])))} "


def _punctuation(match: re.Match[str]) -> str:
    return ". " if "." in match[0] else ", " if "," in match[0] else " "


def _link_text(match: re.Match[str]) -> str:
    first, *rest = match[1].split("|")
    return "".join(rest) if rest else first


PREPARATIONS: dict[str, Callable[[Passage], str]] = {"prose": prose, "paper": paper}


def preparation(name: str) -> Callable[[Passage], str]:
    """The preparation of that name."""
    if name not in PREPARATIONS:
        raise UnknownName(f"no preparation is called {name!r}; there are: {', '.join(PREPARATIONS)}")
    return PREPARATIONS[name]
