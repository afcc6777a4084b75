"""A proof that belongs to nothing: its theorem is missing, or comes after it."""

from collections.abc import Iterator

from naturalproofs.assist.lint.context import Context
from naturalproofs.assist.lint.finding import Finding
from naturalproofs.assist.lint.reported import reported


def proof_without_statement(context: Context) -> Iterator[Finding]:
    """Proofs that neither follow a statement nor name one."""
    return reported(context, "proof-without-statement")
