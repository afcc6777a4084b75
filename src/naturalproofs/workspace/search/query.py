"""Query syntax: words, "phrases", -not, kind:definition, $formulas$. Every text is a valid query."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naturalproofs.latex.arguments import plain_letters
from naturalproofs.workspace.search.text import words

LONGEST = 4000
"""Characters of a query that are read."""
MOST_WORDS = 64
_STOP = frozenset(
    """
    a an and any are as at be by can do does for from has have how i if in into is it its let me of on or over show some
    such that the then there this to we what when where which who why with
    """.split()
)
_FILTERS = ("kind", "chapter", "category", "corpus")
_PART = re.compile(
    r"(?P<formula>\$\$?[^$]+\$\$?)"
    rf"|(?P<filter>-?(?:{'|'.join(_FILTERS)})):(?:\"(?P<quoted>[^\"]*)\"|(?P<value>[^\s\"]+))"
    r"|(?P<not>-)?[\"“”](?P<phrase>[^\"“”]*)[\"“”]?"
    r"|(?<!\S)-(?P<without>[^\W\d_]\S*)"
    r"|(?P<plain>[^\s\"“”$]+)"
    r"|\$"
)
_GROUPED, _CITED = re.compile(r"(\\[a-zA-Z]+)?\{(\w)\}"), re.compile(r"\\[a-zA-Z]*ref\s*\{[^{}]*\}")
_MATHS = re.compile(r"[\\^_=<>{}\u00b9\u00b2\u00b3\u2070-\u208e\u2190-\u21ff\u2200-\u22ff×]|\w\(\w")
_MODIFIER = re.compile(r"(?P<formula>.*[\\^_].*)-(?P<word>[^\W\d_]{3,})")
"""A formula as part of a word, as in ``\\mathcal{O}_X-module``."""
_DEFINITION = re.compile(
    r"\s*(?:(?:the\s+)?definition\s+of|define|what\s+(?:is|are))\s+(?:an?\s+|the\s+)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    text: str
    subject: str = ""
    """What is asked for: the text without "definition of" or "what is"."""
    definition: bool = False
    """Whether a definition is asked for."""
    words: tuple[str, ...] = ()
    """Folded, without stop words unless there are no others."""
    spelt: tuple[str, ...] = ()
    """The same words as typed."""
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    formulas: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    unfinished: bool = False
    """Whether the last word may be incomplete."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to rank by; filters alone list what passes them."""
        return not (self.words or self.phrases or self.formulas)


def parse_query(text: str) -> Query:
    """Parse a query."""
    text = text[:LONGEST].encode("utf-8", "replace").decode()
    text = _GROUPED.sub(lambda match: match[0] if match[1] else match[2], _CITED.sub(" ", plain_letters(text)))
    intent = _DEFINITION.match(text)
    subject = text[intent.end() :].strip(" ?") if intent else text
    intent = intent if subject else None
    prose: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    formulas: list[str] = []
    filters: dict[str, list[str]] = {name: [] for name in _FILTERS}
    for match in _PART.finditer(text, intent.end() if intent else 0):
        if match["formula"]:
            formulas.append(match["formula"])
        elif (name := match["filter"]) and not name.startswith("-"):
            filters[name].append(match["quoted"] if match["quoted"] is not None else match["value"])
        elif match["phrase"] is not None:
            if folded := _folded(match["phrase"]):
                (excluded if match["not"] else phrases).append(folded)
        elif match["without"] is not None:
            excluded.extend([(term,) for term in _folded(match["without"])])
        elif plain := match["plain"]:
            _add(plain, prose, formulas)
    folded, spelt = _telling(" ".join(prose))
    return Query(
        text=text,
        subject=subject if intent else text,
        definition=intent is not None,
        words=folded,
        spelt=spelt,
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        formulas=tuple(formulas),
        kinds=tuple(filters["kind"]),
        chapters=tuple(filters["chapter"]),
        categories=tuple(filters["category"]),
        corpora=tuple(filters["corpus"]),
        unfinished=bool(prose) and text.endswith(prose[-1]) and text[-1].isalnum(),
    )


def _add(plain: str, prose: list[str], formulas: list[str]) -> None:
    """Sort a part of the query: a formula needs no dollars, and single signs after one belong to it."""
    if (match := _MODIFIER.fullmatch(plain)) is not None:
        formulas.append(f"${match['formula']}$")
        prose.append(match["word"])
        return
    lone = len(plain) == 1 and formulas and not prose
    if lone or _MATHS.search(plain):
        # A formula may contain spaces.
        before = formulas.pop() if formulas and formulas[-1][:1] != "$" and not prose else ""
        formulas.append(f"{before} {plain}".strip())
    else:
        prose.append(plain)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.term for word in words(text) if not word.formula)


def _telling(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Each word once, folded and as typed; stop words only if there are no others."""
    found = [(word.term, text[word.start : word.end]) for word in words(text) if not word.formula]
    kept = dict(pair for pair in found if pair[1].casefold() not in _STOP) or dict(found)
    chosen = list(kept.items())[:MOST_WORDS]
    return tuple(term for term, _ in chosen), tuple(spelt for _, spelt in chosen)
