r"""Statements that begin with a heading of their author, while a document is read.

Blocks of slides and boxes, ``\proclaim``, and paragraphs such as ``{\bf Theorem 3.} …`` in documents that have no
environments for statements.
"""

import re
from collections.abc import Callable, Collection
from typing import TypeAlias, cast

from naturalproofs.latex.macros.expansion import expand, read_arguments
from naturalproofs.latex.read.exercises import end_of_paragraph
from naturalproofs.latex.read.frames import Frame, Frames
from naturalproofs.latex.read.numbering import Numbering
from naturalproofs.latex.read.proclaims import (
    TITLED,
    Titled,
    in_groups,
    read_headed,
    read_proclaimed,
    read_titled,
    whole_text,
)
from naturalproofs.latex.read.proof_headings import SPACES, begin_of_heading, begins_line
from naturalproofs.latex.read.proofs import Proofs
from naturalproofs.latex.read.walker import Expansions
from naturalproofs.latex.scan.arguments import REACH
from naturalproofs.latex.scan.scanner import Token
from naturalproofs.latex.scan.vocabulary import PROOF_IN_LINE
from naturalproofs.reading.builders import StatementBuilder
from naturalproofs.reading.kinds import NOT_ENVIRONMENTS, Sense
from naturalproofs.records import Kind

_GOES_ON = re.compile(r"\s*+(?:[a-z]|(?:Then|Alors|Dann|Entonces|Allora|Então|Тогда)(?!\w)|\((?:[a-z]|[ivx]++|\d)\)\s)")
"""A paragraph that goes on with the sentence before it, or lists another case."""
_LINE_IN_FONT = re.compile(rf"\n(?:{SPACES})*+(?=\\(?P<command>[a-zA-Z]++)|\{{\s*+\\)")
"""A line that begins with a command or a font, as a heading does."""
_AFTER_MACRO = 400
"""Signs after a macro that may belong to the heading that it prints."""
_MOST_PARAGRAPHS = 20

AddStatement: TypeAlias = Callable[[Token, Kind, str, str, str, str], StatementBuilder]
"""Adds a statement: where it begins, its kind, form, family, number and title."""


class Headed:
    """Opens the statements whose headings the author writes."""

    def __init__(
        self, frames: Frames, proofs: Proofs, expansions: Expansions, numbering: Numbering, add: AddStatement
    ) -> None:
        """Bind the open environments, the counters and what adds a statement."""
        self.frames, self.walker, self.dialect = frames, frames.walker, frames.dialect
        self.proofs, self.expansions, self.numbering, self._add = proofs, expansions, numbering, add

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
        return found is not None and found.is_marked and self._read_paragraph(token, found, begin)

    def by_macro(self, token: Token) -> None:
        r"""A paragraph whose heading a macro of the author prints: ``\newcommand{\thm}[1]{\textbf{Theorem #1}}``."""
        text = self.walker.file.text
        macro = self.dialect.definitions.commands[token.name]
        called = expand(macro, text, token.start, token.start + 1 + len(token.name), self.walker.file.positions)
        if called is None or not begins_line(text, token.start):
            return
        # What follows may belong to the heading: a name in brackets, a stop.
        code = in_groups(called.text)
        printed = code + text[called.end : called.end + _AFTER_MACRO]
        found = read_headed(printed, 0, "")
        if found is not None:
            start = called.end + max(0, found.end - len(code))
            self._read_paragraph(token, found._replace(end=start), token.start)

    def _read_paragraph(self, token: Token, found: Titled, begin: int) -> bool:
        """Read the paragraph behind a heading as a statement, unless it stands inside of something else."""
        text = self.walker.file.text
        if found.sense.family in NOT_ENVIRONMENTS:
            return False
        if not all(frame.implied or frame.name in ("document", "frame") for frame in self.frames.stack):
            return False
        start, stop = whole_text(text, found.end)
        if stop < 0:
            start, stop = found.end, _end_of_statement(text, found.end, self.dialect.heading_macros)
        if not text[start:stop].strip():
            return False
        self.frames.close_implied(begin)
        statement = self._statement(token, found.sense, found.number, found.name)
        self.read(token, statement, start, stop, stop + (text.startswith("}", stop)), begin)
        return True

    def exercise(self, token: Token) -> None:
        """An exercise that a command of the project begins."""
        one, macro = self.dialect.exercise_commands[token.name], self.dialect.definitions.commands[token.name]
        text = self.walker.file.text
        read = read_arguments(macro, text, token.end)
        self.frames.close_implied(token.start)
        if read is None or self.walker.collectors:
            return
        arguments, end = read
        start, stop = end, end_of_paragraph(text, end, token.name)
        if one.takes_text:
            start, stop = arguments[-1].start, arguments[-1].start + len(arguments[-1].text)
        self.numbering.counters.step(one.counter)
        number = self.numbering.counters.printed(one.counter)
        statement = self._add(token, "other", one.family, one.family, number, "")
        self.read(token, statement, start, stop, max(stop, end))

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


def _end_of_statement(text: str, at: int, macros: Collection[str]) -> int:
    """Where a statement ends: with its paragraph, unless that is unfinished or the next one goes on with it."""
    stop = at
    for _ in range(_MOST_PARAGRAPHS):
        stop = end_of_paragraph(text, stop)
        heading = _next_heading(text, at, stop, macros)
        if heading >= 0:
            return at + len(text[at:heading].rstrip().removesuffix("\\\\"))
        following = stop + len(text[stop : stop + REACH]) - len(text[stop : stop + REACH].lstrip())
        unfinished = text[at:stop].rstrip().endswith((":", ",", ";")) and not text.startswith("\\", following)
        if following == stop or not (unfinished or _GOES_ON.match(text, following)):
            break
        stop = following
    return stop


def _next_heading(text: str, at: int, stop: int, macros: Collection[str]) -> int:
    """Where a line begins with the heading of a proof or of another statement; -1 if none does.

    Args:
        text: The text of the file.
        at: Where the search begins.
        stop: Where it ends.
        macros: The macros that print headings.
    """
    proof = PROOF_IN_LINE.search(text, at, stop)
    end = stop if proof is None else proof.start()
    depth, done = 0, at
    for line in _LINE_IN_FONT.finditer(text, at, end):
        depth += text.count("\\begin{", done, line.start()) - text.count("\\end{", done, line.start())
        done = line.start()
        if depth > 0:
            continue
        found = read_headed(text, line.end(), "") if line["command"] not in macros else None
        is_heading = found is not None and found.is_marked and found.sense.family not in NOT_ENVIRONMENTS
        if is_heading or line["command"] in macros:
            return line.start() + 1
    return -1 if proof is None else proof.start()
