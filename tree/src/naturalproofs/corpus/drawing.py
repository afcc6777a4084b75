"""Views of the reference graph (a level, a neighbourhood, some kinds of edges), and formats for other tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal, TypeAlias

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import EdgeKind, ReferenceGraph, around, transitive_reduction
from naturalproofs.errors import UnknownName
from naturalproofs.records import Kind, Statement
from naturalproofs.sources.latex import plain_unicode

Level: TypeAlias = Literal["statement", "section", "chapter"]
Edges: TypeAlias = Literal["statement", "proof", "both"]

UNNAMED = "(no heading)"
UP, DOWN = 2, 1
"""Default number of steps from a focus towards what it depends on, and towards what depends on it."""

_LOOKS = {"definition": ("ellipse", "#b26a00"), "other": ("note", "#6b6b6b")}
_THEOREM_LOOK = ("box", "#0072b2")
"""Shape and colour of theorems, sections and chapters."""
_NODE_FIELDS = ("label", "kind", "form", "number", "title", "chapter", "section", "caption")
_INVALID_XML = {code: None for code in range(32) if code not in (9, 10, 13)} | {0xFFFE: None, 0xFFFF: None}
"""Characters that XML does not allow, even escaped."""


@dataclass(frozen=True, slots=True)
class Node:
    """A statement, or a section or chapter of them."""

    id: str
    label: str
    kind: Kind | Literal["section", "chapter"]
    form: str = ""
    number: str = ""
    title: str = ""
    chapter: str = ""
    section: str = ""
    statements: int = 1
    """Number of statements it represents."""

    @property
    def short(self) -> str:
        """Short name without its title."""
        if self.kind in ("section", "chapter"):
            return self.title
        return " ".join(filter(None, (self.form.capitalize(), self.number or self.label)))

    @property
    def caption(self) -> str:
        """Name with its title."""
        return f"{self.short} ({self.title})" if self.title != self.short and self.title else self.short


@dataclass(frozen=True, slots=True)
class Edge:
    """From the statement used to the one that uses it."""

    source: str
    target: str
    statement: int
    """Number of citations in statement texts."""
    proof: int
    """Number of citations in proofs."""
    weight: int
    """Number of pairs of statements with a citation of either kind."""

    @property
    def kind(self) -> Edges:
        """Where the citation occurs."""
        return "both" if self.statement and self.proof else "statement" if self.statement else "proof"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A view of a graph, ready for layout or export."""

    name: str
    level: Level
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def edge_kinds(edges: Edges) -> tuple[EdgeKind, ...]:
    """The edge kinds that an option value selects."""
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
    """A view of a corpus's graph.

    Args:
        corpus: The statements.
        level: What a node is.
        edges: Citations in statements, in proofs, or both.
        reduce: Leave out edges that follow from others.
        focus: Keep only the neighbourhood of this node.
        up: Number of steps towards what the focus depends on.
        down: Number of steps towards what depends on the focus.
        threshold: Leave out edges with a lower weight.
    """
    graph = ReferenceGraph.of(corpus, edge_kinds(edges))
    found = _statements(corpus, graph) if level == "statement" else grouped(corpus, graph, level)
    selected = [edge for edge in found.edges if edge.weight >= threshold]
    if reduce:
        essential = transitive_reduction(_as_graph(found.nodes, selected))
        selected = [edge for edge in selected if edge.source in essential.get(edge.target, ())]
    nodes = found.nodes
    if focus is not None:
        centre = _centre(corpus, found, focus)
        near = around(_as_graph(nodes, selected), centre, up, down)
        nodes = tuple(node for node in nodes if node.id in near)
        selected = [edge for edge in selected if edge.source in near and edge.target in near]
    return Drawing(found.name, level, nodes, tuple(selected))


def group_name(statement: Statement, level: Level) -> str:
    """The chapter or section that a statement belongs to; in a wiki, its first category."""
    if statement.place is None:
        named = (statement.toplevel_categories or ()) + statement.categories
        return named[0] if named else UNNAMED
    chapter, section = statement.place.chapter, statement.place.section
    if level == "chapter":
        return chapter or UNNAMED
    return " / ".join(filter(None, (chapter, section))) or UNNAMED


def grouped(corpus: Corpus, graph: ReferenceGraph, level: Level) -> Drawing:
    """The graph of chapters or sections; the weight of an edge is the number of citing pairs of statements."""
    home = {statement.id: group_name(statement, level) for statement in corpus.statements}
    counts = Counter(home.values())
    by_statement, by_proof, by_either = (
        Counter((home[used], home[user]) for user, cited in uses.items() for used in cited if home[used] != home[user])
        for uses in (graph.statement_uses, graph.proof_uses, graph.uses)
    )
    kind: Literal["section", "chapter"] = "section" if level == "section" else "chapter"
    chapters = {
        home[s.id]: (s.place.chapter, s.place.section if level == "section" else "")
        for s in corpus.statements
        if s.place is not None
    }
    nodes = tuple(
        Node(
            id=name, label=name, kind=kind, title=name, statements=count,
            chapter=chapters.get(name, ("", ""))[0], section=chapters.get(name, ("", ""))[1],
        )
        for name, count in counts.items()
    )  # fmt: skip
    edges = tuple(
        Edge(source, target, by_statement[source, target], by_proof[source, target], weight)
        for (source, target), weight in by_either.items()
    )
    return Drawing(corpus.name, level, nodes, edges)


def statement_node(statement: Statement) -> Node:
    """A statement as a node."""
    return Node(
        id=statement.id,
        label=statement.label,
        kind=statement.kind,
        form=statement.form,
        number=statement.number,
        title=plain_unicode(statement.title, {}),
        chapter=statement.chapter,
        section=statement.section,
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


def to_dot(drawing: Drawing) -> str:
    """The graph in Graphviz's DOT language."""
    return "\n".join(_dot_lines(drawing)) + "\n"


def _dot_lines(drawing: Drawing) -> Iterator[str]:
    yield f"digraph {_quoted(drawing.name)} {{"
    yield '  graph [rankdir=TB]; node [style="rounded", fontname="serif"]; edge [color="#777777"];'
    for node in drawing.nodes:
        shape, colour = _LOOKS.get(node.kind, _THEOREM_LOOK)
        yield f'  {_quoted(node.id)} [label={_quoted(node.caption)}, shape={shape}, color="{colour}"];'
    for edge in drawing.edges:
        style = ", style=dashed" if edge.kind == "statement" else ""
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [kind={edge.kind}, weight={edge.weight}{style}];"
    yield "}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def to_graphml(drawing: Drawing) -> str:
    """The graph as GraphML, with every field as an attribute."""
    return "\n".join(_graphml_lines(drawing)) + "\n"


def _graphml_lines(drawing: Drawing) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name in _NODE_FIELDS:
        yield f'  <key id="{name}" for="node" attr.name="{name}" attr.type="string"/>'
    yield '  <key id="statements" for="node" attr.name="statements" attr.type="int"/>'
    yield '  <key id="relation" for="edge" attr.name="kind" attr.type="string"/>'
    yield '  <key id="weight" for="edge" attr.name="weight" attr.type="int"/>'
    yield f'  <graph id={_attribute(drawing.name)} edgedefault="directed">'
    for node in drawing.nodes:
        fields = "".join(_data(name, str(getattr(node, name))) for name in _NODE_FIELDS)
        yield f"    <node id={_attribute(node.id)}>{fields}{_data('statements', str(node.statements))}</node>"
    for edge in drawing.edges:
        fields = _data("relation", edge.kind) + _data("weight", str(edge.weight))
        yield f"    <edge source={_attribute(edge.source)} target={_attribute(edge.target)}>{fields}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _attribute(text: str) -> str:
    # Imported here, since it loads an HTTP client, which takes longer than the rest of this module.
    from xml.sax.saxutils import quoteattr

    return quoteattr(text.translate(_INVALID_XML))


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(text.translate(_INVALID_XML), quote=False)}</data>'


def to_json(drawing: Drawing) -> str:
    """The graph as node-link JSON."""
    node_fields, edge_fields = ("id", *_NODE_FIELDS, "statements"), ("source", "target", "kind", "weight")
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {"name": drawing.name, "level": drawing.level},
        "nodes": [{name: getattr(node, name) for name in node_fields} for node in drawing.nodes],
        "edges": [{name: getattr(edge, name) for name in edge_fields} for edge in drawing.edges],
    }
    return (msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n").decode()


EXPORTS: Mapping[str, Callable[[Drawing], str]] = {"dot": to_dot, "graphml": to_graphml, "json": to_json}
"""Formats by name."""
