"""What a search gives back; where the hits are is told by offsets, so that each surface shows them its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.records import Kind, StatementId

Mark: TypeAlias = tuple[int, int]
"""Start and end of something to highlight."""

Field: TypeAlias = Literal["label", "number", "tag", "title", "name", "text", "formula", "note", "place", "meaning"]
"""What made a statement a hit: where the best match stands."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is shown of a statement in a list, and filtered by."""

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
    """A part of the statement's source, cut between words and never inside a formula."""
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
    """How many match by words, formula or name; those that are only near in meaning are not counted."""
    query: str
    corrections: tuple[tuple[str, str], ...] = ()
    """Words that occur nowhere, and what was looked for instead."""
    suggestions: tuple[str, ...] = ()
    """Queries to try instead, when there is little or nothing."""


def marked(text: str, marks: Sequence[Mark], before: str, after: str) -> str:
    """The text with something put around each mark.

    Marks never begin or end inside a formula or a command, so the result can still be rendered as LaTeX if what is put
    there is plain text, such as a character of the private use area that is replaced afterwards.
    """
    parts: list[str] = []
    at = 0
    for start, end in marks:
        parts += [text[at:start], before, text[start:end], after]
        at = end
    return "".join([*parts, text[at:]])
