"""The candidates, ready to be compared: one matrix a view, by candidate and by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.terms import VIEWS
from naturalproofs.ranking.term_vectors import Floats, Sparse, Vocabulary, bm25_matrix, inverted, row_sum
from naturalproofs.records import KINDS, Kind, Passage, StatementId

RECALLED = ("tokens", "title", "opening")
"""Views in which training theorems are compared with a query."""
FORMS = ("rem", "ex", "def", "ax", "lem", "prop", "th", "cor")
"""How names of statements begin, from what is hardly ever proved or cited to what follows from what stands before."""
PLAIN: dict[Kind, str] = {"theorem": "th", "definition": "def", "other": "rem"}


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
    form: Floats
    """See `form_of`."""

    @classmethod
    def of(cls, candidates: Sequence[Passage], cuts: Cuts | None = None) -> Library:
        """Weigh the terms of the candidates, which may be cut already."""
        from scipy.sparse import csr_matrix

        counts = (cuts or Cuts.of(candidates)).views
        # A shape that stands in one text compares it with nothing.
        seen = {**counts, "shapes": counts["shapes"].only(counts["shapes"].document_frequency > 1)}
        vocabularies = {view: Vocabulary.of(seen[view]) for view in VIEWS}
        rows = {view: vocabularies[view].matrix(seen[view]) for view in VIEWS}
        prose, signs = vocabularies["prose"], vocabularies["signs"]
        names, bodies = (prose.presence(counts[view].within(prose.index)) for view in ("title", "words"))
        notation = signs.presence(counts["signs"])
        known = known_candidates(tuple(candidates))
        column = known["column"]
        links = [(i, column[key]) for i, c in enumerate(candidates) for key in dict.fromkeys(c.cites) if key in column]
        stated = csr_matrix(
            (np.ones(len(links), dtype=np.float32), ([a for a, _ in links], [b for _, b in links])),
            shape=(len(candidates), len(candidates)),
        )
        return cls(
            **known,
            vocabularies=vocabularies,
            rows=rows,
            tokens_by_term=inverted(rows["tokens"]),
            titles_by_term=inverted(rows["title"]),
            bm25_by_term=inverted(bm25_matrix(counts["tokens"])),
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
            length=counts["tokens"].lengths.astype(np.float32),
            title_length=counts["title"].lengths.astype(np.float32),
        )

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.candidates)


def known_candidates(candidates: tuple[Passage, ...]) -> dict[str, Any]:
    """The fields that follow from the candidates at once."""
    places = [candidate.place for candidate in candidates if candidate.place is not None]
    placed = bool(places) and len(places) == len(candidates)
    return {
        "candidates": candidates,
        "column": {candidate.id: position for position, candidate in enumerate(candidates)},
        "place": np.array([place.position for place in places], dtype=np.float32) if placed else None,
        "chapter": np.array([place.chapter for place in places] if placed else [], dtype=np.object_),
        "section": np.array([place.section for place in places] if placed else [], dtype=np.object_),
        "form": np.array([form_of(candidate) for candidate in candidates], dtype=np.float32),
    }


def form_of(passage: Passage) -> int:
    """A number for what a statement is called, whatever its author's environments are named."""
    return _form(passage.form, passage.kind)


@lru_cache(maxsize=1_000)
def _form(form: str, kind: Kind) -> int:
    name = form.casefold()
    return next((code for code, stem in enumerate(FORMS) if name.startswith(stem)), FORMS.index(PLAIN[kind]))


def _mass(presence: Sparse, vocabulary: Vocabulary) -> Floats:
    found: Floats = presence @ vocabulary.rarity
    return np.maximum(found, np.float32(1e-6))


def shared_mass(rows: Sparse, weights: Floats) -> Floats:
    """For each row the sum of the weights of its terms."""
    return row_sum(weights[rows.indices], rows.indptr)
