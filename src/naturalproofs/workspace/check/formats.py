"""Reports as text, JSON, SARIF and GitHub workflow commands; and baselines of known findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import msgspec

from naturalproofs import __version__
from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.io.files import write_atomic
from naturalproofs.io.folders import pretty
from naturalproofs.io.names import path_of
from naturalproofs.workspace.check.finding import Finding
from naturalproofs.workspace.check.run import RULES

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
    location = {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"naturalproofs/v1": finding.fingerprint},
    }


def _uri(path: str) -> str:
    return quote(os.fsencode(path_of(path)))


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
    try:
        write_atomic(path, pretty(Baseline(SCHEMA, ordered)))
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
