"""From tokens to statements: environments open and close, and what stands in them is theirs."""

from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

from naturalproofs.latex import Token, TokenKind
from naturalproofs.latex.announcements import announces, named_label
from naturalproofs.latex.arguments import Argument, read_groups, read_option
from naturalproofs.latex.builders import AnchorBuilder, Frame, ProofBuilder, Reading, StatementBuilder, TextBuilder
from naturalproofs.latex.dialect import Profile
from naturalproofs.latex.files import TexFile
from naturalproofs.latex.plain import plain_title
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import AnchorKind, Diagnostic, Mention, Note, Origin

__all__ = ["Reader", "Reading"]

_COMPLAINTS_A_RULE = 100
_DEPTH = 30
"""How many environments outwards a label looks for what it stands for; the bound keeps time linear."""
_MANY_KEYS = {name for name, style in REFERENCES.items() if style in ("list", "range")}


class Opening(NamedTuple):
    """What stands between the begin of a statement and its text."""

    title: str
    inside: int
    """Where the text begins."""


class Reader:
    """Reads one file after another into a `Reading`, by the names of a profile."""

    def __init__(self, profile: Profile, reading: Reading) -> None:
        """Start outside of everything."""
        self.profile = profile
        self.reading = reading
        self.many_keys: Collection[str] = _MANY_KEYS
        self.handlers: dict[TokenKind, Callable[[Token], None]] = {
            TokenKind.BEGIN: self._begin,
            TokenKind.END: self._end,
            TokenKind.LABEL: self._label,
            TokenKind.REFERENCE: self._reference,
            TokenKind.SECTION: self._heading,
            TokenKind.COMMAND: self._command,
            TokenKind.COMMENT: self._drop,
            TokenKind.SKIPPED: self._drop,
        }

    def read(self, file: TexFile, scope: str = "") -> None:
        """Read one file and what it includes; its labels are local to the scope."""
        self.scope = scope
        self.file, self.mark = file, 0
        self.chapter = self.section = ""
        self.stack: list[Frame] = []
        self.open_names: Counter[str] = Counter()
        self.complained: Counter[str] = Counter()
        self.collectors: list[TextBuilder] = []
        self.last: StatementBuilder | None = None
        self.last_is_neighbour = False
        self.announced = ""
        self._walk(file)
        while self.stack:
            frame = self.stack[-1]
            if frame.name != "document":
                self._complain_unclosed(frame)
            self._close_top(len(file.text), len(file.text))

    def _walk(self, file: TexFile) -> None:
        self.file, self.mark = file, 0
        handlers = self.handlers
        for token in file.tokens:
            if handle := handlers.get(token.kind):
                handle(token)
        self._keep_until(len(file.text))

    # Text: the innermost open statement or proof gets what stands between `mark` and the next cut.

    def _keep_until(self, offset: int) -> None:
        if self.collectors and offset > self.mark:
            self.collectors[-1].pieces.append(self.file.text[self.mark : offset])
        self.mark = max(self.mark, offset)

    def _cut(self, start: int, end: int) -> None:
        self._keep_until(start)
        self.mark = max(self.mark, end)

    def _drop(self, token: Token) -> None:
        # A comment hides the rest of its line, but two lines stay two lines.
        self._cut(token.start, token.end - 1 if token.kind is TokenKind.COMMENT else token.end)

    # Tokens.

    def _begin(self, token: Token) -> None:
        name, profile = token.name, self.profile
        if name in profile.kinds:
            self._open_statement(token, name)
        elif name in profile.proofs:
            self._open_proof(token)
        elif name in profile.notes and self.collectors:
            self._push(Frame(name, "note", self.file, token.start, TextBuilder(self._origin(token))), token.end)
        elif name in profile.neighbours:
            self.announced = ""
            self._push(Frame(name, "neighbour", self.file, token.start))
        else:
            self._push(Frame(name, "plain", self.file, token.start))

    def _end(self, token: Token) -> None:
        if not self.open_names[token.name]:
            self._complain(token.start, "unmatched-end", f"\\end{{{token.name}}} without a \\begin")
            return
        while (frame := self.stack[-1]).name != token.name:
            self._complain_unclosed(frame)
            self._close_top(token.start, token.start)
        self._close_top(token.start, token.end)

    def _label(self, token: Token) -> None:
        self._cut(token.start, token.end)
        self._add_label(token.argument, token)

    def _add_label(self, label: str, token: Token) -> None:
        if "\\" in label or "#" in label:
            return  # Made by a macro: what it is called is known only to TeX.
        holder: StatementBuilder | ProofBuilder | None = None
        inner: AnchorKind | None = None
        for frame in self.stack[: -_DEPTH - 1 : -1]:
            if isinstance(frame.cited, StatementBuilder | ProofBuilder):
                holder = frame.cited
                break
            if frame.role == "neighbour":
                break
            inner = inner or self.profile.anchors.get(frame.name)
        if isinstance(holder, StatementBuilder) and inner is None:
            holder.labels.append(label)
            kind: AnchorKind = "statement"
        else:
            kind = inner or ("section" if self._outside() else "other")
        self.reading.anchors.append(AnchorBuilder(label, self.scope, kind, holder, self._origin(token)))

    def _outside(self) -> bool:
        """Whether nothing but the document itself is open."""
        return not self.stack or (len(self.stack) == 1 and self.stack[0].name == "document")

    def _reference(self, token: Token) -> None:
        if not self.collectors:
            waits = self.last is not None and not self.last_is_neighbour and not self.last.proofs
            if announces(self.file.text, token.start, waits=waits):
                self.announced = token.argument.split(",")[0].strip()
            return
        line = self.file.positions.line(token.start)
        keys = token.argument.split(",") if token.name in self.many_keys else [token.argument]
        # A note's references are about the statement, not used by it: they stay with the note.
        self.collectors[-1].mentions.extend(Mention(key, token.name, line) for raw in keys if (key := raw.strip()))

    def _command(self, token: Token) -> None:
        closers = self.profile.proof_commands
        if token.name in self.profile.headings:
            self._heading(token)
        elif token.name in closers:
            self._close_implied(token.start)
            self._open_proof(token, implied=True)
        elif self.stack and closers.get(self.stack[-1].name) == token.name:
            self._close_top(token.start, token.end)

    def _heading(self, token: Token) -> None:
        heading = self.profile.headings.get(token.name)
        if heading is None:
            return
        self._close_implied(token.start)
        option = read_option(self.file.text, token.end)
        groups = read_groups(self.file.text, option.end if option else token.end, heading.argument + 1)
        source = groups[-1] if len(groups) > heading.argument else None
        title = plain_title(source.text) if source else ""
        if heading.level <= 0:
            self.chapter, self.section = title, ""
        elif heading.level == 1:
            self.section = title
        self._headed(token, heading.level, source)

    def _headed(self, token: Token, level: int, source: Argument | None) -> None:
        """A heading was read; there is nothing more to it here."""

    # Frames.

    def _open_statement(self, token: Token, name: str) -> StatementBuilder:
        self._close_implied(token.start)
        self.announced = ""
        draft = StatementBuilder(
            self._origin(token),
            kind=self.profile.kinds[name],
            form=name.rstrip("*"),
            scope=self.scope,
            chapter=self.chapter,
            section=self.section,
        )
        opening = self._opening(token, name)
        draft.title = opening.title
        self.reading.statements.append(draft)
        self._push(Frame(token.name, "statement", self.file, token.start, draft), opening.inside)
        return draft

    def _opening(self, token: Token, _name: str) -> Opening:
        option = read_option(self.file.text, token.end)
        return Opening(plain_title(option.text), option.end) if option else Opening("", token.end)

    def _open_proof(self, token: Token, *, implied: bool = False) -> ProofBuilder:
        proof = ProofBuilder(self._origin(token), scope=self.scope, position=len(self.reading.statements))
        around = self.collectors[-1] if self.collectors else None
        if isinstance(around, StatementBuilder):
            proof.owner = around
        elif not self.last_is_neighbour:
            proof.owner = self.last
        inside = self._proof_heading(token, proof)
        if not proof.of:
            proof.of = self.announced
        self.announced = ""
        frame = Frame(token.name, "proof", self.file, token.start, proof, self.last, self.last_is_neighbour, implied)
        self._push(frame, inside)
        return proof

    def _proof_heading(self, token: Token, proof: ProofBuilder) -> int:
        """Read what a proof says it proves; give the place where its text begins."""
        option = read_option(self.file.text, token.end)
        if option is None:
            return token.end
        proof.of = named_label(option.text)
        return option.end

    def _push(self, frame: Frame, inside: int = 0) -> None:
        """Open a frame; the text of one that collects starts at `inside`."""
        self.stack.append(frame)
        self.open_names[frame.name] += 1
        if frame.cited is not None:
            self._cut(frame.start, inside)
            self.collectors.append(frame.cited)

    def _close_top(self, start: int, end: int) -> None:
        """Close the innermost frame, whose closing mark runs from `start` up to `end`."""
        frame = self.stack.pop()
        self.open_names[frame.name] -= 1
        cited = frame.cited
        if cited is not None:
            self._cut(start, end)
            self.collectors.pop()
        if isinstance(cited, StatementBuilder):
            self._pass_on(cited)
            if cited.kind == "theorem" or frame.name in self.profile.provable:
                self.last, self.last_is_neighbour = cited, False
        elif isinstance(cited, ProofBuilder):
            self.last, self.last_is_neighbour = frame.before, frame.had_before
            self._pass_on(cited)
            (cited.owner.proofs if cited.owner else self.reading.orphans).append(cited)
        elif frame.role == "neighbour":
            self.last_is_neighbour = True
        elif cited is not None and self.collectors and isinstance(around := self.collectors[-1], StatementBuilder):
            around.notes.append(Note(frame.name, cited.lines()))

    def _pass_on(self, cited: TextBuilder) -> None:
        """A claim stated and proved inside a proof is part of it: what it uses, the outer proof uses."""
        outer = self.collectors[-1] if self.collectors else None
        # Proofs nested deeper than any author's are a broken file; passing their text up would square its size.
        if isinstance(outer, ProofBuilder) and not outer.implied and len(self.collectors) <= _DEPTH:
            outer.pieces.extend(["\n", *cited.pieces, "\n"])
            outer.mentions.extend(cited.mentions)

    def _close_implied(self, offset: int) -> None:
        """A proof opened by a command ends, at the latest, where something new begins."""
        while self.stack and self.stack[-1].implied:
            self._close_top(offset, offset)

    def _origin(self, token: Token) -> Origin:
        return Origin(self.file.path, self.file.positions.line(token.start))

    def _complain_unclosed(self, frame: Frame) -> None:
        if not frame.implied and frame.level is None:
            self._complain(frame.start, "unclosed-environment", f"\\begin{{{frame.name}}} is never closed", frame.file)

    def _complain(self, offset: int, rule: str, message: str, file: TexFile | None = None) -> None:
        self.complained[rule] += 1
        if self.complained[rule] <= _COMPLAINTS_A_RULE:
            where = file or self.file
            line, column = where.positions.line_column(offset)
            self.reading.diagnostics.append(Diagnostic(where.path, line, column, "warning", rule, message))
