"""Walks through a graph: ancestors, descendants, layers."""

from collections import deque
from collections.abc import Iterable, Sequence

from naturalproofs.corpus.graph.graph import Adjacency, ReferenceGraph
from naturalproofs.records import StatementId


def prerequisites(graph: ReferenceGraph, node: StatementId, depth: int | None = None) -> dict[StatementId, int]:
    """Everything a statement rests on, with its distance; the statement itself is not among it."""
    return _reached(graph.uses, node, depth)


def consequences(graph: ReferenceGraph, node: StatementId, depth: int | None = None) -> dict[StatementId, int]:
    """Everything that rests on a statement, with its distance; the statement itself is not among it."""
    return _reached(graph.used_by, node, depth)


def layers(graph: ReferenceGraph, roots: Iterable[StatementId]) -> list[list[StatementId]]:
    """Breadth-first layers from the roots towards what uses them; each node once, where first reached."""
    order = {node: index for index, node in enumerate(graph.nodes)}
    current = sorted(set(roots), key=order.__getitem__)
    seen = set(current)
    found: list[list[StatementId]] = []
    while current:
        found.append(current)
        reached = {user for node in current for user in graph.used_by.get(node, ())} - seen
        seen |= reached
        current = sorted(reached, key=order.__getitem__)
    return found


def _reached(adjacency: Adjacency, start: StatementId, depth: int | None) -> dict[StatementId, int]:
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        step = distance[node] + 1
        if depth is not None and step > depth:
            continue
        for key in adjacency.get(node, ()):
            if key not in distance:
                distance[key] = step
                queue.append(key)
    del distance[start]
    return distance


def components(graph: ReferenceGraph) -> list[list[StatementId]]:
    """Strongly connected components, users after what they use (Tarjan 1972, without recursion).

    A component of more than one statement is a circular argument.
    """
    index: dict[StatementId, int] = {}
    low: dict[StatementId, int] = {}
    stack: list[StatementId] = []
    on_stack: set[StatementId] = set()
    found: list[list[StatementId]] = []
    for root in graph.nodes:
        if root in index:
            continue
        work: list[tuple[StatementId, int]] = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            successors: Sequence[StatementId] = graph.uses.get(node, ())
            if position > 0:
                low[node] = min(low[node], low[successors[position - 1]])
            while position < len(successors) and successors[position] in index:
                if successors[position] in on_stack:
                    low[node] = min(low[node], index[successors[position]])
                position += 1
            if position < len(successors):
                work.append((node, position + 1))
                work.append((successors[position], 0))
            elif low[node] == index[node]:
                component: list[StatementId] = []
                while not component or component[-1] != node:
                    component.append(stack.pop())
                    on_stack.discard(component[-1])
                found.append(component[::-1])
    return found
