"""Phrases: the normalised words of a prose text, and those that name a theorem or that a definition defines."""

from __future__ import annotations

import re
from typing import TypeAlias

from naturalproofs.records import Statement
from naturalproofs.workspace.search.documents import defined_phrases
from naturalproofs.workspace.search.text import FORMULA, singular

Phrase: TypeAlias = tuple[str, ...]
LONGEST = 5
"""The number of words of the longest phrase."""
_BREAKS = re.compile(
    rf"{FORMULA}|\\(?:begin|end|label|index|[a-zA-Z]*ref|cite[a-z]*)\*?\s*(?:\[[^][]*\])?\{{[^{{}}]*\}}|[.,;:!?()\[\]]",
    re.DOTALL,
)
_WORD = re.compile(r"\\[a-zA-Z]+\*?|[^\W\d_]+(?:[-'’–][^\W\d_]+)*|\x00")
_FORMS = frozenset(
    "theorem lemma proposition corollary criterion formula inequality identity principle rule law".split()
)
_EMPTY = frozenset("the a an of and or in is are proof case step claim note fact example remark".split())


def words(text: str) -> list[str]:
    """The normalised words of a prose text; an empty word where a phrase cannot continue."""
    found = _WORD.findall(_BREAKS.sub(" \x00 ", text.replace("~", " ")))
    return [_normalised(word) for word in found if word[0] != "\\"]


def _normalised(word: str) -> str:
    """A word in lower case and, as far as its ending shows, in the singular."""
    if word == "\x00":
        return ""
    form = word.casefold().replace("’", "'").removesuffix("'s").removesuffix("'")
    return singular(form) if len(form) > 3 else form


def names_of(statement: Statement) -> set[Phrase]:
    """The phrases that name a theorem: its title, and with a word such as “theorem” where the title is only a name."""
    title = tuple(words(statement.title))
    if statement.kind != "theorem" or not title or "" in title or len(title) > LONGEST:
        return set()
    form = statement.form.casefold() or "theorem"
    if _FORMS.intersection(title):
        return {title} if len(title) > 1 else set()
    forms = {form, "theorem"} if form in _FORMS else {"theorem"}
    return {(*title, one) for one in forms} | {(one, "of", *title) for one in forms} if len(title) <= 3 else {title}


def terms_of(statement: Statement) -> set[Phrase]:
    """The terms that a definition defines: its title, and its emphasised text."""
    return {phrase for text in defined_phrases(statement) if _is_specific(phrase := tuple(words(text)))}


def _is_specific(phrase: Phrase) -> bool:
    return (
        0 < len(phrase) <= LONGEST and "" not in phrase and not _EMPTY.issuperset(phrase) and len("".join(phrase)) > 3
    )
