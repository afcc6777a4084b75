"""Statements as text for a method: the only conversion, so that no method sees a proof."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from naturalproofs.records import Passage, Statement, StatementId

_WORDS = re.compile(r"[^\W\d_]{2,}")
COMMON = 0.2
"""Words in more than this share of all labels are ignored: they name a kind (``lemma``, ``thm``), not a topic."""


@dataclass(frozen=True, slots=True)
class TextView:
    """Which parts of a statement a method sees (the paper's title and content ablation)."""

    title: bool = True
    contents: bool = True


WHOLE = TextView()


def passage_text(passage: Passage) -> str:
    """Title and contents of a passage as one text."""
    return "\n".join(filter(None, (passage.title, passage.text)))


def passages(
    statements: Iterable[Statement],
    *,
    view: TextView = WHOLE,
    place: bool = False,
    names: Mapping[StatementId, str] | None = None,
) -> list[Passage]:
    """What a method may see of each statement.

    The title of an untitled statement is made of the words of its label. Numbers in labels are left out: they would
    reveal its position.

    Args:
        statements: The statements.
        view: Which parts of them to include.
        place: Whether to include the place in reading order.
        names: The words of each label, needed if these are not all statements of the corpus: common words depend on
            the whole corpus, and a theorem must read the same as a query and as a candidate.
    """
    statements = list(statements)
    if names is None:
        names = label_words(statements)
    return [
        Passage(
            id=statement.id,
            kind=statement.kind,
            title=(statement.title or names[statement.id]) if view.title else "",
            text="\n".join(statement.lines) if view.contents else "",
            cites=statement.references,
            place=statement.place if place else None,
            form=statement.form,
        )
        for statement in statements
    ]


def label_words(statements: Iterable[Statement]) -> dict[StatementId, str]:
    """The words of each label without common ones."""
    words = {s.id: _WORDS.findall(s.label.casefold()) for s in statements}
    counts = Counter(word for found in words.values() for word in set(found))
    limit = COMMON * len(words)
    return {key: " ".join(word for word in found if counts[word] <= limit) for key, found in words.items()}
