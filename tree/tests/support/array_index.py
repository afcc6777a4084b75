"""The first stage from arrays in memory: exact, and so what other indexes are compared with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.candidate_index import (
    ANYTHING,
    Entry,
    FirstStage,
    TermStatistics,
    Where,
    ordered,
    query_terms,
)
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.first_stage import pack
from naturalproofs.ranking.term_vectors import Bag, Floats, Sparse, TermCounts, against_all, bm25_matrix, inverted
from naturalproofs.records import Passage, StatementId


class ArrayIndex:
    """Entries with BM25 weights of their words and titles, and their vectors; computed when first asked."""

    def __init__(self, statistics: TermStatistics, entries: Sequence[Entry] = ()) -> None:
        """Index entries."""
        self._statistics = statistics
        self._entries = {entry.passage.id: entry for entry in entries}
        self._arrays: _Arrays | None = None

    @classmethod
    def build(cls, entries: Sequence[Entry]) -> ArrayIndex:
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

    def add(self, entries: Sequence[Entry]) -> None:
        """Add or replace entries."""
        self._entries.update({entry.passage.id: entry for entry in entries})
        self._arrays = None

    def remove(self, ids: Collection[StatementId]) -> None:
        """Remove entries."""
        for key in ids:
            self._entries.pop(key, None)
        self._arrays = None

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The entries with these ids."""
        return [self._entries[key] for key in ids if key in self._entries]

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best k candidates, all signals exact."""
        if self._arrays is None:
            self._arrays = _Arrays(list(self._entries.values()), self._statistics)
        arrays = self._arrays
        terms, tokens, names = query_terms(query, self._statistics)
        allowed = arrays.allowed(where)
        vector = self._statistics.vector(terms["tokens"])
        scores = {
            "bm25": arrays.tokens.scores(tokens),
            "title": arrays.names.scores(names),
            "vector": np.maximum(arrays.vectors @ vector, 0),
        }
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
