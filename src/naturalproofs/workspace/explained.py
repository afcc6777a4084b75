"""A scorer that says why, by facts anybody can check: shared words, similar proofs, nearness."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.latex.display import plain_unicode
from naturalproofs.ranking.contract import RankedCandidate, Reason, Scorer, Scores
from naturalproofs.records import Passage, StatementId
from naturalproofs.workspace.calibration import calibration_of
from naturalproofs.workspace.lexical.scorer import Lexical, Parts
from naturalproofs.workspace.lexical.settings import PLAIN

_SHOWN_WORDS = 4
_SHOWN_PROOFS = 5
_NEAR = 10
"""Farther back than this, nearness is no reason."""
_SIMILAR = 10
"""How many of the most similar theorems a reason speaks of."""


@dataclass(frozen=True, slots=True)
class Explained:
    """An adviser made of a scorer and the plain facts of its corpus."""

    scorer: Scorer
    facts: Lexical
    candidates: tuple[Passage, ...]

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Score every candidate for every query."""
        return self.scorer.score(queries)

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        explained: int | None = None,
    ) -> Sequence[RankedCandidate]:
        """The best k candidates, best first, and reasons for the first few of them."""
        reasons = k if explained is None else explained
        parts = self.facts.parts(query)
        own = parts.total if self.scorer is self.facts else self.scorer.score([query])[0]
        scores = np.array(own, dtype=np.float32)
        left_out = [*excluded, *(self.facts.positions[key] for key in cited if key in self.facts.positions)]
        scores[np.array(left_out, dtype=np.int64)] = -np.inf
        if self.scorer is self.facts:
            scores[scores <= 0] = -np.inf  # Nothing speaks for these.
        best = _best(scores, k)
        why = _Reasons(self.facts, parts, query, self.candidates)
        settings = self.facts.settings if query.place is not None else PLAIN
        sure = calibration_of(settings, begun=bool(cited)) if self.scorer is self.facts else None
        return [
            RankedCandidate(
                position,
                float(scores[position]),
                sure.probability(float(scores[position]), rank) if sure is not None else None,
                why.of(position) if rank < reasons else (),
            )
            for rank, position in enumerate(best)
        ]


def _best(scores: Scores, k: int) -> Sequence[int]:
    """The positions of the best scores, the earlier one first among equals; nothing that was left out."""
    k = min(k, len(scores))
    if not k:
        return []
    reach = np.partition(scores, len(scores) - k)[len(scores) - k]
    near = np.flatnonzero(scores >= max(reach, np.finfo(np.float32).min))
    order = near[np.argsort(-scores[near], kind="stable")][:k]
    return [int(position) for position in order]


class _Reasons:
    """Why candidates suit a query."""

    def __init__(self, facts: Lexical, parts: Parts, query: Passage, candidates: Sequence[Passage]) -> None:
        self.facts, self.parts, self.query, self.candidates = facts, parts, query, candidates
        weights = parts.voters
        similar = np.argsort(-weights, kind="stable")[:_SIMILAR]
        self.similar = [int(proof) for proof in similar if weights[proof] > 0]
        self.best = max(float(parts.votes.max(initial=0)), 1e-9)

    def of(self, candidate: int) -> tuple[Reason, ...]:
        found = [self._votes(candidate), self._words(candidate), self._place(candidate)]
        return tuple(sorted(filter(None, found), key=lambda reason: -reason.weight))

    def _votes(self, candidate: int) -> Reason | None:
        memory = self.facts.memory
        citing = set(memory.citing(candidate).tolist())
        near = [proof for proof in self.similar if proof in citing]
        names = tuple(dict.fromkeys(self.candidates[memory.theorems[proof]].id for proof in near))[:_SHOWN_PROOFS]
        if not near:
            return None
        text = f"cited by {len(near)} of the {len(self.similar)} most similar proofs"
        weight = self.facts.settings.weights[2] * float(self.parts.votes[candidate]) / self.best
        return Reason("votes", text, names, weight)

    def _words(self, candidate: int) -> Reason | None:
        shared = self.facts.shared(self.query, candidate)[:_SHOWN_WORDS]
        if not shared:
            return None
        best = max(float(self.parts.words.max(initial=0)), 1e-9)
        words = ", ".join(plain_unicode(f"${word}$", {}) or word if word[0] == "\\" else word for word in shared)
        return Reason("words", f"shares {words}", (), float(self.parts.words[candidate]) / best)

    def _place(self, candidate: int) -> Reason | None:
        place, other = self.query.place, self.candidates[candidate].place
        if place is None or other is None:
            return None
        back = place.position - other.position
        if not 0 < back <= _NEAR:
            return None
        text = "stated just above" if back == 1 else f"stated {back} results above"
        return Reason("place", text, (), self.facts.settings.weights[3] * float(self.parts.recency[candidate]))
