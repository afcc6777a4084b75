r"""Proofs and statements that authors head: where they open and close, and what a proof proves.

A proof has an environment, a command, or a heading; what it proves is said by its heading or the sentence before it.
Statements that begin with a heading are blocks of slides, boxes, and, in documents that have no environments for
statements, paragraphs such as ``{\bf Theorem 3.} …``, ``Theorem 3. …`` and ``\proclaim{Theorem 3} … \endproclaim``.
"""

import re
from collections.abc import Callable
from typing import TypeAlias, cast

from naturalproofs.records import Kind
from naturalproofs.sources.latex.macros.expansion import Expansion, expand_all
from naturalproofs.sources.latex.read.citations import TextReferences, find_citations, named_in
from naturalproofs.sources.latex.read.document_text import Expansions
from naturalproofs.sources.latex.read.frames import Frame, Frames
from naturalproofs.sources.latex.read.headings import (
    AGAIN,
    StatementHeading,
    announces,
    begins_line,
    block_title,
    heading_of_line,
    headings_in,
    is_bare,
    is_headed_otherwise,
    is_proof_heading,
    leading_target,
    named_labels,
    named_title,
    plain_heading,
    read_heading,
    skip_overlay,
    skip_space,
    statement_heading,
    statement_words,
)
from naturalproofs.sources.latex.read.numbering import Numbering
from naturalproofs.sources.latex.scan.arguments import COMMAND, REACH, Argument, read_groups, read_option
from naturalproofs.sources.latex.scan.scanner import HEADING_IN_LINE, Token, TokenKind
from naturalproofs.sources.reading.builders import ProofBuilder, StatementBuilder
from naturalproofs.sources.reading.kinds import FAMILIES, NOT_ENVIRONMENTS, by_word, words_of

_AFTER_MARK = re.compile(
    r"(?:[\s~$})\]]|\\[])])*?"
    r"(?:\n[ \t]*\n|\\(?:begin|end|(?:sub)*section|chapter|par|medskip|bigskip)(?![a-zA-Z])|\Z)"
)
_NEAR = 30
"""How many statements before a proof "of the theorem" may be meant."""
_WITH_ARGUMENT = frozenset({"proofof", "pf*"})
"""Environments of proofs that take their heading as an argument."""
_NOT_ASKED = FAMILIES.keys() - {"exercise", "problem", "question", "example"}
"""Statements that have no solution."""
KEY = re.compile(r"[\w./+-]*+(?::[\w./+-]++)*+")
"""What a label looks like."""
_SUBSECTION = 2
"""The level of headings that may say "Proof" alone: above it, a section holds proofs of several statements."""
_PARAGRAPH = 4
"""The level of headings whose proofs end where a statement begins."""


class Proofs:
    """Opens and closes the proofs of one document."""

    def __init__(self, frames: Frames, texts: TextReferences | None, scope: str) -> None:
        """Bind the open environments.

        Args:
            frames: The open environments, and the walk over the text.
            texts: Finds citations by number, if they are to be read.
            scope: What the document's labels are local to.
        """
        self.frames, self.walker, self.dialect = frames, frames.walker, frames.dialect
        self.texts, self.scope = texts, scope
        self.announced = ""
        """The label of what the text says it is going to prove."""
        self.asked: StatementBuilder | None = None
        """The last statement before the section: no solution here is its own."""
        self._titles: dict[str, list[StatementBuilder]] = {}
        """The theorems by title and by printed name."""
        self._indexed = 0
        """How many statements are among them."""

    def open(self, token: Token) -> None:
        """Open a proof by its environment."""
        self._close_heading(token.start)
        self._open(token, implied=False)

    def open_solution(self, token: Token) -> bool:
        """Open a solution as the proof of the exercise around it or before it, if there is one or it names one."""
        self._close_heading(token.start)
        proof, outer = self._builder(token), self.frames.collecting[-1] if self.frames.collecting else None
        around = outer.builder if outer else None
        inside = self._read_heading(token, proof)
        if isinstance(around, StatementBuilder):
            proof.owner = around
        elif outer is None or self.frames.recent is not outer.recent_before:
            last = self.frames.recent
            option = read_option(self.walker.file.text, token.end)
            is_another = last is not None and last.proofs and not (option and AGAIN.search(option.text))
            proof.owner = None if last is self.asked or is_another else last
        if proof.owner is not None and proof.owner.family in _NOT_ASKED:
            proof.owner = None
        if not proof.proves_something():
            return False
        self.frames.push(self._frame(token.name, token, proof), inside)
        self.announced = ""
        return True

    def _close_heading(self, offset: int) -> None:
        """Another proof ends the one that a heading within a line opened."""
        top = self.frames.top
        if top is not None and top.name == HEADING_IN_LINE:
            self.frames.close_implied(offset)

    def open_by_command(self, token: Token) -> None:
        """Open a proof by a command."""
        self.frames.close_implied(token.start)
        self._open(token, implied=True)

    def close_by_command(self, token: Token) -> None:
        """Close a proof by the command that belongs to the one that opened it."""
        top = self.frames.top
        if top is not None and self.dialect.proof_commands.get(top.name) == token.name:
            self.frames.close(token.start, token.end)

    def open_by_heading(self, token: Token) -> None:
        r"""Open a proof by its heading: ``{\bf Proof.}``, ``\noindent\textbf{Proof of Theorem 3.}``."""
        heading = heading_of_line(self.walker.file.text, token)
        if heading is None or self.walker.in_preamble or self.texts is None:
            return
        if is_proof_heading(heading.plain):
            self._close_heading(heading.begin)
        proof, section = self._builder(token), self.frames.section()
        if self.frames.is_outside() and self._may_open(proof, heading.source, bare=True):
            # A name in brackets may be a part of the text.
            end = heading.font_end if heading.name else heading.end
            self.walker.skip(end)
            if section is not None:
                if section.has_part(proof):
                    return
                section.give_way(proof)
            frame = self._frame(HEADING_IN_LINE, token, proof)
            frame.start, frame.implied = heading.begin, True
            self.frames.push(frame, end)
            self.announced = ""

    def open_by_title(self, token: Token, title: str, inside: int) -> None:
        """Open a proof by the title of its block; one whose statement is unknown is plain text."""
        proof = self._builder(token)
        if self._may_open(proof, title, bare=True):
            self.frames.push(self._frame(token.name, token, proof), inside)
            self.announced = ""
        else:
            self.frames.open_plain(token)

    def _may_open(self, proof: ProofBuilder, heading: str, *, bare: bool) -> bool:
        """Whether a heading opens a proof: of the statement it names, or, if it may be `bare`, of the one before it."""
        plain = plain_heading(heading)
        if not is_proof_heading(plain):
            return False
        if self._set_target(proof, heading):
            return True
        last = self.frames.last
        if (titled := self._titled(proof.of_title)) is not None:
            proof.owner = titled
        elif not bare or last is None or self.frames.last_is_neighbour or last.proofs or not is_bare(plain):
            return False
        else:
            proof.owner, proof.of_title = last, ""
        return True

    def _titled(self, title: str) -> StatementBuilder | None:
        """The one theorem so far that has this title or printed name."""
        statements = self.walker.reading.statements
        for statement in statements[self._indexed :]:
            if statement.kind == "theorem":
                for name in {statement.title.casefold(), statement.form} - {""}:
                    self._titles.setdefault(name, []).append(statement)
        self._indexed = len(statements)
        found = self._titles.get(title.casefold(), [])
        return found[0] if len(found) == 1 else None

    def end_mark(self, token: Token) -> None:
        r"""The end of a proof that a command or a heading began: ``\proof … \qed``, ``{\bf Proof.} … $\Box$``."""
        top = self.frames.top
        if top is None or not top.implied or top.level is not None:
            return
        end = token.end
        if token.name != "qed":
            # A box may be part of a formula as well.
            after = _AFTER_MARK.match(self.walker.file.text, token.end, token.end + 200)
            if after is None:
                return
            end = token.end + len(after.group()) - len(after.group().lstrip("~$})] \t"))
        self.frames.close(end, end)

    def announce(self, token: Token) -> None:
        """Note what is going to be proved, if a reference outside of statements and proofs says so."""
        last = self.frames.last
        unproved = last is not None and not self.frames.last_is_neighbour and not last.proofs
        if announces(self.walker.file.text, token.start, unproved=unproved):
            self.announced = token.argument.split(",")[0].strip()

    def open_section(self, token: Token, level: int, title: Argument) -> None:
        """Open a section headed "Proof of Theorem 3": its text is a proof, unless a proof inside takes its place."""
        if self.texts is None or self.walker.in_preamble or not self.frames.is_outside():
            return
        proof, around = self._builder(token, implied=True), self.frames.section()
        if not self._may_open(proof, title.text, bare=level >= _SUBSECTION):
            return
        heading = read_heading(self.walker.file.text, token.start) if level >= _PARAGRAPH else None
        end = title.end if heading is None or heading.name else heading.end
        self.walker.skip(end)
        if around is not None:
            if around.has_part(proof):
                return
            around.give_way(proof)
        is_bare_heading = proof.owner is not None and not proof.of_title
        frame = self._frame(f"\\{token.name}", token, proof)
        # A section may hold lemmas of its own; a paragraph and one headed "Proof" end where a statement begins.
        proof.may_be_short = frame.implied = level >= _PARAGRAPH or is_bare_heading
        frame.level = level
        self.frames.push(frame, end)
        self.frames.last = self.frames.recent = None
        self.frames.last_is_neighbour = False
        self.announced = ""

    def _open(self, token: Token, *, implied: bool) -> None:
        option = read_option(self.walker.file.text, token.end)
        if option is not None and is_headed_otherwise(option.text):
            if not implied:
                self.frames.open_plain(token)
            return
        proof, section = self._builder(token), self.frames.section()
        proof.owner = self._owner(token)
        inside = self._read_heading(token, proof)
        proof.owner = self._of_kind(proof) or proof.owner
        if self._is_part_of_another(proof):
            self.frames.leave_out_code(token.start)
            self.walker.cut(token.start, token.end)
            self.frames.open_plain(token, "part")
            return
        proof.of = proof.of or self.announced
        self.announced = ""
        frame = self._frame(token.name, token, proof)
        frame.implied = implied
        self.frames.push(frame, inside)
        if section is not None:
            # A proof takes the place of the section around it, unless it names another statement.
            if proof.owner is None and not (proof.of or proof.of_printed):
                proof.of, proof.also_of, proof.of_printed = section.of, section.also_of, section.of_printed
                proof.owner = section.owner
            section.give_way(proof)

    def _owner(self, token: Token) -> StatementBuilder | None:
        """The statement that a proof belongs to unless it names another one."""
        frames, around = self.frames, self.walker.collector
        if isinstance(around, StatementBuilder):
            # A statement inside of another one may have a proof there.
            inner = frames.last if frames.last is not frames.collecting[-1].last_before else None
            return inner if inner is not None and not inner.proofs and self.texts is not None else around
        if frames.last_is_neighbour:
            return None
        option = read_option(self.walker.file.text, token.end)
        if self.texts is None or (option is not None and AGAIN.search(option.text)):
            return frames.last
        section = frames.section()
        if section is not None and section.proves_something() and (frames.last is None or frames.last.proofs):
            return None
        return frames.unproved()

    def leave_section(self, heading: str) -> None:
        """A heading begins another section; a bare proof in it is not one more proof of what is proved before."""
        is_proof = AGAIN.search(heading) or is_proof_heading(heading)
        self.frames.before_heading = None if is_proof else self.frames.last

    def _of_kind(self, proof: ProofBuilder) -> StatementBuilder | None:
        """The last unproved theorem before a proof "of the theorem", if the statement right before it is none."""
        by_title = proof.of_title and not proof.of_printed and self.texts is not None
        word = by_word(proof.of_title) if by_title else None
        if word is None or not word.family or (proof.owner is not None and proof.owner.family == word.family):
            return None
        near = self.walker.reading.statements[-_NEAR:]
        open_now = [frame.builder for frame in self.frames.collecting[-_NEAR:]]
        proved = [one.owner for one in open_now if isinstance(one, ProofBuilder)]
        found = (one for one in reversed(near) if one.family == word.family and not one.proofs and one not in open_now)
        return next((one for one in found if one not in proved), None)

    def _is_part_of_another(self, proof: ProofBuilder) -> bool:
        """Whether a proof inside a proof is a part of it: it names nothing, and nothing is stated in between."""
        outer = self.frames.collecting[-1] if self.frames.collecting else None
        if outer is None or not isinstance(outer.builder, ProofBuilder) or outer.builder.implied:
            return False
        named = (proof.of, proof.of_printed) if proof.of or proof.of_printed else None
        if named and named != (outer.builder.of, outer.builder.of_printed):
            return False
        return self.frames.last is outer.last_before and self.frames.last_is_neighbour == outer.neighbour_before

    def _read_heading(self, token: Token, proof: ProofBuilder) -> int:
        """Read what a proof says it proves; give the place where its text begins."""
        text = self.walker.file.text
        at = skip_overlay(text, token.end)
        option = read_option(text, at)
        headings = [option.text] if option else []
        at = option.end if option else at
        count = self.dialect.proof_arguments.get(token.name, int(token.name.casefold() in _WITH_ARGUMENT))
        for group in read_groups(text, at, count):
            headings.append(group.text)
            at = group.end
        if declared := self.dialect.definitions.declarations.get(token.name):
            headings.append(declared.printed)
        for heading in headings:
            if self._set_target(proof, heading):
                break
            if count and KEY.fullmatch(heading.strip()):
                proof.of = heading.strip()
        if option is not None and self.texts is not None:
            self._skip_targets(option)
        if self.texts is not None and not headings and (target := leading_target(text, at)):
            self._set_target(proof, target)
            proof.of_title = ""
        return at

    def _skip_targets(self, heading: Argument) -> None:
        r"""The statements of "Proof of \cref{a,b}" are proved, not used: pass over them if there are several."""
        named = named_labels(heading.text, find_citations(heading.text, self.dialect.vocabulary.references))
        if len(named.labels) > 1:
            self.walker.skip(heading.start + named.end)

    def _set_target(self, proof: ProofBuilder, heading: str) -> bool:
        """Note what a heading such as "Proof of Theorem 3" names: a label, a number or a title.

        Args:
            proof: The proof with this heading.
            heading: The LaTeX source of the heading.

        Returns:
            Whether a label or a number is named.
        """
        heading = expand_all(heading, self.dialect.commands)
        cited = find_citations(heading, self.dialect.vocabulary.references, guess=True)
        if self.texts is None:
            proof.of = next((key.key for citation in cited for key in citation.keys), "")
            return bool(proof.of)
        named = named_labels(heading, cited)
        proof.of, proof.also_of = next(iter(named.labels), ""), named.labels[1:]
        if not proof.of:
            heading = heading[: named.used]
            proof.of_printed = named_in(f" {heading}", self.texts)
            proof.of_title = named_title(heading) or proof.of_title
        return bool(proof.of or proof.of_printed)

    def _builder(self, token: Token, *, implied: bool = False) -> ProofBuilder:
        here = len(self.walker.reading.statements)
        return ProofBuilder(self.walker.origin(token), scope=self.scope, position=here, implied=implied)

    def _frame(self, name: str, token: Token, proof: ProofBuilder) -> Frame:
        last, is_neighbour = self.frames.last, self.frames.last_is_neighbour
        return Frame(name, "proof", self.walker.file, token.start, proof, last, is_neighbour, self.frames.recent)


_MOST_PARAGRAPHS = 20
_GOES_ON = re.compile(r"\s*+(?:[a-z]|(?:Then|Alors|Dann|Entonces|Allora|Então|Тогда)(?!\w)|\((?:[a-z]|[ivx]++|\d)\)\s)")
"""A paragraph that goes on with the sentence before it, or lists another case."""
_LINE = re.compile(r"\n[ \t]*+(?=\\[a-zA-Z]|\{\s*+\\|[^\W_a-z])")
"""A line that may begin with a heading: with a command, a font, a number or a capital."""
_PARAGRAPH_MARK = re.compile(
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

    def call(self, token: Token) -> None:
        r"""A call of a command that may print the heading of a statement: ``\mdf{Satz}`` at the beginning of a line."""
        printed = self._printed(token)
        if printed is None:
            self.expansions.call(token)
            return
        found = statement_heading(next(headings_in(self.numbering.in_heading(printed.text)), None))
        if found and found.is_marked:
            end = skip_space(self.walker.file.text, printed.end)
            self._read_paragraph(token, found._replace(end=end), token.start)

    def _printed(self, token: Token) -> Expansion | None:
        """What a call at the beginning of a line prints, if that is the heading of a statement."""
        at_beginning = begins_line(self.walker.file.text, token.start)
        printed = self.expansions.printed(token) if at_beginning else None
        heading = next(headings_in(printed.text), None) if printed else None
        return printed if heading and any(map(statement_words, words_of(heading.plain)[:1])) else None

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
        stop = self._end_of_statement(text, start) if closed < 0 else closed
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

    def _end_of_statement(self, text: str, at: int) -> int:
        """Where a statement ends: with its paragraph, unless that is unfinished or the next one goes on with it."""
        blank = text.find("\n\n", at, at + REACH)
        # Most headings stand in the lines right after the statement: no need to look for the end of its paragraph.
        heading = self._next_heading(text, at, blank if blank >= 0 else at + REACH)
        stop = at
        for _ in range(_MOST_PARAGRAPHS if heading < 0 else 0):
            stop = _end_of_paragraph(text, stop)
            heading = self._next_heading(text, at, stop)
            following = stop + len(text[stop : stop + REACH]) - len(text[stop : stop + REACH].lstrip())
            goes_on = text.startswith("\\begin{", following) or not text.startswith("\\", following)
            unfinished = text[at:stop].rstrip().endswith((":", ",", ";")) and goes_on
            if heading >= 0 or following == stop or not (unfinished or _GOES_ON.match(text, following)):
                break
            stop = following
        return stop if heading < 0 else at + len(text[at:heading].rstrip().removesuffix("\\\\"))

    def _next_heading(self, text: str, at: int, stop: int) -> int:
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
            call = COMMAND.match(text, line.end())
            if call and call[1] in self.dialect.heading_macros and self._printed(_token_of(call)):
                return line.start() + 1
        return -1

    def _statement(self, token: Token, found: StatementHeading) -> StatementBuilder:
        family = found.sense.family or "theorem"
        return self._add(token, cast(Kind, found.sense.role), family, family, found.number, found.name)


def _token_of(call: re.Match[str]) -> Token:
    return Token(TokenKind.COMMAND, call.start(), call.end(), call[1])


def _end_of_paragraph(text: str, at: int) -> int:
    """Where the paragraph that begins here ends, lists, formulas and groups in it included."""
    depth = 0
    for match in _PARAGRAPH_MARK.finditer(text, at, at + REACH):
        if match["begin"] or match["open"]:
            depth += 1
        elif match["end"] or match["close"]:
            depth -= 1
        if depth < 0 or (depth == 0 and (match["stop"] or match["blank"])):
            return match.start()
    return min(len(text), at + REACH)
