"""Something a rule found, with a name that survives changes elsewhere in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.records import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding, located."""

    path: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    subject: str
    """What it is about, without line numbers: a label, an id, a cycle."""
    fingerprint: str = ""
    """Stays the same while the finding stands, wherever in its file it moves."""

    def __str__(self) -> str:
        """Print in the form that editors parse."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A name for each finding, made of rule, file and subject; equal ones are told apart by their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    names = []
    for finding in findings:
        key = (finding.rule, finding.path, finding.subject)
        seen[key] += 1
        names.append(sha256_bytes("\0".join((*key, str(seen[key]))).encode("utf-8", "replace"))[:16])
    return names
