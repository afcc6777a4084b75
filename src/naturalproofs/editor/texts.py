"""Statements as an editor shows them: Markdown, or plain text where that is all the editor knows."""

from __future__ import annotations

import re

from naturalproofs.editor.view import View
from naturalproofs.records import Anchor, Statement
from naturalproofs.workspace.citing import one_line, printed_name

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_ITEM = re.compile(r"\\item\b")
_LONGEST = 3_000
_WORDS = {"item": "Item", "equation": "Equation", "section": "Section", "float": "Figure or table"}


def escaped(text: str) -> str:
    """Plain text for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def name_of(view: View, statement: Statement) -> str:
    """``Theorem 3.2.5 (Lagrange)``."""
    title = one_line(statement.title, view.shelf.macros)
    return printed_name(statement) + (f" ({title})" if title else "")


def readable(view: View, statement: Statement) -> str:
    """The statement in plain signs: paragraphs apart, the items of lists on lines of their own."""
    source = "\n".join(statement.lines)[:_LONGEST]
    pieces = [one_line(piece, view.shelf.macros) for paragraph in source.split("\n\n") for piece in _pieces(paragraph)]
    return "\n".join(filter(None, pieces))


def _pieces(paragraph: str) -> list[str]:
    first, *items = _ITEM.split(paragraph)
    return [first, *(f"\\item{item}" for item in items)]


def statement_markdown(view: View, statement: Statement) -> str:
    """What a hover shows."""
    body = "  \n".join(map(escaped, readable(view, statement).split("\n")))
    users = view.shelf.graph.used_by.get(statement.id, ())
    facts = [str(statement.origin) if statement.origin else "", f"used by {len(users)}" if users else "not used yet"]
    return "\n\n".join(
        [f"**{escaped(name_of(view, statement))}**", body, f"*{escaped(' · '.join(filter(None, facts)))}*"]
    )


def anchor_markdown(view: View, label: str, anchor: Anchor) -> str:
    """What a hover shows of a label: its statement, or what else it stands for."""
    statement = view.statement(label)
    word = _WORDS.get(anchor.kind, "Label")
    if statement is None:
        return f"**{word}** {escaped(label)}\n\n*{escaped(str(anchor.origin))}*"
    shown = statement_markdown(view, statement)
    return shown if anchor.kind == "statement" else f"{word} {escaped(label)} in:\n\n{shown}"


def plain(markdown: str) -> str:
    """The same for an editor without Markdown."""
    return re.sub(r"\\([\\`*_{}\[\]<>#|~])", r"\1", re.sub(r"(?<!\\)\*+", "", markdown)).replace("  \n", "\n")
