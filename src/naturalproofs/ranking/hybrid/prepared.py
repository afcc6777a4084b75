"""What an index of candidates has prepared of each text by itself, so that the next index need not do it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.hybrid.binding import Associated
from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.terms import VIEWS, passage_terms
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage


@dataclass(frozen=True, slots=True)
class Prepared:
    """The candidates' terms, and their vectors where there is an association."""

    cuts: Cuts = field(repr=False)
    texts: Floats | None = field(default=None, repr=False)
    embedding: str = ""
    """The hash of what made the vectors."""

    @classmethod
    def of(cls, candidates: Sequence[Passage], associated: Associated | None, before: Prepared | None) -> Prepared:
        """Prepare the candidates, but for what was prepared before."""
        cuts = Cuts.of(candidates, before.cuts if before is not None else None)
        if associated is None or not candidates:
            return cls(cuts)
        embedding = associated.embedding
        mark = _mark(embedding)
        if before is None or before.texts is None or before.embedding != mark:
            return cls(cuts, embedding.vectors(cuts.views), mark)
        known = {key: row for row, key in enumerate(before.cuts.keys)}
        rows = np.array([known.get(key, -1) for key in cuts.keys], dtype=np.intp)
        texts = np.array(before.texts[rows], dtype=np.float32)
        new = np.flatnonzero(rows < 0)
        terms = [passage_terms(candidates[position]) for position in new.tolist()]
        texts[new] = embedding.vectors_of_terms({view: [cut(one) for one in terms] for view, cut in VIEWS.items()})
        return cls(cuts, texts, mark)


def _mark(embedding: LatentSpace) -> str:
    terms = repr([(view, len(vocabulary.index)) for view, vocabulary in embedding.vocabularies.items()])
    return sha256_bytes(terms.encode() + np.ascontiguousarray(embedding.projection).tobytes())
