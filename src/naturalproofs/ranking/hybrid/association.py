"""A learned association of theorems with what their proofs cite: a linear map, and a shift per reference.

The score of a reference is ``(theorem · map) · (reference + shift)``, trained by a softmax over the references of the
batch and random others. The map works on text alone, so it also serves statements that no proof has cited yet; the
shifts store which references were cited for what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from naturalproofs.ranking.hybrid.candidates import PassageCounts
from naturalproofs.ranking.lsa import LatentSpace, unit
from naturalproofs.ranking.term_vectors import Floats, Ints, Sparse
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import TrainingExample

EPOCHS = 6
BATCH = 128
OTHERS = 2000
"""Random references beside those of the batch."""
SHARPNESS = 20.0
MAP_RATE = 1.5e-3
SHIFT_RATE = 3e-3
SHIFT_DECAY = 1e-2


@dataclass(frozen=True, slots=True)
class TrainedAssociation:
    """An association with the vectors it works on and the references it was trained on."""

    space: LatentSpace = field(repr=False)
    map: Floats = field(repr=False)
    shifts: Floats = field(repr=False)
    names: tuple[StatementId, ...] = field(repr=False)
    """Of the rows of `shifts`; references that no proof cites have no shift."""

    def without_shifts(self) -> TrainedAssociation:
        """The same by text alone."""
        return replace(self, shifts=self.shifts[:0], names=())

    def bind(
        self,
        column: Mapping[StatementId, int],
        examples: Sequence[TrainingExample],
        counts: PassageCounts,
        texts: Floats,
    ) -> BoundAssociation:
        """Bind to candidates and training proofs.

        Args:
            column: The position of each candidate.
            examples: The training proofs.
            counts: Term counts of the candidates; most training theorems are among them.
            texts: The candidates' vectors.
        """
        theorems = self.space.vectors(PassageCounts.of([example.theorem for example in examples], counts).views)
        pairs = [(column[name], row) for row, name in enumerate(self.names) if name in column]
        references = texts.copy()
        references[[place for place, _ in pairs]] += self.shifts[[row for _, row in pairs]]
        return BoundAssociation.of(self.space, self.map, texts, references, theorems)


@dataclass(frozen=True, slots=True)
class BoundAssociation:
    """The association bound to candidates and proofs."""

    space: LatentSpace
    map: Floats
    texts: Floats
    """The candidates' vectors."""
    references: Floats
    """The same, shifted."""
    theorems: Floats
    """The training theorems' vectors after the map, of length one."""

    @classmethod
    def of(
        cls, space: LatentSpace, map_: Floats, texts: Floats, references: Floats, theorems: Floats
    ) -> BoundAssociation:
        """Map the training theorems."""
        mapped = unit(theorems @ map_) if len(theorems) else np.zeros((0, map_.shape[1]), dtype=np.float32)
        return cls(space, map_, texts, references, mapped)


def learn(
    theorems: Floats, references: Floats, cited: Sparse, seed: int, *, shifted: bool = True
) -> tuple[Floats, Floats]:
    """The map and the shifts, trained on theorems (rows) whose proofs cite references (columns of `cited`).

    Args:
        theorems: Vectors of the theorems.
        references: Vectors of the references.
        cited: Which proof cites which reference.
        seed: Random seed.
        shifted: Whether to learn shifts. They store who cites a reference, and so show later proofs to earlier queries.
    """
    random = np.random.default_rng(seed)
    dimensions = theorems.shape[1]
    state = _State(
        np.eye(dimensions, dtype=np.float32) * np.float32(SHARPNESS),
        np.zeros_like(references),
        np.zeros((dimensions, dimensions), dtype=np.float32),
        np.zeros((dimensions, dimensions), dtype=np.float32),
        np.zeros(len(references), dtype=np.float32),
    )
    usable = np.flatnonzero(np.diff(cited.indptr))
    steps = EPOCHS * -(-len(usable) // BATCH)
    for _ in range(EPOCHS):
        order = random.permutation(usable)
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            extra = random.integers(0, len(references), OTHERS)
            state.step(theorems[rows], references, cited[rows], extra, steps, shifted=shifted)
    return state.map, state.shifts


@dataclass(slots=True)
class _State:
    """The parameters, and running means of their gradients (Kingma and Ba 2015)."""

    map: Floats
    shifts: Floats
    mean: Floats
    square: Floats
    shift_square: Floats
    done: int = 0

    def step(
        self, theorems: Floats, references: Floats, cited: Sparse, extra: Ints, steps: int, *, shifted: bool
    ) -> None:
        seen = np.unique(np.concatenate([cited.indices, extra]))
        target = np.searchsorted(seen, cited.indices)
        sizes = np.diff(cited.indptr)
        row = np.repeat(np.arange(len(sizes)), sizes)
        shown = references[seen] + self.shifts[seen]
        asked = theorems @ self.map
        logits = asked @ shown.T
        logits -= logits.max(axis=1, keepdims=True)
        error = np.exp(logits)
        error /= error.sum(axis=1, keepdims=True)
        error[row, target] -= (1 / sizes).astype(np.float32)[row]
        error /= np.float32(len(sizes))
        self.done += 1
        decay = 1 - 0.9 * self.done / steps
        self._update_map(theorems.T @ (error @ shown), np.float32(MAP_RATE * SHARPNESS * decay))
        if shifted:
            self._update_shifts(seen, error.T @ asked, decay)

    def _update_map(self, gradient: Floats, rate: np.float32) -> None:
        self.mean += np.float32(0.1) * (gradient - self.mean)
        self.square += np.float32(0.02) * (gradient * gradient - self.square)
        unbiased = np.float32(1 - 0.9**self.done), np.float32(1 - 0.98**self.done)
        self.map -= rate * (self.mean / unbiased[0]) / (np.sqrt(self.square / unbiased[1]) + np.float32(1e-8))

    def _update_shifts(self, seen: Ints, gradient: Floats, decay: float) -> None:
        gradient = gradient + np.float32(SHIFT_DECAY) * self.shifts[seen]
        self.shift_square[seen] = 0.9 * self.shift_square[seen] + 0.1 * (gradient * gradient).mean(axis=1)
        size = np.sqrt(self.shift_square[seen])[:, None] + np.float32(1e-4)
        self.shifts[seen] -= np.float32(SHIFT_RATE * decay) * gradient / size
