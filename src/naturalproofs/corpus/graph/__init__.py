"""The reference graph: which statement uses which, with statement edges and proof edges separate."""

from naturalproofs.corpus.graph.graph import (
    Adjacency,
    EdgeKind,
    ReferenceGraph,
    components,
    consequences,
    layers,
    prerequisites,
    transitive_reduction,
)

__all__ = [
    "Adjacency",
    "EdgeKind",
    "ReferenceGraph",
    "components",
    "consequences",
    "layers",
    "prerequisites",
    "transitive_reduction",
]
