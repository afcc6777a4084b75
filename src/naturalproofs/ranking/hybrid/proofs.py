"""The training proofs: what they cite, and which of them a query may not use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.candidates import Candidates
from naturalproofs.ranking.hybrid.passage_terms import VIEWS, passage_terms
from naturalproofs.ranking.neighbours import citation_matrix, citing_proofs, votes
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.ranking.term_vectors import Floats, Ints, Sparse, inverted
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample

COMPARED = ("tokens", "title", "opening")
"""Views in which training theorems are compared with a query."""


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
    sizes: Floats
    """How many candidates each proof cites, at least one."""
    theorem: Ints
    """The candidate that each proof proves, or -1."""
    own: dict[StatementId, tuple[int, ...]]
    citing: dict[StatementId, tuple[int, ...]]
    place: Floats | None
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]

    @classmethod
    def of(cls, examples: Sequence[TrainingExample], candidates: Candidates) -> TrainingProofs:
        """Bind the proofs to the candidates."""
        by_term = _by_term([example.theorem for example in examples], candidates)
        known = derived_fields(tuple(examples))
        cited = citation_matrix(known["citing"], candidates.column, (len(examples), len(candidates)))
        return cls(
            by_term=by_term,
            cited=cited,
            by_candidate=cited.T.tocsr(),
            counts=np.asarray(cited.sum(axis=0), dtype=np.float32).ravel(),
            sizes=np.maximum(np.asarray(cited.sum(axis=1), dtype=np.float32).ravel(), 1),
            theorem=np.array([candidates.column.get(e.theorem.id, -1) for e in examples], dtype=np.intp),
            **known,
        )

    def __len__(self) -> int:
        """The number of proofs."""
        return len(self.examples)

    def hidden(self, theorem: StatementId) -> Ints:
        """Proofs that a query about a theorem may not use: its own, and those that cite it.

        Evaluation theorems have not been cited yet. A proof that cites the training theorem together with its
        references would train a signal that is missing at evaluation.
        """
        rows = {*self.own.get(theorem, ()), *self.citing.get(theorem, ())}
        return np.array(sorted(rows), dtype=np.intp)

    def votes(self, similarity: Floats, k: int, power: float) -> Floats:
        """For each candidate the weighted votes of the k most similar proofs."""
        return votes(self.cited, similarity, k, power)


def derived_fields(examples: tuple[TrainingExample, ...]) -> dict[str, Any]:
    """The fields that are cheap to derive from the proofs, and therefore not cached."""
    own: dict[StatementId, list[int]] = {}
    for row, example in enumerate(examples):
        own.setdefault(example.theorem.id, []).append(row)
    places = [example.theorem.place for example in examples]
    known = [place for place in places if place is not None]
    whole = len(known) == len(places)
    return {
        "examples": examples,
        "own": {key: tuple(rows) for key, rows in own.items()},
        "citing": citing_proofs(examples),
        "place": np.array([place.position for place in known], dtype=np.float32) if whole else None,
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
            counts = TermCounts.known([VIEWS[view](terms) for terms in others], vocabulary.index)
            rows = vstack([rows, vocabulary.matrix(counts)], format="csr")
        found[view] = inverted(rows[places])
    return found


def _text(passage: Passage) -> tuple[str, str]:
    return passage.title, passage.text
