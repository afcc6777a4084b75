"""A finding of a rule, and what every rule may look at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.records import Origin, Severity, Statement
from naturalproofs.workspace.open_corpus import OpenCorpus

_PLACE = re.compile(r":\d+(?::\d+)?")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding with its location."""

    path: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    subject: str
    """What it is about, without line numbers: a label, an id, a cycle."""
    fingerprint: str = ""
    """Stays the same when the finding moves within its file."""

    def __str__(self) -> str:
        """Print in the form that editors parse."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A fingerprint for each finding, made of rule, file and subject; equal ones are numbered in order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    names = []
    for finding in findings:
        key = (finding.rule, finding.path, finding.subject)
        seen[key] += 1
        names.append(sha256_bytes("\0".join((*key, str(seen[key]))).encode("utf-8", "replace"))[:16])
    return names


@dataclass(frozen=True)
class CheckContext:
    """The corpus that is checked, and what several rules need of it."""

    open: OpenCorpus

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.open.corpus

    @cached_property
    def cited_keys(self) -> frozenset[str]:
        """Every key that is cited anywhere in the project."""
        return self.open.labels.cited_keys(iter(self.corpus.statements))

    def finding(
        self, rule: str, severity: Severity, at: Statement | Origin, message: str, subject: str, key: str = ""
    ) -> Finding:
        """A finding about a statement or at a place; the key, else the subject, gives the column."""
        origin = at if isinstance(at, Origin) else at.origin or Origin(at.label, 1)
        column = self.open.labels.columns.get((origin.path, origin.line, key or subject), 1)
        return Finding(origin.path, origin.line, column, severity, rule, message, subject)

    def reported(self, rule: str, severity: Severity | None = None) -> Iterator[Finding]:
        """The diagnostics that reading the source gave under one rule."""
        for one in self.open.opened.diagnostics:
            if one.rule == rule:
                subject = _PLACE.sub("", one.message)
                yield Finding(one.path, one.line, one.column, severity or one.severity, rule, one.message, subject)


def name_of(statement: Statement) -> str:
    """The name of a statement in a message."""
    word = statement.form or statement.kind
    if statement.number:
        word = f"{word} {statement.number}"
    if not has_generated_label(statement):
        return f"{word} ({statement.label})"
    return f"{word} ({statement.title})" if statement.title else f"this {word}"
