r"""Statements that begin with a heading of their author, while a document is read.

Blocks of slides and boxes, and, in documents that have no environments for statements, paragraphs such as
``{\bf Theorem 3.} …`` and ``\proclaim{Theorem 3} … \endproclaim``.
"""

import re
from collections.abc import Callable
from typing import TypeAlias, cast

from naturalproofs.records import Kind
from naturalproofs.sources.latex.read.document_text import Expansions
from naturalproofs.sources.latex.read.frames import Frame, Frames
from naturalproofs.sources.latex.read.headings import (
    StatementHeading,
    block_title,
    heading_of_line,
    is_proof_heading,
    read_heading,
    statement_heading,
    statement_words,
)
from naturalproofs.sources.latex.read.numbering import Numbering
from naturalproofs.sources.latex.read.proofs import Proofs
from naturalproofs.sources.latex.scan.arguments import REACH
from naturalproofs.sources.latex.scan.scanner import Token
from naturalproofs.sources.reading.builders import StatementBuilder
from naturalproofs.sources.reading.kinds import NOT_ENVIRONMENTS

_MOST_PARAGRAPHS = 20
_GOES_ON = re.compile(r"\s*+(?:[a-z]|(?:Then|Alors|Dann|Entonces|Allora|Então|Тогда)(?!\w)|\((?:[a-z]|[ivx]++|\d)\)\s)")
"""A paragraph that goes on with the sentence before it, or lists another case."""
_LINE = re.compile(r"\n[ \t]*+(?=\\[a-zA-Z]|\{\s*+\\|[^\W_a-z])")
"""A line that may begin with a heading: with a command, a font, a number or a capital."""
_MARK = re.compile(
    r"%[^\n]*+|\\(?:(?P<begin>begin)|(?P<end>end))\s*+\{[^{}\n]*+\}|\\(?P<stop>(?:sub){0,2}section|chapter|part)(?![a-zA-Z@])"
    r"|\\.|(?P<open>\{)|(?P<close>\})"
    r"|(?P<blank>\n[ \t]*+\n\s*+)(?!\\begin\s*+\{(?:enumerate|itemize|align|equation|gather))",
    re.DOTALL,
)

AddStatement: TypeAlias = Callable[[Token, Kind, str, str, str, str], StatementBuilder]
"""Adds a statement: where it begins, its kind, form, family, number and title."""


class WrittenHeadings:
    """Opens the statements whose headings the author writes."""

    def __init__(
        self, frames: Frames, proofs: Proofs, expansions: Expansions, numbering: Numbering, add: AddStatement
    ) -> None:
        """Bind the open environments, the counters and what adds a statement."""
        self.frames, self.walker, self.dialect = frames, frames.walker, frames.dialect
        self.proofs, self.expansions, self.numbering, self._add = proofs, expansions, numbering, add

    def begin_titled(self, token: Token) -> None:
        """A block of a slide or a box, which may be a statement or a proof by its title."""
        title, end = block_title(self.walker.file.text, token.end, token.name)
        if self.walker.collectors:
            self.frames.open_plain(token)
        elif is_proof_heading(title):
            self.proofs.open_by_title(token, title, end)
        elif found := statement_words(title, is_title=True):
            self.frames.close_implied(token.start)
            self.proofs.announced = ""
            statement = self._statement(token, found)
            self.frames.push(Frame(token.name, "statement", self.walker.file, token.start, statement), end)
        else:
            self.frames.open_plain(token)

    def in_line(self, token: Token) -> None:
        r"""A heading within a line, of a statement or of a proof: ``{\bf Theorem 3.}``, ``\textbf{Proof.}``."""
        if not self.paragraph(token):
            self.proofs.open_by_heading(token)

    def paragraph(self, token: Token) -> bool:
        """Read a paragraph that is a statement by its heading, if it is one."""
        heading = heading_of_line(self.walker.file.text, token)
        found = statement_heading(heading)
        return bool(heading and found and found.is_marked and self._read_paragraph(token, found, heading.begin))

    def _read_paragraph(self, token: Token, found: StatementHeading, begin: int) -> bool:
        """Read the paragraph behind a heading as a statement, unless it stands inside of something else."""
        text, start = self.walker.file.text, found.end
        if found.sense.family in NOT_ENVIRONMENTS:
            return False
        if not all(frame.implied or frame.name in ("document", "frame") for frame in self.frames.stack):
            return False
        closing = f"\\end{token.name}"
        closed = text.find(closing, start, start + REACH)
        stop = _end_of_statement(text, start) if closed < 0 else closed
        if not text[start:stop].strip():
            return False
        self.frames.close_implied(begin)
        self.proofs.announced = ""
        statement = self._statement(token, found)
        self.frames.push(Frame(token.name, "statement", self.walker.file, begin, statement), start)
        self.expansions.read_piece(token, start, stop)
        end = stop + len(closing) if stop == closed else stop
        self.frames.close(stop, end)
        self.walker.skip(end)
        return True

    def _statement(self, token: Token, found: StatementHeading) -> StatementBuilder:
        family = found.sense.family or "theorem"
        return self._add(token, cast(Kind, found.sense.role), family, family, found.number, found.name)


def _end_of_paragraph(text: str, at: int) -> int:
    """Where the paragraph that begins here ends, lists, formulas and groups in it included."""
    depth = 0
    for match in _MARK.finditer(text, at, at + REACH):
        if match["begin"] or match["open"]:
            depth += 1
        elif match["end"] or match["close"]:
            depth -= 1
        if depth < 0 or (depth == 0 and (match["stop"] or match["blank"])):
            return match.start()
    return min(len(text), at + REACH)


def _end_of_statement(text: str, at: int) -> int:
    """Where a statement ends: with its paragraph, unless that is unfinished or the next one goes on with it."""
    blank = text.find("\n\n", at, at + REACH)
    # Most headings stand in the lines right after the statement: no need to look for the end of its paragraph.
    heading = _next_heading(text, at, blank if blank >= 0 else at + REACH)
    stop = at
    for _ in range(_MOST_PARAGRAPHS if heading < 0 else 0):
        stop = _end_of_paragraph(text, stop)
        heading = _next_heading(text, at, stop)
        following = stop + len(text[stop : stop + REACH]) - len(text[stop : stop + REACH].lstrip())
        unfinished = text[at:stop].rstrip().endswith((":", ",", ";")) and not text.startswith("\\", following)
        if heading >= 0 or following == stop or not (unfinished or _GOES_ON.match(text, following)):
            break
        stop = following
    return stop if heading < 0 else at + len(text[at:heading].rstrip().removesuffix("\\\\"))


def _next_heading(text: str, at: int, stop: int) -> int:
    """Where a line begins with the heading of a proof or of another statement; -1 if none does."""
    depth, done = 0, at
    for line in _LINE.finditer(text, at, stop):
        depth += text.count("\\begin{", done, line.start()) - text.count("\\end{", done, line.start())
        done = line.start()
        if depth > 0:
            continue
        heading = read_heading(text, line.start() + 1, bare=True)
        found = statement_heading(heading)
        is_statement = found is not None and found.is_marked and found.sense.family not in NOT_ENVIRONMENTS
        if is_statement or (heading is not None and is_proof_heading(heading.plain)):
            return line.start() + 1
    return -1
