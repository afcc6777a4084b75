"""The table of notation of a corpus: each symbol with the definition that introduces it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from naturalproofs.reading.kinds import by_word, words_of
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.introduced import find_notation
from naturalproofs.workspace.render import close_groups

_NO_MEANING = re.compile(r"\\(?:protect|left|right|[bB]ig[lr]?|displaystyle|[,;:! ])(?![a-zA-Z])|\s+|[{}]")
"""What does not tell one symbol from another."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A symbol, and the statement that introduces it."""

    symbol: str
    """LaTeX, without dollar signs."""
    meaning: str
    """LaTeX: the author's description, or the sentence that introduces it."""
    statement: StatementId


def notation_table(statements: Iterable[Statement]) -> tuple[Notation, ...]:
    """The notation of statements, in their order; a symbol counts where it is introduced first.

    An entry of the author's own list of symbols takes the place of a sentence.
    """
    found: dict[str, Notation] = {}
    listed: set[str] = set()
    for statement in statements:
        for one in find_notation(statement.text, in_definition=_introduces(statement)):
            key = _NO_MEANING.sub("", one.symbol)
            if key not in found or (one.is_listed and key not in listed):
                found[key] = Notation(one.symbol, close_groups(one.meaning), statement.id)
            if one.is_listed:
                listed.add(key)
    return tuple(found.values())


def _introduces(statement: Statement) -> bool:
    """Whether a statement is a definition, or says of itself that it is about notation."""
    words = words_of(statement.form)
    sense = by_word(words[-1]) if words else None
    return statement.kind == "definition" or (sense is not None and sense.family == "notation")
