"""Quick fixes: a misspelt key, a missing citation."""

from __future__ import annotations

import re

from lsprotocol import types

from naturalproofs.editor.answers import SOURCE, nearest_labels
from naturalproofs.workspace import OpenCorpus

_CITATION = re.compile(r"(?:[A-Z][a-z]+~)?\\[a-zA-Z]*[rR]ef\{[^{}]+\}")
MISSING = frozenset({"missing-reference", "usually-cited"})
"""Rules whose message contains the citation to insert."""


def actions(project: OpenCorpus, file: str, uri: str, context: types.CodeActionContext) -> list[types.CodeAction]:
    """Quick fixes for the diagnostics of a request."""
    found: list[types.CodeAction] = []
    for one in context.diagnostics:
        if one.source != SOURCE:
            continue
        if one.code == "undefined-reference":
            key = str((one.data or {}).get("subject", "")) if isinstance(one.data, dict) else ""
            for place, label in enumerate(nearest_labels(project, file, key) if key else []):
                found.append(_edit(uri, one, f"Replace by {label}", one.range, label, preferred=place == 0))
        elif one.code in MISSING and (citation := _CITATION.search(one.message)) is not None:
            end = types.Range(one.range.end, one.range.end)
            found.append(_edit(uri, one, f"Insert {citation[0]}", end, f" ({citation[0]})", preferred=False))
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
