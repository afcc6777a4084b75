"""The first stage: every signal over all candidates, their weighted sum, and the pool that the trees order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.association import BoundAssociation, TrainedAssociation
from naturalproofs.ranking.hybrid.candidates import Candidates
from naturalproofs.ranking.hybrid.passage_terms import VIEWS, PassageCounts, PassageTerms, passage_terms
from naturalproofs.ranking.hybrid.proofs import COMPARED, TrainingProofs
from naturalproofs.ranking.lsa import unit
from naturalproofs.ranking.term_vectors import Bag, Floats, Ints, against_all, best, relative
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample

POOL = 1000
EXCLUDED = np.float32(-1e9)
DEPTHS = {"tokens": (5, 20, 100), "title": (20,), "opening": (100,), "learned": (5, 20, 100)}
"""How many of the most similar proofs vote, by similarity."""
POWER = {5: 1.0, 20: 1.0, 100: 3.0}
FIRST = {"tokens": 1.0, "bm25": 0.5, "title": 0.5, "naming": 0.3, "votes": 0.5, "learned": 0.25, "place": 1.0}
"""Weights of the first stage, set by hand on Stacks valid."""
NEAR = 10.0
"""Distance at which nearness has halved."""


@dataclass(frozen=True, slots=True)
class HybridIndex:
    """Candidates, training proofs and the association: all that queries are scored against."""

    candidates: Candidates
    proofs: TrainingProofs
    association: BoundAssociation | None = None
    pool: int = POOL
    without: frozenset[str] = frozenset()
    """Feature groups that are not used."""

    @classmethod
    def of(
        cls,
        passages: Sequence[Passage],
        examples: Sequence[TrainingExample],
        association: TrainedAssociation | None,
        *,
        pool: int,
        without: Sequence[str],
        counts: PassageCounts | None = None,
        texts: Floats | None = None,
    ) -> HybridIndex:
        """Bind candidates and proofs; term counts and vectors that are given are not computed again."""
        counts = counts or PassageCounts.of(passages)
        candidates = Candidates.of(passages, counts)
        bound = None
        if association is not None and len(candidates):
            vectors = association.space.vectors(counts.views) if texts is None else texts
            bound = association.bind(candidates.column, examples, counts, vectors)
        return cls(candidates, TrainingProofs.of(examples, candidates), bound, pool, frozenset(without))

    def indicator(self, keys: Sequence[StatementId]) -> Floats:
        """Ones for the candidates with these ids."""
        found = np.zeros(len(self.candidates), dtype=np.float32)
        found[[self.candidates.column[key] for key in keys if key in self.candidates.column]] = 1
        return found


@dataclass(slots=True)
class PooledQuery:
    """A query after the first stage: its signals over all candidates, and its pool."""

    query: Passage
    terms: PassageTerms
    bags: dict[str, Bag]
    hidden: Ints
    """Training proofs that may not be used; see `TrainingProofs.hidden`."""
    scores: dict[str, Floats]
    """By signal, for all candidates."""
    similar: dict[str, Floats]
    """By similarity, for all training proofs; zero for hidden ones."""
    votes: dict[str, Floats]
    vector: Floats
    mapped: Floats
    first: Floats
    """The first stage's score of every candidate; `EXCLUDED` for those that may not be suggested."""
    pool: Ints
    """The best candidates of the first stage, best first."""
    extra: dict[str, Floats] = field(default_factory=dict)
    """Scores of other methods."""
    known: tuple[int, ...] = ()
    """Candidates that an unfinished proof cites already."""

    @property
    def supported(self) -> NDArray[np.bool_]:
        """Of the pool, the candidates that some signal supports.

        For a text that has nothing in common with the corpus, the trees' order is meaningless.
        """
        if self.known or self.query.cites:
            return np.ones(len(self.pool), dtype=np.bool_)
        return self.first[self.pool] > 0


def first_stage(
    index: HybridIndex,
    query: Passage,
    *,
    banned: Collection[int] | range = (),
    extra: dict[str, Floats] | None = None,
    cited: Sequence[StatementId] = (),
) -> PooledQuery:
    """Compute the signals and choose the pool.

    Args:
        index: Candidates and proofs.
        query: The theorem.
        banned: Positions that are no candidates, besides the theorem itself and what stands later.
        extra: Scores of other methods for all candidates.
        cited: What an unfinished proof cites already; it is not suggested again.
    """
    candidates, proofs, terms = index.candidates, index.proofs, passage_terms(query)
    bags = {view: candidates.vocabularies[view].bag(select(terms)) for view, select in VIEWS.items()}
    hidden = proofs.hidden(query.id)
    tokens = bags["tokens"]
    scores = {
        "tokens": against_all(tokens, candidates.tokens_by_term),
        "title": against_all(bags["title"], candidates.titles_by_term),
        "bm25": against_all(Bag(tokens.terms, np.ones_like(tokens.weights)), candidates.bm25_by_term),
        "naming": against_all(candidates.vocabularies["prose"].present(terms.prose), candidates.names_by_term)
        / candidates.name_mass,
    }
    similar = {view: against_all(bags[view], proofs.by_term[view]) for view in COMPARED}
    # Titles that open alike belong to one chapter; within it, more similar theorems count more.
    similar["opening"] = similar["opening"] * (similar["tokens"] + np.float32(0.05))
    vector = mapped = np.zeros(0, dtype=np.float32)
    if index.association is not None:
        association = index.association
        vector = association.space.vectors_of_terms({view: [select(terms)] for view, select in VIEWS.items()})[0]
        mapped = vector @ association.map
        scores["learned"] = association.references @ mapped
        similar["learned"] = np.maximum(association.theorems @ unit(mapped[None, :])[0], 0)
    for values in similar.values():
        values[hidden] = 0
    votes = {f"{view}_{k}": proofs.votes(values, k, POWER[k]) for view, values in similar.items() for k in DEPTHS[view]}
    known = tuple(candidates.column[key] for key in dict.fromkeys(cited) if key in candidates.column)
    allowed = _allowed(index, query, {*banned, *known})
    first = np.where(allowed, _weighted_sum(index, query, scores, votes, allowed, extra or {}), EXCLUDED)
    pool = best(first, min(index.pool, int(allowed.sum())))
    return PooledQuery(
        query, terms, bags, hidden, scores, similar, votes, vector, mapped, first, pool, extra or {}, known
    )


def _allowed(index: HybridIndex, query: Passage, banned: Collection[int] | range) -> NDArray[np.bool_]:
    candidates = index.candidates
    allowed = np.ones(len(candidates), dtype=np.bool_)
    if query.id in candidates.column:
        allowed[candidates.column[query.id]] = False
    if candidates.place is not None and query.place is not None:
        allowed &= candidates.place < query.place.position
    if len(banned):
        allowed[np.fromiter(banned, dtype=np.intp, count=len(banned))] = False
    return allowed


def _weighted_sum(
    index: HybridIndex,
    query: Passage,
    scores: dict[str, Floats],
    votes: dict[str, Floats],
    allowed: NDArray[np.bool_],
    extra: dict[str, Floats],
) -> Floats:
    """The weighted sum of the signals, each relative to its best."""
    without = index.without
    total = np.zeros(len(index.candidates), dtype=np.float32)
    parts = {"words": ("tokens", "bm25"), "titles": ("title", "naming")}
    for group, names in parts.items():
        for name in names if group not in without else ():
            total += np.float32(FIRST[name]) * relative(scores[name])
    if "votes" not in without:
        for name in ("tokens_100", "learned_100"):
            total += np.float32(FIRST["votes"]) * relative(votes[name]) if name in votes else np.float32(0)
    for values in [scores["learned"]] if "learned" in scores else []:
        total += np.float32(FIRST["learned"]) * standardised(values, allowed)
    for values in extra.values():
        total += np.float32(FIRST["learned"]) * standardised(values, allowed)
    if index.candidates.place is not None and query.place is not None and "place" not in without:
        distance = np.float32(query.place.position) - index.candidates.place
        near = np.float32(NEAR) / (np.float32(NEAR) + np.maximum(distance, 0))
        total += np.float32(FIRST["place"]) * np.where(distance > 0, near, 0)
    return total


def standardised(values: Floats, allowed: NDArray[np.bool_]) -> Floats:
    """Deviations from the mean of the allowed candidates, in standard deviations."""
    seen = values[allowed]
    if not len(seen):
        return np.zeros_like(values)
    found: Floats = (values - seen.mean()) / (seen.std() + np.float32(1e-6))
    return found
