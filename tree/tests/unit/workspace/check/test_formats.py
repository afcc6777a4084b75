"""Reports that programs read."""

import json

from naturalproofs.workspace.check.finding import Finding
from naturalproofs.workspace.check.run import to_github, to_json, to_sarif, to_text

FINDINGS = (
    Finding("a b/x.tex", 3, 5, "error", "undefined-reference", "no label 50%: x\ny", "x", "f1"),
    Finding("x.tex", 4, 1, "note", "unbalanced-brace", "{ is never closed", "{", "f2"),
)


def test_text_is_what_editors_parse() -> None:
    assert to_text(FINDINGS[1:]) == "x.tex:4:1: note: { is never closed [unbalanced-brace]\n"


def test_json_round_trip() -> None:
    assert json.loads(to_json(FINDINGS))[0]["fingerprint"] == "f1"


def test_github_escapes_what_would_end_a_property() -> None:
    first = to_github(FINDINGS).splitlines()[0]
    assert first == "::error file=a b/x.tex,line=3,col=5,title=undefined-reference::no label 50%25: x%0Ay"
    assert to_github([Finding("a,b:c", 1, 1, "note", "r", "m", "")]).startswith("::notice file=a%2Cb%3Ac,")


def test_sarif_has_what_code_scanning_needs() -> None:
    document = json.loads(to_sarif(FINDINGS))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["partialFingerprints"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/x.tex"
