"""Labels to complete, in order: what the proof is likely to cite, then what is near."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace

from naturalproofs.editor.positions import Typing
from naturalproofs.errors import NaturalProofsError
from naturalproofs.latex.scan.scanner import Token, TokenKind, scan
from naturalproofs.records import Anchor, StatementId
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.labels import Edit
from naturalproofs.workspace.locate import Location
from naturalproofs.workspace.new_labels import NewLabel
from naturalproofs.workspace.suggest import Suggestion, Suggestions, cited_keys

LIMIT = 100
"""The number of completions; typing on brings others."""
RANKED = 60
"""How many are ranked by the suggestions; the rest are ordered by distance."""
EXPLAINED = 20
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
        typing: What is typed; ``eqref`` prefers equations.
    """
    project = workspace.home
    line = text.count("\n", 0, offset) + 1
    here = _location(workspace, file, line)
    suggested = _suggested(workspace, here, file, text, offset)
    prefix = project.citing(file).prefixes.get(file, "")
    own = here.statement.label if here else ""
    ranks = {item.statement.label: (rank, item) for rank, item in enumerate(suggested.items if suggested else ())}

    def order(one: Completion) -> tuple[int, int, int, int, int]:
        rank, _ = ranks.get(one.label, (RANKED, None))
        origin = one.anchor.origin
        away = line - origin.line
        wanted = typing.command != "eqref" or one.anchor.kind in ("equation", "item")
        return (not wanted, one.fit, rank, (origin.path != file) * 2 + (away < 0), abs(away))

    written = {
        label: label.removeprefix(prefix) if anchor.origin.path == file else label
        for label, anchor in project.anchors.items()
        if anchor.kind not in ("bibliography", "external") and label != own
    }
    new = _insertable(project, suggested, file, text) if suggested is not None and typing.command != "eqref" else {}
    written.update({label: one.key for label, one in new.items()})
    matching = [
        Completion(key, label, project.anchors[label], fit)
        if label not in new
        else Completion(key, label, Anchor("statement", None, new[label].origin), fit, edit=new[label].edit)
        for label, key in _keys(written, typing).items()
        if key not in typing.keys
        if (fit := _fit(project, key, label, typing.typed.casefold())) is not None
    ]
    best = heapq.nsmallest(LIMIT, matching, key=order)
    return [_explained(one, ranks.get(one.label, (0, None))[1]) for one in best]


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
    if key.casefold().startswith(typed):
        return 0
    if typed in key.casefold():
        return 1
    statement = project.labelled(label) or project.corpus.by_label.get(label)
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
    here = _location(workspace, file, text.count("\n", 0, offset) + 1)
    if in_proof and (here is None or here.proof is None):
        return None
    return _suggested(workspace, here, file, text, offset)


def _explained(one: Completion, item: Suggestion | None) -> Completion:
    return one if item is None else replace(one, probability=item.probability, why="; ".join(item.why[:2]))


def _location(workspace: Workspace, file: str, line: int) -> Location | None:
    try:
        return workspace.locate(f"{file}:{line}")
    except NaturalProofsError:
        return None


def _suggested(workspace: Workspace, here: Location | None, file: str, text: str, offset: int) -> Suggestions | None:
    try:
        if here is not None:
            cited = here.cited if format_of(file) else _cited(workspace.home, here, file, text, offset)
            return workspace.suggest(here.statement, k=RANKED, cited=cited, explained=EXPLAINED)
        written = _written(text, offset)
        return workspace.suggest(written, k=RANKED, file=file, explained=EXPLAINED) if written else None
    except NaturalProofsError:
        # Without suggestions the order is by distance.
        return None


def _cited(project: OpenCorpus, here: Location, file: str, text: str, offset: int) -> Sequence[StatementId]:
    """What the proof cites before the cursor in the editor's text, which may be newer than the project's state."""
    window = text[max(0, offset - _WINDOW) : offset]
    begun = [token.end for token in _begun(window) if token.name == "proof"]
    if not begun:
        # A macro or a heading begins it, or it is long: what was read of it is known.
        return here.cited if here.proof is not None else ()
    found = [project.labelled(project.labels.absolute(file, key)) for key in cited_keys(window[begun[-1] :])]
    return [statement.id for statement in found if statement is not None]


def _written(text: str, offset: int) -> str:
    """The text since the last environment began: a theorem that the project does not contain yet."""
    window = text[max(0, offset - _WINDOW) : offset]
    begun = _begun(window)
    return window[begun[-1].start :] if begun else window[-1_000:]


def _begun(text: str) -> list[Token]:
    """Where environments begin."""
    return [token for token in scan(text).tokens if token.kind is TokenKind.BEGIN]
