"""Answers to an editor's requests: completions, hovers, symbols, diagnostics and quick fixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from lsprotocol import types

from naturalproofs.apps.editor.completion import Completion
from naturalproofs.apps.editor.positions import Positions, Typing
from naturalproofs.io.listing import path_of
from naturalproofs.records import Anchor, Statement, StatementId
from naturalproofs.sources.latex import plain_text, read_group
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.check import Finding
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.labels import Edit, NewLabel, Occurrence
from naturalproofs.workspace.locate import Block, blocks
from naturalproofs.workspace.render import full_name, printed_name
from naturalproofs.workspace.suggest import Suggestion
from naturalproofs.workspace.workspace import Match

# Answers about labels: where they are defined and used, their new names, and the numbers that citations print.


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


SOURCE = "naturalproofs"
MISSING = frozenset({"missing-reference"})
"""Rules about a statement that a proof should cite; the label of the statement stands after the arrow."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_ANCHORS = {"item": "Item", "equation": "Equation", "section": "Section", "float": "Figure or table"}
DOCUMENTED = 8
"""How many completions contain their statement; the others get it when they are selected."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_SYMBOLS = {
    "theorem": types.SymbolKind.Class,
    "definition": types.SymbolKind.Interface,
    "other": types.SymbolKind.Constant,
}


def completion(
    project: OpenCorpus,
    found: Sequence[Completion],
    typing: Typing,
    where: types.Range,
    uri: str,
    positions: Positions,
) -> types.CompletionList:
    """Labels to insert, in our order; a statement without a label gets one when it is accepted."""
    items = []
    for rank, one in enumerate(found):
        statement = _named(project, one.label)
        sure = f"{one.probability:.0%}  " if one.probability is not None else ""
        detail = full_name(statement, project.macros) if statement else one.anchor.kind
        item = types.CompletionItem(
            label=one.key,
            kind=types.CompletionItemKind.Reference,
            detail=f"{sure}{detail}{', gets this label' if one.edit else ''}",
            sort_text=f"{rank:05}",
            # An editor that filters by the key must not drop what was found by its title.
            filter_text=one.key if one.fit < 2 else f"{typing.typed} {one.key}",
            text_edit=types.TextEdit(where, one.key),
            additional_text_edits=[
                types.TextEdit(positions.between(edit.path, edit.start, edit.end), edit.text)
                for edit in filter(None, [one.edit])
            ]
            or None,
            data={"uri": uri, "label": one.label, "why": one.why},
        )
        items.append(resolved(project, item) if rank < DOCUMENTED else item)
    return types.CompletionList(is_incomplete=True, items=items)


def _named(project: OpenCorpus, label: str) -> Statement | None:
    """The statement of a label, a generated one included."""
    return project.labelled(label) or project.by_label.get(label)


def resolved(project: OpenCorpus, item: types.CompletionItem) -> types.CompletionItem:
    """A completion with its statement, once it is selected."""
    data = item.data if isinstance(item.data, dict) else {}
    statement = _named(project, str(data.get("label", "")))
    if statement is not None and item.documentation is None:
        why = escaped(str(data.get("why", "")))
        text = "\n\n".join(filter(None, [statement_markdown(project, statement), why]))
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item


def hover(project: OpenCorpus, label: str, where: types.Range, *, markdown: bool) -> types.Hover | None:
    """The statement of a label."""
    anchor = project.anchors.get(label)
    if anchor is None:
        return None
    text = anchor_markdown(project, label, anchor)
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, text if markdown else plain(text)), where)


def escaped(text: str) -> str:
    """Plain text for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def statement_markdown(project: OpenCorpus, statement: Statement) -> str:
    """What a hover shows."""
    text = plain_text(statement.text, macros_for(project.macros, statement))
    body = "  \n".join(map(escaped, text.split("\n")))
    users = project.graph.used_by.get(statement.id, ())
    facts = [str(statement.origin) if statement.origin else "", f"used by {len(users)}" if users else "not used yet"]
    name = escaped(full_name(statement, project.macros))
    return "\n\n".join([f"**{name}**", body, f"*{escaped(' · '.join(filter(None, facts)))}*"])


def anchor_markdown(project: OpenCorpus, label: str, anchor: Anchor) -> str:
    """What a hover shows of a label: its statement, or what else it stands for."""
    statement = project.labelled(label)
    word = _ANCHORS.get(anchor.kind, "Label")
    if statement is None:
        return f"**{word}** {escaped(label)}\n\n*{escaped(str(anchor.origin))}*"
    shown = statement_markdown(project, statement)
    return shown if anchor.kind == "statement" else f"{word} {escaped(label)} in:\n\n{shown}"


def plain(markdown: str) -> str:
    """The same for an editor without Markdown."""
    return re.sub(r"\\([\\`*_{}\[\]<>#|~])", r"\1", re.sub(r"(?<!\\)\*+", "", markdown)).replace("  \n", "\n")


def symbols(project: OpenCorpus, file: str, positions: Positions) -> list[types.DocumentSymbol]:
    """The statements of a file, each with its proofs."""
    found = blocks(project, file)
    proofs: dict[StatementId, list[Block]] = {}
    for block in found:
        if block.proof is not None:
            proofs.setdefault(block.statement.id, []).append(block)
    stated = [block for block in found if block.proof is None]
    return [_symbol(project, file, block, proofs.get(block.statement.id, ()), positions) for block in stated]


def found_symbols(found: Sequence[Match], texts: Callable[[OpenCorpus], Positions]) -> list[types.WorkspaceSymbol]:
    """Statements of open projects as symbols."""
    return [
        types.WorkspaceSymbol(
            types.Location(
                uri_of(project, statement.origin.path),
                texts(project).whole_line(statement.origin.path, statement.origin.line),
            ),
            full_name(statement, project.macros),
            _SYMBOLS[statement.kind],
            container_name=statement.label,
        )
        for project, statement in found
        if statement.origin is not None
    ]


def _symbol(
    project: OpenCorpus, file: str, block: Block, proofs: Sequence[Block], positions: Positions
) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=full_name(block.statement, project.macros),
        detail=block.statement.label,
        kind=_SYMBOLS[block.statement.kind],
        range=_range(block, file, positions),
        selection_range=positions.whole_line(file, block.start),
        children=[
            types.DocumentSymbol(
                name="Proof",
                kind=types.SymbolKind.Method,
                range=_range(proof, file, positions),
                selection_range=positions.whole_line(file, proof.start),
            )
            for proof in proofs
        ],
    )


def _range(block: Block, file: str, positions: Positions) -> types.Range:
    return types.Range(positions.whole_line(file, block.start).start, positions.whole_line(file, block.end).end)


def diagnostic(finding: Finding, positions: Positions) -> types.Diagnostic:
    """A finding as a diagnostic."""
    return types.Diagnostic(
        range=positions.finding(finding),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
        data={"subject": finding.subject},
    )


def actions(project: OpenCorpus, file: str, uri: str, context: types.CodeActionContext) -> list[types.CodeAction]:
    """Quick fixes for the diagnostics of a request."""
    found: list[types.CodeAction] = []
    for one in context.diagnostics:
        if one.source != SOURCE:
            continue
        subject = str(one.data.get("subject", "")) if isinstance(one.data, dict) else ""
        if one.code == "undefined-reference":
            for place, label in enumerate(_nearest_labels(project, file, subject) if subject else []):
                found.append(_edit(uri, one, f"Replace by {label}", one.range, label, preferred=place == 0))
        elif one.code in MISSING and (cited := project.labelled(subject.rpartition(" -> ")[2])) is not None:
            citation, end = project.citing(file).citation(cited), types.Range(one.range.end, one.range.end)
            found.append(_edit(uri, one, f"Insert {citation}", end, f" ({citation})", preferred=False))
    return found


def _edit(
    uri: str, finding: types.Diagnostic, title: str, where: types.Range, text: str, *, preferred: bool
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[finding],
        is_preferred=preferred,
        edit=types.WorkspaceEdit(changes={uri: [types.TextEdit(where, text)]}),
    )


def _nearest_labels(project: OpenCorpus, file: str, key: str) -> list[str]:
    """Labels that a wrong key may have meant, as the file writes them."""
    stem = f"{Path(file).stem}-"
    known = [label.removeprefix(stem) if a.origin.path == file else label for label, a in project.anchors.items()]
    return get_close_matches(key, known, n=3, cutoff=0.6)


# Actions that give a label to a statement that has none, and cite it.

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
