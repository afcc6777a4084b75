"""The first stage of a collection behind one interface: an index of statements that gives a query's best candidates.

`MemoryIndex` holds them in memory and is exact; `naturalproofs.apps.collections.answers` answers from tables on disk or
in an object store. The trees order what either returns (`naturalproofs.ranking.hybrid.rerank`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.candidates import VIEWS, Terms, extract_terms
from naturalproofs.ranking.hybrid.first_stage import Hashes, hashed, pack, packed_counts, positions
from naturalproofs.ranking.term_vectors import (
    Bag,
    Floats,
    Ints,
    LatentSpace,
    Sparse,
    TermCounts,
    against_all,
    best,
    bm25_matrix,
    inverted,
    relative,
)
from naturalproofs.records import Passage, StatementId

WEIGHTS = {"bm25": 1.0, "title": 0.5, "vector": 0.5, "own": 1.0}
"""The weights of the signals in the sum by which candidates are chosen; own: it is of the question's project."""
QUERY_TERMS = 12
"""Terms of a query that are looked up, the rarest ones: common ones cost much and say little."""
SAMPLE = 30_000
"""Statements from which the vectors are learned."""
DIMENSIONS = 128


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement in an index."""

    passage: Passage
    project: str = ""
    licence: str = ""
    cited: tuple[StatementId, ...] = ()
    """What its proofs cite."""
    packed: bytes = field(default=b"", repr=False, compare=False)
    """Its terms, see `packed_terms`; empty if they were not computed yet."""

    def with_terms(self) -> Entry:
        """The same, its terms computed."""
        if self.packed:
            return self
        return replace(self, packed=pack(extract_terms(self.passage.title, self.passage.text)))


@dataclass(frozen=True, slots=True)
class Where:
    """Which entries may be found; an empty condition allows all."""

    projects: Collection[str] = ()
    excluded: Collection[StatementId] = ()
    own: str = ""
    """The project that the question is of, if it is known: statements of others are found too, but cited less often."""

    def allows(self, entry: Entry) -> bool:
        """Whether an entry may be found."""
        return (not self.projects or entry.project in self.projects) and entry.passage.id not in self.excluded


ANYTHING = Where()


@dataclass(frozen=True, slots=True)
class FirstStage:
    """The best candidates of a query, best first."""

    entries: tuple[Entry, ...]
    scores: Mapping[str, Floats]
    """By signal; an estimate where the signal did not find a candidate."""
    first: Floats
    """The weighted sum, by which they are ordered."""


class CandidateIndex(Protocol):
    """An index of statements."""

    @property
    def statistics(self) -> TermStatistics:
        """What is known about terms."""
        ...

    def __len__(self) -> int:
        """The number of entries."""
        ...

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best k candidates of a query by words, title and vector."""
        ...

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The entries with these ids, in any order; ids that are not there are left out."""
        ...


Frequencies: TypeAlias = tuple[Hashes, Floats]
"""Sorted hashes of terms, and in how many statements each is; terms of one statement are left out."""


@dataclass(frozen=True)
class TermStatistics:
    """How rare terms are among all statements, and what maps them to vectors, which a sample is enough for."""

    size: int
    """The number of statements."""
    frequency: Mapping[str, Frequencies] = field(repr=False)
    """By view."""
    space: LatentSpace | None = field(default=None, repr=False)

    @classmethod
    def of(cls, texts: Iterable[tuple[str, str]]) -> TermStatistics:
        """Learn from titles and texts."""
        terms = [extract_terms(title, text) for title, text in texts]
        return cls(*count_terms([[pack(one) for one in terms]]), latent_space([one["tokens"] for one in terms]))

    def rarity(self, view: str, terms: Sequence[str]) -> Floats:
        """log((1 + n) / (1 + frequency)) of each term; an unknown term counts as seen once."""
        return self.hashed_rarity(view, np.fromiter(map(hashed, terms), dtype=np.uint32, count=len(terms)))

    def hashed_rarity(self, view: str, hashes: Hashes) -> Floats:
        """The same of terms that are given by their hashes."""
        known, frequency = self.frequency[view]
        at = positions(known, hashes)
        seen = np.where(at >= 0, frequency[at], 1) if len(known) else np.ones(len(hashes))
        return np.log((1 + self.size) / (1 + np.minimum(seen, self.size))).astype(np.float32)

    def rarest(self, view: str, terms: Iterable[str], count: int = QUERY_TERMS) -> list[str]:
        """The rarest distinct terms, the rarest first, of equally rare ones the earlier."""
        distinct = list(dict.fromkeys(terms))
        return [distinct[at] for at in best(self.rarity(view, distinct), count).tolist()]

    def vectors(self, tokens: Sequence[Sequence[str]]) -> Floats:
        """A vector of length one for each text, given by its tokens."""
        if self.space is None:
            return np.zeros((len(tokens), 0), dtype=np.float32)
        vocabulary = self.space.vocabularies["tokens"]
        return self.space.vectors({"tokens": TermCounts.known(tokens, vocabulary.index)})

    def vector(self, tokens: Sequence[str]) -> Floats:
        """The same for one text."""
        if self.space is None:
            return np.zeros(0, dtype=np.float32)
        found: Floats = self.space.vectors_of_terms({"tokens": [tokens]})[0]
        return found


def latent_space(tokens: Sequence[Sequence[str]]) -> LatentSpace | None:
    """What maps terms to vectors, learned from the tokens of some texts; nothing can be learned from two."""
    if len(tokens) <= 2:
        return None
    return LatentSpace.fit({"tokens": TermCounts.of(tokens)}, DIMENSIONS, rarest={"tokens": 2})


def count_terms(batches: Iterable[Sequence[bytes]]) -> tuple[int, dict[str, Frequencies]]:
    """How many statements there are, and the frequencies of their terms by view.

    Args:
        batches: The packed terms of statements.
    """
    size = 0
    found = {view: (np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.float32)) for view in VIEWS}
    for packed in batches:
        size, views = size + len(packed), packed_counts(packed).views
        for view, (known, before) in found.items():
            here = views[view]
            hashes = np.concatenate([known, np.asarray(here.terms, dtype=np.uint32)])
            seen = np.concatenate([before, here.document_frequency])
            terms, places = np.unique(hashes, return_inverse=True)
            found[view] = terms, np.bincount(places, seen, len(terms)).astype(np.float32)
    return size, {view: (terms[seen > 1], seen[seen > 1]) for view, (terms, seen) in found.items()}


def ordered(scores: Mapping[str, Floats], k: int) -> tuple[Ints, Floats]:
    """The best k by the weighted sum of the signals, each relative to its best, and the sums."""
    total = np.sum([np.float32(WEIGHTS[name]) * relative(values) for name, values in scores.items()], axis=0)
    chosen = best(total, min(k, len(total)))
    return chosen, total[chosen]


def query_terms(query: Passage, statistics: TermStatistics) -> tuple[Terms, list[str], list[str]]:
    """All terms of a query, and the rarest ones, which are looked up in texts and in titles."""
    terms = extract_terms(query.title, query.text)
    return terms, statistics.rarest("tokens", terms["tokens"]), statistics.rarest("prose", terms["prose"])


class MemoryIndex:
    """Entries in memory, with BM25 weights of their words and titles, and their vectors; computed when first asked."""

    def __init__(self, statistics: TermStatistics, entries: Sequence[Entry] = ()) -> None:
        """Index entries."""
        self._statistics = statistics
        self._entries = {entry.passage.id: entry for entry in entries}

    @classmethod
    def build(cls, entries: Sequence[Entry]) -> MemoryIndex:
        """Index entries, and learn from all of them how rare terms are."""
        texts = ((one.passage.title, one.passage.text) for one in sorted(entries, key=lambda one: one.passage.id))
        return cls(TermStatistics.of(texts), entries)

    @property
    def statistics(self) -> TermStatistics:
        """What is known about terms."""
        return self._statistics

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._entries)

    @cached_property
    def _arrays(self) -> _Arrays:
        return _Arrays(list(self._entries.values()), self._statistics)

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The entries with these ids."""
        return [self._entries[key] for key in ids if key in self._entries]

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best k candidates, all signals exact."""
        arrays = self._arrays
        terms, tokens, names = query_terms(query, self._statistics)
        allowed = arrays.allowed(where)
        vector = self._statistics.vector(terms["tokens"])
        scores = {
            "bm25": arrays.tokens.scores(tokens),
            "title": arrays.names.scores(names),
            "vector": np.maximum(arrays.vectors @ vector, 0),
        }
        if where.own:
            inside = np.array([one.project == where.own for one in arrays.entries], dtype=np.bool_)
            scores["own"] = inside & np.any([values > 0 for values in scores.values()], axis=0)
        scores = {name: np.where(allowed, values, 0).astype(np.float32) for name, values in scores.items()}
        chosen, first = ordered(scores, k)
        found = first > 0
        chosen, first = chosen[found], first[found]
        entries = tuple(arrays.entries[at] for at in chosen.tolist())
        return FirstStage(entries, {name: values[chosen] for name, values in scores.items()}, first)


class _Arrays:
    """The arrays of some entries."""

    def __init__(self, entries: list[Entry], statistics: TermStatistics) -> None:
        terms = [extract_terms(one.passage.title, one.passage.text) for one in entries]
        self.entries = [replace(one, packed=pack(found)) for one, found in zip(entries, terms, strict=True)]
        self.tokens = _Words([one["tokens"] for one in terms])
        self.names = _Words([one["title"] for one in terms])
        self.vectors: Floats = statistics.vectors([one["tokens"] for one in terms])

    def allowed(self, where: Where) -> NDArray[np.bool_]:
        """Which entries a query may find."""
        return np.array([where.allows(one) for one in self.entries], dtype=np.bool_)


class _Words:
    """BM25 weights by term."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        counts = TermCounts.of(texts)
        self._index = {term: number for number, term in enumerate(counts.terms)}
        self._by_term: Sparse = inverted(bm25_matrix(counts))

    def scores(self, terms: Sequence[str]) -> Floats:
        """The score of every text."""
        known = np.array(sorted(self._index[term] for term in terms if term in self._index), dtype=np.intp)
        return against_all(Bag(known, np.ones(len(known), dtype=np.float32)), self._by_term)
