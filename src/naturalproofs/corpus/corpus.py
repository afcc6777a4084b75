"""A corpus in memory: statements with resolved references, and where they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from naturalproofs.corpus.names import Names
from naturalproofs.corpus.resolve import Resolution
from naturalproofs.errors import BadSchema
from naturalproofs.records import KINDS, Example, InputFile, Kind, Rules, Statement, StatementId


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


@dataclass(frozen=True)
class Corpus:
    """Statements in order, with their references resolved."""

    name: str
    statements: Sequence[Statement]
    """A tuple, or a list on disk if there are many; then every access reads a statement."""
    provenance: Provenance
    resolution: Resolution | None = None
    inputs: tuple[InputFile, ...] = ()

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
