"""The reference graph of a corpus, and its traversals.

An edge runs from a statement to each statement that *uses* it, as in the paper: leaves are used by no statement, heads
use none. Statement edges and proof edges are stored separately.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from statistics import quantiles
from typing import Literal, TypeAlias

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.records import KINDS, Proof, Statement, StatementId

EdgeKind: TypeAlias = Literal["statement", "proof"]
Adjacency: TypeAlias = Mapping[StatementId, tuple[StatementId, ...]]


@dataclass(frozen=True)
class ReferenceGraph:
    """Which statement uses which. Nodes without any edge are in `nodes` but are neither leaves nor heads."""

    nodes: tuple[StatementId, ...]
    statement_uses: Adjacency
    """By statement: what its own text cites, each once, in order of first citation; never itself."""
    proof_uses: Adjacency
    """By statement: what its proofs cite, likewise."""

    @classmethod
    def of(cls, corpus: Corpus, kinds: Iterable[EdgeKind] = ("statement", "proof")) -> ReferenceGraph:
        """The graph of a corpus, of statement edges, proof edges or both."""
        wanted = frozenset(kinds)
        by_statement, by_proof = {}, {}
        for statement in corpus.links:
            key = statement.id
            if "statement" in wanted and (cited := _once(statement.references, key)):
                by_statement[key] = cited
            if "proof" in wanted and (cited := _once(chain.from_iterable(statement.proofs), key)):
                by_proof[key] = cited
        return cls(tuple(statement.id for statement in corpus.links), by_statement, by_proof)

    @cached_property
    def uses(self) -> Adjacency:
        """By statement: everything it uses."""
        both = ((key, (*self.statement_uses.get(key, ()), *self.proof_uses.get(key, ()))) for key in self.nodes)
        return {key: tuple(dict.fromkeys(cited)) for key, cited in both if cited}

    @cached_property
    def used_by(self) -> Adjacency:
        """By statement: everything that uses it."""
        found: dict[StatementId, list[StatementId]] = {}
        for user, cited in self.uses.items():
            for key in cited:
                found.setdefault(key, []).append(user)
        return {key: tuple(users) for key, users in found.items()}

    @cached_property
    def connected(self) -> tuple[StatementId, ...]:
        """Nodes with at least one edge, in corpus order."""
        return tuple(node for node in self.nodes if node in self.uses or node in self.used_by)

    @cached_property
    def edge_count(self) -> int:
        """How many pairs of statements are joined."""
        return sum(map(len, self.uses.values()))

    @cached_property
    def leaves(self) -> tuple[StatementId, ...]:
        """Statements that use others and are used by none."""
        return tuple(node for node in self.nodes if node in self.uses and node not in self.used_by)

    @cached_property
    def heads(self) -> tuple[StatementId, ...]:
        """Statements that are used and use none."""
        return tuple(node for node in self.nodes if node in self.used_by and node not in self.uses)

    @cached_property
    def mutual_pairs(self) -> tuple[tuple[StatementId, StatementId], ...]:
        """Pairs of statements that use each other, each pair once."""
        order = {node: index for index, node in enumerate(self.nodes)}
        return tuple(
            (user, cited)
            for user in self.nodes
            for cited in self.uses.get(user, ())
            if order[user] < order[cited] and user in self.uses.get(cited, ())
        )


def _once(references: Iterable[StatementId], key: StatementId) -> tuple[StatementId, ...]:
    return tuple(cited for cited in dict.fromkeys(references) if cited != key)


def prerequisites(graph: ReferenceGraph, node: StatementId, depth: int | None = None) -> dict[StatementId, int]:
    """Everything a statement depends on, with its distance; without the statement itself."""
    return _reached(graph.uses, node, depth)


def consequences(graph: ReferenceGraph, node: StatementId, depth: int | None = None) -> dict[StatementId, int]:
    """Everything that depends on a statement, with its distance; without the statement itself."""
    return _reached(graph.used_by, node, depth)


def around(graph: ReferenceGraph, node: StatementId, up: int, down: int) -> dict[StatementId, int]:
    """What is within some steps of a statement, with its distance: negative for what the statement depends on.

    Args:
        graph: Which edges count.
        node: The statement; its distance is 0.
        up: Steps towards what it depends on.
        down: Steps towards what depends on it.
    """
    before = {key: -steps for key, steps in prerequisites(graph, node, up).items()}
    return {node: 0, **consequences(graph, node, down), **before}


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
    """Strongly connected components in order of dependence, users last (Tarjan 1972, without recursion).

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


def transitive_reduction(graph: ReferenceGraph) -> dict[StatementId, tuple[StatementId, ...]]:
    """By statement: those it uses directly that it does not also use through another one.

    Cycles are contracted first, since a cyclic graph has no unique reduction (Aho, Garey and Ullman 1972); edges inside
    a cycle stay.
    """
    ordered = components(graph)
    home = {node: number for number, component in enumerate(ordered) for node in component}
    reachable: list[int] = []
    """By component: the components it depends on, itself included, as a bit set."""
    reduced: dict[StatementId, tuple[StatementId, ...]] = {}
    for number, component in enumerate(ordered):
        direct = {home[cited] for node in component for cited in graph.uses.get(node, ())} - {number}
        covered = needed = 0
        # Components come in order of dependence, so the highest number may depend on lower ones, never the reverse.
        for target in sorted(direct, reverse=True):
            if not covered >> target & 1:
                needed |= 1 << target
                covered |= reachable[target]
        reachable.append(covered | 1 << number)
        needed |= 1 << number
        for node in component:
            if cited := tuple(key for key in graph.uses.get(node, ()) if needed >> home[key] & 1):
                reduced[node] = cited
    return reduced


# Lengths and numbers of references of statements and proofs; the paper's name of a corpus.

MEASURES = ("chars", "tokens", "lines", "refs")
PARTS = (*KINDS, "proof")


@dataclass(frozen=True, slots=True)
class Distribution:
    """Mean and quartiles of a quantity."""

    count: int
    mean: float
    p25: float
    p50: float
    p75: float

    @classmethod
    def of(cls, values: Sequence[int]) -> Distribution:
        """Mean and quartiles, with linear interpolation as in numpy and pandas."""
        if not values:
            return cls(0, 0.0, 0.0, 0.0, 0.0)
        quartiles = quantiles(values, method="inclusive") if len(values) > 1 else [float(values[0])] * 3
        return cls(len(values), sum(values) / len(values), *quartiles)


Lengths = dict[str, dict[str, Distribution]]
"""By part (``theorem`` … ``proof``), then by measure (``chars``, ``tokens``, ``lines``, ``refs``)."""


def lengths(corpora: Iterable[Corpus]) -> Lengths:
    """Distributions over all statements and proofs of the corpora together.

    Characters are those of the lines without line ends; tokens are separated by white space; references are
    counted with repeats.
    """
    parts: dict[str, list[Statement | Proof]] = {part: [] for part in PARTS}
    for corpus in corpora:
        for statement in corpus.statements:
            parts[statement.kind].append(statement)
            parts["proof"].extend(statement.proofs)
    return {part: _distributions(items) for part, items in parts.items()}


def _distributions(items: Sequence[Statement | Proof]) -> dict[str, Distribution]:
    values: dict[str, list[int]] = {
        "chars": [sum(map(len, item.lines)) for item in items],
        "tokens": [sum(len(line.split()) for line in item.lines) for item in items],
        "lines": [len(item.lines) for item in items],
        "refs": [len(item.references) for item in items],
    }
    return {measure: Distribution.of(values[measure]) for measure in MEASURES}


def paper_key(provenance: Provenance) -> str:
    """The name under which the paper reports a corpus; empty for a wiki other than ProofWiki.

    ProofWiki may come from a dump or from the published file. A merged corpus joins the names of its parts.
    """
    source = provenance.source
    if provenance.title.startswith("ProofWiki"):
        source = source.replace("naturalproofs-json", "proofwiki", 1)
    elif source.startswith("proofwiki"):
        return ""
    return source.replace(" + ", "+")
