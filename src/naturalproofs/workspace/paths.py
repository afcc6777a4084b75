"""Reading paths: what a theorem rests on, in an order in which it can be read; and what rests on it."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from dataclasses import dataclass
from graphlib import TopologicalSorter

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, components, consequences
from naturalproofs.records import StatementId


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a reading path."""

    id: StatementId
    layer: int
    """How many steps of the path must come before it, one resting on the other."""
    uses: tuple[StatementId, ...]
    """What it rests on within the path."""


@dataclass(frozen=True, slots=True)
class ReadingPath:
    """What to read before a theorem, and the theorem last."""

    steps: tuple[Step, ...]
    known: tuple[StatementId, ...]
    """Where the path stops because it is known already."""
    cut_at: int | None
    """The distance at which the path was cut, since what lies further would make it too long."""


def reading_path(
    corpus: Corpus, graph: ReferenceGraph, target: StatementId, *, known: Collection[StatementId] = (), most: int = 200
) -> ReadingPath:
    """Order everything that a statement rests on.

    Args:
        corpus: The statements, for their reading order.
        graph: Which edges count.
        target: What is to be understood.
        known: Statements that need not be read; nothing behind them is looked at.
        most: No longer than this: going back stops before the step that would bring in more. In a wiki a few steps
            reach thousands of pages.
    """
    stops = set(known) - {target}
    kept, used, cut_at = _collect(graph, target, stops, most)
    inside = {node: tuple(c for c in graph.uses.get(node, ()) if c in kept) for node in kept}
    order = _order(corpus, inside)
    layers = _layers(inside, order)
    steps = tuple(Step(node, layers[node], inside[node]) for node in order)
    return ReadingPath(steps, tuple(key for key in (s.id for s in corpus.statements) if key in used), cut_at)


def impact(corpus: Corpus, graph: ReferenceGraph, node: StatementId) -> list[tuple[StatementId, int]]:
    """Everything that falls if a statement is wrong, nearest first, then in reading order."""
    rank = {statement.id: position for position, statement in enumerate(corpus.statements)}
    return sorted(consequences(graph, node).items(), key=lambda item: (item[1], rank[item[0]]))


def _collect(
    graph: ReferenceGraph, target: StatementId, stops: set[StatementId], most: int
) -> tuple[set[StatementId], set[StatementId], int | None]:
    """All within reach, the known ones met on the way, and where it was cut."""
    kept, met, frontier, distance = {target}, set[StatementId](), [target], 0
    while frontier:
        distance += 1
        reached = dict.fromkeys(cited for node in frontier for cited in graph.uses.get(node, ()) if cited not in kept)
        met |= stops.intersection(reached)
        frontier = [node for node in reached if node not in stops]
        if len(kept) + len(frontier) > most:
            return kept, met, distance
        kept.update(frontier)
    return kept, met, None


def _order(corpus: Corpus, uses: dict[StatementId, tuple[StatementId, ...]]) -> list[StatementId]:
    """What is rested on first; among what is free, the book's own order. A circle is read in the book's order."""
    rank = {statement.id: position for position, statement in enumerate(corpus.statements)}
    nodes = tuple(sorted(uses, key=rank.__getitem__))
    groups = components(ReferenceGraph(nodes, uses, {}))
    home = {node: number for number, group in enumerate(groups) for node in group}
    sorter = TopologicalSorter(
        {n: {home[c] for node in group for c in uses[node]} - {n} for n, group in enumerate(groups)}
    )
    sorter.prepare()
    free: list[tuple[int, int]] = []
    order: list[StatementId] = []
    while sorter.is_active():
        for number in sorter.get_ready():
            heapq.heappush(free, (min(rank[node] for node in groups[number]), number))
        _, number = heapq.heappop(free)
        order.extend(sorted(groups[number], key=rank.__getitem__))
        sorter.done(number)
    return order


def _layers(uses: dict[StatementId, tuple[StatementId, ...]], order: list[StatementId]) -> dict[StatementId, int]:
    """The longest chain below each; within a circle, only what was read before counts."""
    layers: dict[StatementId, int] = {}
    for node in order:
        layers[node] = 1 + max((layers[cited] for cited in uses[node] if cited in layers), default=-1)
    return layers
