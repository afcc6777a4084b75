"""What was learnt, bound to candidates: the desk that questions are put on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.desk import Desk, Learned
from naturalproofs.ranking.hybrid.library import Library
from naturalproofs.ranking.hybrid.memory import Memory
from naturalproofs.ranking.lsa import LatentSpace, unit
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.association import Association


@dataclass(frozen=True, slots=True)
class Associated:
    """An association with the names of the references it was trained on."""

    embedding: LatentSpace = field(repr=False)
    map: Floats = field(repr=False)
    shifts: Floats = field(repr=False)
    names: tuple[StatementId, ...] = field(repr=False)
    """Of the rows of `shifts`; references that no proof cites have no shift of their own."""

    @classmethod
    def of(
        cls, embedding: LatentSpace, association: Association, passages: Sequence[Passage], kept: Sequence[int]
    ) -> Associated:
        """Keep the shifts of the references at these positions."""
        return cls(embedding, association.map, association.shifts[list(kept)], tuple(passages[i].id for i in kept))

    def bind(self, library: Library, examples: Sequence[TrainingExample], cuts: Cuts, texts: Floats) -> Learned:
        """Vectors of candidates, which are given, and of training theorems, most of which are candidates too."""
        theorems = self.embedding.vectors(Cuts.of([example.theorem for example in examples], cuts).views)
        column: Mapping[StatementId, int] = library.column
        pairs = [(column[name], row) for row, name in enumerate(self.names) if name in column]
        references = texts.copy()
        references[[place for place, _ in pairs]] += self.shifts[[row for _, row in pairs]]
        return bound(self.embedding, self.map, texts, references, theorems)


def bound(embedding: LatentSpace, map_: Floats, texts: Floats, references: Floats, theorems: Floats) -> Learned:
    """The parts as a signal."""
    mapped = unit(theorems @ map_) if len(theorems) else np.zeros((0, map_.shape[1]), dtype=np.float32)
    return Learned(embedding, map_, texts, references, mapped)


def desk_of(
    candidates: Sequence[Passage],
    examples: Sequence[TrainingExample],
    associated: Associated | None,
    *,
    pool: int,
    without: Sequence[str],
    cuts: Cuts | None = None,
    texts: Floats | None = None,
) -> Desk:
    """Bind candidates and proofs; what is cut, or has its vector, already, need not be done again."""
    cuts = cuts or Cuts.of(candidates)
    library = Library.of(candidates, cuts)
    memory = Memory.of(examples, library)
    learned = None
    if associated is not None and len(library):
        vectors = associated.embedding.vectors(cuts.views) if texts is None else texts
        learned = associated.bind(library, examples, cuts, vectors)
    return Desk(library, memory, learned, pool, frozenset(without))
