"""Immutable records that the stages of the package exchange.

A *mention* is a citation as written (``\\ref{lemma-a}``); a *reference* is a mention resolved to a statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

USES = "uses"
"""The command by which blueprints say what a statement or a proof depends on."""
LEAN = "lean"
"""The kind of the note that holds the formal names of a statement."""
STAGE = "stage"
"""The kind of the note that says how far a statement is formalised: not ready, sorry (stated only) or proved."""
SOURCES = "sources"
"""The kind of the note that holds the citations in a statement's title."""
NAMES = "names"
"""The kind of the note that holds the other names of a statement: synonyms, and the terms that it defines."""
BY_NUMBER = "text"
"""The surface of a citation by number, without a command."""
BY_LEAN = "lean term"
"""The surface of a use that stands in the Lean code of a declaration alone."""
RELATED = "pmrelated"
"""The surface of an article that another one names as related, outside of its text."""

StatementId: TypeAlias = str
"""A stable id such as ``stacks:sets-lemma-bound``; list positions are never used as ids."""

Kind: TypeAlias = Literal["theorem", "definition", "other"]
KINDS: tuple[Kind, ...] = ("theorem", "definition", "other")

EdgeOrigin: TypeAlias = Literal["reference", "uses", "number", "lean", "related"]
"""How a citation is known: by a command or a link in the text, by ``\\uses``, by a printed number in the text, by a
name in Lean code, or by a list of related articles."""

Rules: TypeAlias = Literal["fixed", "paper"]
"""``paper`` reproduces the original parser with its bugs; ``fixed`` reads what the authors wrote."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Location in the source: a file, and a line counted from 1."""

    path: str
    line: int

    def __str__(self) -> str:
        """``path:line``, as editors and compilers print it."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place in reading order; statements of a wiki have none."""

    document: str
    chapter: str
    section: str
    position: int
    """Rank among all statements of the corpus, in reading order."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One citation as written, with the statement it resolves to, if any."""

    target: str
    """The key as written in the source, made absolute within the corpus."""
    surface: str
    """The citing command, or the link text."""
    line: int
    reference: StatementId | None = None

    @property
    def origin(self) -> EdgeOrigin:
        """How it is known that one uses the other."""
        return _ORIGINS.get(self.surface, "reference")


_ORIGINS: Mapping[str, EdgeOrigin] = {USES: "uses", BY_NUMBER: "number", BY_LEAN: "lean", RELATED: "related"}


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof: its text and its citations, in order and with repeats."""

    lines: tuple[str, ...]
    mentions: tuple[Mention, ...] = ()
    origin: Origin | None = None
    position: int | None = None
    """Number of statements before it in reading order; a deferred proof may cite more than its theorem could."""

    @property
    def text(self) -> str:
        """Its lines, joined."""
        return "\n".join(self.lines)

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
    """The source's name for its kind: ``lemma``, ``corollary``, ``axiom``."""
    number: str = ""
    """As printed: ``2.1.13``."""
    tag: str = ""
    """A permanent external name, such as a Stacks tag."""
    origin: Origin | None = None
    place: Place | None = None
    notes: tuple[Note, ...] = ()
    toplevel_categories: tuple[str, ...] | None = None
    recursive_categories: tuple[str, ...] | None = None
    published_id: int | None = None
    """Its integer id in a published file."""

    @property
    def text(self) -> str:
        """Its lines, joined."""
        return "\n".join(self.lines)

    @property
    def chapter(self) -> str:
        """The title of its chapter; empty if it has none."""
        return self.place.chapter if self.place else ""

    @property
    def section(self) -> str:
        """The title of its section; empty if it has none."""
        return self.place.section if self.place else ""

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
    """The part of a statement that a method may see: no proof; a place only if the protocol allows it."""

    id: StatementId
    kind: Kind
    title: str
    text: str
    cites: tuple[StatementId, ...] = ()
    """References of the statement's own text."""
    place: Place | None = None
    form: str = ""
    """The source's name for its kind: lemma, corollary."""
    labelled: bool = True
    """Whether the author gave it a label; without one it can only be cited after an edit."""
    cited_so_far: tuple[StatementId, ...] = ()
    """What an unfinished proof of it cites already, if it is a query; the text then holds what is written of it."""


Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem in a source, with its location and the name of its rule."""

    path: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    about: str = ""
    """The file, label or environment that it is about, as it is written."""
    other: Origin | None = None
    """A second place that belongs to it, such as where a label was defined first."""

    @property
    def subject(self) -> str:
        """The message without line numbers."""
        return self.message if self.other is None else self.message.replace(str(self.other), self.other.path)

    def __str__(self) -> str:
        """One line in the format that editors parse."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


AnchorKind: TypeAlias = Literal[
    "statement", "equation", "item", "section", "float", "other", "bibliography", "external"
]


@dataclass(frozen=True, slots=True)
class Anchor:
    """The object of a label, and the statement that contains it, if any."""

    kind: AnchorKind
    owner: StatementId | None
    origin: Origin
    number: str = ""
    """As a reference prints it, if it is no statement: of an equation, a section, a figure, an item."""
    word: str = ""
    """What it is called: equation, section, figure, table, item."""
    title: str = ""
    """What a reference prints if there is no number; in LaTeX the section that it is in, unless it is one itself."""
    key: str = ""
    """As its document writes it, if another document has the same label, so that it has another name here."""


class KeyAt(NamedTuple):
    """A label or a citation where it is written; lines and columns are counted from 1."""

    key: str
    line: int
    column: int
    is_label: bool
    is_certain: bool = True
    """False if it counts only where a label of this name exists."""


@dataclass(frozen=True, slots=True)
class BibliographyEntry:
    """Another work, as the bibliography of a source lists it; fields that it does not give are empty."""

    key: str
    title: str = ""
    authors: str = ""
    year: str = ""
    url: str = ""
    text: str = ""
    """The whole entry, where it is written as text; its DOI and arXiv id, where it has fields."""

    def __str__(self) -> str:
        """``Authors, Title (year)``, or the text, or the key alone."""
        named = ", ".join(filter(None, (self.authors, self.title)))
        return (f"{named} ({self.year})" if self.year else named) if named else self.text or self.key


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a document in reading order: text between statements, a heading, or a statement or proof as a whole."""

    kind: Literal["text", "heading", "statement", "proof"]
    chapter: str
    section: str
    text: str = ""
    """The LaTeX of the text, of the title, or of a proof that belongs to no statement."""
    number: int = 0
    """The level of a heading; the position of a statement among all statements."""
    printed: str = ""
    """The number of a heading."""
    origin: Origin | None = None
    """Where a heading or a proof stands."""
    equations: tuple[str, ...] = ()
    """The numbers that its displayed formulas print, in order."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read, identified by its hash."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Split:
    """One part of a corpus: its examples, and the statements that are *not* candidates in it."""

    examples: tuple[tuple[StatementId, int], ...] = ()
    """Pairs of a theorem and the index of one of its proofs."""
    absent: tuple[StatementId, ...] = ()
    """All other statements of the corpus are candidates."""


class FileAccount(NamedTuple):
    """What became of a file of a folder that holds statements."""

    path: str
    """Relative to the folder that was given."""
    statements: int
    """How many were read; how many a quick look finds, if it was not read."""
    document: str = ""
    """The document that it was read in; empty if it was not read."""
    note: str = ""
    """Why it was not read, or why it was read although no document names it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The output of a source: statements with unresolved mentions, and all labels."""

    statements: Sequence[Statement]
    """A disk-backed list for big sources."""
    anchors: Mapping[str, Anchor]
    diagnostics: tuple[Diagnostic, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    about: dict[str, str] = field(default_factory=dict)
    """Title, authors, licence, url, citation or revision, where the files state them."""
    splits: dict[str, Split] = field(default_factory=dict)
    """``train``, ``valid`` and ``test``, if the source has its own split."""
    root: Path | None = None
    """The folder that paths of the source are relative to, if it is not the one that was given."""
    summary: str = ""
    """One line for the user: what was read, and what else there is."""
    macros: str = ""
    """Definitions of macros, if the source brings them apart from its texts."""
    bibliography: tuple[BibliographyEntry, ...] = ()
    """The other works, if the source lists them apart from its texts."""
    parts: tuple[TextPart, ...] = ()
    """The whole text in reading order, if the source has one."""
    found: Mapping[str, int] = field(default_factory=dict)
    """How many statements were read from each file."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """The main file of the document that each file was read in, if the source has several documents."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Why files were not read, or were read although no document names them; by an empty path for all others."""


_LINK = re.compile(r"\\href\{([^{}]*)\}\{([^{}]*)\}")


class FormalName(NamedTuple):
    """The name of a declaration in Lean, and the address of its documentation, if it is known."""

    name: str
    address: str = ""


def formal_names(statement: Statement) -> list[FormalName]:
    """The formal counterparts of a statement."""
    lines = [line for note in statement.notes if note.kind == LEAN for line in note.lines]
    links = [(line, _LINK.fullmatch(line)) for line in lines]
    return [FormalName(link[2], link[1].replace("\\#", "#")) if link else FormalName(line) for line, link in links]
