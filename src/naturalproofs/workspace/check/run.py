"""The table of rules, and running them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TypeAlias

from naturalproofs.errors import UnknownName
from naturalproofs.records import Severity
from naturalproofs.workspace.check import references, suggestions
from naturalproofs.workspace.check.finding import CheckContext, Finding, fingerprints
from naturalproofs.workspace.open_corpus import OpenCorpus

Check: TypeAlias = Callable[[CheckContext], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by name."""

    name: str
    severity: Severity
    check: Check
    summary: str
    optional: bool = False
    """A suggestion: run only when the rule is selected, or all notes are wanted."""
    needs: str = ""
    """A package of an extra; without it, the rule is skipped unless it is selected."""


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("undefined-reference", "error", references.undefined_reference, "A key is cited that no label defines."),
        Rule("duplicate-label", "error", references.duplicate_label, "A label is defined more than once."),
        Rule("circular-argument", "error", references.circular_argument, "Proofs depend on one another in a cycle."),
        Rule("forward-reference", "warning", references.forward_reference, "A proof uses a result that comes later."),
        Rule(
            "statement-without-proof",
            "warning",
            references.statement_without_proof,
            "A theorem is stated and never proved.",
        ),
        Rule(
            "proof-without-statement",
            "warning",
            references.proof_without_statement,
            "A proof belongs to no statement.",
        ),
        Rule("unused-statement", "note", references.unused_statement, "A lemma is never used."),
        Rule("unused-label", "note", references.unused_label, "A label is never cited."),
        Rule("unlabelled-theorem", "note", references.unlabelled_theorem, "A theorem has no label."),
        Rule(
            "missing-reference",
            "note",
            suggestions.missing_reference,
            "A proof names a result without citing it.",
            True,
        ),
        Rule(
            "usually-cited",
            "note",
            suggestions.usually_cited,
            "Similar proofs cite what this one does not.",
            True,
            "scipy",
        ),
        Rule("near-duplicate", "note", suggestions.near_duplicate, "Two statements say nearly the same.", True),
    )
}
"""Rules by name, errors first."""
_SOURCE_RULES = frozenset(
    {
        "endless-macro", "malformed-environment", "malformed-key", "missing-file", "not-included", "not-text",
        "outside-project", "recursive-input", "too-deep", "too-large", "too-many-files", "too-many-inputs",
        "unbalanced-brace", "unbalanced-dollar", "unclosed-environment", "unclosed-iffalse", "unclosed-verb",
        "unclosed-verbatim", "unmatched-end", "unreadable",
    }
)  # fmt: skip
"""Diagnostics of the sources; they can be selected and ignored like rules."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rules to run, and what to show."""

    select: Collection[str] = ()
    """Only these rules; all if empty."""
    ignore: Collection[str] = ()
    notes: bool = False
    """Show notes too; notes of selected rules are always shown."""

    def includes(self, name: str) -> bool:
        """Whether to run a rule; optional ones run only on demand."""
        if name in self.ignore or (self.select and name not in self.select):
            return False
        rule = RULES.get(name)
        if name in self.select or rule is None or not rule.optional:
            return True
        return self.notes and (not rule.needs or find_spec(rule.needs) is not None)


@dataclass(frozen=True, slots=True)
class Report:
    """The findings to show, and how many there are besides."""

    findings: tuple[Finding, ...]
    everything: tuple[Finding, ...]
    """All findings, with hidden notes and those of the baseline."""
    hidden: int = 0
    """Notes that are not shown."""
    known: int = 0
    """Findings that the baseline lists."""

    @property
    def counts(self) -> Counter[str]:
        """The number of findings of each severity that are shown."""
        return Counter(finding.severity for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return self.counts["error"] > 0


def run_checks(corpus: OpenCorpus, selection: Selection, baseline: Collection[str] = frozenset()) -> Report:
    """Run the selected rules; findings are ordered by file and line."""
    diagnostics = {one.rule for one in corpus.opened.diagnostics}
    known = {*RULES, *_SOURCE_RULES, *diagnostics}
    for name in (*selection.select, *selection.ignore):
        if name not in known:
            raise UnknownName(f"no rule is called {name!r}; there are: {', '.join(RULES)}, and those of the source")
    context = CheckContext(corpus)
    found: list[Finding] = []
    for name in (*RULES, *sorted(diagnostics - set(RULES))):
        if selection.includes(name):
            found.extend(RULES[name].check(context) if name in RULES else context.reported(name))
    found.sort(key=lambda one: (one.path, one.line, one.column, one.rule, one.subject))
    marked = [replace(one, fingerprint=mark) for one, mark in zip(found, fingerprints(found), strict=True)]
    fresh = [one for one in marked if one.fingerprint not in baseline]
    shown = [one for one in fresh if one.severity != "note" or selection.notes or one.rule in selection.select]
    return Report(tuple(shown), tuple(marked), len(fresh) - len(shown), len(marked) - len(fresh))
