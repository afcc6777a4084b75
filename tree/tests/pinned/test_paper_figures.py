"""The paper's own figures on its own sources, exactly; the sources are found or the tests say that they skip."""

import pytest

from naturalproofs.apps.report.statistics import paper_figures, statistics
from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus.graph import ReferenceGraph

COUNTS = {
    "stacks": (12479, 1687, 968, 12479, 10573),
    "trench": (298, 86, 0, 235, 167),
    "stein": (68, 37, 0, 64, 40),
}


@pytest.fixture(scope="module")
def measured(real_corpus):
    def measure(name, rules="paper"):
        built = real_corpus(name, rules)
        return statistics(built, make_splits(built, Recipe(), built.own_splits))

    return measure


@pytest.mark.parametrize("name", COUNTS)
def test_counts(measured, name):
    found = measured(name)
    assert (found.theorems, found.definitions, found.others, found.proofs, found.examples) == COUNTS[name]


def test_stacks_graph(measured):
    graph = measured("stacks").graph
    assert (graph.nodes, graph.leaves, graph.heads, graph.mutual_pairs) == (13925, 2107, 1958, 16)


def test_stacks_splits(measured):
    splits = measured("stacks").splits
    assert [splits[part].examples for part in ("train", "valid", "test")] == [9022, 775, 776]
    assert [splits[part].references for part in ("train", "valid", "test")] == [13583, 15134, 15134]


@pytest.mark.parametrize(("name", "references"), [("trench", 384), ("stein", 105)])
def test_textbook_references(measured, name, references):
    found = measured(name)
    assert found.references == found.splits["test"].references == references
    assert found.splits["train"].examples == found.splits["valid"].examples == 0


@pytest.mark.parametrize("name", COUNTS)
def test_every_length_is_the_papers(measured, name):
    """Means agree in the decimal printed; quartiles after the rounding the paper applied."""
    found, paper = measured(name).lengths, paper_figures(name).lengths
    assert len(paper) >= 12
    differing = []
    for key, (mean, *quartiles) in paper.items():
        part, measure = key.split("/")
        own = found[part][measure]
        if abs(own.mean - mean) > 0.051:
            differing.append((key, "mean", own.mean, mean))
        for mine, theirs in zip((own.p25, own.p50, own.p75), quartiles, strict=True):
            if abs(mine - theirs) > 0.51:
                differing.append((key, "quartile", mine, theirs))
    assert differing == []


def test_stacks_document_order_is_backward(real_corpus):
    """Nearly every reference of a proof points to an earlier statement: nine do not, and they name themselves."""
    corpus = real_corpus("stacks", "paper")
    position = {s.id: s.place.position for s in corpus.statements}
    pairs = {(s.id, r) for s in corpus.statements for p in s.proofs for r in p.references}
    own = [pair for pair in pairs if pair[0] == pair[1]]
    assert len(pairs) == 34157 + 9
    assert len(own) == 9
    later = sum(position[cited] > position[user] for user, cited in pairs)
    assert later == 0


def test_edges_of_proofs_and_statements(real_corpus):
    graph = ReferenceGraph.of(real_corpus("stacks", "paper"))
    assert sum(map(len, graph.proof_uses.values())) == 34157
    assert sum(map(len, graph.statement_uses.values())) == 4640
