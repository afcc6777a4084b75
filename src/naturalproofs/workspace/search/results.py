"""The results of a search. Matches are given as offsets, so that each front end renders them in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.records import Kind, StatementId

Mark: TypeAlias = tuple[int, int]
"""Start and end of something to highlight."""

Field: TypeAlias = Literal["label", "number", "tag", "title", "name", "text", "formula", "note", "place", "meaning"]
"""The field of the best match."""


@dataclass(frozen=True, slots=True)
class Card:
    """The metadata of a statement that a result list shows and filters use."""

    id: StatementId
    kind: Kind
    form: str
    label: str
    number: str
    tag: str
    title: str
    chapter: str = ""
    section: str = ""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One statement that was found."""

    card: Card
    score: float
    field: Field
    snippet: str
    """An excerpt of the statement's source, cut between words and never inside a formula."""
    marks: tuple[Mark, ...] = ()
    """Words and whole formulas of the snippet that match."""
    title_marks: tuple[Mark, ...] = ()
    """Words of the title that match."""
    corpus: str = ""

    @property
    def id(self) -> StatementId:
        """The statement's id."""
        return self.card.id


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query."""

    items: tuple[Hit, ...]
    total: int
    """How many statements have every word, or, if none has, how many of the candidates have half of them by idf."""
    query: str
    corrections: tuple[tuple[str, str], ...] = ()
    """Words that occur in no corpus, and what was searched for instead."""
    suggestions: tuple[str, ...] = ()
    """Other queries to try, when little or nothing was found."""


def marked(text: str, marks: Sequence[Mark], before: str, after: str) -> str:
    """The text with a string put before and after each mark.

    Marks never begin or end inside a formula or a command, so the result can still be rendered as LaTeX if the strings
    are plain text, such as a character of the private use area that is replaced afterwards.
    """
    parts: list[str] = []
    at = 0
    for start, end in marks:
        parts += [text[at:start], before, text[start:end], after]
        at = end
    return "".join([*parts, text[at:]])
