"""The registry of feature groups, and the feature table of a pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.first_stage import HybridIndex, PooledQuery
from naturalproofs.ranking.hybrid.proof_features import analogous, counts, learned, stated, together, votes
from naturalproofs.ranking.hybrid.text_features import formulas, place, shape, titles, words
from naturalproofs.ranking.term_vectors import Floats, rank_of


def first(_index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """The score and rank of the first stage."""
    score = pooled.first[pooled.pool]
    return {"score": score, "rank": np.arange(len(score), dtype=np.float32), "gap": score - score.max(initial=0)}


GROUPS: dict[str, Callable[[HybridIndex, PooledQuery], dict[str, Floats]]] = {
    "first": first,
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
"""Feature groups by name, in the order of the columns. A group is added or dropped here."""
ABSOLUTE = frozenset("bm25 rare_word rare_words rare_pair rare_pairs count stated_count".split())
"""Features whose scale depends on the corpus; the shipped trees do not use them."""


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Features of the pool, a row per candidate."""

    names: tuple[str, ...]
    """``group/feature``."""
    values: Floats


def features(index: HybridIndex, pooled: PooledQuery) -> FeatureTable:
    """Every feature of every candidate in the pool."""
    found: dict[str, Floats] = {}
    for group, make in GROUPS.items():
        if group not in index.without:
            found.update({f"{group}/{name}": values for name, values in make(index, pooled).items()})
    for number, (_, scores) in enumerate(sorted(pooled.extra.items())):
        values = scores[pooled.pool]
        found[f"signal{number}/score"] = values
        found[f"signal{number}/rank"] = rank_of(values)
        # The best may be below zero: networks give log probabilities.
        found[f"signal{number}/gap"] = values - values.max(initial=-np.inf)
    return FeatureTable(tuple(found), np.column_stack(list(found.values())).astype(np.float32, copy=False))


def portable_names(names: Sequence[str]) -> tuple[str, ...]:
    """The features that mean the same in every corpus."""
    return tuple(name for name in names if name.partition("/")[2] not in ABSOLUTE)
