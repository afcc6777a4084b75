"""The candidates, prepared for comparison: sparse matrices by candidate and by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.passage_terms import VIEWS, PassageCounts
from naturalproofs.ranking.term_vectors import Floats, Sparse, Vocabulary, bm25_matrix, inverted, row_sum
from naturalproofs.records import KINDS, Kind, Passage, StatementId

FORMS = ("rem", "ex", "def", "ax", "lem", "prop", "th", "cor")
"""Prefixes of environment names, in the order of their codes."""
PLAIN: dict[Kind, str] = {"theorem": "th", "definition": "def", "other": "rem"}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates as term matrices, one per view, and their citation links, kinds, lengths and places."""

    passages: tuple[Passage, ...]
    column: dict[StatementId, int]
    vocabularies: dict[str, Vocabulary]
    rows: dict[str, Sparse]
    """TF-IDF weights by view, a row of length one per candidate."""
    tokens_by_term: Sparse
    titles_by_term: Sparse
    bm25_by_term: Sparse
    names: Sparse
    """Presence of prose words in titles."""
    names_by_term: Sparse
    bodies: Sparse
    """Presence of prose words in texts."""
    name_mass: Floats
    """The summed rarity of a title's words."""
    body_mass: Floats
    notation: Sparse
    notation_mass: Floats
    stated: Sparse
    """Citations between the candidates' statements."""
    stated_counts: Floats
    """How many statements cite a candidate."""
    kind: Floats
    length: Floats
    title_length: Floats
    place: Floats | None
    """Position in reading order, if all places are known."""
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]
    form: Floats
    """See `form_of`."""

    @classmethod
    def of(cls, passages: Sequence[Passage], counts: PassageCounts | None = None) -> Candidates:
        """Weigh the terms of the candidates, whose counts may be given."""
        from scipy.sparse import csr_matrix

        views = (counts or PassageCounts.of(passages)).views
        # A shape that only one text has cannot match anything.
        seen = {**views, "shapes": views["shapes"].only(views["shapes"].document_frequency > 1)}
        vocabularies = {view: Vocabulary.of(seen[view]) for view in VIEWS}
        rows = {view: vocabularies[view].matrix(seen[view]) for view in VIEWS}
        prose, signs = vocabularies["prose"], vocabularies["signs"]
        names, bodies = (prose.presence(views[view].within(prose.index)) for view in ("title", "words"))
        notation = signs.presence(views["signs"])
        known = derived_fields(tuple(passages))
        column = known["column"]
        links = [
            (i, column[key]) for i, one in enumerate(passages) for key in dict.fromkeys(one.cites) if key in column
        ]
        stated = csr_matrix(
            (np.ones(len(links), dtype=np.float32), ([a for a, _ in links], [b for _, b in links])),
            shape=(len(passages), len(passages)),
        )
        return cls(
            **known,
            vocabularies=vocabularies,
            rows=rows,
            tokens_by_term=inverted(rows["tokens"]),
            titles_by_term=inverted(rows["title"]),
            bm25_by_term=inverted(bm25_matrix(views["tokens"])),
            names=names,
            names_by_term=inverted(names),
            bodies=bodies,
            name_mass=_mass(names, prose),
            body_mass=_mass(bodies, prose),
            notation=notation,
            notation_mass=_mass(notation, signs),
            stated=stated,
            stated_counts=np.asarray(stated.sum(axis=0), dtype=np.float32).ravel(),
            kind=np.array([KINDS.index(one.kind) for one in passages], dtype=np.float32),
            length=views["tokens"].lengths.astype(np.float32),
            title_length=views["title"].lengths.astype(np.float32),
        )

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.passages)


def derived_fields(passages: tuple[Passage, ...]) -> dict[str, Any]:
    """The fields that are cheap to derive from the passages, and therefore not cached."""
    places = [passage.place for passage in passages if passage.place is not None]
    placed = bool(places) and len(places) == len(passages)
    return {
        "passages": passages,
        "column": {passage.id: position for position, passage in enumerate(passages)},
        "place": np.array([place.position for place in places], dtype=np.float32) if placed else None,
        "chapter": np.array([place.chapter for place in places] if placed else [], dtype=np.object_),
        "section": np.array([place.section for place in places] if placed else [], dtype=np.object_),
        "form": np.array([form_of(passage) for passage in passages], dtype=np.float32),
    }


def form_of(passage: Passage) -> int:
    """The code of a statement's environment name."""
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
