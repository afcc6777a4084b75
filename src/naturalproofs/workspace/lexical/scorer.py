"""The fusion of TF-IDF, BM25, neighbours and recency as one scorer over plain arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample
from naturalproofs.tokens import maths
from naturalproofs.workspace.lexical.forward import TITLE_WEIGHT, Forward, Integers
from naturalproofs.workspace.lexical.memory import Memory
from naturalproofs.workspace.lexical.postings import Postings, Weights, bm25, cosine
from naturalproofs.workspace.lexical.settings import LexicalSettings

_COMMON = 12
"""A term that stands in more than one text of so many explains nothing."""
_LAYOUT = frozenset(
    "equation equations align aligned enumerate itemize array cases gather split matrix pmatrix tikzcd tikzpicture "
    "center item label label eqnarray multline".split()
)


@dataclass(frozen=True, slots=True)
class Parts:
    """What each signal says about every candidate, and how similar the remembered proofs' theorems are."""

    words: Weights
    bm25: Weights
    votes: Weights
    recency: Weights
    voters: Weights
    """By proof: the weight of its vote."""
    total: Weights


@dataclass(frozen=True, slots=True)
class Lexical:
    """The candidates as arrays, ready to be asked; scores are those of `Fusion` with the same settings."""

    settings: LexicalSettings
    positions: dict[StatementId, int]
    places: Weights
    forward: Forward
    words: Postings
    terms: Postings
    memory: Memory
    names: list[str]
    """Terms by number."""

    @classmethod
    def of(
        cls,
        settings: LexicalSettings,
        candidates: Sequence[Passage],
        examples: Sequence[TrainingExample],
        forward: Forward,
    ) -> Lexical:
        """Weigh the terms of candidates that are cut already."""
        positions = {candidate.id: position for position, candidate in enumerate(candidates)}
        places = np.array([c.place.position if c.place else -1 for c in candidates], dtype=np.float32)
        words, terms = cosine(forward), bm25(forward, settings.k1, settings.b)
        memory = Memory.of(forward, positions, examples)
        return cls(settings, positions, places, forward, words, terms, memory, list(forward.vocabulary))

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Score every candidate for every query."""
        rows = [self.parts(query).total for query in queries]
        return np.stack(rows) if rows else np.zeros((0, len(self.places)), dtype=np.float32)

    def parts(self, query: Passage) -> Parts:
        """Each signal by itself, and all together."""
        settings, memory = self.settings, self.memory
        once, twice = self._terms(whole_text(query)), self._terms(whole_text(query, TITLE_WEIGHT))
        words = self.words.scores(twice[0], self.words.cosine_weights(*twice))
        ranked = self.terms.scores(once[0], np.ones(len(once[0]), dtype=np.float32))
        similarity = memory.similarity(*twice, self.positions.get(query.id))
        voters = memory.weights(similarity, settings.neighbours, settings.power)
        votes = memory.votes(voters, len(self.places))
        recency = self._recency(query)
        total = sum(
            weight * _relative(part)
            for weight, part in zip(settings.weights, (words, ranked, votes, recency), strict=True)
            if weight
        )
        return Parts(words, ranked, votes, recency, voters, np.asarray(total, dtype=np.float32))

    def similar(self, query: Passage, k: int) -> list[tuple[int, float]]:
        """The remembered proofs of the k most similar theorems, and how similar these are."""
        found = self.memory.similarity(*self._terms(whole_text(query, TITLE_WEIGHT)), self.positions.get(query.id))
        nearest = np.argsort(-found, kind="stable")[:k]
        return [(int(proof), float(found[proof])) for proof in nearest if found[proof] > 0]

    def shared(self, query: Passage, candidate: int) -> list[str]:
        """The terms that a query has in common with a candidate, the most telling first, the common ones left out."""
        terms, counts = self._terms(whole_text(query, TITLE_WEIGHT))
        own, own_counts = self.forward.of(candidate)
        rarity, telling = self.words.rarity, 1 + float(np.log(_COMMON))
        inside = dict(zip(own.tolist(), own_counts.tolist(), strict=True))
        both = [
            (float(rarity[term]) ** 2 * (1 + np.log(count)) * (1 + np.log(inside[term])), term)
            for term, count in zip(terms.tolist(), counts.tolist(), strict=True)
            if term in inside and rarity[term] > telling and _says(self.names[term])
        ]
        return [self.names[term] for _, term in sorted(both, key=lambda pair: (-pair[0], pair[1]))]

    def _recency(self, query: Passage) -> Weights:
        if query.place is None or not self.settings.weights[3]:
            return np.zeros_like(self.places)
        distance = query.place.position - self.places
        half = self.settings.half
        found: Weights = np.where(distance > 0, half / (half + np.maximum(distance, 0)), 0).astype(np.float32)
        return found

    def _terms(self, text: str) -> tuple[Integers, Integers]:
        """The known terms of a text, and how often each stands in it."""
        vocabulary = self.forward.vocabulary
        found = [(vocabulary[term], count) for term, count in Counter(maths(text)).items() if term in vocabulary]
        return np.array([f[0] for f in found], dtype=np.int32), np.array([f[1] for f in found], dtype=np.int32)


def _says(term: str) -> bool:
    """Whether a term tells a person something: a word or a command; no single letter, no name of an environment."""
    return len(term) > 2 and not term.isdigit() and term not in _LAYOUT


def _relative(scores: Weights) -> Weights:
    best = scores.max(initial=0)
    return scores / best if best > 0 else scores
