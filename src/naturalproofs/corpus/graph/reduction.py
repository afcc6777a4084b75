"""Transitive reduction: the fewest edges that say the same about who rests on whom.

Circular arguments are contracted first, since a cyclic graph has no unique reduction (Aho, Garey and Ullman 1972);
edges inside a cycle are kept as they are.
"""

from naturalproofs.corpus.graph.graph import ReferenceGraph
from naturalproofs.corpus.graph.walks import components
from naturalproofs.records import StatementId


def transitive_reduction(graph: ReferenceGraph) -> dict[StatementId, tuple[StatementId, ...]]:
    """By statement: those it uses that it does not already use through another one."""
    ordered = components(graph)
    home = {node: number for number, component in enumerate(ordered) for node in component}
    reachable: list[int] = []
    """By component: the set of components it rests on, itself included, as a bit set."""
    kept: dict[StatementId, tuple[StatementId, ...]] = {}
    for number, component in enumerate(ordered):
        direct = {home[cited] for node in component for cited in graph.uses.get(node, ())} - {number}
        covered = needed = 0
        # Components come in order of dependence, so the highest number can rest on the lower ones, never the reverse.
        for target in sorted(direct, reverse=True):
            if not covered >> target & 1:
                needed |= 1 << target
                covered |= reachable[target]
        reachable.append(covered | 1 << number)
        needed |= 1 << number
        for node in component:
            if cited := tuple(key for key in graph.uses.get(node, ()) if needed >> home[key] & 1):
                kept[node] = cited
    return kept
