"""One question on the desk: every signal over all candidates, the first stage, and the pool to be looked at closely."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.library import RECALLED, Library
from naturalproofs.ranking.hybrid.memory import Memory
from naturalproofs.ranking.hybrid.terms import VIEWS, PassageTerms, passage_terms
from naturalproofs.ranking.lsa import LatentSpace, unit
from naturalproofs.ranking.term_vectors import Bag, Floats, Ints, against_all, best, relative
from naturalproofs.records import Passage, StatementId

POOL = 1000
NEVER = np.float32(-1e9)
DEPTHS = {"tokens": (5, 20, 100), "title": (20,), "opening": (100,), "learned": (5, 20, 100)}
"""How many of the most similar proofs vote, by similarity."""
POWER = {5: 1.0, 20: 1.0, 100: 3.0}
FIRST = {"tokens": 1.0, "bm25": 0.5, "title": 0.5, "naming": 0.3, "votes": 0.5, "learned": 0.25, "place": 1.0}
"""Weights of the first stage, set by hand with an eye on Stacks valid."""
NEAR = 10.0
"""Statements after which nearness has halved."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The association bound to candidates and proofs."""

    embedding: LatentSpace
    map: Floats
    texts: Floats
    """Candidates' vectors."""
    references: Floats
    """The same, shifted."""
    theorems: Floats
    """Training theorems after the map, of length one."""


@dataclass(frozen=True, slots=True)
class Desk:
    """All that questions are asked of."""

    library: Library
    memory: Memory
    learned: Learned | None = None
    pool: int = POOL
    without: frozenset[str] = frozenset()
    """Groups of signals that are not used."""


@dataclass(slots=True)
class Question:
    """What is known of one query before candidates are looked at one by one."""

    query: Passage
    terms: PassageTerms
    bags: dict[str, Bag]
    hidden: Ints
    scores: dict[str, Floats]
    """By signal, for all candidates."""
    similar: dict[str, Floats]
    """By similarity, for all training proofs; hidden ones are not similar."""
    votes: dict[str, Floats]
    vector: Floats
    mapped: Floats
    first: Floats
    pool: Ints
    extra: dict[str, Floats] = field(default_factory=dict)
    """Scores of other methods."""
    known: tuple[int, ...] = ()
    """Candidates that a partial proof cites already."""

    @property
    def spoken_for(self) -> NDArray[np.bool_]:
        """Of the pool, what any signal speaks for.

        Where a text has nothing in common with a corpus, trees give an order all the same, and it means nothing.
        """
        if self.known or self.query.cites:
            return np.ones(len(self.pool), dtype=np.bool_)
        return self.first[self.pool] > 0


def ask(
    desk: Desk,
    query: Passage,
    *,
    banned: Collection[int] | range = (),
    extra: dict[str, Floats] | None = None,
    cited: Sequence[StatementId] = (),
) -> Question:
    """Work out the signals and choose the pool.

    Args:
        desk: What is asked.
        query: The theorem.
        banned: Positions that are no candidates, beside the theorem itself and what stands later.
        extra: Scores of other methods for all candidates.
        cited: What a partial proof cites already; it is not suggested again.
    """
    library, memory, terms = desk.library, desk.memory, passage_terms(query)
    bags = {view: library.vocabularies[view].bag(cut(terms)) for view, cut in VIEWS.items()}
    hidden = memory.hidden(query.id)
    tokens = bags["tokens"]
    scores = {
        "tokens": against_all(tokens, library.tokens_by_term),
        "title": against_all(bags["title"], library.titles_by_term),
        "bm25": against_all(Bag(tokens.terms, np.ones_like(tokens.weights)), library.bm25_by_term),
        "naming": against_all(library.vocabularies["prose"].present(terms.prose), library.names_by_term)
        / library.name_mass,
    }
    similar = {view: against_all(bags[view], memory.by_term[view]) for view in RECALLED}
    # What opens alike is a chapter; within it, the more similar count more.
    similar["opening"] = similar["opening"] * (similar["tokens"] + np.float32(0.05))
    vector = mapped = np.zeros(0, dtype=np.float32)
    if desk.learned is not None:
        vector = desk.learned.embedding.vectors_of_terms({view: [cut(terms)] for view, cut in VIEWS.items()})[0]
        mapped = vector @ desk.learned.map
        scores["learned"] = desk.learned.references @ mapped
        similar["learned"] = np.maximum(desk.learned.theorems @ unit(mapped[None, :])[0], 0)
    for values in similar.values():
        values[hidden] = 0
    votes = {f"{view}_{k}": memory.votes(values, k, POWER[k]) for view, values in similar.items() for k in DEPTHS[view]}
    known = tuple(library.column[key] for key in dict.fromkeys(cited) if key in library.column)
    allowed = _allowed(desk, query, {*banned, *known})
    first = np.where(allowed, _first_stage(desk, query, scores, votes, allowed, extra or {}), NEVER)
    pool = best(first, min(desk.pool, int(allowed.sum())))
    return Question(query, terms, bags, hidden, scores, similar, votes, vector, mapped, first, pool, extra or {}, known)


def _allowed(desk: Desk, query: Passage, banned: Collection[int] | range) -> NDArray[np.bool_]:
    library = desk.library
    allowed = np.ones(len(library), dtype=np.bool_)
    if query.id in library.column:
        allowed[library.column[query.id]] = False
    if library.place is not None and query.place is not None:
        allowed &= library.place < query.place.position
    if len(banned):
        allowed[np.fromiter(banned, dtype=np.intp, count=len(banned))] = False
    return allowed


def _first_stage(
    desk: Desk,
    query: Passage,
    scores: dict[str, Floats],
    votes: dict[str, Floats],
    allowed: NDArray[np.bool_],
    extra: dict[str, Floats],
) -> Floats:
    """A weighted sum of what each signal says relative to its best."""
    without = desk.without
    total = np.zeros(len(desk.library), dtype=np.float32)
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
    if desk.library.place is not None and query.place is not None and "place" not in without:
        distance = np.float32(query.place.position) - desk.library.place
        near = np.float32(NEAR) / (np.float32(NEAR) + np.maximum(distance, 0))
        total += np.float32(FIRST["place"]) * np.where(distance > 0, near, 0)
    return total


def standardised(values: Floats, allowed: NDArray[np.bool_]) -> Floats:
    """Deviations from the mean of the allowed."""
    seen = values[allowed]
    if not len(seen):
        return np.zeros_like(values)
    found: Floats = (values - seen.mean()) / (seen.std() + np.float32(1e-6))
    return found


def seeds(desk: Desk, keys: Sequence[StatementId]) -> Floats:
    """Ones for the candidates of these names."""
    found = np.zeros(len(desk.library), dtype=np.float32)
    found[[desk.library.column[key] for key in keys if key in desk.library.column]] = 1
    return found
