"""The reference graph of a corpus.

An edge runs from a statement to each statement that *uses* it, as in the paper: leaves are what nobody uses, heads use
nothing. Edges of statements and edges of proofs are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import StatementId

EdgeKind: TypeAlias = Literal["statement", "proof"]
Adjacency: TypeAlias = Mapping[StatementId, tuple[StatementId, ...]]


@dataclass(frozen=True)
class ReferenceGraph:
    """Who uses whom. Nodes without any edge are kept among `nodes` but are neither leaves nor heads."""

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
        for statement in corpus.skeletons:
            key = statement.id
            if "statement" in wanted and (cited := _once(statement.references, key)):
                by_statement[key] = cited
            if "proof" in wanted and (cited := _once(chain.from_iterable(statement.proofs), key)):
                by_proof[key] = cited
        return cls(tuple(statement.id for statement in corpus.skeletons), by_statement, by_proof)

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
