"""A learned association of theorems with what their proofs cite: two linear maps, and a shift per reference.

Theorems and references are mapped to vectors of length one, each by its own map from a wide latent semantic space. The
score of a reference is ``sharpness · theorem · (reference + shift)``, trained by a softmax over the references of the
batch and random others. The maps work on text alone, so they also serve statements that no proof has cited yet; the
shifts store which references were cited for what.

A map after a projection of terms is a projection of terms, so only the products are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from naturalproofs.ranking.hybrid.candidates import EXCLUDED, PassageCounts
from naturalproofs.ranking.term_vectors import Floats, Ints, LatentSpace, Sparse, TermCounts
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import TrainingExample

EPOCHS = 8
STEPS = 260
"""At least, unless batches would be too small."""
BATCH = (32, 256)
OTHERS = 500
"""Random references beside those of the batch."""
SHARPNESS = 20.0
"""At the start; it is learned."""
MAP_RATE = 2e-3
SHARPNESS_RATE = 1e-3
SHIFT_RATE = 1e-3
SHIFT_DECAY = 1e-2


@dataclass(frozen=True, slots=True)
class TrainedAssociation:
    """An association: three latent spaces over the same terms, and the references it was trained on."""

    space: LatentSpace = field(repr=False)
    """Of topics, not trained."""
    asked: LatentSpace = field(repr=False)
    """Of theorems."""
    answers: LatentSpace = field(repr=False)
    """Of references."""
    sharpness: float
    shifts: Floats = field(repr=False)
    names: tuple[StatementId, ...] = field(repr=False)
    """Of the rows of `shifts`; references that no proof cites have no shift."""

    def without_shifts(self) -> TrainedAssociation:
        """The same by text alone."""
        return replace(self, shifts=self.shifts[:0], names=())

    def vectors(self, counts: Mapping[str, TermCounts]) -> Floats:
        """The vectors of candidates in the space of topics, and beside them those in the space of references."""
        return np.concatenate([self.space.vectors(counts), self.answers.vectors(counts)], axis=1)

    def bind(
        self,
        column: Mapping[StatementId, int],
        examples: Sequence[TrainingExample],
        counts: PassageCounts,
        vectors: Floats,
    ) -> BoundAssociation:
        """Bind to candidates and training proofs.

        Args:
            column: The position of each candidate.
            examples: The training proofs.
            counts: Term counts of the candidates; most training theorems are among them.
            vectors: The candidates' vectors in both spaces.
        """
        texts, answers = np.split(vectors, [self.space.dimensions], axis=1)
        theorems = self.asked.vectors(PassageCounts.of([example.theorem for example in examples], counts).views)
        pairs = [(column[name], row) for row, name in enumerate(self.names) if name in column]
        references = answers.copy()
        references[[place for place, _ in pairs]] += self.shifts[[row for _, row in pairs]]
        return BoundAssociation(self.space, self.asked, self.sharpness, texts, answers, references, theorems)


@dataclass(frozen=True, slots=True)
class BoundAssociation:
    """The association bound to candidates and proofs."""

    space: LatentSpace
    asked: LatentSpace
    sharpness: float
    texts: Floats
    """The candidates' vectors in the space of topics."""
    answers: Floats
    """The candidates' vectors in the space of references."""
    references: Floats
    """The same, shifted."""
    theorems: Floats
    """The training theorems' vectors."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The maps, the shifts and the sharpness."""

    asked: Floats
    answers: Floats
    shifts: Floats
    sharpness: float

    def asked_by(self, wide: LatentSpace) -> LatentSpace:
        """The space of theorems, given the one that the maps start from."""
        return replace(wide, projection=wide.projection @ self.asked)

    def answered_by(self, wide: LatentSpace) -> LatentSpace:
        """The space of references."""
        return replace(wide, projection=wide.projection @ self.answers)


def learn(
    theorems: Floats, references: Floats, cited: Sparse, own: Ints, dimensions: int, seed: int, *, shifted: bool = True
) -> Learned:
    """Train on theorems (rows) whose proofs cite references (columns of `cited`).

    Args:
        theorems: Vectors of the theorems.
        references: Vectors of the references.
        cited: Which proof cites which reference.
        own: The row of each theorem among the references, which is no candidate for it; −1 if it is none of them.
        dimensions: How many dimensions the maps have.
        seed: Random seed.
        shifted: Whether to learn shifts. They store who cites a reference, and so show later proofs to earlier queries.
    """
    random = np.random.default_rng(seed)
    width = min(dimensions, theorems.shape[1])
    state = _State.of(theorems.shape[1], width, len(references))
    usable = np.flatnonzero(np.diff(cited.indptr))
    batch = int(np.clip(EPOCHS * len(usable) // STEPS, *BATCH))
    steps = EPOCHS * -(-len(usable) // batch)
    for _ in range(EPOCHS):
        order = random.permutation(usable)
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            needed = np.unique(cited[rows].indices)
            others = np.setdiff1d(random.integers(0, len(references), OTHERS), needed)
            state.step(theorems[rows], references, cited[rows], own[rows], needed, others, steps, shifted=shifted)
    return Learned(state.asked.values, state.answers.values, state.shifts, float(np.exp(state.log_sharpness)))


@dataclass(slots=True)
class _Map:
    """A map, and running means of its gradients (Kingma and Ba 2015)."""

    values: Floats
    mean: Floats
    square: Floats

    @classmethod
    def of(cls, width: int, dimensions: int) -> _Map:
        """The first dimensions as they are."""
        zero = np.zeros((width, dimensions), dtype=np.float32)
        return cls(np.eye(width, dimensions, dtype=np.float32), zero, zero.copy())

    def update(self, gradient: Floats, rate: float, done: int) -> None:
        """A step of Adam."""
        self.mean += np.float32(0.1) * (gradient - self.mean)
        self.square += np.float32(0.02) * (gradient * gradient - self.square)
        unbiased = 1 - 0.9**done, 1 - 0.98**done
        size = np.sqrt(self.square / np.float32(unbiased[1])) + np.float32(1e-8)
        self.values -= np.float32(rate / unbiased[0]) * self.mean / size


@dataclass(slots=True)
class _State:
    """The parameters during training."""

    asked: _Map
    answers: _Map
    shifts: Floats
    shift_square: Floats
    log_sharpness: float = float(np.log(SHARPNESS))
    done: int = 0

    @classmethod
    def of(cls, width: int, dimensions: int, references: int) -> _State:
        """Before training: cosines of the first dimensions."""
        shifts = np.zeros((references, dimensions), dtype=np.float32)
        square = np.zeros(references, dtype=np.float32)
        return cls(_Map.of(width, dimensions), _Map.of(width, dimensions), shifts, square)

    def step(
        self,
        theorems: Floats,
        references: Floats,
        cited: Sparse,
        own: Ints,
        needed: Ints,
        others: Ints,
        steps: int,
        *,
        shifted: bool,
    ) -> None:
        """One batch: theorems against the references that they cite, `needed`, and `others`."""
        seen = np.concatenate([needed, others])
        asked, asked_length = _lengths(theorems @ self.asked.values)
        answers, answer_length = _lengths(references[seen] @ self.answers.values)
        shown = answers + self.shifts[seen]
        sharpness = np.float32(np.exp(self.log_sharpness))
        cosines = asked @ shown.T
        logits = sharpness * cosines
        # Others stand for all references outside the batch.
        logits[:, len(needed) :] += np.float32(np.log(max(len(references) - len(needed), 1) / max(len(others), 1)))
        logits[own[:, None] == seen] = EXCLUDED
        logits -= logits.max(axis=1, keepdims=True)
        error = np.exp(logits)
        error /= error.sum(axis=1, keepdims=True)
        sizes = np.diff(cited.indptr)
        row = np.repeat(np.arange(len(sizes)), sizes)
        error[row, np.searchsorted(needed, cited.indices)] -= (1 / sizes).astype(np.float32)[row]
        error /= np.float32(len(sizes))
        self.done += 1
        decay = 1 - 0.9 * self.done / steps
        slope = float((error * cosines).sum()) * float(sharpness)
        error *= sharpness
        towards, back = error @ shown, error.T @ asked
        self.asked.update(theorems.T @ _across(towards, asked, asked_length), MAP_RATE * decay, self.done)
        gradient = references[seen].T @ _across(back, answers, answer_length)
        self.answers.update(gradient, MAP_RATE * decay, self.done)
        self.log_sharpness -= SHARPNESS_RATE * float(np.sign(slope))
        if shifted:
            self._update_shifts(seen, back, decay)

    def _update_shifts(self, seen: Ints, gradient: Floats, decay: float) -> None:
        gradient = gradient + np.float32(SHIFT_DECAY) * self.shifts[seen]
        self.shift_square[seen] = 0.9 * self.shift_square[seen] + 0.1 * (gradient * gradient).mean(axis=1)
        size = np.sqrt(self.shift_square[seen])[:, None] + np.float32(1e-4)
        self.shifts[seen] -= np.float32(SHIFT_RATE * decay) * gradient / size


def _lengths(rows: Floats) -> tuple[Floats, Floats]:
    """Rows of length one, and their lengths before."""
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
    return rows / lengths, lengths


def _across(gradient: Floats, rows: Floats, lengths: Floats) -> Floats:
    """The gradient before rows were divided by their lengths."""
    across: Floats = (gradient - rows * (gradient * rows).sum(axis=1, keepdims=True)) / lengths
    return across
