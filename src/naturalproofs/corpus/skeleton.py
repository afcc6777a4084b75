"""Statements without their texts: all that graphs, splits and checks ask for, in little memory."""

from collections.abc import Iterable, Iterator

import msgspec

from naturalproofs.records import Kind, Statement, StatementId


class Skeleton(msgspec.Struct, frozen=True, gc=False):
    """What a statement is called and what it refers to."""

    id: StatementId
    kind: Kind
    references: tuple[StatementId, ...]
    """Of the statement itself."""
    proofs: tuple[tuple[StatementId, ...], ...]
    """References of each proof."""
    position: int | None
    """Its rank in reading order, where there is one."""
    repeats: bool
    """Whether it is marked as saying the same as another one."""


def skeletons(statements: Iterable[Statement]) -> Iterator[Skeleton]:
    """Give what is left of each statement; equal ids become one object, however often the statements were read."""
    known: dict[StatementId, StatementId] = {}
    one = known.setdefault
    for statement in statements:
        yield Skeleton(
            one(statement.id, statement.id),
            statement.kind,
            tuple([one(key, key) for key in statement.references]),
            tuple([tuple([one(key, key) for key in proof.references]) for proof in statement.proofs]),
            statement.place.position if statement.place is not None else None,
            any(note.kind == "duplicate" for note in statement.notes),
        )
