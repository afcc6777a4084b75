"""What training proofs cite, and which of them a query may not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.library import RECALLED, Library
from naturalproofs.ranking.hybrid.terms import VIEWS, passage_terms
from naturalproofs.ranking.neighbours import citation_matrix, citing_proofs, votes
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.ranking.term_vectors import Floats, Ints, Sparse, inverted
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample


@dataclass(frozen=True, slots=True)
class Memory:
    """Training proofs as rows, candidates as columns."""

    examples: tuple[TrainingExample, ...]
    by_term: dict[str, Sparse]
    """Training theorems in the views that recall them, by term."""
    cited: Sparse
    citing: Sparse
    """`cited`, by candidate."""
    counts: Floats
    """How many proofs cite each candidate."""
    sizes: Floats
    """How many candidates each proof cites, at least one."""
    theorem: Ints
    """The candidate that each proof proves, or -1."""
    proofs_of: dict[StatementId, tuple[int, ...]]
    users_of: dict[StatementId, tuple[int, ...]]
    place: Floats | None
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]

    @classmethod
    def of(cls, examples: Sequence[TrainingExample], library: Library) -> Memory:
        """Bind the proofs to the candidates."""
        by_term = _by_term([example.theorem for example in examples], library)
        known = known_proofs(tuple(examples))
        cited = citation_matrix(known["users_of"], library.column, (len(examples), len(library)))
        return cls(
            by_term=by_term,
            cited=cited,
            citing=cited.T.tocsr(),
            counts=np.asarray(cited.sum(axis=0), dtype=np.float32).ravel(),
            sizes=np.maximum(np.asarray(cited.sum(axis=1), dtype=np.float32).ravel(), 1),
            theorem=np.array([library.column.get(e.theorem.id, -1) for e in examples], dtype=np.intp),
            **known,
        )

    def __len__(self) -> int:
        """How many proofs there are."""
        return len(self.examples)

    def hidden(self, theorem: StatementId) -> Ints:
        """Proofs that a question about a theorem may not see: its own, and those that use it.

        The second because nothing that is asked at evaluation has been used yet: a proof that cites the theorem
        together with its references would teach a ranker to rely on what it will not find.
        """
        rows = {*self.proofs_of.get(theorem, ()), *self.users_of.get(theorem, ())}
        return np.array(sorted(rows), dtype=np.intp)

    def votes(self, similarity: Floats, k: int, power: float) -> Floats:
        """For each candidate the weighted votes of the k most similar proofs."""
        return votes(self.cited, similarity, k, power)


def known_proofs(examples: tuple[TrainingExample, ...]) -> dict[str, Any]:
    """The fields that follow from the proofs at once."""
    proofs_of: dict[StatementId, list[int]] = {}
    for row, example in enumerate(examples):
        proofs_of.setdefault(example.theorem.id, []).append(row)
    places = [example.theorem.place for example in examples]
    known = [place for place in places if place is not None]
    whole = len(known) == len(places)
    return {
        "examples": examples,
        "proofs_of": {key: tuple(rows) for key, rows in proofs_of.items()},
        "users_of": citing_proofs(examples),
        "place": np.array([place.position for place in known], dtype=np.float32) if whole else None,
        "chapter": np.array([place.chapter for place in known] if whole else [], dtype=np.object_),
        "section": np.array([place.section for place in known] if whole else [], dtype=np.object_),
    }


def _by_term(theorems: Sequence[Passage], library: Library) -> dict[str, Sparse]:
    """Theorems in the views that recall them; one that is a candidate too is cut and weighed already."""
    from scipy.sparse import vstack

    columns = [library.column.get(theorem.id, -1) for theorem in theorems]
    same = [at >= 0 and _says(library.candidates[at]) == _says(one) for at, one in zip(columns, theorems, strict=True)]
    others = [passage_terms(theorem) for theorem, known in zip(theorems, same, strict=True) if not known]
    places = np.where(same, columns, len(library) + np.cumsum(np.logical_not(same)) - 1).astype(np.intp)
    found = {}
    for view in RECALLED:
        vocabulary, rows = library.vocabularies[view], library.rows[view]
        if others:
            counts = TermCounts.known([VIEWS[view](terms) for terms in others], vocabulary.index)
            rows = vstack([rows, vocabulary.matrix(counts)], format="csr")
        found[view] = inverted(rows[places])
    return found


def _says(passage: Passage) -> tuple[str, str]:
    return passage.title, passage.text
