"""A query as typed: words, "phrases", -not, kind:definition, $formulas$. Nothing that is typed is an error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naturalproofs.latex.plain import plain_letters
from naturalproofs.workspace.search.words import words

LONGEST = 4000
"""Characters of a query that are read; whoever pastes more is not looking for a notion."""
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
_GROUPED, _CITED = re.compile(r"\{(\w)\}"), re.compile(r"\\[a-zA-Z]*ref\s*\{[^{}]*\}")
_MATHS = re.compile(r"[\\^_=<>{}∈⊂⊆→↦≤≥≠⊗⊕×∘]|\w\(\w")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    text: str
    words: tuple[str, ...] = ()
    """Folded, without stop words unless there is nothing else."""
    spelt: tuple[str, ...] = ()
    """The same words as typed, for saying what was meant."""
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    formulas: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    unfinished: bool = False
    """Whether the last word may still be being typed."""

    @property
    def empty(self) -> bool:
        """Whether nothing is looked for; filters alone list what they let through."""
        return not (self.words or self.phrases or self.formulas)


def parse_query(text: str) -> Query:
    """Read a query."""
    text = _GROUPED.sub(r"\1", _CITED.sub(" ", plain_letters(text[:LONGEST])))
    prose: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    formulas: list[str] = []
    filters: dict[str, list[str]] = {name: [] for name in _FILTERS}
    for match in _PART.finditer(text):
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
    """A formula need not stand between dollars: signs give it away, and lone signs go on with it."""
    lone = len(plain) == 1 and formulas and not prose
    if lone or _MATHS.search(plain):
        # What follows a formula with nothing but a space between is the same formula.
        before = formulas.pop() if formulas and formulas[-1][:1] != "$" and not prose else ""
        formulas.append(f"{before} {plain}".strip())
    else:
        prose.append(plain)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.term for word in words(text) if not word.formula)


def _telling(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Each word once, folded and as typed; stop words only if there is nothing else."""
    found = [(word.term, text[word.start : word.end]) for word in words(text) if not word.formula]
    kept = dict(pair for pair in found if pair[1].casefold() not in _STOP) or dict(found)
    chosen = list(kept.items())[:MOST_WORDS]
    return tuple(term for term, _ in chosen), tuple(spelt for _, spelt in chosen)
