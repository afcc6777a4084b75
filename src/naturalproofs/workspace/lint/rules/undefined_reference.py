"""A key is cited that no label defines: the printed page shows question marks."""

from collections.abc import Iterator

from naturalproofs.records import Origin
from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding


def undefined_reference(context: Context) -> Iterator[Finding]:
    """Citations, in statements, proofs and the text around them, whose label does not exist."""
    told: set[tuple[str, int, str]] = set()
    for missed in context.opened.unresolved:
        if missed.reason == "undefined":
            told.add((missed.path, missed.line, missed.target))
            yield _finding(context, Origin(missed.path, missed.line), missed.target)
    anchors = context.opened.anchors
    if anchors is None:
        return
    for one in context.occurrences:
        keys = (one.key, one.local_key)
        known = one.is_label or any(key in anchors or (one.path, one.line, key) in told for key in keys)
        if not known:
            yield _finding(context, Origin(one.path, one.line), one.key)


def _finding(context: Context, origin: Origin, key: str) -> Finding:
    return context.finding("undefined-reference", "error", origin, f"no label {key} is defined", key)
