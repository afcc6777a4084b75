"""The fitted ranker, and the scorer that is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Self

import numpy as np

from naturalproofs.ranking.contract import FittedRanker, RankedCandidate, Scorer, Scores
from naturalproofs.ranking.hybrid.binding import Associated, desk_of
from naturalproofs.ranking.hybrid.boosting import Booster
from naturalproofs.ranking.hybrid.desk import NEVER, Desk, Question, ask
from naturalproofs.ranking.hybrid.features import Table, features
from naturalproofs.ranking.hybrid.prepared import Prepared
from naturalproofs.ranking.hybrid.reasons import reasons
from naturalproofs.ranking.term_vectors import Floats, Ints, best
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

TIE = np.float32(1e-3)
DEEPER = 2
"""How many times the pool is what trees order far down."""
BLOCK = 256
"""Questions that other methods are asked at a time."""


@dataclass(frozen=True, slots=True)
class Boosters:
    """Trees for queries whose place is known, and for others."""

    placed: Booster
    unplaced: Booster

    def for_table(self, table: Table) -> Booster:
        """Those that read what the table has."""
        return self.placed if "place/distance" in table.names else self.unplaced


@dataclass(frozen=True, slots=True)
class FittedHybrid:
    """What was learnt, and the proofs that vote."""

    train: TrainSet = field(repr=False)
    boosters: Boosters | None = field(repr=False)
    """None leaves the order to the first stage."""
    associated: Associated | None = field(repr=False)
    pool: int
    without: tuple[str, ...] = ()
    signals: tuple[tuple[str, FittedRanker], ...] = field(default=(), repr=False)
    seed: int = 0

    def index(self, candidates: Sequence[Passage]) -> HybridScorer:
        """Bind the candidates."""
        return self._bound(candidates, None)

    def reindex(self, candidates: Sequence[Passage], before: Scorer | Path) -> HybridScorer:
        """Bind the candidates, of which an older scorer has cut most already."""
        if isinstance(before, Path):
            from naturalproofs.ranking.hybrid.kept import prepared

            return self._bound(candidates, prepared(before))
        return self._bound(candidates, before.prepared if isinstance(before, HybridScorer) else None)

    def open_arrays(self, folder: Path, candidates: Sequence[Passage]) -> HybridScorer:
        """Open what a scorer has kept."""
        from naturalproofs.ranking.hybrid.kept import opened

        return HybridScorer(opened(folder, self, candidates), self.boosters, self._others(candidates), folder)

    def _bound(self, candidates: Sequence[Passage], before: Prepared | None) -> HybridScorer:
        now = Prepared.of(candidates, self.associated, before)
        desk = desk_of(
            candidates,
            self.train.examples,
            self.associated,
            pool=self.pool,
            without=self.without,
            cuts=now.cuts,
            texts=now.texts,
        )
        return HybridScorer(desk, self.boosters, self._others(candidates), now)

    def _others(self, candidates: Sequence[Passage]) -> tuple[tuple[str, Scorer], ...]:
        return tuple((spec, fitted.index(candidates)) for spec, fitted in self.signals)

    def save(self, folder: Path) -> None:
        """Write the model's files."""
        from naturalproofs.ranking.hybrid.stored import save

        save(self, folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        from naturalproofs.ranking.hybrid.stored import load

        return cls(**load(folder))

    def describe(self) -> str:
        """What the model card says."""
        from naturalproofs.ranking.hybrid.stored import describe

        return describe(self)


@dataclass(frozen=True, slots=True)
class HybridScorer:
    """Ready to be asked."""

    desk: Desk = field(repr=False)
    boosters: Boosters | None = field(repr=False)
    others: tuple[tuple[str, Scorer], ...] = field(default=(), repr=False)
    made: Prepared | Path | None = field(default=None, repr=False, compare=False)
    """What the next scorer can take over, or the folder that it is kept in."""

    @property
    def prepared(self) -> Prepared | None:
        """What the next scorer can take over."""
        if isinstance(self.made, Path):
            from naturalproofs.ranking.hybrid.kept import prepared

            return prepared(self.made)
        return self.made

    def score(self, queries: Sequence[Passage]) -> Scores:
        """The trees' order for the pool and, from its middle on, for a larger one; below it the first stage's."""
        scores = np.zeros((len(queries), len(self.desk.library)), dtype=np.float32)
        for row, (question, table) in enumerate(self.each(queries)):
            ordered = self._pool_scores(question, table)
            scores[row] = whole_order(question, ordered, self._deeper(question))
        return scores

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        explained: int | None = None,
    ) -> tuple[RankedCandidate, ...]:
        """The best k candidates with probabilities and reasons; what is cited already counts as known."""
        question, table = self._asked(query, excluded, cited)
        scores = self._pool_scores(question, table)
        top = best(scores, k)
        top = top[question.spoken_for[top]]
        booster = self.boosters.for_table(table) if self.boosters is not None else None
        probabilities = booster.calibration(scores) if booster is not None else None
        said = reasons(self.desk, question, table, booster, top[:explained].tolist())
        return tuple(
            RankedCandidate(
                position=int(question.pool[row]),
                score=float(scores[row]),
                probability=float(probabilities[row]) if probabilities is not None else None,
                reasons=why,
            )
            for row, why in zip_longest(top.tolist(), said, fillvalue=())
        )

    def probabilities(self, query: Passage) -> Floats:
        """For each candidate the probability that the proof cites it; see `calibration.expected_coverage`."""
        found = np.zeros(len(self.desk.library), dtype=np.float32)
        question, table = self._asked(query, (), ())
        if self.boosters is not None:
            booster = self.boosters.for_table(table)
            found[question.pool] = booster.calibration(booster.scores(table))
        return found

    def save_arrays(self, folder: Path) -> None:
        """Write all that scoring and advising need."""
        from naturalproofs.ranking.hybrid.kept import keep

        keep(self, folder)

    def each(
        self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()
    ) -> Iterator[tuple[Question, Table]]:
        """Questions with the features of their pools; other methods are asked many at a time, which suits networks."""
        for first in range(0, len(queries), BLOCK):
            block = queries[first : first + BLOCK]
            others = {spec: scorer.score(block) for spec, scorer in self.others}
            for row, query in enumerate(block):
                banned = excluded[first + row] if excluded else ()
                extra = {spec: scores[row] for spec, scores in others.items()}
                question = ask(self.desk, query, banned=banned, extra=extra)
                yield question, features(self.desk, question)

    def _asked(self, query: Passage, banned: Collection[int], cited: Sequence[StatementId]) -> tuple[Question, Table]:
        extra = {spec: scorer.score([query])[0] for spec, scorer in self.others}
        question = ask(self.desk, query, banned=banned, extra=extra, cited=cited)
        return question, features(self.desk, question)

    def _pool_scores(self, question: Question, table: Table) -> Floats:
        if self.boosters is None:
            return question.first[question.pool]
        # Trees give many candidates the same score; among those the first stage decides.
        return self.boosters.for_table(table).scores(table) + TIE * question.first[question.pool]

    def _deeper(self, question: Question) -> tuple[Ints, Floats] | None:
        """A larger pool and the trees' scores there.

        They are worse at the top, since the trees have learnt from pools of the usual size, and better than the first
        stage at telling what may stand far down.
        """
        allowed = int((question.first > NEVER).sum())
        if self.boosters is None or allowed <= len(question.pool):
            return None
        deeper = replace(question, pool=best(question.first, min(DEEPER * self.desk.pool, allowed)))
        return deeper.pool, self._pool_scores(deeper, features(self.desk, deeper))


def whole_order(question: Question, scores: Floats, deeper: tuple[Ints, Floats] | None = None) -> Floats:
    """Scores for all candidates, from those that are none up in steps of more than one.

    What is no candidate is below zero; then come the first stage's order, between zero and one; the deeper pool's,
    if there is one; and the pool's, of which a deeper pool leaves the better half.
    """
    first = question.first
    allowed = first > NEVER
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
    whole[question.pool[kept]] = scores[kept] - scores[kept].min() + whole.max() + np.float32(1)
    return whole
