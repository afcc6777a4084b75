"""A lemma that nothing uses: an old step that was forgotten, or a citation that is missing."""

from collections.abc import Iterator

from naturalproofs.records import Statement
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding

AUXILIARY = frozenset({"lemma", "sublemma", "claim", "lem"})
"""Forms that exist to be used; a theorem may be an end in itself."""


def is_auxiliary(statement: Statement) -> bool:
    """Whether a statement is there for the sake of others."""
    return statement.form.casefold() in AUXILIARY


def unused_statement(context: Context) -> Iterator[Finding]:
    """Lemmas that no statement, proof or other text cites."""
    for statement in context.corpus.statements:
        if (
            is_auxiliary(statement)
            and statement.id not in context.graph.used_by
            and statement.label not in context.cited_keys
        ):
            message = f"{name_of(statement)} is never used"
            yield context.finding("unused-statement", "note", statement, message, statement.label)
