"""The neighbourhood of a statement in the reference graph, selected and laid out; `_drawing.svg` draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences, prerequisites
from naturalproofs.records import StatementId
from naturalproofs.report.layout import Size, layered

NODE, GAP = Size(168, 46), Size(20, 44)


@dataclass(frozen=True, slots=True)
class Node:
    """A statement: its upper left corner and its distance from the centre."""

    id: StatementId
    x: int
    y: int
    distance: int
    """Negative for prerequisites of the centre, positive for its consequences."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a cited statement to one that cites it."""

    source: StatementId
    target: StatementId
    proof: bool
    """Whether only a proof cites it, and not the statement itself."""
    path: str
    """The line in SVG's notation."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The statements around one statement, laid out."""

    centre: StatementId
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    size: Size
    left_out: int
    """How many within reach are not shown because of the limit."""
    box: Size = NODE
    """The size of each statement in the drawing."""


def neighbourhood(
    corpus: Corpus, graph: ReferenceGraph, centre: StatementId, *, up: int, down: int, limit: int
) -> Neighbourhood:
    """The statements within reach, nearest first and most used first, up to a limit."""
    back, on = prerequisites(graph, centre, up), consequences(graph, centre, down)
    distance = {centre: 0, **on, **{key: -steps for key, steps in back.items()}}
    chosen = _nearest(graph, distance, limit)
    shown = [statement.id for statement in corpus.statements if statement.id in chosen] if len(chosen) > 1 else [centre]
    index = {key: position for position, key in enumerate(shown)}
    pairs = [(used, user) for user in shown for used in graph.uses.get(user, ()) if used in index]
    laid_out = layered([NODE] * len(shown), [(index[used], index[user]) for used, user in pairs], GAP)
    nodes = {key: Node(key, *laid_out.places[index[key]], distance[key]) for key in shown}
    edges = tuple(
        Edge(used, user, used not in graph.statement_uses.get(user, ()), _path(nodes[used], nodes[user]))
        for used, user in pairs
    )
    size = Size(max(laid_out.size.width, NODE.width), max(laid_out.size.height, NODE.height))
    return Neighbourhood(centre, tuple(nodes.values()), edges, size, len(distance) - len(shown))


def _nearest(graph: ReferenceGraph, distance: Mapping[StatementId, int], limit: int) -> set[StatementId]:
    """The nearest on either side in turn, so that a much used definition still shows its prerequisites."""
    sides = [
        sorted(
            (key for key, steps in distance.items() if steps * sign > 0),
            key=lambda key: (abs(distance[key]), -len(graph.used_by.get(key, ())), key),
        )
        for sign in (-1, 1)
    ]
    free = limit - 1
    first = min(len(sides[0]), max(free - len(sides[1]), (free + 1) // 2))
    chosen = {*sides[0][:first], *sides[1][: free - first]}
    return chosen | {key for key, steps in distance.items() if steps == 0}


def _path(source: Node, target: Node) -> str:
    wide, high = NODE.width, NODE.height
    if target.y <= source.y:
        # A circular argument: from side to side, so that the arrow visibly points up.
        a, b = source.x + wide, source.y + high / 2
        c, d = target.x + wide, target.y + high / 2
        bends = f"{a + 40:g} {b:g} {c + 40:g} {d:g}"
    else:
        a, b = source.x + wide / 2, source.y + high
        c, d = target.x + wide / 2, float(target.y)
        bend = max(18.0, (d - b) / 2)
        bends = f"{a:g} {b + bend:g} {c:g} {d - bend:g}"
    return f"M{a:g} {b:g}C{bends} {c:g} {d:g}"
