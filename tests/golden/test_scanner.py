"""The scanner on hand-written cases; each is also run backwards: the tokens must spell the input."""

from pathlib import Path

import pytest

from naturalproofs.sources.latex.scan.scanner import FULL, STRUCTURE, scan
from support.golden_cases import Case, read_cases

CASES = [case for path in sorted(Path(__file__).with_name("scanner").glob("*.txt")) for case in read_cases(path)]


def listing(text: str, vocabulary_name: str) -> str:
    result = scan(text, FULL if vocabulary_name == "full" else STRUCTURE)
    lines = []
    for token in result.tokens:
        piece = text[token.start : token.end].replace("\n", "⏎")
        extra = " ".join(part for part in (token.name, token.argument) if part)
        lines.append(f"{token.kind.name:<9} «{piece}»" + (f"  {extra}" if extra else ""))
    lines += [f"! {problem.offset} {problem.rule}: {problem.message}" for problem in result.problems]
    return "\n".join(lines)


def test_there_are_cases():
    assert len(CASES) > 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.name}")
def test_case(case: Case):
    text = case.parts["input"]
    assert listing(text, case.settings.get("vocabulary", "")) == case.parts["tokens"]
    tokens = scan(text).tokens
    assert "".join(text[token.start : token.end] for token in tokens) == text
