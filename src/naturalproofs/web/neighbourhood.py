"""The neighbourhood of a statement in the reference graph: selected, laid out, and prepared for drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences, prerequisites
from naturalproofs.records import KINDS, Statement, StatementId
from naturalproofs.report.graph_page.layout import Size, layered
from naturalproofs.web.render import Renderer

NODE, GAP = Size(168, 46), Size(20, 44)
MARGIN = 14
NAME_LENGTH, TITLE_LENGTH = 22, 25
"""Characters that fit into a box."""


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


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The statements around one statement, laid out."""

    centre: StatementId
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    size: Size
    left_out: int
    """How many within reach are not shown because of the limit."""


def neighbourhood(
    corpus: Corpus, graph: ReferenceGraph, centre: StatementId, *, up: int, down: int, limit: int
) -> Neighbourhood:
    """The statements within reach, nearest first and most used first, up to a limit."""
    back, on = prerequisites(graph, centre, up), consequences(graph, centre, down)
    distance = {centre: 0, **on, **{key: -steps for key, steps in back.items()}}
    chosen = _nearest(graph, distance, limit)
    shown = [statement.id for statement in corpus.statements if statement.id in chosen] if len(chosen) > 1 else [centre]
    index = {key: position for position, key in enumerate(shown)}
    edges = [
        Edge(used, user, used not in graph.statement_uses.get(user, ()))
        for user in shown
        for used in graph.uses.get(user, ())
        if used in index
    ]
    laid_out = layered([NODE] * len(shown), [(index[edge.source], index[edge.target]) for edge in edges], GAP)
    nodes = tuple(Node(key, *laid_out.places[index[key]], distance[key]) for key in shown)
    size = Size(max(laid_out.size.width, NODE.width), max(laid_out.size.height, NODE.height))
    return Neighbourhood(centre, nodes, tuple(edges), size, len(distance) - len(shown))


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


@dataclass(frozen=True, slots=True)
class Box:
    """A statement in the drawing."""

    id: StatementId
    x: int
    y: int
    name: str
    title: str
    css_class: str
    current: bool
    radius: int
    width: float = NODE.width
    height: float = NODE.height

    @property
    def middle(self) -> float:
        """The horizontal centre."""
        return self.x + self.width / 2

    @property
    def short_name(self) -> str:
        """The name, cut to fit."""
        return _cut(self.name, NAME_LENGTH)

    @property
    def short_title(self) -> str:
        """The title, cut to fit."""
        return _cut(self.title, TITLE_LENGTH)


@dataclass(frozen=True, slots=True)
class Line:
    """A reference in the drawing."""

    path: str
    source: StatementId
    target: StatementId
    proof: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that the SVG template needs."""

    centre: str
    boxes: list[Box]
    lines: list[Line]
    width: str
    height: str
    left_out: int

    @property
    def view_box(self) -> str:
        """The view box of the SVG."""
        return f"{-MARGIN} {-MARGIN} {self.width} {self.height}"


def draw(renderer: Renderer, found: Neighbourhood) -> Drawing:
    """Boxes with their texts, and lines with their paths."""
    statements = renderer.corpus.by_id
    nodes = {node.id: node for node in found.nodes}
    return Drawing(
        centre=renderer.name(statements[found.centre]),
        boxes=[_box(renderer, statements[node.id], node, found.centre) for node in found.nodes],
        lines=[
            Line(_path(nodes[edge.source], nodes[edge.target]), edge.source, edge.target, edge.proof)
            for edge in found.edges
        ],
        width=f"{found.size.width + 2 * MARGIN:g}",
        height=f"{found.size.height + 2 * MARGIN:g}",
        left_out=found.left_out,
    )


def _box(renderer: Renderer, statement: Statement, node: Node, centre: StatementId) -> Box:
    current = node.id == centre
    return Box(
        node.id,
        node.x,
        node.y,
        renderer.name(statement),
        renderer.plain_text(statement.title) or renderer.plain_summary(statement, 60),
        f"k{KINDS.index(statement.kind)}{' centre' if current else ''}",
        current,
        radius=16 if statement.kind != "theorem" else 5,
    )


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


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
