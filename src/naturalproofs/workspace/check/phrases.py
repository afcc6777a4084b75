"""Phrases that name a statement in prose without citing it: names of theorems and terms of definitions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from naturalproofs.latex.arguments import read_group
from naturalproofs.records import Statement, StatementId

Phrase: TypeAlias = tuple[str, ...]

LONGEST = 5
"""The number of words of the longest phrase."""
_BREAKS = re.compile(
    r"\$\$?[^$]*+\$\$?|\\\(.*?\\\)|\\\[.*?\\\]|\\(?:begin|end|label|[a-zA-Z]*ref|cite[a-z]*)\*?\s*(?:\[[^][]*\])?\{[^{}]*\}"
    r"|[.,;:!?()\[\]]",
    re.DOTALL,
)
_WORD = re.compile(r"\\[a-zA-Z]+\*?|[^\W\d_]+(?:[-'’–][^\W\d_]+)*|\x00")
_EMPHASIS = re.compile(
    r"\\(?:emph|textit|textbf|textsl|defn|dfn|define|term|newterm)\s*(?=\{)|\{\s*\\(?:it|em|bf|sl)\s"
)
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
    if len(form) > 4 and form.endswith("ies"):
        return f"{form[:-3]}y"
    return form[:-1] if len(form) > 3 and form.endswith("s") and not form.endswith(("ss", "us", "is")) else form


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
    if statement.kind != "definition":
        return set()
    found = {tuple(words(statement.title))}
    text = "\n".join(statement.lines)
    for match in _EMPHASIS.finditer(text):
        group = read_group(text, match.end() if match.group()[0] == "\\" else match.start())
        if group is not None and "$" not in group.text:
            found.add(tuple(words(group.text)))
    return {phrase for phrase in found if _is_specific(phrase)}


def _is_specific(phrase: Phrase) -> bool:
    return (
        0 < len(phrase) <= LONGEST and "" not in phrase and not _EMPTY.issuperset(phrase) and len("".join(phrase)) > 3
    )


def dictionary(statements: Iterable[Statement]) -> dict[Phrase, StatementId]:
    """The statement that each phrase names, for phrases that name only one."""
    meanings: defaultdict[Phrase, set[StatementId]] = defaultdict(set)
    for statement in statements:
        for phrase in names_of(statement) | terms_of(statement):
            meanings[phrase].add(statement.id)
    return {phrase: next(iter(ids)) for phrase, ids in meanings.items() if len(ids) == 1}


def mentioned(text: str, known: Mapping[Phrase, StatementId]) -> Iterator[tuple[StatementId, Phrase]]:
    """The statements that a text names by their longest phrases, in order, with repeats."""
    found, at = words(text), 0
    while at < len(found):
        for length in range(min(LONGEST + 2, len(found) - at), 0, -1):
            phrase = tuple(found[at : at + length])
            if phrase in known:
                yield known[phrase], phrase
                at += length
                break
        else:
            at += 1
