"""What every rule may look at, prepared once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from naturalproofs.corpus.corpus import Corpus, has_generated_label
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.records import Origin, Severity, Statement
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.occurrences import Occurrence, occurrences

if TYPE_CHECKING:
    from naturalproofs.workspace.shelf import Shelf


@dataclass(frozen=True)
class Context:
    """A corpus under check."""

    opened: LoadedCorpus

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.opened.corpus

    @cached_property
    def graph(self) -> ReferenceGraph:
        """All references, of statements and of proofs."""
        return ReferenceGraph.of(self.corpus)

    @cached_property
    def shelf(self) -> Shelf:
        """The corpus with a method that suggests; it needs the optional part that ranks."""
        from naturalproofs.workspace.shelf import Shelf

        return Shelf(self.opened)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Labels and references as written, if the source is at hand."""
        return occurrences(self.opened)

    @cached_property
    def columns(self) -> dict[tuple[str, int, str], int]:
        """Columns by file, line and key, as written and as the whole corpus knows it."""
        rows = [(one, key) for one in reversed(self.occurrences) for key in (one.key, one.local_key)]
        return {(one.path, one.line, key): one.column for one, key in rows}

    @cached_property
    def cited_keys(self) -> frozenset[str]:
        """Every label that is cited anywhere, in statements, proofs or the text around them."""
        statements = self.corpus.statements
        mentions = [mention.target for statement in statements for mention in statement.mentions]
        mentions.extend(m.target for statement in statements for proof in statement.proofs for m in proof.mentions)
        written = (key for one in self.occurrences if not one.is_label for key in (one.key, one.local_key))
        return frozenset([*mentions, *written])

    def finding(
        self, rule: str, severity: Severity, at: Statement | Origin, message: str, subject: str, key: str = ""
    ) -> Finding:
        """A finding about a statement or at a place; the key, else the subject, tells the column."""
        origin = at if isinstance(at, Origin) else at.origin or Origin(at.label, 1)
        column = self.columns.get((origin.path, origin.line, key or subject), 1)
        return Finding(origin.path, origin.line, column, severity, rule, message, subject)


def name_of(statement: Statement) -> str:
    """What to call a statement in a message."""
    word = statement.form or statement.kind
    if statement.number:
        word = f"{word} {statement.number}"
    if not has_generated_label(statement):
        return f"{word} ({statement.label})"
    return f"{word} ({statement.title})" if statement.title else f"this {word}"
