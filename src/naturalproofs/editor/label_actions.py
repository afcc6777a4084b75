"""Actions that give a label to a statement that has none, and cite it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from lsprotocol import types

from naturalproofs.editor.label_answers import renaming, uri_of
from naturalproofs.editor.positions import Positions, Typing
from naturalproofs.records import Statement
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.labels import Edit
from naturalproofs.workspace.new_labels import NewLabel
from naturalproofs.workspace.render import full_name
from naturalproofs.workspace.suggest import Suggestion

LIKELY = 10
"""How many suggestions are looked at for statements without a label."""
OFFERED = 3
RULE = "unlabelled-theorem"


def give_label(
    project: OpenCorpus,
    statement: Statement,
    new: NewLabel,
    context: types.CodeActionContext,
    versions: dict[str, int | None],
    positions: Positions,
) -> list[types.CodeAction]:
    """The action that labels the statement at the cursor; none if the place of the label is not known."""
    if new.edit is None:
        return []
    name = full_name(statement, project.macros)
    return [
        types.CodeAction(
            title=f"Give {name} the label {new.label}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[one for one in context.diagnostics if one.code == RULE] or None,
            edit=renaming(project, [new.edit], versions, positions),
        )
    ]


def cite_unlabelled(
    project: OpenCorpus,
    ranked: Iterable[Suggestion],
    file: str,
    offset: int,
    typing: Typing | None,
    versions: dict[str, int | None],
    positions: Positions,
) -> list[types.CodeAction]:
    """Actions that label a suggested statement, in whatever file it is, and cite it at the cursor.

    Args:
        project: The project.
        ranked: The suggestions for the cursor.
        file: The file of the cursor.
        offset: The cursor.
        typing: The key that is being typed there, which the new label then replaces.
        versions: The versions of the open documents.
        positions: Positions in the files of the project.
    """
    found = []
    for item in islice(ranked, LIKELY):
        new = item.new_label
        if new is None or new.edit is None:
            continue
        citation = _citation(item, new, file, offset, typing)
        if citation is not None:
            found.append(
                types.CodeAction(
                    title=f"Cite {full_name(item.statement, project.macros)}: give it the label {new.label}",
                    kind=types.CodeActionKind.QuickFix,
                    edit=renaming(project, [new.edit, citation], versions, positions),
                )
            )
    return found[:OFFERED]


def insertion(project: OpenCorpus, item: Suggestion, positions: Positions) -> dict[str, Any] | None:
    """Where a client inserts the new label of a suggestion, as plain values; None if it has a label."""
    edit = item.new_label.edit if item.new_label is not None else None
    if edit is None:
        return None
    at = positions.between(edit.path, edit.start, edit.end).start
    return {"uri": uri_of(project, edit.path), "line": at.line, "character": at.character, "text": edit.text}


def _citation(item: Suggestion, new: NewLabel, file: str, offset: int, typing: Typing | None) -> Edit | None:
    """The citation to insert; None if the command that is being typed cannot cite this label."""
    if typing is None:
        return Edit(file, offset, offset, item.citation_by_new_label)
    key = new.key if new.origin.path == file else new.label
    before, after = typing.before, typing.after
    if not (key.startswith(before) and key.endswith(after) and len(key) > len(before) + len(after)):
        return None
    return Edit(file, typing.start, offset, key[len(before) : len(key) - len(after)])
