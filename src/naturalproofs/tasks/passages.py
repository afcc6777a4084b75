"""The one place where a statement becomes text for a method."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from naturalproofs.records import Passage, Statement, StatementId

_WORDS = re.compile(r"[^\W\d_]{2,}")
COMMON = 0.2
"""A word of more than this share of all labels says what they label (``lemma``, ``thm``), not what it is about."""


@dataclass(frozen=True, slots=True)
class TextView:
    """Which parts of a statement are shown (the paper's title and content ablation)."""

    title: bool = True
    contents: bool = True


WHOLE = TextView()


def passage_text(statement: Statement, view: TextView = WHOLE) -> str:
    """Title and contents as one text."""
    parts = [statement.title] if view.title and statement.title else []
    return "\n".join([*parts, *(statement.lines if view.contents else ())])


def passages(
    statements: Iterable[Statement],
    *,
    view: TextView = WHOLE,
    place: bool = False,
    names: Mapping[StatementId, str] | None = None,
) -> list[Passage]:
    """What a method may see of each statement.

    An untitled statement is called by the words of its label, as its author calls it. Numbers in labels are left out:
    they would tell where it stands.

    Args:
        statements: What to show.
        view: Which parts of it.
        place: Whether to show where it stands.
        names: The telling words of each label, if these are not all statements of the corpus: which words tell depends
            on the whole, and a theorem must read the same as a question and as a candidate.
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
    """The telling words of each label."""
    words = {s.id: _WORDS.findall(s.label.casefold()) for s in statements}
    counts = Counter(word for found in words.values() for word in set(found))
    limit = COMMON * len(words)
    return {key: " ".join(word for word in found if counts[word] <= limit) for key, found in words.items()}
