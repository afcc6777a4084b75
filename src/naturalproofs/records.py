"""The nouns of the package: immutable records that every stage takes and gives.

A *mention* is what the text says (``\\ref{lemma-a}``); a *reference* is a mention that was resolved to a statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

StatementId: TypeAlias = str
"""A stable name, ``stacks:sets-lemma-bound``; positions in lists never leave an array."""

Kind: TypeAlias = Literal["theorem", "definition", "other"]
KINDS: tuple[Kind, ...] = ("theorem", "definition", "other")

Rules: TypeAlias = Literal["fixed", "paper"]
"""``paper`` reproduces the original parser, its bugs included; ``fixed`` reads what the authors wrote."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a person finds it: a file inside the source, and a line counted from 1."""

    path: str
    line: int

    def __str__(self) -> str:
        """Print as editors and compilers do."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where it stands in reading order; a wiki has none."""

    document: str
    chapter: str
    section: str
    position: int
    """Rank among all statements of the corpus, in reading order."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One citation as written, with the statement it was resolved to, if any."""

    target: str
    """The key as the source spells it, made absolute within the corpus."""
    surface: str
    """How it is cited: the command, or the link text."""
    line: int
    reference: StatementId | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof: its text and what it cites, in order and with repeats."""

    lines: tuple[str, ...]
    mentions: tuple[Mention, ...] = ()
    origin: Origin | None = None
    position: int | None = None
    """How many statements stand before it in reading order; a deferred proof has more to draw on than its theorem."""

    @property
    def references(self) -> tuple[StatementId, ...]:
        """Resolved citations, in order and with repeats."""
        return tuple(m.reference for m in self.mentions if m.reference is not None)


@dataclass(frozen=True, slots=True)
class Note:
    """Text about a statement that is not part of it: a slogan, a history remark."""

    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A theorem, a definition, or another statement that proofs may cite."""

    id: StatementId
    kind: Kind
    label: str
    """The author's own name for it; not always unique in ``paper`` corpora."""
    title: str
    lines: tuple[str, ...]
    mentions: tuple[Mention, ...] = ()
    proofs: tuple[Proof, ...] = ()
    categories: tuple[str, ...] = ()
    form: str = ""
    """The source's word for it: ``lemma``, ``corollary``, ``axiom``."""
    number: str = ""
    """As printed: ``2.1.13``."""
    tag: str = ""
    """A permanent outside name, such as a Stacks tag."""
    origin: Origin | None = None
    place: Place | None = None
    notes: tuple[Note, ...] = ()
    toplevel_categories: tuple[str, ...] | None = None
    recursive_categories: tuple[str, ...] | None = None
    published_id: int | None = None
    """The integer that a published file uses for it."""

    @property
    def references(self) -> tuple[StatementId, ...]:
        """Statements cited in the statement itself."""
        return tuple(m.reference for m in self.mentions if m.reference is not None)


@dataclass(frozen=True, slots=True)
class Example:
    """One retrieval or generation example: a theorem and the references of one of its proofs."""

    theorem: StatementId
    proof: int
    references: tuple[StatementId, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """All that a method may see of a statement: no proof, so no answer; a place only where the protocol grants it."""

    id: StatementId
    kind: Kind
    title: str
    text: str
    cites: tuple[StatementId, ...] = ()
    """What the statement's own text refers to."""
    place: Place | None = None
    form: str = ""
    """What it is called in the source: lemma, corollary."""


Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something found in a source, located, with a rule name that can be selected."""

    path: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str

    def __str__(self) -> str:
        """Print in the form that editors parse."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


AnchorKind: TypeAlias = Literal[
    "statement", "equation", "item", "section", "float", "other", "bibliography", "external"
]


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a label stands for, and the statement that holds it, if one does."""

    kind: AnchorKind
    owner: StatementId | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read, by content."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Split:
    """One part of a corpus: its examples, and the statements that are *not* among its references."""

    examples: tuple[tuple[StatementId, int], ...] = ()
    """Pairs of a theorem and the index of one of its proofs."""
    absent: tuple[StatementId, ...] = ()
    """Everything in the corpus but these can be ranked; most splits leave out little."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a source gives: statements whose mentions are not resolved yet, and all labels that exist."""

    statements: Sequence[Statement]
    """Those of a big source wait on disk, and are made anew at every look."""
    anchors: Mapping[str, Anchor]
    diagnostics: tuple[Diagnostic, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    about: dict[str, str] = field(default_factory=dict)
    """Title, authors, licence, url, citation or revision, where the files tell."""
    splits: dict[str, Split] = field(default_factory=dict)
    """By ``train``, ``valid`` and ``test``, where the source brings its own."""
