"""Reading paths: what a theorem rests on, in an order in which it can be read; and what rests on it."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Literal

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import group_name
from naturalproofs.corpus.graph import ReferenceGraph, around, components, consequences
from naturalproofs.errors import UnknownName
from naturalproofs.records import StatementId
from naturalproofs.workspace.terms import Inferred, TermUses, cites_little

_LISTED = 5
"""Chapters that an error names."""
_PART = re.compile(r"(?:chapter|section)(?:\s*:\s*|\s+)(.+)", re.IGNORECASE)


LIMIT = 200
"""The longest path, unless another limit is given."""


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a reading path."""

    id: StatementId
    layer: int
    """How many steps of the path must come before it, one resting on the other."""
    uses: tuple[StatementId, ...]
    """What it rests on within the path."""
    term: str = ""
    """For what nothing cites: the term or name by which it was inferred, or the sentence that says so."""
    origin: Literal["", "term", "prose"] = ""
    """How it was inferred."""

    @property
    def inferred(self) -> str:
        """How it was inferred, as a note beside it; empty if it is cited."""
        return Inferred(self.term, self.origin).note if self.origin else ""


@dataclass(frozen=True, slots=True)
class ReadingPath:
    """What to read before a theorem, and the theorem last."""

    steps: tuple[Step, ...]
    known: tuple[StatementId, ...]
    """Where the path stops because it is known already."""
    cut_at: int | None
    """The distance at which the path was cut, since what lies further would make it too long."""
    targets: tuple[StatementId, ...] = ()
    """What is to be understood."""
    proofs: int = 0
    """How many proofs the statements of the path have."""
    silent: int = 0
    """How many of these proofs cite nothing: what they need may be missing from the path."""

    @property
    def cites_little(self) -> bool:
        """Whether so many proofs cite nothing that the path is likely to be incomplete."""
        return cites_little(self.proofs, self.silent)


def reading_path(
    corpus: Corpus,
    graph: ReferenceGraph,
    target: StatementId | Sequence[StatementId],
    *,
    known: Collection[StatementId] = (),
    limit: int = LIMIT,
    inferred: TermUses | None = None,
) -> ReadingPath:
    """Order everything that statements rest on.

    Args:
        corpus: The statements, for their reading order.
        graph: Which edges count.
        target: What is to be understood: one statement or several.
        known: Statements that need not be read; nothing behind them is looked at.
        limit: No longer than this: going back stops before the step that would bring in more. In a wiki a few steps
            reach thousands of pages.
        inferred: What statements need without citing it; such prerequisites are added as long as there is room.
    """
    targets = (target,) if isinstance(target, str) else tuple(dict.fromkeys(target))
    stops = set(known) - set(targets)
    kept, met, cut_at = _collect(graph, targets, stops, limit)
    reasons: dict[StatementId, Inferred] = {}
    if inferred is not None:
        reasons = _infer(graph, kept, stops, inferred, limit)
        met |= {key for node in kept for key in inferred.needed(node) if key in stops}
    inside = {node: tuple(c for c in _uses(graph, node, inferred) if c in kept) for node in kept}
    order = _order(corpus, inside)
    layers = _layers(inside, order)
    steps = tuple(Step(node, layers[node], inside[node], *reasons.get(node, ())) for node in order)
    proofs = [proof for node in order for proof in corpus.by_id[node].proofs]
    return ReadingPath(
        steps,
        tuple(one.id for one in corpus.links if one.id in met),
        cut_at,
        targets,
        len(proofs),
        sum(not proof.references for proof in proofs),
    )


def _uses(graph: ReferenceGraph, node: StatementId, inferred: TermUses | None) -> Iterable[StatementId]:
    cited = graph.uses.get(node, ())
    return cited if inferred is None else dict.fromkeys((*cited, *inferred.needed(node)))


def _infer(
    graph: ReferenceGraph, kept: set[StatementId], stops: set[StatementId], inferred: TermUses, limit: int
) -> dict[StatementId, Inferred]:
    """Add what the statements of a path need without citing it, nearest first, as long as there is room."""
    reasons: dict[StatementId, Inferred] = {}
    frontier = sorted(kept)
    while frontier:
        reached: dict[StatementId, Inferred | None] = {}
        for node in frontier:
            for key, reason in {**dict.fromkeys(graph.uses.get(node, ())), **inferred.needed(node)}.items():
                if key not in kept and key not in stops:
                    reached.setdefault(key, reason)
        if len(kept) + len(reached) > limit:
            break
        kept.update(reached)
        reasons |= {key: reason for key, reason in reached.items() if reason}
        frontier = list(reached)
    return reasons


def known_statements(corpus: Corpus, names: Iterable[str]) -> list[StatementId]:
    """What is known: statements by any name, and all statements of a chapter or section by its name or number.

    ``Groups``, ``chapter Groups``, ``Chapter 3`` and ``Section 3.2`` stand for all statements there.
    """
    found: dict[StatementId, None] = {}
    for name in names:
        found |= dict.fromkeys(_known(corpus, name.strip()))
    return list(found)


def _known(corpus: Corpus, name: str) -> list[StatementId]:
    part = _PART.fullmatch(name)
    if part is None:
        matches = corpus.names.matches(name)
        if len(matches) == 1:
            return [matches[0].id]
    wanted = (part[1] if part else name).casefold()
    inside = [
        one.id
        for one in corpus.statements
        if (one.place and (wanted in (one.place.chapter.casefold(), one.place.section.casefold())))
        or (part is not None and one.number.casefold().startswith(f"{wanted}."))
    ]
    if part is not None and not inside and not corpus.names.matches(name):
        chapters = list(dict.fromkeys(filter(None, (one.chapter or one.section for one in corpus.statements))))
        more = " …" if len(chapters) > _LISTED else ""
        listed = f"; there are: {', '.join(chapters[:_LISTED])}{more}" if chapters else ""
        raise UnknownName(f"no chapter or section is called {part[1][:80]!r} in {corpus.name}{listed}")
    # The error of an unknown name lists the nearest ones.
    return inside or [corpus.find(name).id]


@dataclass(frozen=True, slots=True)
class ChapterImpact:
    """How much of a chapter depends on a statement."""

    chapter: str
    statements: int
    """How many of its statements depend on it."""
    nearest: int
    """The distance of the nearest."""
    total: int
    """How many statements the chapter has."""


def impact_by_chapter(corpus: Corpus, found: Iterable[tuple[StatementId, int]]) -> list[ChapterImpact]:
    """What depends on a statement, counted by chapter, in reading order."""
    totals = Counter(group_name(statement, "chapter") for statement in corpus.statements)
    distances: dict[str, list[int]] = {}
    for key, distance in found:
        distances.setdefault(group_name(corpus.by_id[key], "chapter"), []).append(distance)
    return [
        ChapterImpact(name, len(distances[name]), min(distances[name]), total)
        for name, total in totals.items()
        if name in distances
    ]


def impact(corpus: Corpus, graph: ReferenceGraph, node: StatementId) -> list[tuple[StatementId, int]]:
    """Everything that depends on a statement, nearest first, then in reading order."""
    rank = {one.id: position for position, one in enumerate(corpus.links)}
    return sorted(consequences(graph, node).items(), key=lambda item: (item[1], rank[item[0]]))


def _collect(
    graph: ReferenceGraph, targets: Sequence[StatementId], stops: set[StatementId], limit: int
) -> tuple[set[StatementId], set[StatementId], int | None]:
    """All within reach, the known ones met on the way, and where it was cut."""
    kept, met, frontier, distance = set(targets), set[StatementId](), list(targets), 0
    while frontier:
        distance += 1
        reached = dict.fromkeys(cited for node in frontier for cited in graph.uses.get(node, ()) if cited not in kept)
        met |= stops.intersection(reached)
        frontier = [node for node in reached if node not in stops]
        if len(kept) + len(frontier) > limit:
            return kept, met, distance
        kept.update(frontier)
    return kept, met, None


def _order(corpus: Corpus, uses: dict[StatementId, tuple[StatementId, ...]]) -> list[StatementId]:
    """What is rested on first; among what is free, the book's own order. A circle is read in the book's order."""
    rank = {one.id: position for position, one in enumerate(corpus.links)}
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


# The statements around one: what is within a few steps, the nearest of it, and which cites which.


@dataclass(frozen=True, slots=True)
class Link:
    """From a cited statement to one that cites it."""

    source: StatementId
    target: StatementId
    proof: bool
    """Whether only a proof cites it, and not the statement itself."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The statements around one statement, itself included."""

    centre: StatementId
    distances: Mapping[StatementId, int]
    """In reading order; negative for prerequisites of the centre, positive for its consequences."""
    links: tuple[Link, ...]
    left_out: int
    """How many within reach are not there because of the limit."""


def neighbourhood(
    corpus: Corpus, graph: ReferenceGraph, centre: StatementId, *, up: int, down: int, limit: int
) -> Neighbourhood:
    """The statements within reach, nearest first and most used first, up to a limit.

    Args:
        corpus: The statements, for their reading order.
        graph: Which edges count.
        centre: The statement in the middle.
        up: Steps towards what it uses.
        down: Steps towards what uses it.
        limit: The largest number of statements.
    """
    distances = around(graph, centre, up, down)
    chosen = _nearest(graph, distances, limit)
    shown = {one.id: distances[one.id] for one in corpus.links if one.id in chosen} if len(chosen) > 1 else {centre: 0}
    links = tuple(
        Link(used, user, used not in graph.statement_uses.get(user, ()))
        for user in shown
        for used in graph.uses.get(user, ())
        if used in shown
    )
    return Neighbourhood(centre, shown, links, len(distances) - len(shown))


def _nearest(graph: ReferenceGraph, distances: Mapping[StatementId, int], limit: int) -> set[StatementId]:
    """The nearest on either side in turn, so that a much used definition still shows its prerequisites."""
    sides = [
        sorted(
            (key for key, steps in distances.items() if steps * sign > 0),
            key=lambda key: (abs(distances[key]), -len(graph.used_by.get(key, ())), key),
        )
        for sign in (-1, 1)
    ]
    free = limit - 1
    first = min(len(sides[0]), max(free - len(sides[1]), (free + 1) // 2))
    chosen = {*sides[0][:first], *sides[1][: free - first]}
    return chosen | {key for key, steps in distances.items() if steps == 0}
