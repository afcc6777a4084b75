"""The scorer of the hybrid: the trees' order of the pool, probabilities and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np

from naturalproofs.errors import NotCacheable
from naturalproofs.ranking.contract import RankedCandidate, Scorer, Scores
from naturalproofs.ranking.hybrid.boosting import Boosters
from naturalproofs.ranking.hybrid.cache import PreparedTexts, open_prepared, save_arrays
from naturalproofs.ranking.hybrid.candidates import EXCLUDED
from naturalproofs.ranking.hybrid.features import FeatureTable, features
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, PooledQuery, first_stage
from naturalproofs.ranking.hybrid.reasons import reasons
from naturalproofs.ranking.term_vectors import Floats, Ints, best
from naturalproofs.records import Passage, StatementId

TIE = np.float32(1e-3)
"""The weight of the first stage where trees give equal scores."""
DEEPER = 2
"""The size of the deeper pool, in pools."""
BLOCK = 256
"""Queries that other methods score at a time."""


@dataclass(frozen=True, slots=True)
class HybridScorer:
    """A fitted hybrid bound to candidates."""

    bound: HybridIndex = field(repr=False)
    boosters: Boosters | None = field(repr=False)
    """None keeps the order of the first stage."""
    others: tuple[tuple[str, Scorer], ...] = field(default=(), repr=False)
    source: PreparedTexts | Path | None = field(default=None, repr=False, compare=False)
    """What the next index can reuse, or the folder that it is saved in."""

    @property
    def prepared(self) -> PreparedTexts | None:
        """What the next index can reuse."""
        return open_prepared(self.source) if isinstance(self.source, Path) else self.source

    def score(self, queries: Sequence[Passage]) -> Scores:
        """The trees' order for the pool and, from its middle on, for a larger one; below it the first stage's."""
        return self.score_calibrated(queries, [()] * len(queries))[0]

    def score_calibrated(self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]]) -> tuple[Scores, Scores]:
        """The same scores, and the probabilities of the pool's candidates that are not excluded."""
        return self.score_together(queries, excluded, ())[0]

    def score_together(
        self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]], others: Sequence[HybridScorer]
    ) -> list[tuple[Scores, Scores]]:
        """The same for several sets of trees over one index, whose features are computed once."""
        shape = len(queries), len(self.bound.candidates)
        scorers = (self, *others)
        answers = [(np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)) for _ in scorers]
        for row, (pooled, table) in enumerate(self.each(queries)):
            deeper = self._deeper(pooled)
            allowed = ~np.isin(pooled.pool, np.asarray(excluded[row], dtype=np.intp))
            for (scores, probabilities), scorer in zip(answers, scorers, strict=True):
                ordered = scorer._pool_scores(pooled, table)
                below = (deeper[0].pool, scorer._pool_scores(*deeper)) if deeper is not None else None
                scores[row] = whole_order(pooled, ordered, below)
                stated = scorer._probabilities(pooled, table, ordered[allowed])
                if stated is not None:
                    probabilities[row, pooled.pool[allowed]] = stated
        return answers

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        explained: int | None = None,
    ) -> tuple[RankedCandidate, ...]:
        """The best k candidates with probabilities and reasons."""
        pooled, table = next(self.each([query], [excluded], cited))
        scores = self._pool_scores(pooled, table)
        top = best(scores, k)
        top = top[pooled.supported[top]]
        booster = self.boosters.for_table(table) if self.boosters is not None else None
        probabilities = self._probabilities(pooled, table, scores)
        explained_by = reasons(self.bound, pooled, table, booster, top[:explained].tolist())
        return tuple(
            RankedCandidate(
                position=int(pooled.pool[row]),
                score=float(scores[row]),
                probability=float(probabilities[row]) if probabilities is not None else None,
                reasons=why,
            )
            for row, why in zip_longest(top.tolist(), explained_by, fillvalue=())
        )

    def save_arrays(self, folder: Path) -> None:
        """Write the arrays of the index."""
        if self.others:
            raise NotCacheable("a hybrid with other methods among its signals cannot be cached; index it when needed")
        save_arrays(folder, self.bound, self.prepared)

    def each(
        self,
        queries: Sequence[Passage],
        excluded: Sequence[Collection[int]] = (),
        cited: Sequence[StatementId] = (),
    ) -> Iterator[tuple[PooledQuery, FeatureTable]]:
        """Pools of queries with their features; other methods score queries in batches, which suits networks.

        Args:
            queries: The theorems.
            excluded: By query, the positions that may not be suggested; empty for no restriction.
            cited: What the unfinished proof cites already.
        """
        for first in range(0, len(queries), BLOCK):
            block = queries[first : first + BLOCK]
            others = {spec: scorer.score(block) for spec, scorer in self.others}
            for row, query in enumerate(block):
                banned = excluded[first + row] if excluded else ()
                extra = {spec: scores[row] for spec, scores in others.items()}
                pooled = first_stage(self.bound, query, banned=banned, extra=extra, cited=cited)
                yield pooled, features(self.bound, pooled)

    def _pool_scores(self, pooled: PooledQuery, table: FeatureTable) -> Floats:
        if self.boosters is None:
            return pooled.first[pooled.pool]
        # Trees give many candidates the same score; the first stage breaks ties.
        return self.boosters.for_table(table).scores(table) + TIE * pooled.first[pooled.pool]

    def _probabilities(self, pooled: PooledQuery, table: FeatureTable, scores: Floats) -> Floats | None:
        """Of scores of the pool; none without trees."""
        if self.boosters is None:
            return None
        return self.boosters.for_table(table).calibration(scores, pooled.citing_rate(self.bound))

    def _deeper(self, pooled: PooledQuery) -> tuple[PooledQuery, FeatureTable] | None:
        """The query with a larger pool, and its features.

        The trees are trained on pools of the usual size, so their scores there are worse at the top; further down they
        are better than the first stage.
        """
        allowed = int((pooled.first > EXCLUDED).sum())
        if self.boosters is None or allowed <= len(pooled.pool):
            return None
        deeper = replace(pooled, pool=best(pooled.first, min(DEEPER * self.bound.pool, allowed)))
        return deeper, features(self.bound, deeper)


def whole_order(pooled: PooledQuery, scores: Floats, deeper: tuple[Ints, Floats] | None = None) -> Floats:
    """Scores for all candidates, in bands from below.

    Excluded candidates are below zero. Then come the first stage's order, between zero and one; the deeper pool's, if
    there is one; and the pool's, of which the better half is kept if there is a deeper pool.
    """
    first = pooled.first
    allowed = first > EXCLUDED
    whole = np.full(len(first), -1, dtype=np.float32)
    if not allowed.any():
        return whole
    low, high = first[allowed].min(), first[allowed].max()
    whole[allowed] = (first[allowed] - low) / (high - low + np.float32(1e-6))
    kept = np.arange(len(scores))
    if deeper is not None:
        pool, below = deeper
        whole[pool] = below - below.min() + np.float32(2)
        kept = best(scores, max(1, len(scores) // 2))
    whole[pooled.pool[kept]] = scores[kept] - scores[kept].min() + whole.max() + np.float32(1)
    return whole
