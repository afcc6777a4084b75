"""What of a graph is wanted: a level, a neighbourhood, some kinds of edges, the essential ones."""

from collections.abc import Iterable

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph.drawing import Drawing, Edge, Edges, Level, Node
from naturalproofs.corpus.graph.graph import EdgeKind, ReferenceGraph
from naturalproofs.corpus.graph.groups import group_name, grouped
from naturalproofs.corpus.graph.reduction import transitive_reduction
from naturalproofs.corpus.graph.walks import consequences, prerequisites
from naturalproofs.errors import UnknownName
from naturalproofs.latex.display import plain_unicode
from naturalproofs.records import Statement

UP, DOWN = 2, 1
"""How far a focus reaches unless told: what something rests on matters more than what rests on it."""


def edge_kinds(edges: Edges) -> tuple[EdgeKind, ...]:
    """The kinds of edges that a word stands for."""
    return ("statement", "proof") if edges == "both" else (edges,)


def drawing(
    corpus: Corpus,
    *,
    level: Level = "statement",
    edges: Edges = "both",
    reduce: bool = False,
    focus: str | None = None,
    up: int = UP,
    down: int = DOWN,
    threshold: int = 1,
) -> Drawing:
    """The part of a corpus's graph that is wanted.

    Args:
        corpus: The statements.
        level: What a node is.
        edges: Citations in statements, in proofs, or both.
        reduce: Leave out edges that follow from others.
        focus: Keep this node's surroundings only.
        up: How many steps towards what the focus rests on.
        down: How many steps towards what rests on the focus.
        threshold: Leave out edges that fewer pairs of statements stand behind.
    """
    graph = ReferenceGraph.of(corpus, edge_kinds(edges))
    found = _statements(corpus, graph) if level == "statement" else grouped(corpus, graph, level)
    kept = [edge for edge in found.edges if edge.weight >= threshold]
    if reduce:
        essential = transitive_reduction(_as_graph(found.nodes, kept))
        kept = [edge for edge in kept if edge.source in essential.get(edge.target, ())]
    nodes = found.nodes
    if focus is not None:
        centre = _centre(corpus, found, focus)
        around = _as_graph(nodes, kept)
        near = {centre, *prerequisites(around, centre, up), *consequences(around, centre, down)}
        nodes = tuple(node for node in nodes if node.id in near)
        kept = [edge for edge in kept if edge.source in near and edge.target in near]
    return Drawing(found.name, level, nodes, tuple(kept))


def statement_node(statement: Statement) -> Node:
    """A statement as a node."""
    place = statement.place
    return Node(
        id=statement.id,
        label=statement.label,
        kind=statement.kind,
        form=statement.form,
        number=statement.number,
        title=plain_unicode(statement.title, {}),
        chapter=place.chapter if place else "",
        section=place.section if place else "",
    )


def _statements(corpus: Corpus, graph: ReferenceGraph) -> Drawing:
    edges = tuple(
        Edge(
            used, user, int(used in graph.statement_uses.get(user, ())), int(used in graph.proof_uses.get(user, ())), 1
        )
        for user, cited in graph.uses.items()
        for used in cited
    )
    return Drawing(corpus.name, "statement", tuple(map(statement_node, corpus.statements)), edges)


def _as_graph(nodes: Iterable[Node], edges: Iterable[Edge]) -> ReferenceGraph:
    uses: dict[str, tuple[str, ...]] = {}
    for edge in edges:
        uses[edge.target] = (*uses.get(edge.target, ()), edge.source)
    return ReferenceGraph(tuple(node.id for node in nodes), uses, {})


def _centre(corpus: Corpus, found: Drawing, focus: str) -> str:
    if found.level == "statement":
        return corpus.find(focus).id
    named = [node.id for node in found.nodes if focus.casefold() in (node.id.casefold(), node.section.casefold())]
    if len(named) == 1:
        return named[0]
    try:
        return group_name(corpus.find(focus), found.level)
    except UnknownName as error:
        near = [node.id for node in found.nodes if focus.casefold() in node.id.casefold()][:5]
        hint = f"; perhaps {', '.join(near)}" if near else ""
        raise UnknownName(f"no {found.level} or statement is called {focus!r} in {corpus.name}{hint}") from error
