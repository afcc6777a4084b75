"""The reference graph: who uses whom, with statement edges and proof edges apart."""

from naturalproofs.corpus.graph.graph import EdgeKind, ReferenceGraph

__all__ = ["EdgeKind", "ReferenceGraph"]
