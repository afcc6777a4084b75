"""From what a user points at, a name or a line, to the theorem whose proof is being written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nsmallest
from pathlib import Path

from naturalproofs.errors import UnknownName
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.workspace.blocks import Block, blocks
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.render import printed_name

_LINE = re.compile(r"(?:(.+):)?(\d+)")


@dataclass(frozen=True, slots=True)
class Location:
    """A theorem, and as much of its proof as stands before the line that was pointed at."""

    statement: Statement
    proof: Proof | None = None
    line: int | None = None
    written: str = ""
    """The text of the proof, up to the line."""

    @property
    def cited(self) -> tuple[StatementId, ...]:
        """What the proof cites so far."""
        proofs = self.statement.proofs if self.proof is None else (self.proof,)
        mentions = [mention for proof in proofs for mention in proof.mentions]
        before = [m for m in mentions if self.line is None or m.line <= self.line]
        return tuple(dict.fromkeys(m.reference for m in before if m.reference is not None))


def locate(corpus: OpenCorpus, at: str, path: Path) -> Location:
    """Find what a user points at.

    Args:
        corpus: The project.
        at: A label, an id, a tag, a number or a title; or a line, with or without its file.
        path: What was given as the project; a line without a file is one of this file.
    """
    match = _LINE.fullmatch(at.strip())
    if match is None or at in corpus.corpus.by_label:
        return whole(corpus.corpus.find(at))
    return _at_line(corpus, _file(corpus, match[1], path), int(match[2]))


def whole(statement: Statement) -> Location:
    """A statement with all that is written of its proofs."""
    return Location(statement, written="\n".join(line for proof in statement.proofs for line in proof.lines))


def _file(corpus: OpenCorpus, name: str | None, path: Path) -> str:
    """The path inside the project of the file that is meant."""
    statements = corpus.corpus.statements
    files = sorted({s.origin.path for s in statements if s.origin} | {f.path for f in corpus.corpus.inputs})
    given = Path(name) if name else path
    for candidate in (given, corpus.root / given if corpus.root else given):
        inside = corpus.inside(candidate)
        if inside in files and candidate.is_file():
            return inside or ""
    if name is None and len(files) == 1:
        return files[0]
    if name is None:
        raise UnknownName(f"{path} has several files; say which one: --at FILE:LINE")
    ending = [file for file in files if file == name or file.endswith(f"/{name}")]
    if len(ending) == 1:
        return ending[0]
    near = get_close_matches(name, files, n=3, cutoff=0.4)
    hint = f"; perhaps {', '.join(near)}" if near else ""
    raise UnknownName(f"{name} is no file of {corpus.name} that contains statements{hint}")


def _at_line(corpus: OpenCorpus, file: str, line: int) -> Location:
    """The statement or proof that contains a line."""
    found = blocks(corpus, file)
    # A theorem inside a proof ends before the proof does: the innermost one that is still open is meant.
    for block in reversed(found):
        if block.start <= line <= block.end:
            if block.proof is None:
                return whole(block.statement)
            written = "\n".join(corpus.texts.get(file, "").split("\n")[block.start : line])
            own = format_of(file)
            return Location(block.statement, block.proof, line, own.to_latex(written) if own is not None else written)
    raise UnknownName(f"{file}:{line} is in no statement or proof; {_nearest(found, line, file)}")


def matching(corpus: OpenCorpus, query: str, limit: int) -> list[Statement]:
    """The statements whose printed name, number, title or label contains every word of a query, the best first."""
    wanted, words = query.strip().casefold(), query.casefold().split()

    def quality(statement: Statement) -> int | None:
        names = [name.casefold() for name in (statement.label, statement.title, printed_name(statement))]
        if wanted and wanted in (statement.number.casefold(), *names):
            return 0
        if any(name.startswith(wanted) for name in names):
            return 1
        text = " ".join(names)
        return 2 if all(word in text for word in words) else None

    rated = [(rating, s) for s in corpus.corpus.statements if (rating := quality(s)) is not None]
    return [statement for _, statement in nsmallest(limit, rated, key=lambda one: one[0])]


def _nearest(found: Sequence[Block], line: int, file: str) -> str:
    stated = [
        (abs(one.start - line), one.start, one.statement)
        for one in found
        if one.proof is None and one.statement.kind == "theorem"
    ]
    if not stated:
        return f"{file} contains no theorem"
    _, start, one = min(stated, key=lambda found: found[:2])
    return f"the nearest theorem is {printed_name(one)} ({one.label}) on line {start}: --at {one.label}"
