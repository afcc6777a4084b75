"""Labels to complete, in the order of `workspace.cursor`."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace

from naturalproofs.apps.editor.positions import Typing
from naturalproofs.errors import NaturalProofsError
from naturalproofs.records import Anchor
from naturalproofs.sources.latex import scanner
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.citations import wanted_at
from naturalproofs.workspace.cursor import label_scores
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.labels import Edit, NewLabel
from naturalproofs.workspace.locate import Location, at_cursor
from naturalproofs.workspace.suggest import Suggestion, Suggestions

LIMIT = 100
"""The number of completions; typing on brings others."""
RANKED = 60
"""How many statements are suggested; labels of others go by what is near and what is asked for."""
EXPLAINED = 10
"""How many get reasons, which take longest to compute."""
_WINDOW = 6_000
"""Characters before the cursor that are read."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A label that can be inserted."""

    key: str
    """As it is written in this file."""
    label: str
    """Its name in the whole project."""
    anchor: Anchor
    fit: int = 0
    """How well it matches what is typed; less is better."""
    probability: float | None = None
    why: str = ""
    edit: Edit | None = None
    """What to insert elsewhere in the file so that the label exists; None if it does."""


def completions(workspace: Workspace, file: str, text: str, offset: int, typing: Typing) -> list[Completion]:
    """The labels that match what is typed, the likeliest first.

    Args:
        workspace: The project.
        file: The path of the file inside the project.
        text: The file as the editor holds it.
        offset: The cursor.
        typing: What is typed.
    """
    project = workspace.home
    line = text.count("\n", 0, offset) + 1
    own = format_of(file)
    wanted = wanted_at(text[:offset], project.labels.syntax, typing.command, *([own.typing] if own else []))
    here = at_cursor(project, file, text, offset, wanted)
    suggested = _suggested(workspace, here, file, text, offset)
    prefix = project.citing(file).prefixes.get(file, "")
    stated = here.statement.label if here else ""
    items = {item.statement.id: item for item in suggested or ()}
    score = label_scores(project, file, line, here, suggested.items if suggested else (), wanted, typing.command)

    written = {
        label: label.removeprefix(prefix) if anchor.origin.path == file else label
        for label, anchor in project.anchors.items()
        if anchor.kind not in ("bibliography", "external") and label != stated
    }
    new = _insertable(project, suggested, file, text) if suggested is not None and wanted != "equation" else {}
    written.update({label: one.key for label, one in new.items()})
    by_label = project.by_label
    anchors = {
        **project.anchors,
        **{key: Anchor("statement", by_label[key].id, one.origin) for key, one in new.items()},
    }
    typed = typing.typed.casefold()
    matching = (
        (fit, -score(label, anchors[label]), label, key)
        for label, key in _keys(written, typing).items()
        if key not in typing.keys
        if (fit := _fit(project, key, label, typed)) is not None
    )
    return [
        _explained(
            Completion(key, label, anchors[label], fit, edit=new[label].edit if label in new else None),
            items.get(anchors[label].owner or ""),
        )
        for fit, _, label, key in heapq.nsmallest(LIMIT, matching)
    ]


def _keys(written: dict[str, str], typing: Typing) -> dict[str, str]:
    """What is left to write of each label when the command puts text before and after it; all of it if none fits."""
    before, after = typing.before, typing.after
    if not before + after:
        return written
    fitting = {
        label: key[len(before) : len(key) - len(after)]
        for label, key in written.items()
        if key.startswith(before) and key.endswith(after) and len(key) >= len(before) + len(after)
    }
    return fitting or written


def _fit(project: OpenCorpus, key: str, label: str, typed: str) -> int | None:
    """How a label matches: its key begins with what is typed, or contains it, or its title does; or not at all."""
    if not typed or (written := key.casefold()).startswith(typed):
        return 0
    if typed in written:
        return 1
    statement = project.labelled(label) or project.by_label.get(label)
    titled = statement is not None and statement.label == label and typed in statement.title.casefold()
    return 2 if titled else None


def _insertable(project: OpenCorpus, suggested: Suggestions, file: str, text: str) -> dict[str, NewLabel]:
    """The suggested statements of a file that can be given a label now, by their generated labels.

    The editor's text may be newer than the project's state: up to the place of the label both must be equal.
    """
    read, typed = project.texts.get(file, ""), text.replace("\r\n", "\n")
    found = ((item.statement.label, item.new_label) for item in suggested if item.new_label is not None)
    return {
        label: new
        for label, new in found
        if new.edit is not None and new.edit.path == file and typed.startswith(read[: new.edit.start])
    }


def suggestions(
    workspace: Workspace, file: str, text: str, offset: int, *, in_proof: bool = False
) -> Suggestions | None:
    """What the proof at an offset of a file may want to cite; None if no proof or, unless refused, text is there."""
    home = workspace.home
    here = at_cursor(home, file, text, offset, wanted_at(text[:offset], home.labels.syntax))
    if in_proof and (here is None or here.proof is None):
        return None
    return _suggested(workspace, here, file, text, offset)


def _explained(one: Completion, item: Suggestion | None) -> Completion:
    return one if item is None else replace(one, probability=item.probability, why="; ".join(item.why[:2]))


def _suggested(workspace: Workspace, here: Location | None, file: str, text: str, offset: int) -> Suggestions | None:
    try:
        if here is not None:
            return workspace.suggest(here, k=RANKED, explained=EXPLAINED, probabilities=True)
        written = _written(text, offset)
        return workspace.suggest(written, k=RANKED, file=file, explained=EXPLAINED) if written else None
    except NaturalProofsError:
        # Without suggestions the order is by distance.
        return None


def _written(text: str, offset: int) -> str:
    """The text since the last environment began: a theorem that the project does not contain yet."""
    window = text[max(0, offset - _WINDOW) : offset]
    begun = _begun(window)
    return window[begun[-1].start :] if begun else window[-1_000:]


def _begun(text: str) -> list[scanner.Token]:
    """Where environments begin."""
    return [token for token in scanner.tokenize(text) if token.kind is scanner.TokenKind.BEGIN]
