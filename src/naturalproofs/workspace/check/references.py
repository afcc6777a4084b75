"""Rules about labels, references and proofs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from naturalproofs.corpus.graph import ReferenceGraph, components
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Origin, Severity, Statement, StatementId
from naturalproofs.workspace.check.finding import Problem, comes_later, name_of
from naturalproofs.workspace.open_corpus import OpenCorpus

_AUXILIARY = frozenset({"lemma", "sublemma", "claim", "lem"})
"""Forms that exist to be used; a theorem may be an end in itself."""
_UNPROVED = frozenset({"conjecture", "question", "problem", "hypothesis", "exercise", "fact", "assumption"})
"""Forms that are not expected to be proved."""


def undefined_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations, in statements, proofs and the text around them, whose label does not exist."""
    reported: set[tuple[str, int, str]] = set()
    opened = project.opened
    for missed in opened.unresolved:
        if missed.reason == "undefined":
            reported.add((missed.path, missed.line, missed.target))
            yield _undefined(missed.path, missed.line, missed.target)
    if opened.anchors is None:
        return
    for one in project.labels.occurrences:
        keys = (one.key, one.local_key)
        known = any(key in opened.anchors or (one.path, one.line, key) in reported for key in keys)
        if one.is_certain and not one.is_label and not known:
            yield _undefined(one.path, one.line, one.key)


def _undefined(path: str, line: int, key: str) -> Problem:
    return Problem(Origin(path, line), f"no label {key} is defined", key)


def unproved_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems without a proof, except those that cite the literature and those that are not expected to have one."""
    for statement in project.corpus.of_kind("theorem"):
        elsewhere = any("\\cite" in line or "\\qed" in line for line in statement.lines)
        if not statement.proofs and statement.form.casefold() not in _UNPROVED and not elsewhere:
            severity: Severity = "note" if statement.form == "corollary" else "warning"
            yield Problem(statement, f"{name_of(statement)} has no proof", statement.label, severity=severity)


def unlabelled_theorem(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems, lemmas and the like without a label."""
    for statement in project.corpus.of_kind("theorem"):
        if has_generated_label(statement):
            named = f" ({statement.title})" if statement.title else ""
            yield Problem(statement, f"{statement.form or 'theorem'}{named} has no label", statement.label)


def unused_label(project: OpenCorpus) -> Iterator[Problem]:
    """Labels of theorems, equations, sections and the rest that are never cited; lemmas have a rule of their own."""
    for label, anchor in project.anchors.items():
        owner = project.corpus.by_id.get(anchor.owner or "")
        lemma = anchor.kind == "statement" and owner is not None and owner.form.casefold() in _AUXILIARY
        if anchor.kind != "external" and not lemma and label not in project.cited_keys:
            yield Problem(anchor.origin, f"label {label} is never cited", label)


def unused_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Lemmas that no statement, proof or other text cites."""
    used = project.graph.used_by
    for statement in project.corpus.statements:
        auxiliary = statement.form.casefold() in _AUXILIARY
        if auxiliary and statement.id not in used and statement.label not in project.cited_keys:
            yield Problem(statement, f"{name_of(statement)} is never used", statement.label)


def forward_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations in proofs of statements that stand after the proof; a deferred proof counts where it stands."""
    for statement in project.corpus.statements:
        for proof in statement.proofs:
            reported = set()
            for mention in proof.mentions:
                cited = project.corpus.by_id.get(mention.reference or "")
                if cited is not None and cited.id not in reported and comes_later(cited, statement, proof):
                    reported.add(cited.id)
                    origin = Origin((proof.origin or statement.origin or Origin("", 1)).path, mention.line)
                    message = f"the proof of {name_of(statement)} uses {name_of(cited)}, which comes later"
                    yield Problem(origin, message, f"{statement.label} -> {cited.label}", mention.target)


def circular_argument(project: OpenCorpus) -> Iterator[Problem]:
    """Cycles of proofs, each shown by a shortest cycle; citations in statements do not count."""
    graph = ReferenceGraph.of(project.corpus, ["proof"])
    order = {node: number for number, node in enumerate(graph.nodes)}
    for component in components(graph):
        if len(component) > 1:
            cycle = _shortest_cycle(graph, sorted(component, key=order.__getitem__))
            statements = [project.corpus.by_id[node] for node in cycle]
            names = " → ".join(name_of(one) for one in [*statements, statements[0]])
            rest = len(component) - len(cycle)
            more = f" (and {rest} more statements in the same cycle)" if rest else ""
            message = f"circular argument, each proof uses the next: {names}{more}"
            at, key = _citation(statements[0], statements[1])
            yield Problem(at, message, " ".join(sorted(component)), key)


def _citation(user: Statement, used: Statement) -> tuple[Origin | Statement, str]:
    """Where a proof of the first cites the second, and by which key."""
    for proof in user.proofs:
        for mention in proof.mentions:
            if mention.reference == used.id and (origin := proof.origin or user.origin):
                return Origin(origin.path, mention.line), mention.target
    return user, user.label


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
