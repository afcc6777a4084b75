"""The table of rules: what each is called, how much it matters, and what it looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from naturalproofs.records import Severity
from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.rules.circular_argument import circular_argument
from naturalproofs.workspace.lint.rules.duplicate_label import duplicate_label
from naturalproofs.workspace.lint.rules.forward_reference import forward_reference
from naturalproofs.workspace.lint.rules.missing_reference import missing_reference
from naturalproofs.workspace.lint.rules.near_duplicate import near_duplicate
from naturalproofs.workspace.lint.rules.proof_without_statement import proof_without_statement
from naturalproofs.workspace.lint.rules.statement_without_proof import statement_without_proof
from naturalproofs.workspace.lint.rules.undefined_reference import undefined_reference
from naturalproofs.workspace.lint.rules.unlabelled_theorem import unlabelled_theorem
from naturalproofs.workspace.lint.rules.unused_label import unused_label
from naturalproofs.workspace.lint.rules.unused_statement import unused_statement
from naturalproofs.workspace.lint.rules.usually_cited import usually_cited

Check: TypeAlias = Callable[[Context], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by name."""

    name: str
    severity: Severity
    check: Check
    summary: str
    optional: bool = False
    """A suggestion rather than a finding: looked for only when the rule is selected, or all notes are wanted."""
    needs: str = ""
    """A package of an optional part, without which the rule is left out unless it is selected."""


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("undefined-reference", "error", undefined_reference, "A key is cited that no label defines."),
        Rule("duplicate-label", "error", duplicate_label, "A label is defined more than once."),
        Rule("circular-argument", "error", circular_argument, "Proofs rest on one another in a circle."),
        Rule("forward-reference", "warning", forward_reference, "A proof uses a result that comes later."),
        Rule("statement-without-proof", "warning", statement_without_proof, "A theorem is stated and never proved."),
        Rule("proof-without-statement", "warning", proof_without_statement, "A proof belongs to no statement."),
        Rule("unused-statement", "note", unused_statement, "A lemma is never used."),
        Rule("unused-label", "note", unused_label, "A label is never cited."),
        Rule("unlabelled-theorem", "note", unlabelled_theorem, "A theorem has no label."),
        Rule("missing-reference", "note", missing_reference, "A proof names a result without citing it.", True),
        Rule("usually-cited", "note", usually_cited, "Similar proofs cite what this one does not.", True, "numpy"),
        Rule("near-duplicate", "note", near_duplicate, "Two statements say nearly the same.", True),
    )
}
"""Rules by name, the gravest first."""
