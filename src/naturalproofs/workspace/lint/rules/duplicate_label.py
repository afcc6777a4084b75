"""One label stands at two places: references to it lead to one of them only."""

from collections.abc import Iterator

from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.reported import reported


def duplicate_label(context: Context) -> Iterator[Finding]:
    """Labels defined more than once, at the second and later places."""
    return reported(context, "duplicate-label", severity="error")
