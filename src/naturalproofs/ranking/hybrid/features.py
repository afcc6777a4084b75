"""The features of the candidates in the pool, by groups that can be left out one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.close import formulas, shape, stated, titles, words
from naturalproofs.ranking.hybrid.desk import Desk, Question
from naturalproofs.ranking.hybrid.nearby import place
from naturalproofs.ranking.hybrid.recall import analogous, counts, learned, together, votes
from naturalproofs.ranking.term_vectors import Floats, rank_of

GROUPS: dict[str, Callable[[Desk, Question], dict[str, Floats]]] = {
    "words": words,
    "titles": titles,
    "formulas": formulas,
    "learned": learned,
    "votes": votes,
    "analogous": analogous,
    "counts": counts,
    "together": together,
    "stated": stated,
    "place": place,
    "shape": shape,
}
"""In the order of the columns."""
ABSOLUTE = frozenset(
    """
    bm25 rare_word rare_words rare_pair rare_pairs count stated_count
    """.split()
)
"""Features whose scale is the corpus's own; a ranker for any corpus does without."""


@dataclass(frozen=True, slots=True)
class Table:
    """Features of the pool: a row a candidate."""

    names: tuple[str, ...]
    """``group/feature``."""
    values: Floats


def features(desk: Desk, question: Question) -> Table:
    """Every feature of every candidate in the pool."""
    first = question.first[question.pool]
    found = {
        "first/score": first,
        "first/rank": np.arange(len(first), dtype=np.float32),
        "first/gap": first - first.max(initial=0),
    }
    for group, make in GROUPS.items():
        if group not in desk.without:
            found.update({f"{group}/{name}": values for name, values in make(desk, question).items()})
    for number, (_, scores) in enumerate(sorted(question.extra.items())):
        values = scores[question.pool]
        found[f"signal{number}/score"] = values
        found[f"signal{number}/rank"] = rank_of(values)
        # The best may well be below zero: networks give logarithms of probabilities.
        found[f"signal{number}/gap"] = values - values.max(initial=-np.inf)
    return Table(tuple(found), np.column_stack(list(found.values())).astype(np.float32, copy=False))


def relative_names(names: Sequence[str]) -> tuple[str, ...]:
    """The features that mean the same in every corpus."""
    return tuple(name for name in names if name.partition("/")[2] not in ABSOLUTE)
