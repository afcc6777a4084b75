"""Suggestions on a screen, and for programs."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from naturalproofs.records import Statement
from naturalproofs.workspace.citing import Citing, printed_name
from naturalproofs.workspace.suggest import Suggestion, Suggestions

Paint: TypeAlias = Callable[[str, str], str]
"""Text and what it is: ``name``, ``sure``, ``cite`` or ``faint``."""
_MARGIN = " " * 5


def plain(text: str, _what: str) -> str:
    """No colours."""
    return text


def suggestions_text(
    found: Suggestions, *, paint: Paint = plain, width: int | None = None, several: bool = False
) -> str:
    """A numbered list, and a last line that says how far down it one has to read."""
    width = min(width or shutil.get_terminal_size().columns, 110)
    if not found.items:
        return "Nothing is suggested: no statement that may be used here has anything in common with this."
    parts = [_item(rank, item, paint, width, several=several) for rank, item in enumerate(found.items, start=1)]
    return "\n\n".join([*parts, verdict(found)])


def verdict(found: Suggestions) -> str:
    """How many of the list are expected to cover the proof."""
    if found.expected is None or found.covered is None:
        return "How many of these are enough is not known: this method is not calibrated."
    about = f"about {_count(found.expected)}"
    if found.enough == 0:
        return f"The proof is expected to need {'nothing more' if found.cited else 'nothing'} ({about})."
    if found.enough is not None:
        first = "The first one is" if found.enough == 1 else f"The first {found.enough} are"
        return f"{first} expected to cover the {'rest of the ' if found.cited else ''}proof ({about})."
    return f"These {len(found)} hold {found.covered:.0%} of what is expected ({about}); ask for more with -k."


def _count(expected: float) -> str:
    number = f"{expected:.1f}" if expected < 10 else f"{expected:.0f}"
    return f"{number} citation{'' if number == '1.0' else 's'}"


def _item(rank: int, item: Suggestion, paint: Paint, width: int, *, several: bool) -> str:
    sure = "" if item.probability is None else f"{item.probability:.0%}"
    title = f" ({item.title})" if item.title else ""
    source = f" · {item.corpus}" if several else ""
    room = width - len(_MARGIN) - len(sure) - len(source) - 1
    name = textwrap.shorten(item.name + title, room, placeholder="…")
    gap = " " * (room - len(name))
    head = f"{rank:>3}. {paint(name, 'name')}{paint(source, 'faint')}{gap} {paint(sure, 'sure')}".rstrip()
    text = textwrap.shorten(item.preview, width - len(_MARGIN), placeholder="…")
    why = textwrap.wrap(" · ".join(item.why), width - len(_MARGIN), break_long_words=False)
    cite = "   ".join(filter(None, (paint(item.citation, "cite"), paint(item.where, "faint"))))
    lines = (text, cite, *(paint(one, "faint") for one in why))
    return "\n".join([head, *(f"{_MARGIN}{line}" for line in lines if line)])


def cited_text(cited: Sequence[Statement], citing: Citing) -> str:
    """What the proof cites already, as one line."""
    names = ", ".join(f"{printed_name(s)} ({s.label})" if s.number else citing.plain(s.title or s.label) for s in cited)
    return f"Cited already: {names}"


def suggestions_data(found: Suggestions) -> dict[str, Any]:
    """Suggestions as plain data, the same for the command line, the page and agents."""
    return {
        "query": found.query,
        "about": found.about,
        "cited": list(found.cited),
        "expected": found.expected,
        "enough": found.enough,
        "covered": found.covered,
        "suggestions": [_data(rank, item) for rank, item in enumerate(found.items, start=1)],
    }


def _data(rank: int, item: Suggestion) -> dict[str, Any]:
    statement = item.statement
    return {
        "rank": rank,
        "id": statement.id,
        "corpus": item.corpus,
        "kind": statement.kind,
        "form": statement.form,
        "number": statement.number,
        "tag": statement.tag,
        "name": item.name,
        "title": item.title,
        "label": statement.label,
        "preview": item.preview,
        "citation": item.citation,
        "probability": item.probability,
        "score": item.score,
        "reasons": [
            {"kind": reason.kind, "text": reason.text, "statements": list(reason.statements)} for reason in item.reasons
        ],
        "where": item.where,
    }
