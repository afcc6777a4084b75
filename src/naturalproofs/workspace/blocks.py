"""Which lines of a file a statement or a proof takes: a record holds only the first one, the text shows the last."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from naturalproofs.latex.scan.scanner import Positions, Token, TokenKind, scan
from naturalproofs.latex.scan.vocabulary import Vocabulary
from naturalproofs.records import Proof, Statement
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.open_corpus import OpenCorpus

_STRUCTURE = Vocabulary(references={}, labels=frozenset(), inputs=frozenset())
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


def blocks(corpus: OpenCorpus, file: str) -> list[Block]:
    """The statements and proofs of a file, in the order of their first lines."""
    found = [
        Block(origin.line, origin.line, statement, proof)
        for statement in corpus.corpus.statements
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
    tokens = scan(text, _STRUCTURE).tokens
    ends = _environment_ends(tokens)
    begun: dict[int, list[Token]] = {}
    for token in tokens:
        if token.kind is TokenKind.BEGIN and token.name != _AROUND:
            begun.setdefault(positions.line(token.start), []).append(token)
    stops = sorted(
        {one.start for one in found}
        | {positions.line(one.start) for one in tokens if one.kind is TokenKind.SECTION}
        | {positions.line(one.start) for one in tokens if one.kind is TokenKind.END and one.name == _AROUND}
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


def _environment_ends(tokens: Iterable[Token]) -> dict[int, int]:
    """Where each environment ends, by its begin; those that are not closed are left out."""
    ends: dict[int, int] = {}
    pending: dict[str, list[int]] = {}
    for token in tokens:
        if token.kind is TokenKind.BEGIN:
            pending.setdefault(token.name, []).append(token.start)
        elif token.kind is TokenKind.END and pending.get(token.name):
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
