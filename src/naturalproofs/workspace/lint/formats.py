"""Reports: for people and editors, for programs, for code scanning, for GitHub's pull requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

import msgspec

from naturalproofs import __version__
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.registry import RULES

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def to_text(findings: Sequence[Finding]) -> str:
    """One line a finding, as compilers print them."""
    return "".join(f"{finding}\n" for finding in findings)


def to_json(findings: Sequence[Finding]) -> str:
    """A list of objects."""
    return (msgspec.json.format(msgspec.json.encode(findings), indent=2) + b"\n").decode()


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
    return (msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n").decode()


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
    return quote(path.replace("\\", "/"))


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
}
"""Formats by name."""
