"""The neighbourhood of a statement in the reference graph, laid out; `_drawing.svg` draws it."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.records import StatementId
from naturalproofs.report.layout import Size, layered
from naturalproofs.workspace.neighbourhood import Neighbourhood

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
class Drawing:
    """The statements around one statement, laid out."""

    centre: StatementId
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    size: Size
    left_out: int
    """How many within reach are not shown because of the limit."""
    box: Size = NODE
    """The size of each statement in the drawing."""


def drawn(found: Neighbourhood) -> Drawing:
    """Lay out the statements around one."""
    index = {key: position for position, key in enumerate(found.distances)}
    pairs = [(index[link.source], index[link.target]) for link in found.links]
    laid_out = layered([NODE] * len(index), pairs, GAP)
    nodes = {key: Node(key, *laid_out.places[index[key]], steps) for key, steps in found.distances.items()}
    edges = tuple(
        Edge(link.source, link.target, link.proof, _path(nodes[link.source], nodes[link.target]))
        for link in found.links
    )
    size = Size(max(laid_out.size.width, NODE.width), max(laid_out.size.height, NODE.height))
    return Drawing(found.centre, tuple(nodes.values()), edges, size, found.left_out)


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
