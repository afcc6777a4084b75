"""The statistics of a corpus: counts, splits, graph, lengths; the paper's figures beside them where it has some."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, components
from naturalproofs.corpus.resolve import Resolution
from naturalproofs.corpus.statistics import Distribution, lengths
from naturalproofs.corpus.store import counts
from naturalproofs.report.paper import paper_key
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits


@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """One part of a split."""

    examples: int
    references: int
    """How many statements can be ranked."""
    references_per_example: float
    """Citations in a proof, repeats included, on average."""


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """The shape of the reference graph."""

    nodes: int
    """Statements with at least one edge."""
    edges: int
    statement_edges: int
    proof_edges: int
    leaves: int
    heads: int
    mutual_pairs: int
    cycles: int
    """Strongly connected components of more than one statement."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """All that `stats` reports about one corpus."""

    corpus: str
    source: str
    paper: str
    """Under which name the paper has figures for it; empty when it has none."""
    rules: str
    licence: str
    theorems: int
    definitions: int
    others: int
    proofs: int
    examples: int
    references: int
    """How many statements can be cited at all."""
    split_recipe: str
    splits: dict[str, SplitStatistics]
    graph: GraphStatistics
    lengths: dict[str, dict[str, Distribution]]
    resolution: Resolution | None
    categories: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def statistics(corpus: Corpus, splits: Splits) -> Statistics:
    """Measure one corpus."""
    number = counts(corpus)
    return Statistics(
        corpus=corpus.name,
        source=corpus.provenance.source,
        paper=paper_key(corpus.provenance),
        rules=corpus.provenance.rules,
        licence=corpus.provenance.licence,
        theorems=number["theorems"],
        definitions=number["definitions"],
        others=number["others"],
        proofs=number["proofs"],
        examples=number["examples"],
        references=len(corpus.statements),
        split_recipe=splits.recipe,
        splits=split_statistics(corpus, splits),
        graph=graph_statistics(ReferenceGraph.of(corpus)),
        lengths=lengths([corpus]),
        resolution=corpus.resolution,
        categories=dict(Counter(c for s in corpus.statements for c in s.categories).most_common()),
    )


def split_statistics(corpus: Corpus, splits: Splits) -> dict[str, SplitStatistics]:
    """The sizes of train, valid and test."""
    cited = {(example.theorem, example.proof): len(example.references) for example in corpus.examples}
    found: dict[str, SplitStatistics] = {}
    for name in SPLIT_NAMES:
        part = splits.part(name)
        total = sum(cited.get(pair, 0) for pair in part.examples)
        size = len(part.examples)
        references = len(corpus.statements) - len(part.absent)
        found[name] = SplitStatistics(size, references, total / size if size else 0.0)
    return found


def graph_statistics(graph: ReferenceGraph) -> GraphStatistics:
    """The sizes that describe a graph."""
    return GraphStatistics(
        nodes=len(graph.connected),
        edges=graph.edge_count,
        statement_edges=sum(map(len, graph.statement_uses.values())),
        proof_edges=sum(map(len, graph.proof_uses.values())),
        leaves=len(graph.leaves),
        heads=len(graph.heads),
        mutual_pairs=len(graph.mutual_pairs),
        cycles=sum(len(component) > 1 for component in components(graph)),
    )
