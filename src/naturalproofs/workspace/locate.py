"""From what a user points at to the theorem whose proof is being written; which lines statements and proofs take."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nsmallest
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from naturalproofs.errors import UnknownName
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.sources.latex import scanner
from naturalproofs.sources.reading.text_files import Positions
from naturalproofs.workspace.citations import wanted_at
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.render import printed_name

# Which lines of a file a statement or a proof takes: a record holds only the first one, the text shows the last.

_LONE_COMMAND = re.compile(r"\s*+\\[a-zA-Z@]++\s*+")
"""A line such as the macro that ends a proof."""
_AROUND = "document"
_BEGUN = 20
"""Environments that begin on one line and may begin a statement or a proof."""


class Block(NamedTuple):
    """A statement, or one of its proofs, and its first and last line."""

    start: int
    end: int
    statement: Statement
    proof: Proof | None


_KNOWN: WeakKeyDictionary[OpenCorpus, dict[str, list[Block]]] = WeakKeyDictionary()
"""The blocks of files of open corpora, which do not change; an editor asks for them at every keystroke."""


def blocks(corpus: OpenCorpus, file: str) -> list[Block]:
    """The statements and proofs of a file, in the order of their first lines."""
    known = _KNOWN.setdefault(corpus, {})
    if file not in known:
        known[file] = _blocks(corpus, file)
    return known[file]


def _blocks(corpus: OpenCorpus, file: str) -> list[Block]:
    found = [
        Block(origin.line, origin.line, statement, proof)
        for statement in corpus.statements
        for proof in (None, *statement.proofs)
        if (origin := (proof or statement).origin) is not None and origin.path == file
    ]
    found.sort(key=lambda one: one.start)
    text = corpus.texts.get(file, "")
    if (own := format_of(file)) is not None:
        lines = text.split("\n")
        return [one._replace(end=own.last_line(lines, one.start)) for one in found]
    return list(_with_ends(text, found))


def _with_ends(text: str, found: Sequence[Block]) -> Iterable[Block]:
    """The blocks of a LaTeX file with their last lines."""
    lines, positions = text.split("\n"), Positions(text)
    tokens = scanner.tokenize(text)
    ends = _environment_ends(tokens)
    begun: dict[int, list[scanner.Token]] = {}
    for token in tokens:
        if token.kind is scanner.TokenKind.BEGIN and token.name != _AROUND:
            begun.setdefault(positions.line(token.start), []).append(token)
    stops = sorted(
        {one.start for one in found}
        | {positions.line(one.start) for one in tokens if one.kind is scanner.TokenKind.SECTION}
        | {positions.line(one.start) for one in tokens if one.kind is scanner.TokenKind.END and one.name == _AROUND}
        | {len(lines) + 1}
    )
    before = 0
    for one, following in zip_longest(found, found[1:]):
        inner = one.proof or one.statement
        # An environment inside of the text is part of the record's text; the one that begins the block is not.
        around = begun.get(one.start, ())[:_BEGUN]
        own = [token for token in around if text[token.start : token.end] not in inner.text]
        if own:
            closed = ends.get(own[min(before, len(own) - 1)].start)
            end = positions.line(closed) if closed is not None else len(lines)
        elif following is not None and following.start == one.start:
            end = one.start
        else:
            after = bisect_right(stops, one.start)
            end = _end_of_text(lines, one.start, inner.lines, stops[after] - 1 if after < len(stops) else one.start)
        yield one._replace(end=end)
        before = before + 1 if following is not None and following.start == one.start else 0


def _environment_ends(tokens: Iterable[scanner.Token]) -> dict[int, int]:
    """Where each environment ends, by its begin; those that are not closed are left out."""
    ends: dict[int, int] = {}
    pending: dict[str, list[int]] = {}
    for token in tokens:
        if token.kind is scanner.TokenKind.BEGIN:
            pending.setdefault(token.name, []).append(token.start)
        elif token.kind is scanner.TokenKind.END and pending.get(token.name):
            ends[pending[token.name].pop()] = token.start
    return ends


def _end_of_text(lines: Sequence[str], start: int, inner: Sequence[str], last: int) -> int:
    """The last line of what a macro or a heading begins: that of its text, if it is found, else the last one possible.

    Args:
        lines: The lines of the file.
        start: The first line.
        inner: The lines of the text; blank lines and comments are not among them.
        last: The line before which something else begins.
    """
    if not inner:
        return last
    for number in range(start + len(inner) - 1, last + 1):
        if inner[-1].strip() in lines[number - 1]:
            return number + 1 if number < last and _LONE_COMMAND.fullmatch(lines[number]) else number
    return last


_LINE = re.compile(r"(?:(.+):)?(\d+)")


@dataclass(frozen=True, slots=True)
class Location:
    """A theorem, and as much of its proof as stands before the line that was pointed at."""

    statement: Statement
    proof: Proof | None = None
    written: str = ""
    """The text of the proof, up to the cursor if there is one."""
    cited: tuple[StatementId, ...] = ()
    """What that text cites."""
    labels: tuple[str, ...] = ()
    """The labels that it cites, in order and with repeats."""
    at_cursor: bool = False
    """Whether one place of the proof is meant, where something that it cites already may be cited again."""
    wanted: str = ""
    """What the words before the cursor ask for; see `wanted_at`."""
    file: str = ""
    line: int = 0
    """Of the cursor."""


def locate(corpus: OpenCorpus, at: str, path: Path) -> Location:
    """Find what a user points at.

    Args:
        corpus: The project.
        at: A label, an id, a tag, a number or a title; or a line, with or without its file.
        path: What was given as the project; a line without a file is one of this file.
    """
    match = _LINE.fullmatch(at.strip())
    if match is None or at in corpus.by_label:
        return whole(corpus.find(at))
    return _at_line(corpus, _file(corpus, match[1], path), int(match[2]))


def is_line(text: str) -> bool:
    """Whether a text names a line of a file."""
    match = _LINE.fullmatch(text.strip())
    return match is not None and match[1] is not None and "." in match[1]


def whole(statement: Statement) -> Location:
    """A statement with all that is written of its proofs."""
    cited = dict.fromkeys(key for proof in statement.proofs for key in proof.references)
    return Location(
        statement, None, "\n".join(line for proof in statement.proofs for line in proof.lines), tuple(cited)
    )


def _file(corpus: OpenCorpus, name: str | None, path: Path) -> str:
    """The path inside the project of the file that is meant."""
    statements = corpus.statements
    files = sorted({s.origin.path for s in statements if s.origin} | {f.path for f in corpus.inputs})
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
    raise UnknownName(f"{name} is not a file of {corpus.name} that contains statements{hint}")


def _at_line(corpus: OpenCorpus, file: str, line: int) -> Location:
    """The statement or proof that contains a line."""
    text = corpus.texts.get(file, "")
    end = len("\n".join(text.split("\n")[:line]))
    found = at_cursor(corpus, file, text, end, wanted_at(text[:end], corpus.labels.syntax))
    if found is None:
        raise UnknownName(f"{file}:{line} is in no statement or proof; {_nearest(blocks(corpus, file), line, file)}")
    return found if found.at_cursor else whole(found.statement)


def at_cursor(corpus: OpenCorpus, file: str, text: str, offset: int, wanted: str) -> Location | None:
    """The statement or proof at a place of a file, and what is written and cited before it.

    Args:
        corpus: The project.
        file: The path of the file inside the project.
        text: The file as an editor holds it; it may be newer than the project's state.
        offset: The cursor.
        wanted: What the words before it ask for.
    """
    line = text.count("\n", 0, offset) + 1
    # A theorem inside a proof ends before the proof does: the innermost one that is still open is meant.
    block = next((one for one in reversed(blocks(corpus, file)) if one.start <= line <= one.end), None)
    if block is None or block.proof is None:
        return Location(block.statement) if block is not None else None
    start, own, labels = 0, format_of(file), corpus.labels
    for _ in range(block.start if line > block.start else block.start - 1):
        start = text.index("\n", start) + 1
    written = text[start:offset]
    cited = [labels.label_of(file, one.key, one.before, one.after) for one in labels.written_in(file, written)]
    found = dict.fromkeys(one.id for label in cited if (one := corpus.labelled(label)) is not None)
    latex = own.to_latex(written) if own is not None else written
    return Location(block.statement, block.proof, latex, tuple(found), tuple(cited), True, wanted, file, line)


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

    rated = [(rating, s) for s in corpus.statements if (rating := quality(s)) is not None]
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
