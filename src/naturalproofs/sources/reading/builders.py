"""Statements, proofs and labels while they are read; `resolve_labels` makes records of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.memory import DiskBytes
from naturalproofs.records import AnchorKind, Diagnostic, Kind, Mention, Note, Origin, Proof, TextPart

_SHORTEST_SECTION = 200
"""A section without references that is shorter than this only introduces the proof."""
_NOT_IN_A_LABEL = re.compile(r"[^\w-]+")
_NOT_IN_A_PATH = re.compile(r"[{}\\%#\s]")
_LONGEST_PATH = 300
MAX_HELD = 1 << 25
"""Characters of finished statements and proofs that are held in memory."""


BIBLIOGRAPHY = "cite:"
"""Prefix of the keys of the bibliography, which tells them from labels."""
RANGE = "–"
"""Stands between the two ends of a range of numbers."""


class Printed(NamedTuple):
    """A citation without a label: the family of its word, such as lemma, and the number."""

    family: str
    number: str


class Contents(msgspec.Struct, frozen=True, array_like=True):
    """The parts of a statement or a proof that no label is resolved by."""

    text: str
    mentions: list[Mention]
    notes: list[Note]

    def lines(self) -> tuple[str, ...]:
        """The text as lines without surrounding space; empty ones are dropped."""
        return tuple(filter(None, map(str.strip, self.text.split("\n"))))


@dataclass(slots=True, eq=False)
class TextBuilder:
    """Text that collects pieces and mentions while its environment is open."""

    origin: Origin
    pieces: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    scope: str = ""
    """The document it stands in, where labels are local to their document."""
    entry: int = -1
    """Where its contents are on disk; -1 while they are in memory."""

    def held(self) -> Contents:
        """The contents in memory."""
        return Contents("".join(self.pieces), self.mentions, [])


def bare_title(title: str) -> str:
    """A title without the parentheses around it, in which it is shown."""
    title = title.strip()
    enclosed = title[:1] + title[-1:] in ("()", "（）") and not set("()（）").intersection(title[1:-1])
    return title[1:-1].strip() if enclosed else title


@dataclass(slots=True, eq=False)
class StatementBuilder(TextBuilder):
    """A statement being read."""

    kind: Kind = "other"
    form: str = ""
    title: str = ""
    labels: list[str] = field(default_factory=list)
    chapter: str = ""
    section: str = ""
    proofs: list[ProofBuilder] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    number: str = ""
    family: str = ""
    """The family of words that it is cited by, such as lemma."""

    def held(self) -> Contents:
        """The contents in memory."""
        return Contents("".join(self.pieces), self.mentions, self.notes)

    def generated_label(self, contents: Contents) -> str:
        """A label made from the text, so that it survives changes elsewhere in the file."""
        text = "\n".join((self.title, *contents.lines()))
        form = _NOT_IN_A_LABEL.sub("-", self.form)
        return f"{form}-{sha256_bytes(text.encode('utf-8', 'replace'))[:10]}"


@dataclass(slots=True, eq=False)
class ProofBuilder(TextBuilder):
    """A proof being read; `of` is the label that its heading or the sentence before it names."""

    of: str = ""
    also_of: tuple[str, ...] = ()
    """Further labels that the heading names: "Proof of Theorems 1 and 2"."""
    of_printed: Printed | None = None
    """What its heading names by number instead."""
    of_title: str = ""
    """What its heading names by title instead."""
    position: int = 0
    """How many statements stand before it."""
    owner: StatementBuilder | None = None
    implied: bool = False
    """A section headed as a proof: it counts only if it names a statement and no proof inside takes its place."""
    may_be_short: bool = False
    """For a section headed as a proof: whether it counts however short it is."""
    is_divided: bool = False
    """For a section headed as a proof of several statements: whether a proof inside is that of one of them."""

    def proves_something(self) -> bool:
        """Whether it is known what is proved: by a label, a number, or the statement itself."""
        return bool(self.of or self.of_printed or self.owner)

    def is_section_proof(self) -> bool:
        """Whether a section headed as a proof is one: it names a statement, and has references or some length."""
        shortest = 1 if self.may_be_short else _SHORTEST_SECTION
        has_text = bool(self.mentions) or sum(len(piece.strip()) for piece in self.pieces) >= shortest
        return self.proves_something() and has_text

    def has_part(self, inner: ProofBuilder) -> bool:
        """Whether a piece of this section that is headed as a proof is a part of it: both prove the same."""
        own = (self.of, self.also_of, self.of_printed, self.owner)
        return not self.is_divided and own == (inner.of, inner.also_of, inner.of_printed, inner.owner)

    def give_way(self, inner: ProofBuilder) -> None:
        """Leave to a proof inside of this one what both prove."""
        taken = {inner.of, *inner.also_of}
        if inner.owner is not None and not (inner.of or inner.of_printed):
            taken.update(inner.owner.labels)
            if self.owner is inner.owner:
                self.owner = None
        if self.owner is not None and inner.of in self.owner.labels:
            self.owner = None
        if self.of_printed is not None and self.of_printed == inner.of_printed:
            self.of_printed = None
        left = [label for label in (self.of, *self.also_of) if label not in taken]
        self.is_divided = self.is_divided or len(left) in range(1, len(self.also_of) + 1)
        self.of, self.also_of = (left[0], tuple(left[1:])) if left else ("", ())

    def freeze(self, contents: Contents, mentions: tuple[Mention, ...]) -> Proof:
        """The record, with its mentions made absolute."""
        return Proof(contents.lines(), mentions, self.origin, self.position)


@dataclass(slots=True, eq=False)
class AnchorBuilder:
    """A label and what holds it."""

    label: str
    scope: str
    kind: AnchorKind
    holder: StatementBuilder | ProofBuilder | None
    origin: Origin
    number: str = ""
    """As a reference prints it."""
    word: str = ""
    title: str = ""


class Spill:
    """The contents of finished statements and proofs of a project; once there are many, on disk."""

    def __init__(self) -> None:
        """Start with everything in memory."""
        self._disk = DiskBytes()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Contents).decode
        self._held: list[TextBuilder] = []
        self._length = 0

    @property
    def is_used(self) -> bool:
        """Whether something is on disk."""
        return len(self._disk) > 0

    def add(self, finished: Iterable[TextBuilder]) -> None:
        """Take over builders that collect no more text."""
        for builder in finished:
            self._held.append(builder)
            self._length += sum(map(len, builder.pieces))
        if self._length > MAX_HELD:
            for builder in self._held:
                self._write(builder)
            self._held.clear()
            self._length = 0

    def _write(self, builder: TextBuilder) -> None:
        builder.entry = len(self._disk)
        self._disk.append(self._encode(builder.held()))
        builder.pieces = builder.mentions = _EMPTY
        if isinstance(builder, StatementBuilder):
            builder.notes = _EMPTY

    def contents(self, builder: TextBuilder) -> Contents:
        """The contents of a builder, wherever they are."""
        return builder.held() if builder.entry < 0 else self._decode(self._disk[builder.entry])


_EMPTY: list[Any] = []
"""In place of lists that are on disk; never changed."""


@dataclass(slots=True, eq=False)
class Reading:
    """What was read: of one document, or of all documents of a project."""

    statements: list[StatementBuilder] = field(default_factory=list)
    anchors: list[AnchorBuilder] = field(default_factory=list)
    orphans: list[ProofBuilder] = field(default_factory=list)
    """Proofs without a statement."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    spill: Spill = field(default_factory=Spill)
    """Shared by all documents of a project."""
    parts: list[TextPart] = field(default_factory=list)
    """The text in reading order."""

    def label(self, statement: StatementBuilder) -> str:
        """The author's label, or one made from the text."""
        if statement.labels:
            return statement.labels[0]
        return statement.generated_label(self.spill.contents(statement))

    def proofs(self) -> list[ProofBuilder]:
        """All proofs: those without a statement first, then those of the statements."""
        return [*self.orphans, *(proof for statement in self.statements for proof in statement.proofs)]

    def extend(self, other: Reading) -> None:
        """Add a document that was read by itself."""
        before = len(self.statements)
        for proof in other.proofs():
            proof.position += before
        self.statements.extend(other.statements)
        self.anchors.extend(other.anchors)
        self.orphans.extend(other.orphans)
        self.diagnostics.extend(other.diagnostics)
        for part in other.parts:
            self.parts.append(replace(part, number=part.number + before) if part.kind == "statement" else part)


def graphics(path: str) -> str:
    """LaTeX of an image that another format shows; nothing if LaTeX could not hold the path."""
    named = path and len(path) <= _LONGEST_PATH and not _NOT_IN_A_PATH.search(path)
    return f"\\includegraphics{{{path}}}" if named else ""


def figure(path: str, caption: str) -> str:
    """LaTeX of an image with a caption."""
    shown = f"\\caption{{{caption}}}" if caption else ""
    return f"\\begin{{figure}}{graphics(path)}{shown}\\end{{figure}}"
