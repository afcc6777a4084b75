r"""Statements that begin with a heading of their author, while a document is read.

Blocks of slides and boxes, ``\proclaim``, and paragraphs such as ``{\bf Theorem 3.} …`` in documents that have no
environments for statements.
"""

import re
from collections.abc import Callable
from typing import TypeAlias, cast

from naturalproofs.latex.arguments import REACH
from naturalproofs.latex.builders import StatementBuilder
from naturalproofs.latex.exercises import end_of_paragraph
from naturalproofs.latex.frames import Frame, Frames
from naturalproofs.latex.kinds import NOT_ENVIRONMENTS, Sense
from naturalproofs.latex.proclaims import TITLED, read_headed, read_proclaimed, read_titled, whole_text
from naturalproofs.latex.proofs import Proofs, begin_of_heading, begins_line
from naturalproofs.latex.scanner import Token
from naturalproofs.latex.vocabulary import PROOF_IN_LINE
from naturalproofs.latex.walker import Expansions
from naturalproofs.records import Kind

_GOES_ON = re.compile(r"\s*+(?:[a-z]|(?:Then|Alors|Dann|Entonces|Allora|Então|Тогда)(?!\w)|\((?:[a-z]|[ivx]++|\d)\)\s)")
"""A paragraph that goes on with the sentence before it, or lists another case."""
_MOST_PARAGRAPHS = 20

AddStatement: TypeAlias = Callable[[Token, Kind, str, str, str, str], StatementBuilder]
"""Adds a statement: where it begins, its kind, form, family, number and title."""


class Headed:
    """Opens the statements whose headings the author writes."""

    def __init__(self, frames: Frames, proofs: Proofs, expansions: Expansions, add: AddStatement) -> None:
        """Bind the open environments and what adds a statement."""
        self.frames, self.walker, self.dialect = frames, frames.walker, frames.dialect
        self.proofs, self.expansions, self._add = proofs, expansions, add

    def begin_titled(self, token: Token) -> None:
        """A block of a slide or a box, which may be a statement or a proof by its title."""
        text = self.walker.file.text
        found = read_titled(text, token.end, TITLED[token.name]) if not self.walker.collectors else None
        if found is None:
            self.frames.push(Frame(token.name, "plain", self.walker.file, token.start))
        elif found.sense.role == "proof":
            self.proofs.open_by_title(token, found.title, found.end)
        else:
            self.frames.close_implied(token.start)
            self.proofs.announced = ""
            statement = self._statement(token, found.sense, found.number, found.name)
            self.frames.push(Frame(token.name, "statement", self.walker.file, token.start, statement), found.end)

    def proclaim(self, token: Token) -> None:
        r"""A statement of plain TeX or AMS-TeX, which its author numbers."""
        found = read_proclaimed(self.walker.file.text, token.end, self.dialect.proclaiming[token.name])
        if found is None or found.sense.role in ("proof", "ignore"):
            return
        self.frames.close_implied(token.start)
        if self.walker.collectors:
            return
        statement = self._statement(token, found.sense, found.number, found.title)
        self.read(token, statement, found.start, found.stop, found.end)

    def in_line(self, token: Token) -> None:
        r"""A heading within a line, of a statement or of a proof: ``{\bf Theorem 3.}``, ``\textbf{Proof.}``."""
        if not self.paragraph(token):
            self.proofs.open_by_heading(token)

    def paragraph(self, token: Token) -> bool:
        r"""Read a paragraph that is a statement by its heading, if it is one."""
        text = self.walker.file.text
        begin = begin_of_heading(text, token)
        found = read_headed(text, begin, "") if begins_line(text, begin) else None
        if found is None or not found.is_marked or found.sense.family in NOT_ENVIRONMENTS:
            return False
        if not all(frame.implied or frame.name in ("document", "frame") for frame in self.frames.stack):
            return False
        start, stop = whole_text(text, found.end)
        if stop < 0:
            start, stop = found.end, _end_of_statement(text, found.end)
        if not text[start:stop].strip():
            return False
        self.frames.close_implied(begin)
        statement = self._statement(token, found.sense, found.number, found.name)
        self.read(token, statement, start, stop, stop + (text.startswith("}", stop)), begin)
        return True

    def read(
        self, token: Token, statement: StatementBuilder, start: int, stop: int, end: int, begin: int | None = None
    ) -> None:
        """Read a piece of the text as a statement, after which the text goes on at `end`."""
        self.proofs.announced = ""
        first = token.start if begin is None else begin
        self.frames.push(Frame(token.name, "statement", self.walker.file, first, statement), start)
        self.expansions.read_piece(token, start, stop)
        self.frames.close(stop, end)
        self.walker.skip(end)

    def _statement(self, token: Token, sense: Sense, number: str, title: str) -> StatementBuilder:
        family = sense.family or "theorem"
        return self._add(token, cast(Kind, sense.role), family, family, number, title)


def _end_of_statement(text: str, at: int) -> int:
    """Where a statement ends: with its paragraph, unless that is unfinished or the next one goes on with it."""
    stop = at
    for _ in range(_MOST_PARAGRAPHS):
        stop = end_of_paragraph(text, stop)
        proof = PROOF_IN_LINE.search(text, at, stop)
        if proof is not None:
            return at + len(text[at : proof.start()].rstrip().removesuffix("\\\\"))
        following = stop + len(text[stop : stop + REACH]) - len(text[stop : stop + REACH].lstrip())
        unfinished = text[at:stop].rstrip().endswith((":", ",", ";")) and not text.startswith("\\", following)
        if following == stop or not (unfinished or _GOES_ON.match(text, following)):
            break
        stop = following
    return stop
