"""The table of rules, and running them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from naturalproofs.errors import UnknownName
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.records import Origin, Severity
from naturalproofs.workspace.check import (
    arguments,
    bibliography,
    blueprint,
    files,
    labels,
    notation,
    suggestions,
    unproved,
    wording,
)
from naturalproofs.workspace.check.finding import Finding, Problem
from naturalproofs.workspace.check.ignores import without_ignored
from naturalproofs.workspace.open_corpus import OpenCorpus

_PLACE = re.compile(r":\d+(?::\d+)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by name."""

    name: str
    severity: Severity
    summary: str
    check: Callable[[OpenCorpus], Iterator[Problem]] | None = None
    """What looks for problems; reading the source reports them if None."""
    optional: bool = False
    """A suggestion: run only when the rule is selected, or all notes are wanted."""
    on_request: bool = False
    """Run only when the rule is selected: it reports much that is harmless."""


_RULES = (
    Rule("undefined-reference", "error", "A key is cited that no label defines.", labels.undefined_reference),
    Rule("undefined-citation", "error", "A key of \\cite is not in the bibliography.", bibliography.undefined_citation),
    Rule("duplicate-label", "error", "A label is defined more than once.", labels.duplicate_label),
    Rule("circular-argument", "error", "Proofs depend on one another in a cycle.", arguments.circular_argument),
    Rule("own-theorem", "warning", "A proof cites the theorem that it proves.", arguments.own_theorem),
    Rule("forward-reference", "warning", "A proof uses a result that comes later.", arguments.forward_reference),
    Rule(
        "wrong-word", "warning", "A reference leads to another kind than the word before it says.", wording.wrong_word
    ),
    Rule("cited-unproved", "warning", "Many proofs cite a theorem that is never proved.", unproved.cited_unproved),
    Rule("statement-without-proof", "warning", "A theorem is stated and never proved.", unproved.unproved_statement),
    Rule("proof-without-statement", "warning", "A proof belongs to no statement."),
    Rule("unfinished-text", "warning", "TODO, FIXME or ?? is left in the text.", wording.unfinished_text),
    Rule("unused-citation", "note", "An entry of the bibliography is never cited.", bibliography.unused_citation),
    Rule("fixed-number", "note", "The number of a statement is written by hand.", wording.fixed_number),
    Rule("duplicate-title", "note", "Two statements have the same title.", wording.duplicate_title, on_request=True),
    Rule("unused-statement", "note", "A lemma is never used.", unproved.unused_statement, on_request=True),
    Rule("missing-reference", "note", "A proof names a result without citing it.", suggestions.missing_reference, True),
    Rule(
        "usually-cited",
        "note",
        "Similar proofs cite what this one does not.",
        suggestions.usually_cited,
        on_request=True,
    ),
    Rule("unlisted-use", "note", "A blueprint cites what \\uses does not list.", blueprint.unlisted_use, True),
    Rule(
        "uncited-use",
        "note",
        "A blueprint lists in \\uses what it does not cite.",
        blueprint.uncited_use,
        on_request=True,
    ),
    Rule(
        "early-notation",
        "note",
        "An operator is used before the definition that introduces it.",
        notation.early_notation,
        on_request=True,
    ),
    Rule("near-duplicate", "note", "Two statements say nearly the same.", suggestions.near_duplicate, on_request=True),
    Rule("missing-figure", "note", "The file of a figure is missing.", on_request=True),
    Rule("missing-file", "warning", "A file that is read is missing.", files.missing_file),
    Rule("unused-label", "note", "A label is never cited.", labels.unused_label, on_request=True),
    Rule("unlabelled-theorem", "note", "A theorem has no label.", labels.unlabelled_theorem, on_request=True),
    Rule("uncited-equation", "note", "Numbered equations are never cited.", labels.uncited_equation, on_request=True),
)
RULES: dict[str, Rule] = {rule.name: rule for rule in _RULES}
"""Rules by name, errors first."""
_SOURCE_RULES = frozenset(
    {
        "endless-macro", "malformed-environment", "malformed-key", "missing-file", "not-text",
        "outside-project", "recursive-input", "too-deep", "too-large", "too-many-files", "too-many-inputs",
        "unbalanced-brace", "unbalanced-dollar", "unclosed-environment", "unclosed-iffalse", "unclosed-verb",
        "unclosed-verbatim", "unmatched-end", "unreadable",
    }
)  # fmt: skip
"""Diagnostics of the sources; they can be selected and ignored like rules."""
_SYNTAX = frozenset(name for name in _SOURCE_RULES if name.startswith(("un", "malformed"))) | {"encoding"}
_DOCUMENT = "\\end{document}"
"""A macro may have begun it."""
_PACKAGES = (".sty", ".cls", ".def", ".clo")
"""Files of programs, whose braces and dollar signs need not balance."""


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
        if name in self.select or rule is None or not (rule.optional or rule.on_request):
            return True
        return self.notes and not rule.on_request


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
            near = get_close_matches(name, sorted(known), n=3)
            hint = f"perhaps {', '.join(near)}" if near else f"there are: {', '.join(RULES)}, and those of the source"
            raise UnknownName(f"no rule is called {name[:80]!r}; {hint}")
    found: list[Finding] = []
    for name in (*RULES, *sorted(diagnostics - set(RULES))):
        if selection.includes(name):
            found.extend(_findings(corpus, name))
    # A key that stands twice on one line is one finding.
    found = without_ignored(dict.fromkeys(found), corpus.texts)
    found.sort(key=lambda one: (one.path, one.line, one.column, one.rule, one.subject))
    marked = _with_fingerprints(found)
    fresh = [one for one in marked if one.fingerprint not in baseline]
    shown = [one for one in fresh if one.severity != "note" or selection.notes or one.rule in selection.select]
    return Report(tuple(shown), tuple(marked), len(fresh) - len(shown), len(marked) - len(fresh))


def _findings(corpus: OpenCorpus, name: str) -> Iterator[Finding]:
    """What a rule finds, or what reading the source reported under this name."""
    rule = RULES.get(name)
    if rule is not None and rule.check is not None:
        for problem in rule.check(corpus):
            at = problem.at
            origin = at if isinstance(at, Origin) else at.origin or Origin(at.label, 1)
            column = corpus.labels.columns.get((origin.path, origin.line, problem.key or problem.subject), 1)
            severity = problem.severity or rule.severity
            yield Finding(origin.path, origin.line, column, severity, name, problem.message, problem.subject)
        return
    for one in corpus.opened.diagnostics:
        if one.rule == name and not (name in _SYNTAX and (one.path.endswith(_PACKAGES) or _DOCUMENT in one.message)):
            severity = rule.severity if rule else one.severity
            subject = _PLACE.sub("", one.message)
            yield Finding(one.path, one.line, one.column, severity, name, one.message, subject)


def _with_fingerprints(findings: Iterable[Finding]) -> list[Finding]:
    """A fingerprint is made of rule, file and subject; equal ones are numbered in order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    marked = []
    for finding in findings:
        key = (finding.rule, finding.path, finding.subject)
        seen[key] += 1
        mark = sha256_bytes("\0".join((*key, str(seen[key]))).encode("utf-8", "replace"))[:16]
        marked.append(replace(finding, fingerprint=mark))
    return marked
