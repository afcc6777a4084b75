"""Prose as Unicode text: one line, or one line for each paragraph and each item of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from naturalproofs.latex.display.display_macros import DisplayMacros
from naturalproofs.latex.display.nodes import (
    Block,
    Break,
    Citation,
    Footnote,
    Formula,
    Inline,
    Items,
    Picture,
    Raw,
    Reference,
    Styled,
    Text,
)
from naturalproofs.latex.display.prose import parse_prose
from naturalproofs.latex.display.unicode import unicode_text
from naturalproofs.latex.macros.macro import Macros


def plain_unicode(source: str, macros: Macros) -> str:
    """A text on one line; formulas become the nearest signs."""
    return " ".join(plain_text(source, macros).split())


def plain_text(source: str, macros: Macros) -> str:
    """A text with one line for each paragraph and each item of a list."""
    written = "".join(map(write_part, parse_prose(source, DisplayMacros(macros))))
    lines = (" ".join(line.split()) for line in written.split("\v"))
    return "\n".join(filter(None, lines))


def _all(parts: Iterable[Inline]) -> str:
    return "".join(map(write_part, parts))


def write_part(part: Inline) -> str:
    """A part of a text; a vertical tab begins a paragraph or an item."""
    match part:
        case Text(text) | Raw(text):
            return text
        case Formula(source, _, None):
            return source
        case Formula(_, display, tree) if tree is not None:
            made = unicode_text(tree, write_part)
            return f" {made} " if display else made
        case Styled(_, parts) | Block(parts):
            return _all(parts)
        case Reference(_, _, own):
            return _all(own) if own is not None else "…"
        case Citation(keys, note):
            return f"[{keys}{', ' + _all(note) if note else ''}]"
        case Footnote():
            return ""
        case Break(paragraph):
            return "\v" if paragraph else " "
        case Items(ordered, items):
            return "".join(map(_item(ordered=ordered), enumerate(items, 1)))
        case Picture(kind, _, _, caption):
            shown = _all(caption).strip()
            return f" [{kind}{': ' + shown if shown else ''}] "
    raise TypeError(f"{type(part).__name__} is not a part of a text")


def _item(*, ordered: bool) -> Callable[[tuple[int, tuple[tuple[Inline, ...] | None, tuple[Inline, ...]]]], str]:
    def written(numbered: tuple[int, tuple[tuple[Inline, ...] | None, tuple[Inline, ...]]]) -> str:
        number, (mark, parts) = numbered
        shown = _all(mark) if mark is not None else f"({number})" if ordered else "•"
        return f"\v{shown} {_all(parts)}"

    return written
