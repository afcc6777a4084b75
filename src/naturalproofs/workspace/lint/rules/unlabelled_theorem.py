"""A theorem without a label: nobody can cite it by more than words."""

from collections.abc import Iterator

from naturalproofs.corpus.corpus import has_generated_label
from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding


def unlabelled_theorem(context: Context) -> Iterator[Finding]:
    """Theorems, lemmas and the like that carry no label."""
    for statement in context.corpus.of_kind("theorem"):
        if has_generated_label(statement):
            named = f" ({statement.title})" if statement.title else ""
            message = f"{statement.form or 'theorem'}{named} has no label"
            yield context.finding("unlabelled-theorem", "note", statement, message, statement.label)
