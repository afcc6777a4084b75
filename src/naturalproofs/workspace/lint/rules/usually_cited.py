"""Results that the proofs of similar theorems cite, and this proof does not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from naturalproofs.records import Origin, Statement, StatementId
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding

if TYPE_CHECKING:
    from naturalproofs.workspace.lexical.scorer import Lexical
    from naturalproofs.workspace.shelf import Shelf

VOTES = 5
"""How many of the most similar proofs must cite it …"""
LOOKED = 10
"""… among so many …"""
SIMILAR = 0.3
"""… whose theorems are at least so similar."""


def usually_cited(context: Context) -> Iterator[Finding]:
    """Proofs that leave out what similar proofs cite."""
    shelf = context.shelf
    lexical = shelf.lexical
    for statement in context.corpus.of_kind("theorem"):
        if not statement.proofs:
            continue
        cited = {*statement.references, *(key for proof in statement.proofs for key in proof.references)}
        citing = shelf.citing(statement.origin.path if statement.origin else "")
        origin = statement.proofs[0].origin or statement.origin or Origin(statement.label, 1)
        for key, similar in usual(shelf, lexical, statement):
            missed = context.corpus.by_id[key]
            if key in cited:
                continue
            names = " and ".join(name_of(context.corpus.by_id[one]) for one in similar[:2])
            message = (
                f"{len(similar)} similar proofs, such as those of {names}, cite {name_of(missed)}; "
                f"the proof of {name_of(statement)} does not: {citing.citation(missed)}"
            )
            subject = f"{statement.label} -> {missed.label}"
            yield context.finding("usually-cited", "note", origin, message, subject, statement.label)


def usual(
    shelf: Shelf, lexical: Lexical, statement: Statement
) -> Iterator[tuple[StatementId, tuple[StatementId, ...]]]:
    """What similar proofs would have this one cite, whether it does or not, and the theorems they prove."""
    memory = lexical.memory
    voters: defaultdict[int, list[StatementId]] = defaultdict(list)
    for proof, similarity in lexical.similar(shelf.candidates[shelf.positions[statement.id]], LOOKED):
        if similarity < SIMILAR:
            break
        for position in memory.cited[memory.starts[proof] : memory.starts[proof + 1]].tolist():
            voters[position].append(shelf.candidates[memory.theorems[proof]].id)
    often = {position: theorems for position, theorems in voters.items() if len(theorems) >= VOTES}
    excluded = set(shelf.excluded(statement, shelf.position_of(statement))) if often else ()
    for position, theorems in sorted(often.items()):
        if position not in excluded:
            yield shelf.candidates[position].id, tuple(dict.fromkeys(theorems))
