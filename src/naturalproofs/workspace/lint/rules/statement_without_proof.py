"""A theorem that is stated and never proved."""

from collections.abc import Iterator

from naturalproofs.records import Severity, Statement
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding

_OPEN = frozenset({"conjecture", "question", "problem", "hypothesis", "exercise", "fact", "assumption"})
"""Forms that are not expected to be proved."""


def statement_without_proof(context: Context) -> Iterator[Finding]:
    """Theorems and the like without a proof; those that cite the literature, and open questions, are left alone."""
    for statement in context.corpus.of_kind("theorem"):
        if not statement.proofs and statement.form.casefold() not in _OPEN and not _from_elsewhere(statement):
            severity: Severity = "note" if statement.form == "corollary" else "warning"
            message = f"{name_of(statement)} has no proof"
            yield context.finding("statement-without-proof", severity, statement, message, statement.label)


def _from_elsewhere(statement: Statement) -> bool:
    return any("\\cite" in line or "\\qed" in line for line in statement.lines)
