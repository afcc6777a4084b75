"""From what a person points at, a label or a line, to the theorem whose proof is being written."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from naturalproofs.corpus.corpus import has_generated_label
from naturalproofs.errors import UnknownName
from naturalproofs.io.unsaved import current_bytes
from naturalproofs.latex.files import decode
from naturalproofs.records import Origin, Proof, Statement, StatementId
from naturalproofs.workspace.citing import printed_name
from naturalproofs.workspace.shelf import Shelf

_LINE = re.compile(r"(?:(.+):)?(\d+)")
_BEGIN = re.compile(r"\\begin\s*\{([a-zA-Z]+\*?)\}")


@dataclass(frozen=True, slots=True)
class Spot:
    """A theorem, and as much of its proof as stands before the line that was pointed at."""

    statement: Statement
    proof: Proof | None = None
    line: int | None = None
    written: str = ""
    """The proof's text as far as it is written, or as far as the line."""

    @property
    def cited(self) -> tuple[StatementId, ...]:
        """What the proof cites so far."""
        proofs = self.statement.proofs if self.proof is None else (self.proof,)
        mentions = [mention for proof in proofs for mention in proof.mentions]
        kept = [m for m in mentions if self.line is None or m.line <= self.line]
        return tuple(dict.fromkeys(m.reference for m in kept if m.reference is not None))


def locate(shelf: Shelf, at: str, path: Path) -> Spot:
    """What a person points at.

    Args:
        shelf: The project.
        at: A label, an id, a tag or a title; or a line, with or without its file.
        path: What was given as the project; a line without a file is one of this file.
    """
    match = _LINE.fullmatch(at.strip())
    if match is None or at in shelf.corpus.by_label:
        return whole(_named(shelf, at))
    return _at_line(shelf, _file(shelf, match[1], path), int(match[2]))


def whole(statement: Statement) -> Spot:
    """A statement with all that is written of its proofs."""
    return Spot(statement, written="\n".join(line for proof in statement.proofs for line in proof.lines))


def _named(shelf: Shelf, name: str) -> Statement:
    try:
        return shelf.corpus.find(name)
    except UnknownName as error:
        labels = [statement.label for statement in shelf.corpus.statements if not has_generated_label(statement)]
        near = get_close_matches(name, labels, n=3, cutoff=0.5)
        if not near:
            raise
        raise UnknownName(f"no statement is called {name!r} in {shelf.name}; perhaps {', '.join(near)}") from error


def _file(shelf: Shelf, name: str | None, path: Path) -> str:
    """The path inside the project of the file that is meant."""
    files = sorted({s.origin.path for s in shelf.corpus.statements if s.origin} | {f.path for f in shelf.corpus.inputs})
    root = shelf.root.resolve() if shelf.root else None
    given = Path(name) if name else path
    for candidate in (given, root / given if root else given):
        inside = candidate.resolve()
        if root and inside.is_file() and inside.is_relative_to(root) and inside.relative_to(root).as_posix() in files:
            return inside.relative_to(root).as_posix()
    if name is None and len(files) == 1:
        return files[0]
    if name is None:
        raise UnknownName(f"{path} has several files; say which one: --at FILE:LINE")
    ending = [file for file in files if file == name or file.endswith(f"/{name}")]
    if len(ending) == 1:
        return ending[0]
    near = get_close_matches(name, files, n=3, cutoff=0.4)
    hint = f"; perhaps {', '.join(near)}" if near else ""
    raise UnknownName(f"{name} is no file of {shelf.name} that holds statements{hint}")


def _at_line(shelf: Shelf, file: str, line: int) -> Spot:
    """The statement or proof that a line lies in."""
    pieces: list[tuple[int, Statement, Proof | None]] = []
    for statement in shelf.corpus.statements:
        pieces.extend(
            (origin.line, statement, piece)
            for piece in (None, *statement.proofs)
            if (origin := _origin(statement, piece)) is not None and origin.path == file
        )
    pieces.sort(key=lambda one: one[0])
    starts = [start for start, _, _ in pieces]
    at = bisect_right(starts, line) - 1
    texts = _lines(shelf, file)
    # A theorem inside a proof ends before the proof does: the innermost that is still open counts.
    for start, statement, proof in reversed(pieces[: at + 1]):
        if line <= last_line(texts, start):
            return Spot(statement, proof, line, "\n".join(texts[start:line])) if proof is not None else whole(statement)
    raise UnknownName(f"{file}:{line} lies in no statement or proof; {_nearest(pieces, line, file)}")


def _origin(statement: Statement, proof: Proof | None) -> Origin | None:
    return statement.origin if proof is None else proof.origin


def _lines(shelf: Shelf, file: str) -> list[str]:
    path = shelf.root / file if shelf.root else None
    return (decode(current_bytes(path)).text or "").split("\n") if path and path.is_file() else []


def last_line(texts: list[str], start: int) -> int:
    """The line on which the environment that begins on a line ends."""
    begun = _BEGIN.search(texts[start - 1]) if start <= len(texts) else None
    if begun is None:
        return start
    name, depth = re.escape(begun[1]), 0
    mark = re.compile(rf"\\(begin|end)\s*\{{{name}\}}")
    for number in range(start, len(texts) + 1):
        for found in mark.finditer(texts[number - 1].partition("%")[0]):
            depth += 1 if found[1] == "begin" else -1
            if depth == 0:
                return number
    return len(texts)


def _nearest(pieces: list[tuple[int, Statement, Proof | None]], line: int, file: str) -> str:
    stated = [(abs(start - line), start, s) for start, s, proof in pieces if proof is None and s.kind == "theorem"]
    if not stated:
        return f"{file} holds no theorem"
    _, start, statement = min(stated, key=lambda one: one[:2])
    return (
        f"the nearest theorem is {printed_name(statement)} ({statement.label}) on line {start}: --at {statement.label}"
    )
