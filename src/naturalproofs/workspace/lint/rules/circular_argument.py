"""Proofs that rest on one another: each is complete only if the others are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from naturalproofs.corpus.graph import ReferenceGraph, components
from naturalproofs.records import Origin, Statement, StatementId
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding


def circular_argument(context: Context) -> Iterator[Finding]:
    """Circles of proofs, each shown by its shortest way round; what statements cite in their text does not count."""
    graph = ReferenceGraph.of(context.corpus, ["proof"])
    order = {node: number for number, node in enumerate(graph.nodes)}
    for component in components(graph):
        if len(component) > 1:
            circle = _shortest(graph, sorted(component, key=order.__getitem__))
            statements = [context.corpus.by_id[node] for node in circle]
            names = " → ".join(name_of(one) for one in [*statements, statements[0]])
            rest = len(component) - len(circle)
            more = f" (and {rest} more statements in the same knot)" if rest else ""
            message = f"circular argument, each proof uses the next: {names}{more}"
            subject = " ".join(sorted(component))
            at, key = _citation(statements[0], statements[1])
            yield context.finding("circular-argument", "error", at, message, subject, key)


def _citation(user: Statement, used: Statement) -> tuple[Origin | Statement, str]:
    """Where a proof of the one cites the other, and by which key."""
    for proof in user.proofs:
        for mention in proof.mentions:
            if mention.reference == used.id and (origin := proof.origin or user.origin):
                return Origin(origin.path, mention.line), mention.target
    return user, user.label


def _shortest(graph: ReferenceGraph, knot: list[StatementId]) -> list[StatementId]:
    """The shortest circle through the first statement of a knot that lies on one, found breadth first."""
    inside, start = set(knot), knot[0]
    came: dict[StatementId, StatementId] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for used in graph.uses.get(node, ()):
            if used == start:
                way = [node]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if used in inside and used not in came:
                came[used] = node
                queue.append(used)
    return [start]
