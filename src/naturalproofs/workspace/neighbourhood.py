"""The statements around one: what is within a few steps, the nearest of it, and which cites which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, around
from naturalproofs.records import StatementId


@dataclass(frozen=True, slots=True)
class Link:
    """From a cited statement to one that cites it."""

    source: StatementId
    target: StatementId
    proof: bool
    """Whether only a proof cites it, and not the statement itself."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The statements around one statement, itself included."""

    centre: StatementId
    distances: Mapping[StatementId, int]
    """In reading order; negative for prerequisites of the centre, positive for its consequences."""
    links: tuple[Link, ...]
    left_out: int
    """How many within reach are not there because of the limit."""


def neighbourhood(
    corpus: Corpus, graph: ReferenceGraph, centre: StatementId, *, up: int, down: int, limit: int
) -> Neighbourhood:
    """The statements within reach, nearest first and most used first, up to a limit.

    Args:
        corpus: The statements, for their reading order.
        graph: Which edges count.
        centre: The statement in the middle.
        up: Steps towards what it uses.
        down: Steps towards what uses it.
        limit: The largest number of statements.
    """
    distances = around(graph, centre, up, down)
    chosen = _nearest(graph, distances, limit)
    shown = {one.id: distances[one.id] for one in corpus.links if one.id in chosen} if len(chosen) > 1 else {centre: 0}
    links = tuple(
        Link(used, user, used not in graph.statement_uses.get(user, ()))
        for user in shown
        for used in graph.uses.get(user, ())
        if used in shown
    )
    return Neighbourhood(centre, shown, links, len(distances) - len(shown))


def _nearest(graph: ReferenceGraph, distances: Mapping[StatementId, int], limit: int) -> set[StatementId]:
    """The nearest on either side in turn, so that a much used definition still shows its prerequisites."""
    sides = [
        sorted(
            (key for key, steps in distances.items() if steps * sign > 0),
            key=lambda key: (abs(distances[key]), -len(graph.used_by.get(key, ())), key),
        )
        for sign in (-1, 1)
    ]
    free = limit - 1
    first = min(len(sides[0]), max(free - len(sides[1]), (free + 1) // 2))
    chosen = {*sides[0][:first], *sides[1][: free - first]}
    return chosen | {key for key, steps in distances.items() if steps == 0}
