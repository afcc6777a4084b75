"""Braces and dollars that do not pair up: found by counting first, located only when the counts disagree."""

from naturalproofs.latex.scanner import Complaint, Token, TokenKind, scan
from naturalproofs.latex.vocabulary import FULL


def check_balance(text: str) -> list[Complaint]:
    """Say where the first brace without partner stands, and the first formula that runs over a blank line."""
    braces = text.count("{") - text.count("}")
    if braces:
        braces -= text.count("\\{") - text.count("\\}")
    dollars = text.count("$")
    if dollars % 2:
        dollars -= text.count("\\$")
    if braces == 0 and dollars % 2 == 0:
        return []
    tokens = scan(text, FULL).tokens
    return _brace(tokens) + _dollar(text, tokens)


def _brace(tokens: list[Token]) -> list[Complaint]:
    opened: list[tuple[int, int]] = []
    """Runs of open braces, from and up to."""
    for token in tokens:
        if token.kind is TokenKind.OPEN:
            opened.append((token.start, token.end))
        elif token.kind is TokenKind.CLOSE:
            for offset in range(token.start, token.end):
                if not opened:
                    return [Complaint(offset, "unbalanced-brace", "} without a { before it")]
                start, end = opened.pop()
                if end - start > 1:
                    opened.append((start, end - 1))
    return [Complaint(opened[-1][1] - 1, "unbalanced-brace", "{ is never closed")] if opened else []


def _dollar(text: str, tokens: list[Token]) -> list[Complaint]:
    started: int | None = None
    for token in tokens:
        if token.kind is TokenKind.MATH and token.name == "$":
            if started is None:
                started = token.start
            elif "\n\n" in text[started : token.start]:
                break
            else:
                started = None
    return [] if started is None else [Complaint(started, "unbalanced-dollar", "$ is not closed in its paragraph")]
