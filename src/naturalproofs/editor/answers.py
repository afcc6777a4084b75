"""Answers to an editor's questions, from a view of the project."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from lsprotocol import types

from naturalproofs.editor.cursor import Key, Typing
from naturalproofs.editor.places import Places
from naturalproofs.editor.ranks import Offer
from naturalproofs.editor.texts import anchor_markdown, escaped, name_of, plain, statement_markdown
from naturalproofs.editor.view import View
from naturalproofs.records import Statement
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.occurrences import Occurrence
from naturalproofs.workspace.locating import last_line

SOURCE = "naturalproofs"
DOCUMENTED = 20
"""How many offers bring their statement along; the others when they are looked at."""
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
    view: View, found: Sequence[Offer], typing: Typing, where: types.Range, uri: str
) -> types.CompletionList:
    """Labels to put in, in our order whatever the editor thinks of their spelling."""
    items = [_item(view, offer, typing, where, rank) for rank, offer in enumerate(found)]
    for item, offer in zip(items, found, strict=True):
        item.data = {"uri": uri, "label": offer.label, "why": offer.why}
    return types.CompletionList(is_incomplete=True, items=items)


def _item(view: View, offer: Offer, typing: Typing, where: types.Range, rank: int) -> types.CompletionItem:
    statement = view.statement(offer.label)
    sure = f"{offer.probability:.0%}  " if offer.probability is not None else ""
    detail = name_of(view, statement) if statement else offer.anchor.kind
    text = statement_markdown(view, statement) if statement and rank < DOCUMENTED else ""
    return types.CompletionItem(
        label=offer.key,
        kind=types.CompletionItemKind.Reference,
        detail=f"{sure}{detail}",
        documentation=_documentation(text, offer.why) if text else None,
        sort_text=f"{rank:05}",
        # What was found by its title must not be thrown out by an editor that looks at the key alone.
        filter_text=offer.key if offer.fit < 2 else f"{typing.typed} {offer.key}",
        text_edit=types.TextEdit(where, offer.key),
    )


def resolved(view: View, item: types.CompletionItem) -> types.CompletionItem:
    """An offer with its statement, once a person looks at it."""
    data = item.data if isinstance(item.data, dict) else {}
    statement = view.statement(str(data.get("label", "")))
    if statement is not None and item.documentation is None:
        item.documentation = _documentation(statement_markdown(view, statement), str(data.get("why", "")))
    return item


def _documentation(text: str, why: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text + (f"\n\n{escaped(why)}" if why else ""))


def hover(view: View, file: str, key: Key, where: types.Range, *, markdown: bool) -> types.Hover | None:
    """The statement behind a key."""
    label = view.absolute(file, key.key)
    anchor = view.anchors.get(label)
    if anchor is None:
        return None
    text = anchor_markdown(view, label, anchor)
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, text if markdown else plain(text)), where)


def definition(view: View, file: str, key: Key, places: Places) -> types.Location | None:
    """Where a label is written."""
    found = view.labels.get(view.absolute(file, key.key))
    return location(view, found, places) if found else None


def references(view: View, file: str, key: Key, places: Places, *, declared: bool) -> list[types.Location]:
    """Everywhere a label is cited, and where it is written if that is wanted."""
    label = view.absolute(file, key.key)
    own = view.labels.get(label)
    found = [*([own] if own and declared else []), *view.citing.get(label, [])]
    return [location(view, one, places) for one in found]


def location(view: View, one: Occurrence, places: Places) -> types.Location:
    """An occurrence as the editor opens it."""
    return types.Location(
        (view.root / one.path).resolve().as_uri(), places.thing(one.path, one.line, one.column, one.key)
    )


def symbols(view: View, file: str, places: Places) -> list[types.DocumentSymbol]:
    """The statements of a file, each with its proofs."""
    lines = view.texts.get(file, "").split("\n")
    stated = [s for s in view.opened.corpus.statements if s.origin and s.origin.path == file]
    return [_symbol(view, statement, lines, places) for statement in stated]


def _symbol(view: View, statement: Statement, lines: list[str], places: Places) -> types.DocumentSymbol:
    path, line = (statement.origin.path, statement.origin.line) if statement.origin else ("", 1)
    proofs = [
        types.DocumentSymbol(
            name="Proof",
            kind=types.SymbolKind.Method,
            range=_block(lines, path, proof.origin.line, places),
            selection_range=places.whole_line(path, proof.origin.line),
        )
        for proof in statement.proofs
        if proof.origin and proof.origin.path == path
    ]
    return types.DocumentSymbol(
        name=name_of(view, statement),
        detail=statement.label,
        kind=_SYMBOLS[statement.kind],
        range=_block(lines, path, line, places),
        selection_range=places.whole_line(path, line),
        children=proofs,
    )


def _block(lines: list[str], path: str, start: int, places: Places) -> types.Range:
    end = last_line(lines, start)
    return types.Range(places.whole_line(path, start).start, places.whole_line(path, end).end)


def diagnostic(finding: Finding, places: Places) -> types.Diagnostic:
    """A finding as the editor underlines it."""
    return types.Diagnostic(
        range=places.finding(finding),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
        data={"subject": finding.subject},
    )


def nearest_labels(view: View, file: str, key: str) -> list[str]:
    """Labels that a wrong key may have meant, as the file writes them."""
    stem = f"{Path(file).stem}-"
    known = [label.removeprefix(stem) if a.origin.path == file else label for label, a in view.anchors.items()]
    return get_close_matches(key, known, n=3, cutoff=0.6)
