"""A corpus in memory: its statements, what they are called, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from naturalproofs.corpus.resolve import Resolution
from naturalproofs.corpus.skeleton import Skeleton, skeletons
from naturalproofs.errors import UnknownName
from naturalproofs.records import Example, InputFile, Kind, Rules, Statement, StatementId


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
    """The split recipe that is usual for the source."""
    parts: tuple[Part, ...] = ()
    """The corpora that a merged one consists of, in order; none for any other."""


@dataclass(frozen=True, slots=True)
class Part:
    """One corpus inside a merged one: what it was, and what was done to it, so that it can be taken out again."""

    name: str
    provenance: Provenance
    recipe: str
    """Its split recipe."""
    statements: int
    """How many of the merged statements are its own; they stand together. So do the next three."""
    inputs: int
    unresolved: int
    diagnostics: int
    position: int = 0
    """What was added to positions in reading order."""
    number: int = 0
    """What was added to published integers."""
    numbered: bool = True
    """Whether its statements had published integers before."""
    resolution: Resolution | None = None


@dataclass(frozen=True)
class Corpus:
    """Statements in order, with their references resolved."""

    name: str
    statements: Sequence[Statement]
    """A tuple, save for a big source on its way to disk."""
    provenance: Provenance
    resolution: Resolution | None = None
    inputs: tuple[InputFile, ...] = ()

    @cached_property
    def skeletons(self) -> tuple[Skeleton, ...]:
        """The statements without their texts."""
        return tuple(skeletons(self.statements))

    @cached_property
    def by_id(self) -> dict[StatementId, Statement]:
        """Statements by id."""
        return {statement.id: statement for statement in self.statements}

    @cached_property
    def by_label(self) -> dict[str, Statement]:
        """Statements by the author's label; the first one where a label is used twice."""
        return {statement.label: statement for statement in reversed(self.statements)}

    def find(self, name: str) -> Statement:
        """The statement with this id, label, tag or, if unique, title."""
        found = self.by_id.get(name) or self.by_id.get(f"{self.name}:{name}") or self.by_label.get(name)
        if found is not None:
            return found
        named = [s for s in self.statements if name and name.casefold() in (s.tag.casefold(), s.title.casefold())]
        if len(named) == 1:
            return named[0]
        near = sorted(label for label in self.by_label if name.casefold() in label.casefold())[:5]
        hint = f"; perhaps {', '.join(near)}" if near else ""
        problem = f"{len(named)} statements are called" if named else "no statement is called"
        raise UnknownName(f"{problem} {name!r} in {self.name}{hint}")

    def of_kind(self, kind: Kind) -> Iterator[Statement]:
        """Statements of one kind, in order."""
        return (statement for statement in self.statements if statement.kind == kind)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """One example for every proof of a theorem that cites at least one statement."""
        return tuple(
            Example(theorem.id, index, references)
            for theorem in self.skeletons
            # The original left out theorems whose statement or proof repeats another's.
            if theorem.kind == "theorem" and not theorem.repeats
            for index, references in enumerate(theorem.proofs)
            if references
        )
