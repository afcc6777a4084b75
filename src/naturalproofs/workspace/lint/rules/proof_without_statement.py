"""A proof that belongs to nothing: its theorem is missing, or comes after it."""

from collections.abc import Iterator

from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.reported import reported


def proof_without_statement(context: Context) -> Iterator[Finding]:
    """Proofs that neither follow a statement nor name one."""
    return reported(context, "proof-without-statement")
