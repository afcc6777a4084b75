"""Training data as numbers: examples, batches, sampled negatives, and the validation task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.encode import EncodedTexts, FrozenEncoder
from naturalproofs.ranking.neural.methods import TrainSettings
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet
from naturalproofs.tasks.measures.ranks import ranked_queries
from naturalproofs.tasks.measures.retrieval import MAP, compute_measures

Numbers = NDArray[np.intp]
_BUCKET = 32
"""Items of this many batches are sorted by cost together; their batches are then shuffled."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Every passage once, and the examples by position."""

    passages: tuple[Passage, ...]
    theorems: Numbers
    """By example: the position of the theorem."""
    sequences: tuple[Numbers, ...]
    """By example: the positions of the references, in order and with repeats."""

    @classmethod
    def of(cls, train: TrainSet) -> Examples:
        """Number a training set; references outside it are dropped, and examples without references."""
        known = {passage.id: passage for passage in train.passages}
        for example in train.examples:
            known.setdefault(example.theorem.id, example.theorem)
        place = {key: position for position, key in enumerate(known)}
        pairs = [
            (place[example.theorem.id], np.array([place[key] for key in example.references if key in place], np.intp))
            for example in train.examples
        ]
        pairs = [(theorem, sequence) for theorem, sequence in pairs if len(sequence)]
        theorems = np.array([theorem for theorem, _ in pairs], dtype=np.intp)
        return cls(tuple(known.values()), theorems, tuple(sequence for _, sequence in pairs))

    def __len__(self) -> int:
        return len(self.theorems)

    def gold(self, example: int) -> Numbers:
        """The distinct references of an example, in order."""
        return np.array(list(dict.fromkeys(self.sequences[example].tolist())), dtype=np.intp)

    def cited_by(self, examples: Sequence[int] | Numbers) -> Numbers:
        """The distinct references of some examples."""
        found = [self.sequences[int(example)] for example in examples]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)

    def gold_of_theorems(self) -> dict[int, set[int]]:
        """The references of all proofs of each theorem."""
        found: dict[int, set[int]] = {}
        for theorem, sequence in zip(self.theorems.tolist(), self.sequences, strict=True):
            found.setdefault(theorem, set()).update(sequence.tolist())
        return found


def gold_masks(
    columns: Numbers, theorems: Numbers, gold: dict[int, set[int]], passages: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each theorem, which columns are gold, and which is the theorem itself."""
    place = np.full(passages, -1, dtype=np.intp)
    place[columns] = np.arange(len(columns))
    cited = np.zeros((len(theorems), len(columns)), dtype=np.bool_)
    itself = np.zeros_like(cited)
    for row, theorem in enumerate(theorems.tolist()):
        found = place[list(gold[theorem])]
        cited[row, found[found >= 0]] = True
        if place[theorem] >= 0 and theorem not in gold[theorem]:
            itself[row, place[theorem]] = True
    return cited, itself


@dataclass(frozen=True, slots=True)
class SampledReferences:
    """The references that a batch is compared with."""

    places: Numbers
    log_weight: NDArray[np.float32]
    """Added to their scores: a sampled negative stands for several, this is the logarithm of how many."""


def sample_negatives(needed: Numbers, references: int, negatives: int, seed: Sequence[int]) -> SampledReferences:
    """The references a batch needs, and sampled others, weighted so that the softmax's sum is right in expectation.

    Args:
        needed: References that must be included.
        references: How many there are in all.
        negatives: How many others are sampled; 0: all.
        seed: Numbers that seed the sample.
    """
    rest = np.setdiff1d(np.arange(references), needed)
    if not negatives or negatives >= len(rest):
        return SampledReferences(np.arange(references), np.zeros(references, dtype=np.float32))
    sampled = np.random.default_rng(list(seed)).choice(rest, negatives, replace=False)
    places = np.concatenate([np.unique(needed), np.sort(sampled)])
    log_weight = np.zeros(len(places), dtype=np.float32)
    log_weight[-negatives:] = np.log(len(rest) / negatives)
    return SampledReferences(places, log_weight)


def shuffled_batches(costs: NDArray[np.int64], budget: int, seed: Sequence[int], *, most: int) -> list[Numbers]:
    """Items in batches of about a budget, in an order that the seed decides; a batch has items of similar cost.

    Args:
        costs: What each item adds to a batch.
        budget: What a batch may cost; an item that costs more is a batch of its own.
        seed: Numbers that decide the order.
        most: How many items a batch has at most.
    """
    generator = np.random.default_rng(list(seed))
    order = generator.permutation(len(costs))
    mean = max(1.0, float(costs.mean())) if len(costs) else 1.0
    size = max(1, _BUCKET * min(most, int(budget / mean) + 1))
    batches: list[Numbers] = []
    for first in range(0, len(order), size):
        piece = order[first : first + size]
        piece = piece[np.argsort(costs[piece], kind="stable")]
        batches.extend(np.split(piece, _batch_ends(costs[piece], budget, most)))
    return [batches[i] for i in generator.permutation(len(batches))]


def _batch_ends(costs: NDArray[np.int64], budget: int, most: int) -> list[int]:
    ends: list[int] = []
    first, spent = 0, 0
    for place, cost in enumerate(costs.tolist()):
        if place > first and (spent + cost > budget or place - first >= most):
            ends.append(place)
            first, spent = place, 0
        spent += cost
    return ends


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What a model is trained on: an encoder, the examples, the validation task if there is one, and the seed."""

    frozen: FrozenEncoder
    examples: Examples
    validation: Validation | None
    seed: int


@dataclass(frozen=True, slots=True)
class Validation:
    """A fixed sample of the validation queries and candidates, encoded once."""

    task: RetrievalTask
    theorems: EncodedTexts
    candidates: EncodedTexts

    @classmethod
    def of(
        cls, settings: TrainSettings, task: RetrievalTask | None, frozen: FrozenEncoder, *, pooled: tuple[bool, bool]
    ) -> Validation | None:
        """Sample and encode a task; nothing without one.

        Args:
            settings: The sizes of the sample.
            task: The task.
            frozen: The encoder.
            pooled: Whether the states of theorems are pooled, and those of candidates.
        """
        if task is None or not task.queries:
            return None
        small = sample_task(task, settings.valid_questions, settings.valid_candidates)
        theorems = frozen.encode([query.theorem for query in small.queries], pooled=pooled[0])
        return cls(small, theorems, frozen.encode(small.candidates, pooled=pooled[1]))

    def mean_average_precision(self, scores: Scores) -> float:
        """Mean average precision of scores of all candidates for all theorems."""
        ranked = ranked_queries(
            scores,
            queries=[query.id for query in self.task.queries],
            gold=[query.gold for query in self.task.queries],
            candidates=[candidate.id for candidate in self.task.candidates],
            excluded=self.task.excluded,
            top=0,
        )
        return compute_measures(ranked, [MAP]).total(MAP)


def sample_task(task: RetrievalTask, questions: int, candidates: int) -> RetrievalTask:
    """A smaller task with every gold reference of its queries among the candidates; always the same sample."""
    generator = np.random.default_rng(0)
    chosen = np.arange(len(task.queries))
    if len(chosen) > questions:
        chosen = np.sort(generator.choice(chosen, questions, replace=False))
    index = {candidate.id: position for position, candidate in enumerate(task.candidates)}
    needed = {index[key] for row in chosen for key in task.queries[row].gold if key in index}
    rest = np.array([i for i in range(len(index)) if i not in needed], dtype=np.intp)
    more = min(max(0, candidates - len(needed)), len(rest))
    positions = sorted({*needed, *generator.choice(rest, more, replace=False).tolist()})
    place = {old: new for new, old in enumerate(positions)}
    return replace(
        task,
        queries=tuple(task.queries[row] for row in chosen),
        candidates=tuple(task.candidates[position] for position in positions),
        excluded=tuple(tuple(place[i] for i in task.excluded[row] if i in place) for row in chosen),
    )
