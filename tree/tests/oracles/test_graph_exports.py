"""Exports, read back by networkx and by Graphviz's own grammar where it is installed."""

import io
import json
import shutil
import subprocess

import networkx as nx
import pytest

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.drawing import EXPORTS, Drawing, drawing, to_dot, to_graphml, to_json
from naturalproofs.records import Mention, Statement

SELECTIONS = [
    {},
    {"focus": "thm:lagrange", "up": 3, "down": 2},
    {"level": "chapter", "threshold": 3},
    {"level": "section", "edges": "proof"},
    {"reduce": True, "edges": "statement"},
]


def expected_edges(drawn: Drawing) -> dict[tuple[str, str], tuple[str, int]]:
    return {(edge.source, edge.target): (edge.kind, edge.weight) for edge in drawn.edges}


def edges_of(graph: nx.DiGraph) -> dict[tuple[str, str], tuple[str, int]]:
    return {(a, b): (fields["kind"], fields["weight"]) for a, b, fields in graph.edges(data=True)}


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_json_is_node_link_data(primer: Corpus, selection: dict[str, object]) -> None:
    drawn = drawing(primer, **selection)
    graph = nx.node_link_graph(json.loads(to_json(drawn)), edges="edges")
    assert list(graph.nodes) == [node.id for node in drawn.nodes]
    assert edges_of(graph) == expected_edges(drawn)
    assert graph.is_directed()


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_graphml(primer: Corpus, selection: dict[str, object]) -> None:
    drawn = drawing(primer, **selection)
    graph = nx.read_graphml(io.BytesIO(to_graphml(drawn).encode()))
    assert list(graph.nodes) == [node.id for node in drawn.nodes]
    assert edges_of(graph) == expected_edges(drawn)
    assert {n: f["title"] or "" for n, f in graph.nodes(data=True)} == {node.id: node.title for node in drawn.nodes}


def test_reduction_is_that_of_networkx(primer: Corpus) -> None:
    whole = nx.node_link_graph(json.loads(to_json(drawing(primer))), edges="edges")
    ours = nx.node_link_graph(json.loads(to_json(drawing(primer, reduce=True))), edges="edges")
    assert nx.is_directed_acyclic_graph(whole)
    assert set(ours.edges) == set(nx.transitive_reduction(whole).edges)


NASTY = "a\"b\\c\n<&>\x01\u2028'%$"


@pytest.fixture
def nasty() -> Drawing:
    statements = (
        Statement("t:1", "theorem", NASTY, NASTY, ("x",), form="lemma"),
        Statement("t:2", "other", "b", "", ("x",), (Mention("1", "ref", 1, "t:1"),)),
    )
    return drawing(Corpus("t", statements, Provenance("latex", "fixed")))


def test_nasty_names_survive(nasty: Drawing) -> None:
    assert json.loads(to_json(nasty))["nodes"][0]["label"] == NASTY
    graph = nx.read_graphml(io.BytesIO(to_graphml(nasty).encode()))
    assert graph.nodes["t:1"]["label"] == NASTY.replace("\x01", "")


@pytest.mark.skipif(shutil.which("gc") is None, reason="needs Graphviz, whose gc counts nodes and edges of DOT")
@pytest.mark.parametrize("name", ["primer", "nasty"])
def test_dot_is_read_by_graphviz(name: str, primer: Corpus, nasty: Drawing) -> None:
    drawn = drawing(primer) if name == "primer" else nasty
    result = subprocess.run(["gc", "-n", "-e"], input=to_dot(drawn).encode(), capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    assert result.stdout.split()[:2] == [str(len(drawn.nodes)).encode(), str(len(drawn.edges)).encode()]


def test_dot_lists_every_node_and_edge(primer: Corpus) -> None:
    drawn = drawing(primer)
    lines = EXPORTS["dot"](drawn).splitlines()
    assert sum(" -> " in line and line.endswith("];") for line in lines) >= len(drawn.edges)
    assert len(lines) == len(drawn.nodes) + len(drawn.edges) + 3
