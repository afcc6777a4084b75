"""Statements, proofs and labels while they are read; `resolve_labels` makes records of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.latex.citations import Printed
from naturalproofs.records import AnchorKind, Diagnostic, Kind, Mention, Note, Origin, Proof

_SHORTEST_SECTION = 200
"""A section without references that is shorter than this only introduces the proof."""
_NOT_IN_A_LABEL = re.compile(r"[^\w-]+")


@dataclass(slots=True, eq=False)
class TextBuilder:
    """Text that collects pieces and mentions while its environment is open."""

    origin: Origin
    pieces: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    scope: str = ""
    """The document it stands in, where labels are local to their document."""

    def lines(self) -> tuple[str, ...]:
        """The text as lines without surrounding space; empty ones are dropped."""
        return tuple(filter(None, map(str.strip, "".join(self.pieces).split("\n"))))


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

    def label(self) -> str:
        """The author's label, or one made from the text, so that it survives changes elsewhere in the file."""
        if self.labels:
            return self.labels[0]
        text = "\n".join((self.title, *self.lines()))
        form = _NOT_IN_A_LABEL.sub("-", self.form)
        return f"{form}-{sha256_bytes(text.encode('utf-8', 'replace'))[:10]}"


@dataclass(slots=True, eq=False)
class ProofBuilder(TextBuilder):
    """A proof being read; `of` is the label that its heading or the sentence before it names."""

    of: str = ""
    of_printed: Printed | None = None
    """What its heading names by number instead."""
    of_title: str = ""
    """What its heading names by title instead."""
    position: int = 0
    """How many statements stand before it."""
    owner: StatementBuilder | None = None
    implied: bool = False
    """A section headed as a proof: it counts only if it names a statement and no proof inside takes its place."""

    def is_section_proof(self) -> bool:
        """Whether a section headed as a proof is one: it names a statement, and has references or some length."""
        has_text = bool(self.mentions) or sum(map(len, self.pieces)) >= _SHORTEST_SECTION
        return bool(self.of or self.of_printed) and has_text

    def freeze(self, mentions: tuple[Mention, ...]) -> Proof:
        """The record, with its mentions made absolute."""
        return Proof(self.lines(), mentions, self.origin, self.position)


@dataclass(slots=True, eq=False)
class AnchorBuilder:
    """A label and what holds it."""

    label: str
    scope: str
    kind: AnchorKind
    holder: StatementBuilder | ProofBuilder | None
    origin: Origin


@dataclass(slots=True, eq=False)
class Reading:
    """What was read: of one document, or of all documents of a project."""

    statements: list[StatementBuilder] = field(default_factory=list)
    anchors: list[AnchorBuilder] = field(default_factory=list)
    orphans: list[ProofBuilder] = field(default_factory=list)
    """Proofs without a statement."""
    diagnostics: list[Diagnostic] = field(default_factory=list)

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
