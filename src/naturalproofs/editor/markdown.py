"""Statements as an editor shows them: Markdown, or plain text."""

from __future__ import annotations

import re

from naturalproofs.records import Anchor, Statement
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.render import full_name, plain_text

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_WORDS = {"item": "Item", "equation": "Equation", "section": "Section", "float": "Figure or table"}


def escaped(text: str) -> str:
    """Plain text for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def statement_markdown(project: OpenCorpus, statement: Statement) -> str:
    """What a hover shows."""
    body = "  \n".join(map(escaped, plain_text("\n".join(statement.lines), project.macros).split("\n")))
    users = project.graph.used_by.get(statement.id, ())
    facts = [str(statement.origin) if statement.origin else "", f"used by {len(users)}" if users else "not used yet"]
    name = escaped(full_name(statement, project.macros))
    return "\n\n".join([f"**{name}**", body, f"*{escaped(' · '.join(filter(None, facts)))}*"])


def anchor_markdown(project: OpenCorpus, label: str, anchor: Anchor) -> str:
    """What a hover shows of a label: its statement, or what else it stands for."""
    statement = project.labelled(label)
    word = _WORDS.get(anchor.kind, "Label")
    if statement is None:
        return f"**{word}** {escaped(label)}\n\n*{escaped(str(anchor.origin))}*"
    shown = statement_markdown(project, statement)
    return shown if anchor.kind == "statement" else f"{word} {escaped(label)} in:\n\n{shown}"


def plain(markdown: str) -> str:
    """The same for an editor without Markdown."""
    return re.sub(r"\\([\\`*_{}\[\]<>#|~])", r"\1", re.sub(r"(?<!\\)\*+", "", markdown)).replace("  \n", "\n")
