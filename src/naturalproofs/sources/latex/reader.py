"""From tokens to statements: environments open and close, and what stands in them is theirs."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from naturalproofs.markup.latex import Token, TokenKind
from naturalproofs.markup.latex.arguments import read_groups, read_option
from naturalproofs.markup.latex.plain import plain_title
from naturalproofs.markup.latex.vocabulary import REFERENCES
from naturalproofs.records import AnchorKind, Diagnostic, Mention, Note, Origin
from naturalproofs.sources.latex.drafts import AnchorDraft, Cited, ProofDraft, StatementDraft
from naturalproofs.sources.latex.files import TexFile
from naturalproofs.sources.latex.profile import Profile

Include: TypeAlias = Callable[[TexFile, Token], TexFile | None]
Role: TypeAlias = Literal["statement", "neighbour", "proof", "note", "plain"]

_COMPLAINTS_A_RULE = 100
_ANNOUNCEMENT = 80
_DEPTH = 30
"""How many environments outwards a label looks for what it stands for; the bound keeps time linear."""
_ANNOUNCED = re.compile(r"\b[Pp]ro(?:of|ve|ves|ving)\b[^.]*+$")
"""What a sentence or a heading says before it names the theorem that is going to be proved."""
_NAMED = re.compile(r"\\[a-zA-Z]*ref\*?+\s*+(?:\{([^{},]*+)|\[([^][]*+)\])")
_MANY_KEYS = {name for name, style in REFERENCES.items() if style in ("list", "range")}


@dataclass(slots=True, eq=False)
class Frame:
    """An open environment and what it collects."""

    name: str
    role: Role
    start: int
    cited: Cited | None = None
    before: StatementDraft | None = None
    """For a proof: the statement that was last before it, restored when it closes."""
    had_before: bool = False


@dataclass(slots=True, eq=False)
class Reading:
    """All that was read so far, over all files of a project."""

    statements: list[StatementDraft] = field(default_factory=list)
    anchors: list[AnchorDraft] = field(default_factory=list)
    orphans: list[ProofDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


class Reader:
    """Reads one file after another into a `Reading`, by the names of a profile."""

    def __init__(self, profile: Profile, reading: Reading, include: Include | None = None) -> None:
        """Start outside of everything; `include` finds the file that an \\input names, if inputs are followed."""
        self.profile = profile
        self.reading = reading
        self.include = include
        self.handlers: dict[TokenKind, Callable[[Token], None]] = {
            TokenKind.BEGIN: self._begin,
            TokenKind.END: self._end,
            TokenKind.LABEL: self._label,
            TokenKind.REFERENCE: self._reference,
            TokenKind.SECTION: self._heading,
            TokenKind.COMMAND: self._command,
            TokenKind.INPUT: self._include,
            TokenKind.COMMENT: self._drop,
            TokenKind.SKIPPED: self._drop,
        }

    def read(self, file: TexFile, scope: str = "") -> None:
        """Read one file and what it includes; its labels are local to the scope."""
        self.scope = scope
        self.chapter = self.section = ""
        self.stack: list[Frame] = []
        self.open_names: Counter[str] = Counter()
        self.complained: Counter[str] = Counter()
        self.collectors: list[Cited] = []
        self.last: StatementDraft | None = None
        self.last_is_neighbour = False
        self.announced = ""
        self._walk(file)
        while self.stack:
            frame = self.stack[-1]
            if frame.name != "document":
                self._complain(frame.start, "unclosed-environment", f"\\begin{{{frame.name}}} is never closed")
            self._close_top(len(file.text), len(file.text))

    def _walk(self, file: TexFile) -> None:
        self.file, self.mark = file, 0
        for token in file.tokens:
            if handle := self.handlers.get(token.kind):
                handle(token)
        self._keep_until(len(file.text))

    def _include(self, token: Token) -> None:
        file = self.file
        if self.include and (included := self.include(file, token)):
            self._keep_until(token.start)
            self._walk(included)
            self.file, self.mark = file, token.end

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
            self._open_statement(token)
        elif name in profile.proofs:
            self._open_proof(token)
        elif name in profile.notes and self.collectors:
            self._push(Frame(name, "note", token.start, Cited(self._origin(token))), token.end)
        elif name in profile.neighbours:
            self.announced = ""
            self._push(Frame(name, "neighbour", token.start))
        else:
            self._push(Frame(name, "plain", token.start))

    def _end(self, token: Token) -> None:
        if not self.open_names[token.name]:
            self._complain(token.start, "unmatched-end", f"\\end{{{token.name}}} without a \\begin")
            return
        while (frame := self.stack[-1]).name != token.name:
            if frame.name not in self.profile.proof_commands:
                self._complain(frame.start, "unclosed-environment", f"\\begin{{{frame.name}}} is never closed")
            self._close_top(token.start, token.start)
        self._close_top(token.start, token.end)

    def _label(self, token: Token) -> None:
        self._cut(token.start, token.end)
        if "\\" in token.argument or "#" in token.argument:
            return  # Made by a macro: what it is called is known only to TeX.
        holder: StatementDraft | ProofDraft | None = None
        inner: AnchorKind | None = None
        for frame in self.stack[: -_DEPTH - 1 : -1]:
            if isinstance(frame.cited, StatementDraft | ProofDraft):
                holder = frame.cited
                break
            if frame.role == "neighbour":
                break
            inner = inner or self.profile.anchors.get(frame.name)
        if isinstance(holder, StatementDraft) and inner is None:
            holder.labels.append(token.argument)
            kind: AnchorKind = "statement"
        else:
            outside = not self.stack or (len(self.stack) == 1 and self.stack[0].name == "document")
            kind = inner or ("section" if outside else "other")
        self.reading.anchors.append(AnchorDraft(token.argument, self.scope, kind, holder, self._origin(token)))

    def _reference(self, token: Token) -> None:
        if not self.collectors:
            before = self.file.text[max(0, token.start - _ANNOUNCEMENT) : token.start].rsplit("\n\n", 1)[-1]
            if _ANNOUNCED.search(before):
                self.announced = token.argument.split(",")[0].strip()
            return
        line = self.file.positions.line(token.start)
        keys = token.argument.split(",") if token.name in _MANY_KEYS else [token.argument]
        # A note's references are about the statement, not used by it: they stay with the note.
        self.collectors[-1].mentions.extend(Mention(key, token.name, line) for raw in keys if (key := raw.strip()))

    def _command(self, token: Token) -> None:
        closers = self.profile.proof_commands
        if token.name in self.profile.headings:
            self._heading(token)
        elif token.name in closers:
            self._close_proof_commands(token.start)
            self._open_proof(token)
        elif self.stack and closers.get(self.stack[-1].name) == token.name:
            self._close_top(token.start, token.end)

    def _heading(self, token: Token) -> None:
        heading = self.profile.headings.get(token.name)
        if heading is None:
            return
        self._close_proof_commands(token.start)
        option = read_option(self.file.text, token.end)
        groups = read_groups(self.file.text, option.end if option else token.end, heading.argument + 1)
        title = plain_title(groups[-1].text) if len(groups) > heading.argument else ""
        if heading.level <= 0:
            self.chapter, self.section = title, ""
        elif heading.level == 1:
            self.section = title

    # Frames.

    def _open_statement(self, token: Token) -> None:
        self._close_proof_commands(token.start)
        self.announced = ""
        draft = StatementDraft(
            self._origin(token),
            kind=self.profile.kinds[token.name],
            form=token.name.rstrip("*"),
            scope=self.scope,
            chapter=self.chapter,
            section=self.section,
        )
        option = read_option(self.file.text, token.end)
        if option is not None:
            draft.title = plain_title(option.text)
        self.reading.statements.append(draft)
        self._push(Frame(token.name, "statement", token.start, draft), option.end if option else token.end)

    def _open_proof(self, token: Token) -> None:
        proof = ProofDraft(self._origin(token))
        around = self.collectors[-1] if self.collectors else None
        if isinstance(around, StatementDraft):
            proof.owner = around
        elif not self.last_is_neighbour:
            proof.owner = self.last
        option = read_option(self.file.text, token.end)
        if option is not None and (named := _NAMED.search(option.text)):
            self.announced = (named[1] or named[2]).strip()
        proof.of, self.announced = self.announced, ""
        frame = Frame(token.name, "proof", token.start, proof, self.last, self.last_is_neighbour)
        self._push(frame, option.end if option else token.end)

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
        if isinstance(cited, StatementDraft):
            self._pass_on(cited)
            if cited.kind == "theorem":
                self.last, self.last_is_neighbour = cited, False
        elif isinstance(cited, ProofDraft):
            self.last, self.last_is_neighbour = frame.before, frame.had_before
            self._pass_on(cited)
            (cited.owner.proofs if cited.owner else self.reading.orphans).append(cited)
        elif frame.role == "neighbour":
            self.last_is_neighbour = True
        elif cited is not None and self.collectors and isinstance(around := self.collectors[-1], StatementDraft):
            around.notes.append(Note(frame.name, cited.lines()))

    def _pass_on(self, cited: Cited) -> None:
        """A claim stated and proved inside a proof is part of it: what it uses, the outer proof uses."""
        outer = self.collectors[-1] if self.collectors else None
        if isinstance(outer, ProofDraft):
            outer.pieces.extend(["\n", *cited.pieces, "\n"])
            outer.mentions.extend(cited.mentions)

    def _close_proof_commands(self, offset: int) -> None:
        """A proof opened by a command ends, at the latest, where something new begins."""
        while self.stack and self.stack[-1].name in self.profile.proof_commands:
            self._close_top(offset, offset)

    def _origin(self, token: Token) -> Origin:
        return Origin(self.file.path, self.file.positions.line(token.start))

    def _complain(self, offset: int, rule: str, message: str) -> None:
        self.complained[rule] += 1
        if self.complained[rule] <= _COMPLAINTS_A_RULE:
            line, column = self.file.positions.line_column(offset)
            self.reading.diagnostics.append(Diagnostic(self.file.path, line, column, "warning", rule, message))
