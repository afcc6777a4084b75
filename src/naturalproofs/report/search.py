"""What a search found, on a screen and for programs."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from naturalproofs.latex.display import Macro
from naturalproofs.workspace.citing import one_line
from naturalproofs.workspace.search.found import Card, Found, Hit, marked

Paint: TypeAlias = Callable[[str, str], str]
"""Text and what it is: ``name``, ``cite``, ``mark`` or ``faint``."""
_MARGIN = " " * 5
_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private characters that stand for the ends of a mark until the text is painted."""
LINES = 3


def plain(text: str, _what: str) -> str:
    """No colours."""
    return text


def found_text(
    found: Found,
    *,
    paint: Paint = plain,
    width: int | None = None,
    several: bool = False,
    macros: Mapping[str, Mapping[str, Macro]] | None = None,
) -> str:
    """A numbered list, or what to try instead; each corpus may bring its own commands."""
    width = min(width or shutil.get_terminal_size().columns, 110)
    parts = [
        _item(rank, hit, paint, width, (macros or {}).get(hit.corpus, {}), several=several)
        for rank, hit in enumerate(found.items, start=1)
    ]
    mended = ", ".join(f"{meant} (not {typed})" for typed, meant in found.corrections)
    more = found.total - len(found.items)
    closing = [
        "Nothing was found." if not parts else "",
        f"Nothing has all of that; {'these are' if len(parts) > 1 else 'this is'} near it in meaning."
        if parts and not found.total
        else "",
        f"Looked for {mended}." if mended else "",
        f"Did you mean: {' | '.join(found.suggestions)}" if found.suggestions and not mended else "",
        f"{more:,} more; ask for them with -k, or say more precisely what you look for." if more > 0 else "",
    ]
    return "\n\n".join([*parts, *filter(None, closing)])


def card_name(card: Card, macros: Mapping[str, Macro]) -> str:
    """``Lemma 3.2.5 (Zorn)``."""
    title = f"({one_line(card.title, macros)})" if card.title else ""
    return " ".join(filter(None, [(card.form or card.kind).capitalize(), card.number, title]))


def _item(rank: int, hit: Hit, paint: Paint, width: int, macros: Mapping[str, Macro], *, several: bool) -> str:
    card = hit.card
    where = " › ".join(filter(None, (hit.corpus if several else "", card.chapter, card.section)))
    label = f"tag {card.tag}, {card.label}" if card.tag else card.label
    head = (
        f"{rank:>3}. {paint(card_name(card, macros), 'name')}   {paint(label if label != card.title else '', 'cite')}"
    )
    text = one_line(marked(hit.snippet, hit.marks, _OPEN, _CLOSE), macros)
    lines = textwrap.wrap(text, width - len(_MARGIN), max_lines=LINES, placeholder=" …")
    shown = [head.rstrip(), *(f"{_MARGIN}{line}" for line in _painted(lines, paint))]
    return "\n".join([*shown, *([f"{_MARGIN}{paint(where, 'faint')}"] if where else [])])


def _painted(lines: list[str], paint: Paint) -> list[str]:
    """Marks painted; one that goes on in the next line is closed and opened again."""
    painted: list[str] = []
    inside = False
    for line in lines:
        pieces = (_OPEN if inside else "") + line
        done = ""
        for number, piece in enumerate(pieces.split(_OPEN)):
            body, closed, rest = piece.partition(_CLOSE)
            if not number:
                done += body + rest
                inside = False
                continue
            done += (paint(body, "mark") if body else "") + rest
            inside = not closed
        painted.append(done)
    return painted


def found_data(found: Found) -> dict[str, Any]:
    """The same for programs; marks are offsets into the snippet and the title."""
    return {
        "query": found.query,
        "total": found.total,
        "corrections": [{"typed": typed, "meant": meant} for typed, meant in found.corrections],
        "suggestions": list(found.suggestions),
        "hits": [hit_data(hit) for hit in found.items],
    }


def hit_data(hit: Hit) -> dict[str, Any]:
    """One hit."""
    card = hit.card
    return {
        "id": card.id,
        "corpus": hit.corpus,
        "kind": card.kind,
        "form": card.form,
        "number": card.number,
        "tag": card.tag,
        "label": card.label,
        "title": card.title,
        "chapter": card.chapter,
        "section": card.section,
        "categories": list(card.categories),
        "score": round(hit.score, 4),
        "field": hit.field,
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "title_marks": [list(mark) for mark in hit.title_marks],
    }
