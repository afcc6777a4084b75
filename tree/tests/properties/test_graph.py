"""Graph algorithms and splits on random corpora, against networkx and against the leak check."""

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import (
    ReferenceGraph,
    components,
    consequences,
    layers,
    prerequisites,
    transitive_reduction,
)
from naturalproofs.errors import LeakFound
from naturalproofs.records import Mention, Proof, Split, Statement
from naturalproofs.tasks.splits import Splits, check_no_leak, layered_split, leaf_split, temporal_split, zero_shot_split


@st.composite
def corpora(draw, *, acyclic=False):
    size = draw(st.integers(1, 14))
    statements = []
    for number in range(size):
        targets = st.integers(0, max(0, number - 1) if acyclic else size - 1)
        cited = draw(st.lists(targets, max_size=4)) if number or not acyclic else []
        in_statement = draw(st.lists(targets, max_size=2)) if number or not acyclic else []
        kind = draw(st.sampled_from(["theorem", "theorem", "definition"]))
        proofs = (Proof((), tuple(map(mention, cited))),) if kind == "theorem" else ()
        mentions = tuple(map(mention, in_statement))
        statements.append(Statement(f"c:{number}", kind, str(number), "", (), mentions, proofs))
    return Corpus("c", tuple(statements), Provenance("test", "fixed"))


def mention(number):
    return Mention(str(number), "ref", 1, f"c:{number}")


def as_networkx(graph):
    other = networkx.DiGraph()
    other.add_nodes_from(graph.nodes)
    other.add_edges_from((cited, user) for user, uses in graph.uses.items() for cited in uses)
    return other


@given(corpora())
def test_shape_agrees_with_networkx(corpus):
    graph = ReferenceGraph.of(corpus)
    other = as_networkx(graph)
    assert graph.edge_count == other.number_of_edges()
    assert set(graph.leaves) == {n for n in other if other.in_degree(n) and not other.out_degree(n)}
    assert set(graph.heads) == {n for n in other if other.out_degree(n) and not other.in_degree(n)}
    mutual = {frozenset((a, b)) for a, b in other.edges if other.has_edge(b, a)}
    assert {frozenset(pair) for pair in graph.mutual_pairs} == mutual
    assert len(graph.mutual_pairs) == len(mutual)
    assert not list(networkx.selfloop_edges(other))


@given(corpora())
def test_components_agree_with_networkx(corpus):
    graph = ReferenceGraph.of(corpus)
    found = components(graph)
    assert {frozenset(c) for c in found} == set(
        map(frozenset, networkx.strongly_connected_components(as_networkx(graph)))
    )
    place = {node: number for number, component in enumerate(found) for node in component}
    assert all(place[cited] <= place[user] for user, uses in graph.uses.items() for cited in uses)


@given(corpora(acyclic=True))
def test_reduction_agrees_with_networkx(corpus):
    graph = ReferenceGraph.of(corpus)
    kept = {(cited, user) for user, uses in transitive_reduction(graph).items() for cited in uses}
    assert kept == set(networkx.transitive_reduction(as_networkx(graph)).edges)


@given(corpora())
def test_reduction_keeps_what_rests_on_what(corpus):
    graph = ReferenceGraph.of(corpus)
    reduced = networkx.DiGraph()
    reduced.add_nodes_from(graph.nodes)
    reduced.add_edges_from((cited, user) for user, uses in transitive_reduction(graph).items() for cited in uses)
    full = as_networkx(graph)
    assert all(networkx.descendants(full, node) == networkx.descendants(reduced, node) for node in graph.nodes)


@given(corpora())
def test_walks_agree_with_networkx(corpus):
    graph = ReferenceGraph.of(corpus)
    other = as_networkx(graph)
    for node in graph.nodes:
        assert set(prerequisites(graph, node)) == networkx.ancestors(other, node)
        distances = networkx.single_source_shortest_path_length(other, node, cutoff=2)
        assert consequences(graph, node, depth=2) == {key: d for key, d in distances.items() if d}


@given(corpora())
def test_layers_are_distances_from_the_heads(corpus):
    graph = ReferenceGraph.of(corpus)
    if not graph.heads:
        assert layers(graph, graph.heads) == []
        return
    distance = networkx.multi_source_dijkstra_path_length(as_networkx(graph), set(graph.heads))
    assert {n: d for d, layer in enumerate(layers(graph, graph.heads)) for n in layer} == distance


@given(corpora(), st.integers(0, 3), st.integers(0, 8), st.sets(st.integers(0, 13)))
def test_no_split_leaks(corpus, seed, budget, older):
    graph = ReferenceGraph.of(corpus)
    old = Corpus("c", tuple(s for s in corpus.statements if int(s.label) in older), corpus.provenance)
    for splits in (
        leaf_split(corpus, graph, seed=seed),
        layered_split(corpus, graph, budget=budget, seed=seed),
        temporal_split(corpus, old, graph, seed=seed),
        zero_shot_split(corpus),
    ):
        check_no_leak(corpus, splits)
        assert Splits.from_json(splits.to_json()) == splits
        parts = [splits.train.examples, splits.valid.examples, splits.test.examples]
        everything = [pair for part in parts for pair in part]
        assert len(everything) == len(set(everything))


@given(corpora())
def test_leaf_split_keeps_every_example(corpus):
    splits = leaf_split(corpus, ReferenceGraph.of(corpus))
    found = {pair for part in (splits.train, splits.valid, splits.test) for pair in part.examples}
    assert found == {(example.theorem, example.proof) for example in corpus.examples}
    theorems = [{theorem for theorem, _ in part.examples} for part in (splits.valid, splits.test)]
    assert 0 <= len(theorems[1]) - len(theorems[0]) <= 1


@given(corpora())
def test_the_leak_check_finds_a_planted_leak(corpus):
    used = [(s.id, r) for s in corpus.statements for p in s.proofs for r in p.references if r != s.id]
    planted = [(user, cited) for user, cited in used if corpus.by_id[cited].proofs]
    if planted:
        user, cited = planted[0]
        bad = Splits("bad", Split(((user, 0),), (cited,)), Split(), Split(((cited, 0),)))
        with pytest.raises(LeakFound):
            check_no_leak(corpus, bad)
