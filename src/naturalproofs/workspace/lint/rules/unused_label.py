"""A label that nothing cites."""

from collections.abc import Iterator

from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.rules.unused_statement import is_auxiliary


def unused_label(context: Context) -> Iterator[Finding]:
    """Labels of theorems, equations, sections and the rest that are never cited; lemmas have a rule of their own."""
    for label, anchor in (context.opened.anchors or {}).items():
        owner = context.corpus.by_id.get(anchor.owner or "")
        lemma = anchor.kind == "statement" and owner is not None and is_auxiliary(owner)
        if anchor.kind != "external" and not lemma and label not in context.cited_keys:
            message = f"label {label} is never cited"
            yield context.finding("unused-label", "note", anchor.origin, message, label)
