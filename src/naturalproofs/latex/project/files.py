"""LaTeX files: decoded, scanned, with located diagnostics."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.io.names import name_of
from naturalproofs.latex.scan.scanner import Positions, Token, TokenKind, scan
from naturalproofs.latex.scan.vocabulary import FULL, Vocabulary
from naturalproofs.reading.text_files import Problem, decode, read_limited
from naturalproofs.records import Diagnostic, InputFile, Severity

_ERRORS = frozenset({"not-text", "unreadable", "too-large"})


def check_balance(text: str) -> list[Problem]:
    """Find the first brace without partner, and the first formula that runs over a blank line."""
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


def _brace(tokens: list[Token]) -> list[Problem]:
    opened: list[tuple[int, int]] = []
    """Runs of open braces, from and up to."""
    for token in tokens:
        if token.kind is TokenKind.OPEN:
            opened.append((token.start, token.end))
        elif token.kind is TokenKind.CLOSE:
            for offset in range(token.start, token.end):
                if not opened:
                    return [Problem(offset, "unbalanced-brace", "} without a { before it")]
                start, end = opened.pop()
                if end - start > 1:
                    opened.append((start, end - 1))
    return [Problem(opened[-1][1] - 1, "unbalanced-brace", "{ is never closed")] if opened else []


def _dollar(text: str, tokens: list[Token]) -> list[Problem]:
    started: int | None = None
    for token in tokens:
        if token.kind is TokenKind.MATH and token.name == "$":
            if started is None:
                started = token.start
            elif "\n\n" in text[started : token.start]:
                break
            else:
                started = None
    return [] if started is None else [Problem(started, "unbalanced-dollar", "$ is not closed in its paragraph")]


@dataclass(frozen=True, slots=True)
class TexFile:
    """A LaTeX file: its text, its tokens, and its line starts."""

    path: str
    text: str
    tokens: list[Token]
    positions: Positions
    input: InputFile


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file, unless it could not be read, and its diagnostics."""

    file: TexFile | None
    diagnostics: list[Diagnostic]


def load(path: Path, root: Path, vocabulary: Vocabulary, *, checked: bool = False, encoding: str = "") -> Loaded:
    """Read one file; its problems become diagnostics. One that was `checked` before is not checked for balance."""
    name = name_of(path.relative_to(root))
    data = read_limited(path)
    if isinstance(data, Problem):
        return Loaded(None, _diagnostics(name, [data], None))
    decoded = decode(data, encoding)
    if decoded.text is None:
        return Loaded(None, _diagnostics(name, decoded.problems, None))
    text = decoded.text
    result = scan(text, vocabulary)
    positions = Positions(text)
    problems = [*decoded.problems, *result.problems, *(() if checked else check_balance(text))]
    record = InputFile(name, len(data), sha256_bytes(data))
    return Loaded(TexFile(name, text, result.tokens, positions, record), _diagnostics(name, problems, positions))


def scan_text(file: TexFile, text: str, positions: Positions, vocabulary: Vocabulary) -> TexFile:
    """A text that stands for a piece of a file, as if it were a file of its own."""
    return TexFile(file.path, text, scan(text, vocabulary).tokens, positions, file.input)


def _diagnostics(name: str, problems: Iterable[Problem], positions: Positions | None) -> list[Diagnostic]:
    found = []
    for offset, rule, message in problems:
        line, column = positions.line_column(offset) if positions else (1, 1)
        severity: Severity = "error" if rule in _ERRORS else "warning"
        found.append(Diagnostic(name, line, column, severity, rule, message))
    return found
