"""The first stage: candidates and training proofs, every signal of a query, and the pool that the trees order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.association import BoundAssociation, TrainedAssociation
from naturalproofs.ranking.hybrid.candidates import (
    EXCLUDED,
    VIEWS,
    Candidates,
    PassageCounts,
    Terms,
    passage_terms,
)
from naturalproofs.ranking.lexical import (
    citation_matrix,
    citing_proofs,
    later_proofs,
    own_proofs,
    proof_positions,
    voters,
    votes,
)
from naturalproofs.ranking.term_vectors import (
    Bag,
    Floats,
    Ints,
    Sparse,
    TermCounts,
    against_all,
    best,
    inverted,
    relative,
)
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample

# The terms of statements as hashes, packed into bytes when a statement is indexed.

PACKED = ("tokens", "title", "words", "pairs", "signs", "shapes", "opening", "defined")
"""The views that are packed; prose is made of title and words."""
_TYPE = np.dtype("<u4")
_HEADER = len(PACKED) * _TYPE.itemsize

Hashes = NDArray[np.uint32]


def hashed(term: str) -> int:
    """The hash of a term."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def pack(terms: Terms) -> bytes:
    """The terms of one statement: how many each view has, then their hashes."""
    sizes = [len(terms[view]) for view in PACKED]
    hashes = [hashed(term) for view in PACKED for term in terms[view]]
    return np.array(sizes + hashes, dtype=_TYPE).tobytes()


def packed_tokens(packed: bytes) -> bytes:
    """The part that is equal for texts which differ in layout and stop words only."""
    size = int.from_bytes(packed[: _TYPE.itemsize], "little")
    return packed[_HEADER : _HEADER + size * _TYPE.itemsize]


def packed_counts(packed: Sequence[bytes]) -> PassageCounts:
    """The term counts of some statements."""
    arrays = [np.frombuffer(one, dtype=_TYPE) for one in packed]
    width = len(PACKED)
    sizes = np.array([one[:width] for one in arrays], dtype=np.int64).reshape(-1, width)
    hashes = np.concatenate([np.zeros(0, dtype=_TYPE), *(one[width:] for one in arrays)])
    owners, views = np.divmod(np.repeat(np.arange(sizes.size), sizes.ravel()), width)
    found: dict[str, TermCounts] = {}
    for number, view in enumerate(PACKED):
        inside = views == number
        found[view] = HashedCounts.of_pairs(owners[inside], hashes[inside], len(packed))
    prose = (views == PACKED.index("title")) | (views == PACKED.index("words"))
    found["prose"] = HashedCounts.of_pairs(owners[prose], hashes[prose], len(packed))
    return PassageCounts((), found)


class HashedTerms(Mapping[str, int]):
    """A vocabulary whose terms are known by their hashes."""

    def __init__(self, hashes: Hashes) -> None:
        """Take sorted hashes, whose positions are the columns of the terms."""
        self.hashes = hashes
        self._column: dict[int, int] = dict(zip(hashes.tolist(), range(len(hashes)), strict=True))

    def __getitem__(self, term: str) -> int:
        """The column of a term."""
        return self._column[hashed(term)]

    def __contains__(self, term: object) -> bool:
        """Whether a term is there."""
        return isinstance(term, str) and hashed(term) in self._column

    def get(self, term: str, default: int | None = None) -> int | None:  # type: ignore[override]
        """The column of a term, if it is there."""
        return self._column.get(hashed(term), default)

    def __iter__(self) -> Iterator[str]:
        """The hashes in figures, since nobody knows the terms."""
        return map(str, self.hashes.tolist())

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.hashes)


@dataclass(frozen=True, slots=True)
class HashedCounts(TermCounts):
    """Term counts whose terms are an array of sorted hashes."""

    @classmethod
    def of_pairs(cls, owners: NDArray[np.int64], hashes: Hashes, size: int) -> HashedCounts:
        """Count terms that are given by the number of their text and their hash."""
        pairs, counts = np.unique(owners.astype(np.uint64) << np.uint64(32) | hashes, return_counts=True)
        rows, found = (pairs >> np.uint64(32)).astype(np.int64), pairs.astype(np.uint32)
        terms, columns = np.unique(found, return_inverse=True)
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
        return cls(terms, starts.astype(np.int32), columns.astype(np.int32), counts.astype(np.int32))  # type: ignore[arg-type]

    def column_of(self) -> HashedTerms:
        """The column of each term."""
        return HashedTerms(self._hashes)

    def only(self, terms: NDArray[np.bool_]) -> TermCounts:
        """Some of the terms."""
        inside = terms[self.columns]
        total = np.concatenate([[0], np.cumsum(inside)])
        place = (np.cumsum(terms) - 1).astype(np.int32)
        starts = total[self.starts].astype(np.int32)
        return HashedCounts(self._hashes[terms], starts, place[self.columns[inside]], self.counts[inside])  # type: ignore[arg-type]

    def within(self, index: Mapping[str, int]) -> TermCounts:
        """The counts of the terms in a hashed vocabulary, with its columns."""
        assert isinstance(index, HashedTerms)
        places = positions(index.hashes, self._hashes)
        kept = self.only(places >= 0)
        columns = places[places >= 0][kept.columns].astype(np.int32)
        return HashedCounts(index.hashes, kept.starts, columns, kept.counts)  # type: ignore[arg-type]

    @property
    def _hashes(self) -> Hashes:
        return self.terms  # type: ignore[return-value]


def positions(sorted_hashes: Hashes, wanted: Hashes) -> NDArray[np.int64]:
    """Where some hashes are among sorted ones; -1 for those that are not there."""
    if not len(sorted_hashes):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(sorted_hashes, wanted), len(sorted_hashes) - 1)
    return np.where(sorted_hashes[at] == wanted, at, -1)


POOL = 1000
COMPARED = ("tokens", "title", "opening")
"""Views in which training theorems are compared with a query."""
VOTERS = {"tokens": (100, 3.0), "title": (20, 1.0), "opening": (100, 3.0), "learned": (100, 3.0)}
"""By similarity, how many of the most similar proofs vote, and how steeply a vote falls with similarity."""
FIRST = {"tokens": 1.0, "bm25": 0.5, "title": 0.5, "naming": 0.3, "votes": 0.5, "learned": 0.25, "place": 1.0}
"""Weights of the first stage, set by hand on Stacks valid."""
USUAL, SHRINK = 2.0, 10.0
"""How many statements a proof cites, and how many proofs it takes to believe otherwise."""
NEAR = 10.0
"""Distance at which nearness has halved."""


@dataclass(frozen=True, slots=True)
class TrainingProofs:
    """Training proofs as rows, candidates as columns."""

    examples: tuple[TrainingExample, ...]
    by_term: dict[str, Sparse]
    """Weights of the training theorems, by view and by term."""
    cited: Sparse
    by_candidate: Sparse
    """`cited` transposed."""
    counts: Floats
    """How many proofs cite each candidate."""
    own: dict[StatementId, tuple[int, ...]]
    """The proofs of each theorem."""
    citing: dict[StatementId, tuple[int, ...]]
    """The proofs that cite each statement."""
    place: Floats | None
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]

    @classmethod
    def of(cls, examples: Sequence[TrainingExample], candidates: Candidates) -> TrainingProofs:
        """Bind the proofs to the candidates."""
        known = derived_fields(tuple(examples))
        cited = citation_matrix(known["citing"], candidates.column, (len(examples), len(candidates)))
        return cls(
            by_term=_by_term([example.theorem for example in examples], candidates),
            cited=cited,
            by_candidate=cited.T.tocsr(),
            counts=np.asarray(cited.sum(axis=0), dtype=np.float32).ravel(),
            **known,
        )

    def __len__(self) -> int:
        """The number of proofs."""
        return len(self.examples)

    def hidden(self, query: Passage, *, later: bool) -> Ints:
        """Proofs that a query may not use: its own, those that cite it, and if `later` those that come after it.

        Evaluation theorems have not been cited yet. A proof that cites the training theorem together with its
        references would train a signal that is missing at evaluation.
        """
        rows = np.array([*self.own.get(query.id, ()), *self.citing.get(query.id, ())], dtype=np.intp)
        return np.union1d(rows, later_proofs(self.place, query)) if later else np.unique(rows)


def derived_fields(examples: tuple[TrainingExample, ...]) -> dict[str, Any]:
    """The fields that are cheap to derive from the proofs, and therefore not cached."""
    known = [example.theorem.place for example in examples if example.theorem.place is not None]
    positions = proof_positions(examples)
    whole = positions is not None
    return {
        "examples": examples,
        "own": own_proofs(examples),
        "citing": citing_proofs(examples),
        "place": positions,
        "chapter": np.array([place.chapter for place in known] if whole else [], dtype=np.object_),
        "section": np.array([place.section for place in known] if whole else [], dtype=np.object_),
    }


def _by_term(theorems: Sequence[Passage], candidates: Candidates) -> dict[str, Sparse]:
    """Weights of theorems by view and by term; those of theorems that are candidates are reused."""
    from scipy.sparse import vstack

    columns = [candidates.column.get(theorem.id, -1) for theorem in theorems]
    same = [at >= 0 and _text(candidates.passages[at]) == _text(one) for at, one in zip(columns, theorems, strict=True)]
    others = [passage_terms(theorem) for theorem, known in zip(theorems, same, strict=True) if not known]
    places = np.where(same, columns, len(candidates) + np.cumsum(np.logical_not(same)) - 1).astype(np.intp)
    found = {}
    for view in COMPARED:
        vocabulary, rows = candidates.vocabularies[view], candidates.rows[view]
        if others:
            counts = TermCounts.known([terms[view] for terms in others], vocabulary.index)
            rows = vstack([rows, vocabulary.matrix(counts)], format="csr")
        found[view] = inverted(rows[places])
    return found


def _text(passage: Passage) -> tuple[str, str]:
    return passage.title, passage.text


BINS = 14
"""Distances are counted by powers of two; the last bin is open."""


class Citations(NamedTuple):
    """All citations of the proofs, and what habits count of them."""

    proof: Ints
    candidate: Ints
    distance: Ints
    """The bin of the distance; -1 for a citation of something later."""
    nearness: Ints
    """0 for a citation inside the section, 1 inside the chapter, 2 for any other."""


def distance_bins(back: Floats) -> Ints:
    """The bins of distances; -1 for what does not stand before."""
    return np.where(back > 0, np.minimum(np.log2(np.maximum(back, 1)), BINS - 1).astype(np.intp), -1)


def nearness(chapter: NDArray[np.bool_], section: NDArray[np.bool_]) -> Ints:
    """0 inside the section, 1 inside the chapter, 2 elsewhere."""
    return np.where(section, 0, np.where(chapter, 1, 2)).astype(np.intp)


@dataclass(frozen=True)
class HybridIndex:
    """Candidates, training proofs and the association: all that queries are scored against."""

    candidates: Candidates
    proofs: TrainingProofs
    association: BoundAssociation | None = None
    pool: int = POOL
    strict: bool = False
    """Whether a query sees only the proofs, and the citations of statements, that come before it."""

    @classmethod
    def of(
        cls,
        passages: Sequence[Passage],
        examples: Sequence[TrainingExample],
        association: TrainedAssociation | None,
        *,
        pool: int,
        counts: PassageCounts | None = None,
        texts: Floats | None = None,
        strict: bool = False,
    ) -> HybridIndex:
        """Bind candidates and proofs; term counts and vectors that are given are not computed again."""
        counts = counts or PassageCounts.of(passages)
        candidates = Candidates.of(passages, counts)
        bound = None
        if association is not None and len(candidates):
            vectors = association.vectors(counts.views) if texts is None else texts
            bound = association.bind(candidates.column, examples, counts, vectors)
        return cls(candidates, TrainingProofs.of(examples, candidates), bound, pool, strict)

    def stated_counts(self, query: Passage) -> Floats:
        """How many statements that the query sees cite each candidate."""
        places = self.candidates.place
        seen = np.ones(len(self.candidates), dtype=np.float32)
        if self.strict and places is not None and query.place is not None:
            seen = (places < query.place.position).astype(np.float32)
        found: Floats = self.candidates.stated.T @ seen
        return found

    @cached_property
    def citations(self) -> Citations | None:
        """The citations of the proofs, for habits; None if places are not known."""
        proofs, candidates = self.proofs, self.candidates
        if proofs.place is None or candidates.place is None:
            return None
        proof = np.repeat(np.arange(len(proofs)), np.diff(proofs.cited.indptr))
        cited = proofs.cited.indices.astype(np.intp)
        chapter = proofs.chapter[proof] == candidates.chapter[cited]
        near = nearness(chapter, chapter & (proofs.section[proof] == candidates.section[cited]))
        return Citations(proof, cited, distance_bins(proofs.place[proof] - candidates.place[cited]), near)

    def indicator(self, keys: Sequence[StatementId]) -> Floats:
        """Ones for the candidates with these ids."""
        found = np.zeros(len(self.candidates), dtype=np.float32)
        found[[self.candidates.column[key] for key in keys if key in self.candidates.column]] = 1
        return found


class Visible(NamedTuple):
    """What a query sees of the training proofs, as far as links between candidates depend on it."""

    hidden: Ints
    """See `TrainingProofs.hidden`."""
    voting: Ints
    """The proofs of the most similar theorems."""
    weights: Floats
    """Of their votes."""


@dataclass(slots=True)
class PooledQuery:
    """A query after the first stage: its signals over all candidates, and its pool."""

    query: Passage
    terms: Terms
    bags: dict[str, Bag]
    hidden: Ints
    """Training proofs that may not be used; see `TrainingProofs.hidden`."""
    scores: dict[str, Floats]
    """By signal, for all candidates."""
    similar: dict[str, Floats]
    """By similarity, for all training proofs; zero for hidden ones."""
    voters: dict[str, tuple[Ints, Floats]]
    """By similarity, the training proofs that vote, and the weights of their votes."""
    votes: dict[str, Floats]
    """By similarity, for all candidates."""
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
    seen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """Whether each training proof may be used."""

    @property
    def visible(self) -> Visible:
        """What links between candidates depend on."""
        return Visible(self.hidden, *self.voters.get("learned", self.voters["tokens"]))

    def citing_rate(self, index: HybridIndex) -> float:
        """How many statements a proof cites: of the visible proofs, shrunk towards what is usual."""
        cited = np.diff(index.proofs.cited.indptr)[self.seen]
        return (float(cited.sum()) + USUAL * SHRINK) / (len(cited) + SHRINK)

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
    again: bool = False,
) -> PooledQuery:
    """Compute the signals and choose the pool.

    Args:
        index: Candidates and proofs.
        query: The theorem.
        banned: Positions that are no candidates, besides the theorem itself and what stands later.
        extra: Scores of other methods for all candidates.
        cited: What an unfinished proof cites already, besides what the query says.
        again: Whether it may be suggested again.
    """
    extra = extra or {}
    candidates, proofs, terms = index.candidates, index.proofs, passage_terms(query)
    bags = {view: candidates.vocabularies[view].bag(terms[view]) for view in VIEWS}
    tokens = bags["tokens"]
    scores = {
        "tokens": against_all(tokens, candidates.tokens_by_term),
        "title": against_all(bags["title"], candidates.titles_by_term),
        "bm25": against_all(Bag(tokens.terms, np.ones_like(tokens.weights)), candidates.bm25_by_term),
        "naming": against_all(candidates.vocabularies["prose"].present(terms["prose"]), candidates.names_by_term)
        / candidates.name_mass,
    }
    similar = {view: against_all(bags[view], proofs.by_term[view]) for view in COMPARED}
    # Titles that open alike belong to one chapter; within it, more similar theorems count more.
    similar["opening"] = similar["opening"] * (similar["tokens"] + np.float32(0.05))
    vector = mapped = np.zeros(0, dtype=np.float32)
    if index.association is not None:
        association = index.association
        views = {view: [terms[view]] for view in VIEWS}
        vector, asked = (space.vectors_of_terms(views)[0] for space in (association.space, association.asked))
        mapped = asked * np.float32(association.sharpness)
        scores["learned"] = association.references @ mapped
        similar["learned"] = np.maximum(association.theorems @ asked, 0)
    hidden = proofs.hidden(query, later=index.strict)
    seen = np.ones(len(proofs), dtype=np.bool_)
    seen[hidden] = False
    for values in similar.values():
        values[hidden] = 0
    voting = {view: voters(values, *VOTERS[view]) for view, values in similar.items()}
    voted = {view: votes(proofs.cited, *who) for view, who in voting.items()}
    known = tuple(
        candidates.column[key] for key in dict.fromkeys((*query.cited_so_far, *cited)) if key in candidates.column
    )
    allowed = _allowed(index, query, {*banned, *(() if again else known)})
    first = np.where(allowed, _weighted_sum(index, query, scores, voted, allowed, extra), EXCLUDED)
    pool = best(first, min(index.pool, int(allowed.sum())))
    return PooledQuery(
        query, terms, bags, hidden, scores, similar, voting, voted, vector, mapped, first, pool, extra, known, seen
    )


def _allowed(index: HybridIndex, query: Passage, banned: Collection[int]) -> NDArray[np.bool_]:
    candidates = index.candidates
    allowed = np.ones(len(candidates), dtype=np.bool_)
    if query.id in candidates.column:
        allowed[candidates.column[query.id]] = False
    if candidates.place is not None and query.place is not None:
        allowed &= candidates.place < query.place.position
    allowed[list(banned)] = False
    return allowed


def _weighted_sum(
    index: HybridIndex,
    query: Passage,
    scores: dict[str, Floats],
    voted: dict[str, Floats],
    allowed: NDArray[np.bool_],
    extra: dict[str, Floats],
) -> Floats:
    """The weighted sum of the signals, each relative to its best."""
    total = np.zeros(len(index.candidates), dtype=np.float32)
    for name in ("tokens", "bm25", "title", "naming"):
        total += np.float32(FIRST[name]) * relative(scores[name])
    for name in ("tokens", "learned"):
        if name in voted:
            total += np.float32(FIRST["votes"]) * relative(voted[name])
    for values in (*(scores[name] for name in ("learned",) if name in scores), *extra.values()):
        total += np.float32(FIRST["learned"]) * standardised(values, allowed)
    if index.candidates.place is not None and query.place is not None:
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
