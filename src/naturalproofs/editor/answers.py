"""Answers to an editor's requests: completions, hovers, symbols, diagnostics and quick fixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

from lsprotocol import types

from naturalproofs.editor.completion import Completion
from naturalproofs.editor.label_answers import uri_of
from naturalproofs.editor.positions import Positions, Typing
from naturalproofs.records import Anchor, Statement, StatementId
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.blocks import Block, blocks
from naturalproofs.workspace.check import Finding
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.render import full_name, plain_text
from naturalproofs.workspace.workspace import Match

SOURCE = "naturalproofs"
MISSING = frozenset({"missing-reference", "usually-cited"})
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
    return project.labelled(label) or project.corpus.by_label.get(label)


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
