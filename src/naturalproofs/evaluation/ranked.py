"""A query and where its gold references ended up: all that the retrieval measures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from naturalproofs.errors import BadSchema
from naturalproofs.evaluation.ranks import ABSENT, Excluded, TieRule, gold_ranks, top_candidates
from naturalproofs.records import StatementId

KEPT = 100
"""How many of the best candidates a run keeps for display."""


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """The outcome of one query, without its scores."""

    query: str
    gold: tuple[StatementId, ...]
    """The references to be found, each once."""
    ranks: tuple[int | None, ...]
    """For each gold reference its rank from 1 among all candidates; none when it is not a candidate: it is missed."""
    candidates: int
    top: tuple[StatementId, ...] = ()
    """The best candidates in order, for display only."""

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        found = [rank for rank in self.ranks if rank is not None]
        if len(self.gold) != len(self.ranks):
            problem = f"{len(self.gold)} gold references but {len(self.ranks)} ranks"
        elif len(set(self.gold)) != len(self.gold):
            problem = "a gold reference is named twice"
        elif len(set(found)) != len(found):
            problem = "two gold references share a rank"
        elif found and not (min(found) >= 1 and max(found) <= self.candidates):
            problem = f"a rank lies outside 1 to {self.candidates}"
        else:
            return
        raise BadSchema(f"ranked query {self.query}: {problem}; make the run again")

    @property
    def found(self) -> list[int]:
        """The ranks of the gold references that are candidates, in order."""
        return sorted(rank for rank in self.ranks if rank is not None)

    def hits(self, k: int) -> int:
        """How many gold references are among the first k."""
        return sum(rank is not None and rank <= k for rank in self.ranks)


def ranked_queries(
    scores: NDArray[Any],
    *,
    queries: Sequence[str],
    gold: Sequence[Sequence[StatementId]],
    candidates: Sequence[StatementId],
    excluded: Excluded | None = None,
    keep: int = KEPT,
    tie: TieRule = "order",
) -> tuple[RankedQuery, ...]:
    """Turn scores (a row for each query, a column for each candidate) into outcomes.

    Args:
        scores: Higher is better; not a number counts as minus infinity.
        queries: The names of the rows.
        gold: For each row its references; repeats are dropped.
        candidates: The names of the columns.
        excluded: For each row the columns that are no candidates of that query.
        keep: How many of the best to keep for display.
        tie: Who comes first of equal scores.
    """
    if len(queries) != len(scores) or len(candidates) != scores.shape[1]:
        raise BadSchema(
            f"scores: a table of {scores.shape} for {len(queries)} queries and {len(candidates)} candidates"
        )
    column = {name: number for number, name in enumerate(candidates)}
    distinct = [tuple(dict.fromkeys(references)) for references in gold]
    columns = [[column.get(reference, ABSENT) for reference in references] for references in distinct]
    ranks = gold_ranks(scores, columns, excluded, tie=tie)
    found = []
    for number, query in enumerate(queries):
        without = excluded[number] if excluded else ()
        best = top_candidates(scores[number], keep, without, tie=tie)
        top = tuple(candidates[index] for index in best.tolist())
        found.append(RankedQuery(query, distinct[number], ranks[number], len(candidates) - len(set(without)), top))
    return tuple(found)
