"""Files of a LaTeX project: read safely, decoded, scanned, with their complaints located."""

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.io.unsaved import unsaved_bytes
from naturalproofs.latex import Token, Vocabulary, scan
from naturalproofs.latex.balance import check_balance
from naturalproofs.latex.decode import decode
from naturalproofs.latex.positions import Positions
from naturalproofs.latex.scanner import Complaint
from naturalproofs.records import Diagnostic, InputFile, Severity

MAX_BYTES = 64 << 20
"""A single LaTeX file larger than this is a mistake; the largest of the Stacks project has 2 MB."""

_ERRORS = frozenset({"not-text", "unreadable", "too-large"})


@dataclass(frozen=True, slots=True)
class TexFile:
    """A LaTeX file ready to be read: its text, its tokens, and a way to name an offset."""

    path: str
    text: str
    tokens: list[Token]
    positions: Positions
    input: InputFile


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file, unless it could not be read, and what is to be said about it."""

    file: TexFile | None
    diagnostics: list[Diagnostic]


def load(path: Path, root: Path, vocabulary: Vocabulary) -> Loaded:
    """Read one file; whatever is wrong with it becomes a diagnostic."""
    name = path.relative_to(root).as_posix()
    data = _read(path)
    if isinstance(data, Complaint):
        return Loaded(None, _diagnostics(name, [data], None))
    decoded = decode(data)
    if decoded.text is None:
        return Loaded(None, _diagnostics(name, decoded.complaints, None))
    text = decoded.text
    result = scan(text, vocabulary)
    positions = Positions(text)
    complaints = [*decoded.complaints, *result.complaints, *check_balance(text)]
    record = InputFile(name, len(data), sha256_bytes(data))
    return Loaded(TexFile(name, text, result.tokens, positions, record), _diagnostics(name, complaints, positions))


def scan_text(file: TexFile, text: str, positions: Positions, vocabulary: Vocabulary) -> TexFile:
    """A text that stands for a piece of a file, as if it were a file of its own."""
    return TexFile(file.path, text, scan(text, vocabulary).tokens, positions, file.input)


def read_text(path: Path) -> str:
    """The text of a small companion file, such as a list of chapters."""
    data = _read(path)
    if isinstance(data, Complaint):
        raise SourceNotFound(f"{path}: {data.message}")
    return decode(data).text or ""


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, or None when it is no file that could be read."""
    data = _read(path)
    return None if isinstance(data, Complaint) else data


def _read(path: Path) -> bytes | Complaint:
    """The bytes of a regular file of sane size: a pipe would hang, a device would never end."""
    held = unsaved_bytes(path)
    if held is not None:
        return held
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return Complaint(0, "unreadable", "not a regular file; it was left out")
        if status.st_size > MAX_BYTES:
            return Complaint(0, "too-large", f"larger than {MAX_BYTES >> 20} MB; it was left out")
        return path.read_bytes()
    except OSError as error:
        return Complaint(0, "unreadable", f"cannot be read ({error.strerror}); it was left out")


def _diagnostics(name: str, complaints: Iterable[Complaint], positions: Positions | None) -> list[Diagnostic]:
    found = []
    for offset, rule, message in complaints:
        line, column = positions.line_column(offset) if positions else (1, 1)
        severity: Severity = "error" if rule in _ERRORS else "warning"
        found.append(Diagnostic(name, line, column, severity, rule, message))
    return found
