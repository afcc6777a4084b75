"""What the source itself complained about, as findings."""

import re
from collections.abc import Iterator

from naturalproofs.records import Severity
from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding

_PLACE = re.compile(r":\d+(?::\d+)?")


def reported(context: Context, rule: str, severity: Severity | None = None) -> Iterator[Finding]:
    """The diagnostics of one rule; their subject is the message without line numbers."""
    for one in context.opened.diagnostics:
        if one.rule == rule:
            subject = _PLACE.sub("", one.message)
            yield Finding(one.path, one.line, one.column, severity or one.severity, rule, one.message, subject)
