"""The surroundings of a statement: what it rests on and what rests on it, laid out and few enough to be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences, prerequisites
from naturalproofs.records import StatementId
from naturalproofs.report.graph_page.layout import Size, layered

NODE, GAP = Size(168, 46), Size(20, 44)


@dataclass(frozen=True, slots=True)
class Spot:
    """A statement in the drawing: its upper left corner, and how far it is from the centre."""

    id: StatementId
    x: int
    y: int
    distance: int
    """Negative for what the centre rests on, positive for what rests on it."""


@dataclass(frozen=True, slots=True)
class Line:
    """From what is used to what uses it."""

    source: StatementId
    target: StatementId
    proof: bool
    """Whether only a proof cites it, and not the statement itself."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A drawing around one statement."""

    centre: StatementId
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    size: Size
    left_out: int
    """How many within reach are not shown, since there were too many."""


def neighbourhood(
    corpus: Corpus, graph: ReferenceGraph, centre: StatementId, *, up: int, down: int, most: int
) -> Neighbourhood:
    """Everything within reach, nearest first and much used first, up to `most` statements."""
    back, on = prerequisites(graph, centre, up), consequences(graph, centre, down)
    distance = {centre: 0, **on, **{key: -steps for key, steps in back.items()}}
    kept = _nearest(graph, distance, most)
    shown = [statement.id for statement in corpus.statements if statement.id in kept] if len(kept) > 1 else [centre]
    index = {key: position for position, key in enumerate(shown)}
    lines = [
        Line(used, user, used not in graph.statement_uses.get(user, ()))
        for user in shown
        for used in graph.uses.get(user, ())
        if used in index
    ]
    drawn = layered([NODE] * len(shown), [(index[line.source], index[line.target]) for line in lines], GAP)
    spots = tuple(Spot(key, *drawn.places[index[key]], distance[key]) for key in shown)
    size = Size(max(drawn.size.width, NODE.width), max(drawn.size.height, NODE.height))
    return Neighbourhood(centre, spots, tuple(lines), size, len(distance) - len(shown))


def _nearest(graph: ReferenceGraph, distance: Mapping[StatementId, int], most: int) -> set[StatementId]:
    """The nearest on either side in turn, so that a much used definition still shows what it rests on."""
    sides = [
        sorted(
            (key for key, steps in distance.items() if steps * sign > 0),
            key=lambda key: (abs(distance[key]), -len(graph.used_by.get(key, ())), key),
        )
        for sign in (-1, 1)
    ]
    room = most - 1
    first = min(len(sides[0]), max(room - len(sides[1]), (room + 1) // 2))
    kept = {*sides[0][:first], *sides[1][: room - first]}
    return kept | {key for key, steps in distance.items() if steps == 0}
