"""What is open while a document is read: environments, and who gets a proof when it closes, and groups with formats."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import AnchorKind, Note
from naturalproofs.sources.latex.project.tree import TexFile
from naturalproofs.sources.latex.read.dialect import Dialect
from naturalproofs.sources.latex.read.document_text import Walker
from naturalproofs.sources.latex.read.exercise_lists import ITEM
from naturalproofs.sources.latex.read.numbering import Numbering
from naturalproofs.sources.latex.scan.arguments import REACH
from naturalproofs.sources.latex.scan.scanner import Token
from naturalproofs.sources.reading.builders import ProofBuilder, StatementBuilder, TextBuilder

_MAX_NESTING = 30
"""How many environments outwards a label looks for its holder; the bound keeps time linear."""


FrameRole: TypeAlias = Literal["statement", "neighbour", "proof", "part", "note", "list", "plain"]
"""What an environment is; a part is a proof that belongs to the proof around it, a list holds exercises."""


@dataclass(slots=True, eq=False)
class Frame:
    """An open environment and what it collects."""

    name: str
    role: FrameRole
    file: TexFile
    start: int
    builder: TextBuilder | None = None
    last_before: StatementBuilder | None = None
    """The statement that was last before it; that of a proof is restored when it closes."""
    neighbour_before: bool = False
    recent_before: StatementBuilder | None = None
    """For a proof: the statement of any kind that was last before it."""
    implied: bool = False
    """Opened by a command: it closes by itself where something new begins."""
    level: int | None = None
    """For a section headed as a proof: the level of its heading."""


class Frames:
    """A stack of open environments, and of proofs opened by a command or a heading."""

    def __init__(self, walker: Walker, dialect: Dialect) -> None:
        """Start outside of everything."""
        self.walker, self.dialect = walker, dialect
        self.stack: list[Frame] = []
        self.collecting: list[Frame] = []
        """Those of the stack that collect text."""
        self._proofs = 0
        """How many of them are proofs that are no sections."""
        self.open_names: Counter[str] = Counter()
        self.last: StatementBuilder | None = None
        """The statement that a proof without a target belongs to."""
        self.recent: StatementBuilder | None = None
        """The last statement of any kind."""
        self.before_heading: StatementBuilder | None = None
        """That statement when the last section began."""
        self.last_is_neighbour = False
        """Whether an environment that is not kept, but may be proved, stands after it."""

    @property
    def top(self) -> Frame | None:
        """The innermost frame."""
        return self.stack[-1] if self.stack else None

    def push(self, frame: Frame, inside: int = 0) -> None:
        """Open a frame; the text of one that collects starts at `inside`."""
        if frame.builder is not None:
            self.leave_out_code(frame.start)
        self.stack.append(frame)
        self.open_names[frame.name] += 1
        if frame.builder is not None:
            if frame.role == "statement":
                frame.last_before = self.last
            self.walker.cut(frame.start, inside)
            self._note(frame)
            self._proofs += _is_proof(frame)
            self.walker.collectors.append(frame.builder)
            self.walker.holding += frame.level is None
            self.collecting.append(frame)

    def _note(self, frame: Frame) -> None:
        """Add a statement or a proof to the text in reading order."""
        if self._proofs:
            return  # What is stated inside of a proof is shown with it.
        if frame.role == "statement":
            self.walker.add_part("statement", number=len(self.walker.reading.statements) - 1)
        elif frame.role == "proof" and frame.level is None and frame.builder is not None:
            self.walker.add_part("proof", origin=frame.builder.origin)

    def open_plain(self, token: Token, role: FrameRole = "plain") -> None:
        """Open a frame that collects no text."""
        self.push(Frame(token.name, role, self.walker.file, token.start))

    def leave_out_code(self, offset: int) -> None:
        """Where an environment stands for another one, its code before that, which opens at `offset`, is left out."""
        around, file = self.top, self.walker.file
        if around is None or around.name not in self.dialect.wrappers or around.file is file:
            return
        if around.file.path == file.path:
            self.walker.mark = max(self.walker.mark, offset)

    def close(self, start: int, end: int) -> None:
        """Close the innermost frame, whose closing command runs from `start` up to `end`."""
        frame = self.stack.pop()
        self.open_names[frame.name] -= 1
        builder = frame.builder
        if builder is not None:
            self.walker.cut(start, end)
            self.walker.collectors.pop()
            self._proofs -= _is_proof(frame)
            self.walker.holding -= frame.level is None
            self.collecting.pop()
        if isinstance(builder, StatementBuilder):
            self._pass_on(builder)
            self.recent = builder
            if builder.kind == "theorem" or frame.name in self.dialect.provable:
                self.last, self.last_is_neighbour = builder, False
            self.walker.reading.spill.add((builder,))
        elif isinstance(builder, ProofBuilder):
            self.last, self.last_is_neighbour = frame.last_before, frame.neighbour_before
            self.recent = frame.recent_before
            self._pass_on(builder)
            if not builder.implied or builder.is_section_proof():
                (builder.owner.proofs if builder.owner else self.walker.reading.orphans).append(builder)
            self.walker.reading.spill.add((builder,))
        elif frame.role == "neighbour":
            self.last_is_neighbour = True
        elif frame.role == "part":
            self.walker.cut(start, end)
        elif builder is not None and isinstance(around := self.walker.collector, StatementBuilder):
            around.notes.append(Note(frame.name, builder.held().lines()))

    def close_named(self, name: str, start: int, end: int) -> None:
        """Close the innermost frame of this name, and what is open inside of it."""
        while (frame := self.stack[-1]).name != name:
            self._warn_unclosed(frame)
            self.close(start, start)
        self.close(start, end)

    def close_implied(self, offset: int) -> None:
        """A proof opened by a command ends, at the latest, where something new begins."""
        while self.stack and self.stack[-1].implied:
            self.close(offset, offset)

    def close_sections(self, level: int, offset: int) -> None:
        """Close the sections headed as proofs that a heading of this level ends."""
        while self.stack and (open_level := self.stack[-1].level) is not None and open_level >= level:
            self.close(offset, offset)

    def close_all(self, offset: int) -> None:
        """Close everything at the end of a document."""
        while self.stack:
            if self.stack[-1].name != "document":
                self._warn_unclosed(self.stack[-1])
            self.close(offset, offset)

    def unproved(self) -> StatementBuilder | None:
        """The statement that a proof belongs to where definitions may be proved: the last one that has no proof yet.

        A proof after a definition or a remark is its own, if the theorem before it is proved already. A proved theorem
        of an earlier section gets no other proof.
        """
        if self.recent is not None and not self.recent.proofs and (self.last is None or self.last.proofs):
            return self.recent
        is_done = self.last is not None and bool(self.last.proofs) and self.last is self.before_heading
        return None if is_done else self.last

    def is_outside(self) -> bool:
        """Whether nothing but the document itself and sections headed as proofs are open.

        Documents may be nested by subfiles.
        """
        return all(frame.name == "document" or frame.level is not None for frame in self.stack)

    def section(self) -> ProofBuilder | None:
        """The section headed as a proof around this place, if nothing that collects text is open inside of it."""
        frame = self.collecting[-1] if self.collecting else None
        return frame.builder if frame and frame.level is not None and isinstance(frame.builder, ProofBuilder) else None

    def label_holder(self) -> tuple[StatementBuilder | ProofBuilder | None, AnchorKind]:
        """What a label at this place stands for, and the statement or proof around it."""
        inner: AnchorKind | None = None
        # The label of a section headed as a proof is not the label of the proof.
        count = len(self.stack)
        while count and self.stack[count - 1].level is not None:
            count -= 1
        frames = self.stack if count == len(self.stack) else self.stack[:count]
        for frame in frames[: -_MAX_NESTING - 1 : -1]:
            builder = frame.builder
            if isinstance(builder, StatementBuilder):
                return builder, inner or "statement"
            if isinstance(builder, ProofBuilder):
                return builder, inner or "other"
            if frame.role == "neighbour":
                break
            inner = inner or self.dialect.anchors.get(frame.name)
        return None, inner or ("section" if all(frame.name == "document" for frame in frames) else "other")

    def _pass_on(self, builder: TextBuilder) -> None:
        """A claim stated and proved inside a proof is part of it: what it uses, the outer proof uses."""
        outer = self.walker.collector
        # Proofs nested deeper than any author's are a broken file; passing their text up would square its size.
        if isinstance(outer, ProofBuilder) and not outer.implied and len(self.walker.collectors) <= _MAX_NESTING:
            outer.pieces.extend(["\n", *builder.pieces, "\n"])
            outer.mentions.extend(builder.mentions)

    def _warn_unclosed(self, frame: Frame) -> None:
        if not frame.implied and frame.level is None and frame.name != ITEM:
            message = f"\\begin{{{frame.name}}} is never closed"
            self.walker.warn(frame.start, "unclosed-environment", message, frame.file)


def _is_proof(frame: Frame) -> bool:
    return isinstance(frame.builder, ProofBuilder) and not frame.builder.implied


# Formats of numbers that hold in a group only: ``{\renewcommand{\thetheorem}{A} \begin{theorem} … }``.

_BRACKET = re.compile(
    r"%[^\n]*+|\\(?P<open>begin(?:group)?+|bgroup)(?![a-zA-Z@])|\\(?P<close>end(?:group)?+|egroup)(?![a-zA-Z@])"
    r"|\\.|(?P<brace>[{}])",
    re.DOTALL,
)
_MOST = 500
"""How many formats of a document may be local; keeps time linear."""


class _Scope(NamedTuple):
    """What holds a format, the counter, and its format before."""

    file: TexFile
    depth: int
    end: int
    """Where a group in a file ends."""
    frame: Frame | None
    """The environment whose code defines the format."""
    counter: str
    format: str


class LocalFormats:
    """The formats that are undone where their group or environment ends."""

    def __init__(self, frames: Frames, numbering: Numbering) -> None:
        """Bind the open environments and the counters."""
        self._frames, self._walker, self._numbering = frames, frames.walker, numbering
        self._scopes: list[_Scope] = []
        self._count = 0

    def define(self, macro: str, body: str, offset: int) -> None:
        r"""Carry out ``\renewcommand{\thetheorem}{…}``, which stands before `offset` in the text that is read."""
        walker, name = self._walker, macro.removeprefix("the")
        before = self._numbering.counters.formats.get(name)
        self._numbering.define_format(macro, body)
        self._count += 1
        if before is None or walker.in_preamble or self._count > _MOST:
            return
        end, frame = _group_end(walker.file.text, offset), self._frames.top
        if end is not None:
            self._scopes.append(_Scope(walker.file, walker.depth, end, None, name, before))
        elif walker.depth and frame is not None and frame.name != "document":
            self._scopes.append(_Scope(walker.file, walker.depth, 0, frame, name, before))

    def leave(self, offset: int) -> None:
        """Undo the formats of the groups that end before `offset`."""
        formats, walker = self._numbering.counters.formats, self._walker
        while self._scopes:
            scope = self._scopes[-1]
            is_outside = scope.depth < walker.depth or (scope.file is walker.file and offset < scope.end)
            if scope.frame in self._frames.stack if scope.frame is not None else is_outside:
                break
            self._scopes.pop()
            formats[scope.counter] = scope.format


def _group_end(text: str, at: int) -> int | None:
    """Where the group or environment around a place ends; None if there is none nearby."""
    depth = 0
    for match in _BRACKET.finditer(text, at, at + REACH):
        if match["open"] or match["brace"] == "{":
            depth += 1
        elif match["close"] or match["brace"]:
            depth -= 1
            if depth < 0:
                return match.start()
    return None
