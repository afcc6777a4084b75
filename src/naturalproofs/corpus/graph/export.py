"""Graph formats: DOT, GraphML, and node-link JSON for networkx and D3."""

from collections.abc import Callable, Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

import msgspec

from naturalproofs.corpus.graph.drawing import Drawing, Edge, Node

_COLOURS = {
    "theorem": "#0072b2",
    "definition": "#b26a00",
    "other": "#6b6b6b",
    "section": "#0072b2",
    "chapter": "#0072b2",
}
_SHAPES = {"theorem": "box", "definition": "ellipse", "other": "note", "section": "box", "chapter": "box"}
_NODE_FIELDS = ("label", "kind", "form", "number", "title", "chapter", "section", "caption")
_INVALID_XML = {code: None for code in range(32) if code not in (9, 10, 13)} | {0xFFFE: None, 0xFFFF: None}
"""Characters that XML does not allow, even escaped."""


def to_dot(drawing: Drawing) -> str:
    """The graph in Graphviz's DOT language."""
    return "\n".join(_dot_lines(drawing)) + "\n"


def _dot_lines(drawing: Drawing) -> Iterator[str]:
    yield f"digraph {_quoted(drawing.name)} {{"
    yield '  graph [rankdir=TB]; node [style="rounded", fontname="serif"]; edge [color="#777777"];'
    for node in drawing.nodes:
        look = f"shape={_SHAPES[node.kind]}, color={_quoted(_COLOURS[node.kind])}"
        yield f"  {_quoted(node.id)} [label={_quoted(node.caption)}, {look}];"
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
    return quoteattr(text.translate(_INVALID_XML))


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(text.translate(_INVALID_XML))}</data>'


def to_json(drawing: Drawing) -> str:
    """The graph as node-link JSON."""
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {"name": drawing.name, "level": drawing.level},
        "nodes": [_node_object(node) for node in drawing.nodes],
        "edges": [_edge_object(edge) for edge in drawing.edges],
    }
    return (msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n").decode()


def _node_object(node: Node) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(node, name) for name in _NODE_FIELDS}
    return {"id": node.id, **fields, "statements": node.statements}


def _edge_object(edge: Edge) -> dict[str, object]:
    return {"source": edge.source, "target": edge.target, "kind": edge.kind, "weight": edge.weight}


EXPORTS: Mapping[str, Callable[[Drawing], str]] = {"dot": to_dot, "graphml": to_graphml, "json": to_json}
"""Formats by name."""
