"""Answers about labels: where they are defined and used, their new names, and the numbers that citations print."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from naturalproofs.editor.positions import Positions
from naturalproofs.io.names import path_of
from naturalproofs.latex.scan.arguments import read_group
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.labels import Edit, Occurrence
from naturalproofs.workspace.render import full_name, printed_name


def definition(project: OpenCorpus, label: str, positions: Positions) -> types.Location | None:
    """Where a label is defined."""
    found = project.labels.definitions.get(label)
    return location(project, found, positions) if found else None


def references(project: OpenCorpus, label: str, positions: Positions, *, declared: bool) -> list[types.Location]:
    """Where a label is cited, and where it is defined if that is wanted."""
    own = project.labels.definitions.get(label)
    found = [*([own] if own and declared else []), *project.labels.citations.get(label, [])]
    return [location(project, one, positions) for one in found]


def location(project: OpenCorpus, one: Occurrence, positions: Positions) -> types.Location:
    """An occurrence as a location."""
    return types.Location(uri_of(project, one.path), positions.between(one.path, one.start, one.end))


def uri_of(project: OpenCorpus, path: str) -> str:
    """The address of a file of the project."""
    return ((project.root or Path()) / path_of(path)).resolve().as_uri()


def highlights(project: OpenCorpus, file: str, label: str, positions: Positions) -> list[types.DocumentHighlight]:
    """All places of a file that define or cite a label."""
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(positions.between(file, one.start, one.end), kinds[one.is_label])
        for one in project.labels.of(label)
        if one.path == file
    ]


def hints(project: OpenCorpus, file: str, where: types.Range, positions: Positions) -> list[types.InlayHint]:
    """The printed names of the cited statements, after each citation of a part of a file."""
    first, last = where.start.line + 1, where.end.line + 1
    cited: dict[int, list[Occurrence]] = {}
    for one in project.labels.occurrences:
        if one.path == file and first <= one.line <= last and not one.is_label:
            cited.setdefault(one.stop, []).append(one)
    found = []
    for stop, ones in cited.items():
        names = filter(None, (_cited_name(project, one) for one in ones))
        if text := ", ".join(dict.fromkeys(names)):
            link = read_group(project.texts[file], stop) if ones[0].command == "hyperref" else None
            end = link.end if link is not None else stop
            at = positions.between(file, end, end).start
            found.append(types.InlayHint(at, text, padding_left=True))
    return found


def _cited_name(project: OpenCorpus, one: Occurrence) -> str:
    """``Lemma 3.2``, ``in Lemma 3.2`` for an equation or an item of it; nothing for what is no part of a statement."""
    label = project.labels.absolute(one.path, one.key)
    anchor, statement = project.anchors.get(label), project.labelled(label)
    if anchor is None or statement is None:
        return ""
    name = printed_name(statement) if statement.number else full_name(statement, project.macros)
    return name if anchor.kind == "statement" else f"in {name}"


def renaming(
    project: OpenCorpus, edits: Iterable[Edit], versions: dict[str, int | None], positions: Positions
) -> types.WorkspaceEdit:
    """Edits of several files, for the versions that the editor holds."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        change = types.TextEdit(positions.between(edit.path, edit.start, edit.end), edit.text)
        changes.setdefault(uri_of(project, edit.path), []).append(change)
    return types.WorkspaceEdit(
        changes=changes,
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), ones)
            for uri, ones in changes.items()
        ],
    )
