"""A baseline: what an old project is known to have, so that only new findings show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.io.files import write_atomic
from naturalproofs.workspace.lint.finding import Finding

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """Findings by fingerprint; the words beside them are for people who review the file."""

    schema: int
    findings: dict[str, str]


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Store the fingerprints of findings, sorted by what they say; returns how many."""
    rows = {one.fingerprint: f"{one.path}: {one.rule}: {one.subject}" for one in findings}
    ordered = dict(sorted(rows.items(), key=lambda row: (row[1], row[0])))
    data = msgspec.json.format(msgspec.json.encode(Baseline(SCHEMA, ordered)), indent=2) + b"\n"
    try:
        write_atomic(path, data)
    except OSError as error:
        raise SourceNotFound(f"{path}: the baseline cannot be written here ({error.strerror})") from error
    return len(ordered)


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints of a baseline file."""
    try:
        baseline = msgspec.json.decode(path.read_bytes(), type=Baseline)
    except OSError as error:
        hint = "make one with --write-baseline"
        raise SourceNotFound(f"{path}: the baseline cannot be read ({error.strerror}); {hint}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSchema(f"{path}: not a baseline ({error}); make a new one with --write-baseline") from error
    if baseline.schema != SCHEMA:
        raise BadSchema(f"{path}: baseline of schema {baseline.schema}, this version reads {SCHEMA}; make a new one")
    return frozenset(baseline.findings)
