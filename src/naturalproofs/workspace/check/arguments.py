"""Rules about the order of arguments: proofs that use what comes later, one another, or their own theorem."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.corpus.graph import ReferenceGraph, components
from naturalproofs.latex.macros.entries import USES
from naturalproofs.records import Mention, Origin, Proof, Severity, Statement, StatementId
from naturalproofs.workspace.check.blueprint import is_blueprint
from naturalproofs.workspace.check.finding import Problem, comes_later, name_of
from naturalproofs.workspace.check.phrases import ANNOUNCED, ASIDE, DIRECTLY_USED, USED
from naturalproofs.workspace.check.prose import around_citation
from naturalproofs.workspace.open_corpus import OpenCorpus

Use: TypeAlias = Literal["stated", "likely", "none"]
"""How the words around a citation say that a result is used."""
_LINKS = frozenset({"hyperref", "nameref", "pageref"})
"""Commands that link a word; they do not use a result."""
_PART = re.compile(
    r"^\\[a-zA-Z]+\*?(?:\[[^\]]*\])?\{[^{}]*\}[~\s]*(?:\(|\[|\\ref|\\(?:c|auto|item)ref|\$|part|,?\s*(?:part|item|case))|\bn\s*-\s*1|\binduct",
    re.IGNORECASE,
)
_UNORDERED = 0.1
"""Where a larger share of the citations goes forward, the order of the text is not that of the arguments."""


class _Citing(NamedTuple):
    """A citation of one statement in the proof of another."""

    statement: Statement
    proof: Proof
    mention: Mention
    cited: Statement

    @property
    def origin(self) -> Origin:
        return Origin((self.proof.origin or self.statement.origin or Origin("", 1)).path, self.mention.line)

    @property
    def stands_after(self) -> bool:
        """Whether the citation stands after what it cites in one file: a whole section may be the proof."""
        cited = self.cited.origin
        return cited is not None and cited.path == self.origin.path and cited.line < self.origin.line


def _citations(project: OpenCorpus) -> Iterator[_Citing]:
    """Citations of theorems in the proofs of theorems; one of an equation or an item may mean only a hypothesis."""
    for statement in project.corpus.statements:
        for proof in statement.proofs:
            for mention in proof.mentions:
                cited = project.corpus.by_id.get(mention.reference or "")
                anchor = project.anchors.get(mention.target)
                if cited is None or cited.kind != "theorem" or statement.kind != "theorem":
                    continue
                if anchor is None or anchor.kind == "statement":
                    yield _Citing(statement, proof, mention, cited)


def _use(project: OpenCorpus, one: _Citing) -> tuple[Use, str]:
    """How a citation uses what it cites, and its sentence."""
    if one.mention.surface == USES:
        return "stated", ""
    if one.mention.surface in _LINKS:
        return "none", ""
    around = around_citation(project, one.origin.path, one.origin.line, one.mention.target)
    if around is None:
        return "likely", ""
    sentence = " ".join(around)
    if ASIDE.search(sentence):
        return "none", sentence
    return "stated" if USED.search(around[0]) else "likely", sentence


def forward_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations in proofs of theorems that stand after the proof, unless the text says so; not in blueprints.

    Silent if so many citations go forward that the text has no such order.
    """
    if is_blueprint(project):
        return
    cited = [one for one in _citations(project) if one.cited.id != one.statement.id]
    forward = [one for one in cited if comes_later(one.cited, one.statement, one.proof)]
    if len(forward) > max(10, _UNORDERED * len(cited)):
        return
    reported = set()
    for one in forward:
        pair = (one.statement.id, one.cited.id)
        if pair in reported or _in_appendix(one.cited, one.statement) or one.stands_after:
            continue
        use, sentence = _use(project, one)
        if use != "none" and not ANNOUNCED.search(sentence):
            reported.add(pair)
            message = f"the proof of {name_of(one.statement)} uses {name_of(one.cited)}, which comes later"
            yield Problem(one.origin, message, f"{one.statement.label} -> {one.cited.label}", one.mention.target)


def _in_appendix(cited: Statement, statement: Statement) -> bool:
    """Whether a result stands in an appendix, to which the text may refer ahead."""
    named = cited.origin is not None and "append" in cited.origin.path.casefold()
    return named or (cited.number[:1].isalpha() and not statement.number[:1].isalpha())


def circular_argument(project: OpenCorpus) -> Iterator[Problem]:
    r"""Cycles of proofs, each shown by a shortest cycle; in a blueprint only ``\uses`` counts.

    An error if every proof of the cycle says that it uses the next, otherwise a warning.
    """
    blueprint = is_blueprint(project)
    uses: dict[tuple[StatementId, StatementId], Use] = {}
    where: dict[tuple[StatementId, StatementId], _Citing] = {}
    cyclic = set().union(*_cycles(_graph(project, [(one.statement.id, one.cited.id) for one in _citations(project)])))
    for one in _citations(project):
        pair = (one.statement.id, one.cited.id)
        if not cyclic.issuperset(pair) or one.statement.id == one.cited.id or uses.get(pair) == "stated":
            continue
        use = _use(project, one)[0] if not blueprint else "stated" if one.mention.surface == USES else "none"
        if use != "none":
            uses[pair] = use
            where.setdefault(pair, one)
            if use == "stated":
                where[pair] = one
    graph = _graph(project, list(uses))
    order = {statement.id: number for number, statement in enumerate(project.corpus.statements)}
    for component in _cycles(graph):
        cycle = _shortest_cycle(graph, sorted(component, key=order.__getitem__))
        pairs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        severity: Severity = "error" if all(uses.get(pair) == "stated" for pair in pairs) else "warning"
        statements = [project.corpus.by_id[node] for node in cycle]
        names = " → ".join(name_of(one) for one in [*statements, statements[0]])
        rest = len(component) - len(cycle)
        more = f" (and {rest} more statements in the same cycle)" if rest else ""
        message = f"circular argument, each proof uses the next: {names}{more}"
        at = where[pairs[0]]
        yield Problem(at.origin, message, " ".join(sorted(component)), at.mention.target, severity)


def _graph(project: OpenCorpus, pairs: list[tuple[StatementId, StatementId]]) -> ReferenceGraph:
    """The graph of pairs of a statement and one that it uses."""
    uses: dict[StatementId, list[StatementId]] = {}
    for user, used in dict.fromkeys(pairs):
        uses.setdefault(user, []).append(used)
    nodes = tuple(statement.id for statement in project.corpus.statements)
    return ReferenceGraph(nodes, {}, {user: tuple(used) for user, used in uses.items()})


def _cycles(graph: ReferenceGraph) -> list[list[StatementId]]:
    return [list(component) for component in components(graph) if len(component) > 1]


def _shortest_cycle(graph: ReferenceGraph, component: list[StatementId]) -> list[StatementId]:
    """A shortest cycle through the first statement of a component, found breadth first."""
    inside, start = set(component), component[0]
    previous: dict[StatementId, StatementId] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for used in graph.uses.get(node, ()):
            if used == start:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(previous[cycle[-1]])
                return cycle[::-1]
            if used in inside and used not in previous:
                previous[used] = node
                queue.append(used)
    return [start]


def own_theorem(project: OpenCorpus) -> Iterator[Problem]:
    """Proofs that use the theorem they prove: "by Theorem 3" in the proof of Theorem 3, but not one of its parts."""
    for statement in project.corpus.of_kind("theorem"):
        for proof in statement.proofs:
            for mention in proof.mentions:
                own = mention.target == statement.label
                one = _Citing(statement, proof, mention, statement)
                if own and mention.surface not in _LINKS and _is_direct(project, one):
                    message = f"the proof of {name_of(statement)} cites {name_of(statement)} itself"
                    yield Problem(one.origin, message, statement.label, mention.target)


def _is_direct(project: OpenCorpus, one: _Citing) -> bool:
    """Whether the words around a citation use the whole result."""
    around = around_citation(project, one.origin.path, one.origin.line, one.mention.target)
    if around is None:
        return False
    return bool(DIRECTLY_USED.search(around[0])) and not _PART.search(around[1]) and not ASIDE.search(around[0])
