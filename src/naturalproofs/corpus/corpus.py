"""A corpus in memory: how mentions become references, and the statements with all that is known of their source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from naturalproofs.corpus.names import Names
from naturalproofs.errors import BadSchema
from naturalproofs.io.memory import DiskList
from naturalproofs.records import (
    KINDS,
    Anchor,
    BibliographyEntry,
    Diagnostic,
    Draft,
    Example,
    FileAccount,
    InputFile,
    Kind,
    Mention,
    Rules,
    Split,
    Statement,
    StatementId,
    TextPart,
)

# Resolution of mentions: every key is looked up, and each failure is reported with its reason.

Reason: TypeAlias = Literal[
    "undefined", "self", "section", "float", "equation", "item", "other", "bibliography", "external"
]
"""Why a mention is not a reference: undefined label, its own statement, or not part of a statement."""
_CITED: dict[Reason, str] = {
    "equation": "equations",
    "item": "items",
    "section": "sections",
    "float": "figures and tables",
    "bibliography": "other works",
    "external": "other documents",
    "other": "other places",
    "self": "their own statement",
    "undefined": "undefined labels",
}
"""What mentions cite that are not references."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A mention that is not a reference, with its location and the reason."""

    statement: StatementId
    target: str
    path: str
    line: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Resolution:
    """Counts of resolved and unresolved mentions of a corpus."""

    mentions: int
    references: int
    by_label: dict[str, int]
    """References by the kind of the cited label: the statement, or an equation or item in it."""
    unresolved: dict[str, int]
    """Mentions that are not references, by reason."""

    def __str__(self) -> str:
        """One line: how many mentions are references, and what the others cite."""
        found = ((what, self.unresolved.get(reason)) for reason, what in _CITED.items())
        others = ", ".join(f"{what} ({number:,})" for what, number in found if number)
        summary = f"{self.references:,} of {self.mentions:,} citations resolve to a statement"
        return f"{summary}; the others cite {others}" if others else summary


class Resolver:
    """Resolves mentions by the anchors of one draft and counts the results."""

    def __init__(
        self, anchors: Mapping[str, Anchor], rules: Rules, unresolved: list[Unresolved] | DiskList[Unresolved]
    ) -> None:
        """Bind the labels that exist, and the list to which mentions that are not references are added."""
        self.anchors = anchors
        # The original included a proof's references to its own theorem, and so does `paper`.
        self.keep_self = rules == "paper"
        self.kinds: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.unresolved = unresolved

    def statement(self, statement: Statement) -> Statement:
        """The statement with its own and its proofs' mentions resolved."""
        own = self._resolve(statement.mentions, statement)
        # Proofs without mentions are reused: creating a record costs more than resolving its mentions.
        proofs = tuple(
            replace(proof, mentions=self._resolve(proof.mentions, statement)) if proof.mentions else proof
            for proof in statement.proofs
        )
        if not own and not any(proof.mentions for proof in proofs):
            return statement
        return replace(statement, mentions=own, proofs=proofs)

    def resolution(self) -> Resolution:
        """The counts so far."""
        references, missed = self.kinds.total(), self.reasons.total()
        return Resolution(references + missed, references, dict(self.kinds), dict(self.reasons))

    def _resolve(self, mentions: Iterable[Mention], statement: Statement) -> tuple[Mention, ...]:
        resolved = []
        for mention in mentions:
            if mention.reference is not None:
                # Mentions of a published file are already resolved.
                self.kinds["statement"] += 1
                resolved.append(mention)
                continue
            anchor = self.anchors.get(mention.target)
            reason = self._reason(anchor, statement.id)
            if anchor is not None and reason is None:
                self.kinds[anchor.kind] += 1
                resolved.append(Mention(mention.target, mention.surface, mention.line, anchor.owner))
                continue
            self.reasons[reason or "undefined"] += 1
            path = statement.origin.path if statement.origin else ""
            self.unresolved.append(Unresolved(statement.id, mention.target, path, mention.line, reason or "undefined"))
            resolved.append(mention)
        return tuple(resolved)

    def _reason(self, anchor: Anchor | None, citing: StatementId) -> Reason | None:
        if anchor is None:
            return "undefined"
        if anchor.owner is None:
            return "other" if anchor.kind == "statement" else anchor.kind
        return "self" if anchor.owner == citing and not self.keep_self else None


def resolve(draft: Draft, rules: Rules = "fixed") -> tuple[Sequence[Statement], Resolution, Sequence[Unresolved]]:
    """Resolve every mention of a draft; the results of a disk-backed list are disk-backed lists."""
    drafted = draft.statements
    if isinstance(drafted, DiskList):
        on_disk = DiskList(Unresolved, ())
        resolver = Resolver(draft.anchors, rules, on_disk)
        return drafted.map(resolver.statement), resolver.resolution(), on_disk
    unresolved: list[Unresolved] = []
    resolver = Resolver(draft.anchors, rules, unresolved)
    return tuple(map(resolver.statement, drafted)), resolver.resolution(), tuple(unresolved)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a corpus comes from, and under which terms."""

    source: str
    rules: Rules
    title: str = ""
    authors: str = ""
    licence: str = ""
    url: str = ""
    citation: str = ""
    revision: str = ""
    split: str = "leaf"
    """The default split recipe of the source."""
    parts: tuple[Part, ...] = ()
    """The corpora that were merged into this one, in order; empty for any other corpus."""


@dataclass(frozen=True, slots=True)
class Part:
    """One corpus inside a merged one, with what is needed to extract it unchanged."""

    name: str
    provenance: Provenance
    recipe: str
    """Its split recipe."""
    statements: int
    """Number of its statements, which are consecutive. The same holds for the next three fields."""
    inputs: int
    unresolved: int
    diagnostics: int
    position: int = 0
    """Offset that was added to positions in reading order."""
    number: int = 0
    """Offset that was added to published integers."""
    numbered: bool = True
    """Whether its statements had published integers before the merge."""
    resolution: Resolution | None = None
    bibliography: int = 0
    """Number of the works that it lists."""


class StatementLinks(msgspec.Struct, frozen=True, gc=False):
    """A statement without its texts: what graphs, splits and checks need, in little memory."""

    id: StatementId
    kind: Kind
    references: tuple[StatementId, ...]
    """References of the statement itself."""
    proofs: tuple[tuple[StatementId, ...], ...]
    """References of each proof."""
    position: int | None
    """Rank in reading order, where there is one."""
    repeats: bool
    """Whether it is marked as a duplicate of another statement."""


_UNTITLED = (
    *("", "A LaTeX project", "A PreTeXt project", "A Markdown project", "A blueprint in Lean"),
    "A file in the NaturalProofs schema",
)
"""Titles of sources that do not state their own."""


@dataclass(frozen=True)
class Corpus:
    """Statements in order, with their references resolved, and what is known of their source."""

    name: str
    statements: Sequence[Statement] = field(repr=False)
    """A tuple, or a list on disk if there are many; then every access reads a statement."""
    provenance: Provenance
    resolution: Resolution | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    unresolved: Sequence[Unresolved] = field(default=(), repr=False)
    """Mentions that are not references: a tuple, or a list on disk if there are many."""
    diagnostics: tuple[Diagnostic, ...] = field(default=(), repr=False)
    """What was reported while the source was read."""
    anchors: Mapping[str, Anchor] = field(default_factory=dict, repr=False)
    """Every label of the source, those of sections and equations included; a corpus folder does not store them."""
    root: Path | None = None
    """The folder that paths of the source are relative to; None for a stored corpus."""
    own_splits: Mapping[str, Split] = field(default_factory=dict, repr=False)
    """Splits that the source provides; empty for most."""
    summary: str = ""
    """One line: which documents were read, and what others there are."""
    definitions: str = field(default="", repr=False)
    """LaTeX that defines the macros of a stored or exported corpus; those of another source are in its files."""
    works: tuple[BibliographyEntry, ...] = field(default=(), repr=False)
    """The other works that a stored or exported corpus lists; those of another source are in its files."""
    text_parts: tuple[TextPart, ...] = field(default=(), repr=False)
    """The whole text in reading order, if the source has one; a corpus folder does not store it."""
    account: tuple[FileAccount, ...] = field(default=(), repr=False)
    """What became of each file of the folder that holds statements; a corpus folder does not store it."""

    @property
    def title(self) -> str:
        """The title of the work, or the name of the corpus if the source states none."""
        return self.name if self.provenance.title in _UNTITLED else self.provenance.title

    @cached_property
    def links(self) -> tuple[StatementLinks, ...]:
        """The statements without their texts."""
        return tuple(statement_links(self.statements))

    @cached_property
    def by_id(self) -> Mapping[StatementId, Statement]:
        """Statements by id."""
        if isinstance(self.statements, tuple):
            return {statement.id: statement for statement in self.statements}
        return StatementsByName(self.statements, (link.id for link in self.links))

    @cached_property
    def by_label(self) -> Mapping[str, Statement]:
        """Statements by the author's label; the first one where a label is used twice."""
        return StatementsByName(self.statements, (statement.label for statement in self.statements))

    @cached_property
    def headings(self) -> Mapping[str, list[TextPart]]:
        """The headings of each file, as far as the text around statements is known."""
        files: dict[str, list[TextPart]] = {}
        for part in self.text_parts:
            if part.kind == "heading" and part.origin is not None:
                files.setdefault(part.origin.path, []).append(part)
        return files

    @cached_property
    def names(self) -> Names:
        """The names of the statements."""
        return Names(self.name, self.statements)

    def find(self, name: str) -> Statement:
        """The statement with this id, label, tag, title or number, if only one has it."""
        return self.names.find(name)

    def of_kind(self, kind: Kind) -> Iterator[Statement]:
        """Statements of one kind, in order."""
        return (statement for statement in self.statements if statement.kind == kind)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """One example for every proof of a theorem that cites at least one statement."""
        return tuple(
            Example(theorem.id, index, references)
            for theorem in self.links
            # The original left out theorems whose statement or proof repeats another's.
            if theorem.kind == "theorem" and not theorem.repeats
            for index, references in enumerate(theorem.proofs)
            if references
        )

    def published_numbers(self) -> dict[StatementId, int]:
        """The integer ids of a published file: as published if known, else theorems, definitions, others in order."""
        published = [statement.published_id for statement in self.statements]
        if None not in published and len(set(published)) == len(published):
            return {s.id: s.published_id for s in self.statements if s.published_id is not None}
        ordered = (statement for kind in KINDS for statement in self.of_kind(kind))
        return {statement.id: number for number, statement in enumerate(ordered)}


class StatementsByName(Mapping[str, Statement]):
    """Statements by a name; of several with the same name the first one. Only names and positions are in memory."""

    def __init__(self, statements: Sequence[Statement], names: Iterable[str]) -> None:
        """Bind the statements, and the name of each."""
        self._statements = statements
        self._positions: dict[str, int] = {}
        for position, name in enumerate(names):
            self._positions.setdefault(name, position)

    def __contains__(self, name: object) -> bool:
        """Whether a statement has the name."""
        return name in self._positions

    def __getitem__(self, name: str) -> Statement:
        """The statement with the name."""
        return self._statements[self._positions[name]]

    def __iter__(self) -> Iterator[str]:
        """All names, in order."""
        return iter(self._positions)

    def __len__(self) -> int:
        """Number of names."""
        return len(self._positions)


def statement_links(statements: Iterable[Statement]) -> Iterator[StatementLinks]:
    """The links of each statement; equal ids become one object, however often the statements were read."""
    known: dict[StatementId, StatementId] = {}
    one = known.setdefault
    for statement in statements:
        yield StatementLinks(
            one(statement.id, statement.id),
            statement.kind,
            tuple([one(key, key) for key in statement.references]),
            tuple([tuple([one(key, key) for key in proof.references]) for proof in statement.proofs]),
            statement.place.position if statement.place is not None else None,
            any(note.kind == "duplicate" for note in statement.notes),
        )


def check_corpus(corpus: Corpus) -> None:
    """Raise if ids repeat, a reference points nowhere, or two statements have the same position."""
    known = Counter(statement.id for statement in corpus.links)
    if len(known) != len(corpus.links):
        raise BadSchema(f"{corpus.name}: two statements share the id {known.most_common(1)[0][0]}")
    positions = [s.position for s in corpus.links if s.position is not None]
    if len(set(positions)) != len(positions):
        raise BadSchema(f"{corpus.name}: two statements have the same position in reading order")
    for statement in corpus.links:
        for references in (statement.references, *statement.proofs):
            for reference in references:
                if reference not in known:
                    raise BadSchema(f"{corpus.name}: {statement.id} refers to {reference}, which does not exist")
