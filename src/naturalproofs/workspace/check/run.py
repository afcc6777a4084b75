"""The table of rules, running them, and the formats in which findings are written."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from naturalproofs import __version__
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema, SourceNotFound, UnknownName
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.folders import pretty
from naturalproofs.io.listing import path_of
from naturalproofs.io.outputs import write_output
from naturalproofs.records import Origin, Severity
from naturalproofs.workspace.check import arguments, files, label_rules, proofs, wording
from naturalproofs.workspace.check.finding import Finding, Problem
from naturalproofs.workspace.open_corpus import OpenCorpus

# Comments that turn rules off: ``% naturalproofs: ignore RULE, RULE`` and ``% naturalproofs: ignore-file RULE``.

_COMMENT = re.compile(
    r"(?<!\\)(?<!(?<!\\)%)%++\s*+naturalproofs:\s*+ignore(?P<file>-file)?(?![\w-])[ \t]*(?P<rules>[\w, \t-]*)"
)
_TOP = 20
"""The lines at the top of a file in which the file-wide form is read."""


class _Ignores(NamedTuple):
    """The rules that a file turns off; None stands for all of them."""

    everywhere: frozenset[str | None]
    by_line: Mapping[int, frozenset[str | None]]


@lru_cache(maxsize=512)
def _ignores(text: str) -> _Ignores:
    everywhere: set[str | None] = set()
    by_line: dict[int, frozenset[str | None]] = {}
    if "naturalproofs:" in text:
        for number, line in enumerate(text.split("\n"), start=1):
            if match := _COMMENT.search(line):
                rules = frozenset(match["rules"].replace(",", " ").split()) or frozenset({None})
                if match["file"]:
                    everywhere.update(rules if number <= _TOP else ())
                else:
                    by_line[number] = rules
    return _Ignores(frozenset(everywhere), by_line)


def without_ignored(findings: Iterable[Finding], texts: Mapping[str, str]) -> list[Finding]:
    """The findings that no comment turns off: on their line, on the line before, or at the top of their file."""
    kept = []
    for one in findings:
        everywhere, by_line = _ignores(texts.get(one.path, ""))
        here = everywhere.union(*(by_line.get(one.line - before, ()) for before in (0, 1)))
        if here.isdisjoint((None, one.rule)):
            kept.append(one)
    return kept


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by name."""

    name: str
    severity: Severity
    summary: str
    check: Callable[..., Iterator[Problem]] | None = None
    """What looks for problems in a project; reading the source reports them if None."""
    beside: bool = False
    """Whether it is given the works that are open beside the project too."""
    when: Literal["always", "notes", "request"] = "always"
    """Always; only if selected or all notes are wanted; or only if selected, since it reports much that is harmless."""


_RULES = (
    Rule("undefined-reference", "error", "A key is cited that no label defines.", label_rules.undefined_reference),
    Rule("undefined-citation", "error", "A key of \\cite is not in the bibliography.", label_rules.undefined_citation),
    Rule("duplicate-label", "error", "A label is defined more than once.", label_rules.duplicate_label),
    Rule("circular-argument", "error", "Proofs depend on one another in a cycle.", arguments.circular_argument),
    Rule("own-theorem", "warning", "A proof cites the theorem that it proves.", arguments.own_theorem),
    Rule("forward-reference", "note", "A proof uses a result that comes later.", arguments.forward_reference),
    Rule("wrong-word", "warning", "The word before a reference says another kind.", wording.wrong_word),
    Rule("cited-unproved", "warning", "Many proofs cite a theorem that is never proved.", proofs.cited_unproved),
    Rule("statement-without-proof", "note", "A theorem is stated and never proved.", proofs.unproved_statement),
    Rule("proof-without-statement", "note", "A proof belongs to no statement.", proofs.unattached_proof),
    Rule("unfinished-text", "warning", "TODO, FIXME or ?? is left in the text.", wording.unfinished_text),
    Rule("missing-result", "warning", "A result is cited that a work lacks.", label_rules.missing_result, beside=True),
    Rule("unused-citation", "note", "An entry of the bibliography is never cited.", label_rules.unused_citation),
    Rule("fixed-number", "note", "The number of a statement is written by hand.", wording.fixed_number),
    Rule("duplicate-title", "note", "Two statements have the same title.", wording.duplicate_title, when="request"),
    Rule("unused-statement", "note", "A lemma is never used.", proofs.unused_statement, when="request"),
    Rule(
        "missing-reference", "note", "A proof names what it does not cite.", arguments.missing_reference, when="notes"
    ),
    Rule("unlisted-use", "note", "A blueprint cites what \\uses does not list.", proofs.unlisted_use, when="notes"),
    Rule(
        "uncited-use", "note", "A blueprint lists in \\uses what it does not cite.", proofs.uncited_use, when="request"
    ),
    Rule("near-duplicate", "note", "Two statements say nearly the same.", arguments.near_duplicate, when="request"),
    Rule("missing-figure", "note", "The file of a figure is missing.", None, when="request"),
    Rule("missing-file", "warning", "A file that is read is missing.", files.missing_file),
    Rule("unused-label", "note", "A label is never cited.", label_rules.unused_label, when="request"),
    Rule("unlabelled-theorem", "note", "A theorem has no label.", label_rules.unlabelled_theorem, when="request"),
    Rule(
        "uncited-equation", "note", "Numbered equations are never cited.", label_rules.uncited_equation, when="request"
    ),
)
RULES: dict[str, Rule] = {rule.name: rule for rule in _RULES}
"""Rules by name, errors first."""
_SOURCE_RULES = frozenset(
    {
        "endless-macro", "file-not-read", "malformed-environment", "malformed-key", "missing-file", "not-text",
        "outside-project", "recursive-input", "too-deep", "too-large", "too-many-files", "too-many-inputs",
        "unbalanced-brace", "unbalanced-dollar", "unclosed-environment", "unclosed-iffalse", "unclosed-verb",
        "unclosed-verbatim", "unmatched-end", "unreadable",
    }
)  # fmt: skip
"""Diagnostics of the sources; they can be selected and ignored like rules."""
_SYNTAX = frozenset(name for name in _SOURCE_RULES if name.startswith(("un", "malformed"))) | {"encoding"}
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
        return name in self.select or rule is None or rule.when == "always" or (self.notes and rule.when == "notes")


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


def run_checks(
    corpus: OpenCorpus,
    selection: Selection,
    baseline: Collection[str] = frozenset(),
    others: Sequence[Corpus] = (),
) -> Report:
    """Run the selected rules; findings are ordered by file and line.

    Args:
        corpus: What is checked.
        selection: The rules.
        baseline: Fingerprints of findings that are known.
        others: Works that are open beside it, whose results may be cited.
    """
    diagnostics = {one.rule for one in corpus.diagnostics}
    known = {*RULES, *_SOURCE_RULES, *diagnostics}
    for name in (*selection.select, *selection.ignore):
        if name not in known:
            near = get_close_matches(name, sorted(known), n=3)
            hint = f"perhaps {', '.join(near)}" if near else f"there are: {', '.join(RULES)}, and those of the source"
            raise UnknownName(f"no rule is called {name[:80]!r}; {hint}")
    found: list[Finding] = []
    for name in (*RULES, *sorted(diagnostics - set(RULES))):
        if selection.includes(name):
            found.extend(_findings(corpus, name, others))
    # A key that stands twice on one line is one finding.
    found = without_ignored(dict.fromkeys(found), corpus.texts)
    found.sort(key=lambda one: (one.path, one.line, one.column, one.rule, one.subject))
    marked = _with_fingerprints(found)
    fresh = [one for one in marked if one.fingerprint not in baseline]
    shown = [one for one in fresh if one.severity != "note" or selection.notes or one.rule in selection.select]
    return Report(tuple(shown), tuple(marked), len(fresh) - len(shown), len(marked) - len(fresh))


def _findings(corpus: OpenCorpus, name: str, others: Sequence[Corpus]) -> Iterator[Finding]:
    """What a rule finds, or what reading the source reported under this name."""
    rule = RULES.get(name)
    if rule is not None and rule.check is not None:
        for problem in rule.check(corpus, *([others] if rule.beside else ())):
            at = problem.at
            origin = at if isinstance(at, Origin) else at.origin or Origin(at.label, 1)
            path, line, subject = origin.path, origin.line, problem.subject
            column = corpus.labels.columns.get((path, line, problem.key or subject), 1)
            severity = problem.severity or rule.severity
            yield Finding(path, line, column, severity, name, problem.message, subject, quoted=problem.quoted)
        return
    for one in corpus.diagnostics:
        # A macro may have begun the document.
        if one.rule == name and not (name in _SYNTAX and (one.path.endswith(_PACKAGES) or one.about == "document")):
            severity = rule.severity if rule else one.severity
            yield Finding(one.path, one.line, one.column, severity, name, one.message, one.subject)


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


# Reports as text, JSON, SARIF and GitHub workflow commands; and baselines of known findings.

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def to_text(findings: Sequence[Finding]) -> str:
    """One line for each finding, as compilers print them."""
    return "".join(f"{finding}\n" for finding in findings)


def to_json(findings: Sequence[Finding]) -> str:
    """A list of objects."""
    return pretty(findings).decode()


def to_github(findings: Sequence[Finding]) -> str:
    """Workflow commands that GitHub shows beside the lines of a pull request."""
    words = {"error": "error", "warning": "warning", "note": "notice"}
    return "".join(
        f"::{words[one.severity]} file={_property(one.path)},line={one.line},col={one.column},"
        f"title={_property(one.rule)}::{_escaped(one.message)}\n"
        for one in findings
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def to_sarif(findings: Sequence[Finding]) -> str:
    """SARIF 2.1.0, the format of code scanning."""
    names = list(dict.fromkeys([*RULES, *(one.rule for one in findings)]))
    document = {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "naturalproofs", "version": __version__, "rules": [_rule(n) for n in names]}
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, names.index(one.rule)) for one in findings],
            }
        ],
    }
    return pretty(document).decode()


def _rule(name: str) -> dict[str, object]:
    rule = RULES.get(name)
    summary = rule.summary if rule else "Something is wrong with the source."
    level = rule.severity if rule else "warning"
    return {"id": name, "shortDescription": {"text": summary}, "defaultConfiguration": {"level": level}}


def _result(finding: Finding, index: int) -> dict[str, object]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    location = {
        "physicalLocation": {"artifactLocation": {"uri": quote(os.fsencode(path_of(finding.path)))}, "region": region}
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"naturalproofs/v1": finding.fingerprint},
    }


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
}
"""Formats by name."""

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings by fingerprint, with a description for people who review the file."""

    schema: int
    findings: dict[str, str]


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Store the fingerprints of findings, sorted by what they say; returns how many."""
    rows = {one.fingerprint: f"{one.path}: {one.rule}: {one.subject}" for one in findings}
    ordered = dict(sorted(rows.items(), key=lambda row: (row[1], row[0])))
    write_output(path, pretty(Baseline(SCHEMA, ordered)), known=_is_baseline(path))
    return len(ordered)


def _is_baseline(path: Path) -> bool:
    try:
        return path.is_file() and bool(read_json(path, Baseline))
    except (OSError, ValueError):
        return False


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints of a baseline file."""
    try:
        baseline = read_json(path, Baseline)
    except OSError as error:
        hint = "make one with --write-baseline"
        raise SourceNotFound(f"{path}: the baseline cannot be read ({error.strerror}); {hint}") from error
    except ValueError as error:
        raise BadSchema(f"{path}: not a baseline ({error}); make a new one with --write-baseline") from error
    if baseline.schema != SCHEMA:
        raise BadSchema(f"{path}: baseline of schema {baseline.schema}, this version reads {SCHEMA}; make a new one")
    return frozenset(baseline.findings)
