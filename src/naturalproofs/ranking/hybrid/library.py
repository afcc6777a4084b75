"""The candidates, ready to be compared: one matrix a view, by candidate and by term."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.terms import PassageTerms, Terms, passage_terms
from naturalproofs.ranking.hybrid.vectors import Floats, Sparse, Vocabulary, inverted, row_sum
from naturalproofs.records import KINDS, Passage, StatementId

VIEWS: dict[str, Callable[[PassageTerms], Terms]] = {
    "tokens": lambda t: t.tokens,
    "title": lambda t: t.title,
    "prose": lambda t: t.prose,
    "pairs": lambda t: t.pairs,
    "signs": lambda t: t.signs,
    "shapes": lambda t: t.shapes,
    "opening": lambda t: t.opening,
}
RECALLED = ("tokens", "title", "opening")
"""Views in which training theorems are compared with a query."""
K1, B = 1.2, 0.6


@dataclass(frozen=True, slots=True)
class Library:
    """Candidates in every view."""

    candidates: tuple[Passage, ...]
    column: dict[StatementId, int]
    vocabularies: dict[str, Vocabulary]
    rows: dict[str, Sparse]
    """Weights of length one, a row a candidate."""
    tokens_by_term: Sparse
    titles_by_term: Sparse
    bm25_by_term: Sparse
    names: Sparse
    """Which words (of the prose) stand in a title."""
    names_by_term: Sparse
    bodies: Sparse
    """Which words stand in a text."""
    name_mass: Floats
    """The rarity of all words of a title together."""
    body_mass: Floats
    notation: Sparse
    notation_mass: Floats
    stated: Sparse
    """Which candidate's statement cites which."""
    stated_counts: Floats
    """In how many statements a candidate is cited."""
    kind: Floats
    length: Floats
    title_length: Floats
    place: Floats | None
    """Rank in reading order, where all places are known."""
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]

    @classmethod
    def of(cls, candidates: Sequence[Passage]) -> Library:
        """Weigh the terms of the candidates."""
        from scipy.sparse import csr_matrix

        terms = [passage_terms(candidate) for candidate in candidates]
        vocabularies, rows = {}, {}
        for view, cut in VIEWS.items():
            texts = [cut(t) for t in terms]
            vocabularies[view] = Vocabulary.of(texts, least=2 if view == "shapes" else 1)
            rows[view] = vocabularies[view].matrix(texts)
        prose, signs = vocabularies["prose"], vocabularies["signs"]
        names, bodies = prose.presence(t.title for t in terms), prose.presence(t.words for t in terms)
        notation = signs.presence(t.signs for t in terms)
        column = {candidate.id: position for position, candidate in enumerate(candidates)}
        links = [(i, column[key]) for i, c in enumerate(candidates) for key in dict.fromkeys(c.cites) if key in column]
        stated = csr_matrix(
            (np.ones(len(links), dtype=np.float32), ([a for a, _ in links], [b for _, b in links])),
            shape=(len(candidates), len(candidates)),
        )
        places = [candidate.place for candidate in candidates if candidate.place is not None]
        placed = bool(places) and len(places) == len(candidates)
        return cls(
            candidates=tuple(candidates),
            column=column,
            vocabularies=vocabularies,
            rows=rows,
            tokens_by_term=inverted(rows["tokens"]),
            titles_by_term=inverted(rows["title"]),
            bm25_by_term=inverted(_bm25(vocabularies["tokens"], [t.tokens for t in terms])),
            names=names,
            names_by_term=inverted(names),
            bodies=bodies,
            name_mass=_mass(names, prose),
            body_mass=_mass(bodies, prose),
            notation=notation,
            notation_mass=_mass(notation, signs),
            stated=stated,
            stated_counts=np.asarray(stated.sum(axis=0), dtype=np.float32).ravel(),
            kind=np.array([KINDS.index(candidate.kind) for candidate in candidates], dtype=np.float32),
            length=np.array([len(t.tokens) for t in terms], dtype=np.float32),
            title_length=np.array([len(t.title) for t in terms], dtype=np.float32),
            place=np.array([place.position for place in places], dtype=np.float32) if placed else None,
            chapter=np.array([place.chapter for place in places] if placed else [], dtype=np.object_),
            section=np.array([place.section for place in places] if placed else [], dtype=np.object_),
        )

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.candidates)


def _mass(presence: Sparse, vocabulary: Vocabulary) -> Floats:
    found: Floats = presence @ vocabulary.rarity
    return np.maximum(found, np.float32(1e-6))


def _bm25(vocabulary: Vocabulary, texts: Sequence[Terms]) -> Sparse:
    """Robertson and Zaragoza's weights of the terms of each text."""
    from collections import Counter

    from scipy.sparse import csr_matrix

    counts = [Counter(vocabulary.index[term] for term in text) for text in texts]
    starts = np.cumsum([0, *map(len, counts)])
    columns = np.fromiter((term for count in counts for term in count), dtype=np.int32)
    values = np.fromiter((n for count in counts for n in count.values()), dtype=np.float32)
    lengths = np.array([len(text) for text in texts], dtype=np.float32)
    damping = K1 * (1 - B + B * lengths / max(float(lengths.mean()) if len(texts) else 1.0, 1e-6))
    frequent = np.bincount(columns, minlength=len(vocabulary.index)).astype(np.float32)
    rarity = np.log1p((len(texts) - frequent + 0.5) / (frequent + 0.5)).astype(np.float32)
    weights = values / (values + np.repeat(damping, np.diff(starts))) * rarity[columns]
    return csr_matrix((weights.astype(np.float32), columns, starts), shape=(len(texts), len(vocabulary.index)))


def shared_mass(rows: Sparse, weights: Floats) -> Floats:
    """For each row the sum of the weights of its terms."""
    return row_sum(weights[rows.indices], rows.indptr)
