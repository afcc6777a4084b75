"""Training examples as numbers: which text is a theorem's, which are its references'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.lexical import BM25
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

Numbers = NDArray[np.intp]


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
        """Number a training set; references that training may not see are left out, and examples without any."""
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
        """All that some examples cite, each once."""
        found = [self.sequences[int(example)] for example in examples]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)

    def gold_of_theorems(self) -> dict[int, set[int]]:
        """All that any proof of a theorem cites."""
        found: dict[int, set[int]] = {}
        for theorem, sequence in zip(self.theorems.tolist(), self.sequences, strict=True):
            found.setdefault(theorem, set()).update(sequence.tolist())
        return found


def marks(
    columns: Numbers, theorems: Numbers, gold: dict[int, set[int]], passages: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each theorem, which columns it cites, and which is the theorem itself."""
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


def hard_negatives(examples: Examples, kind: str, depth: int) -> list[Numbers]:
    """For each example, references that look right and are not cited.

    Args:
        examples: The training examples.
        kind: ``bm25`` for those with the most words in common, ``document`` for those of the same chapter.
        depth: From how many.
    """
    gold = examples.gold_of_theorems()
    if kind == "document":
        near = _Neighbours(examples.passages, depth)
        found = [near(int(theorem)) for theorem in examples.theorems]
    elif kind == "bm25":
        scorer = BM25().fit(TrainSet((), ()), seed=0).index(examples.passages)
        found = []
        for theorem in examples.theorems:
            row = scorer.score([examples.passages[theorem]])[0]
            k = min(depth + 1, len(row))
            found.append(np.argpartition(-row, k - 1)[:k])
    else:
        raise UnknownName(f"hard_from cannot be {kind!r}; it is 'bm25' or 'document'")
    return [
        np.array([i for i in sorted(row.tolist()) if i != theorem and i not in gold[theorem]], dtype=np.intp)
        for theorem, row in zip(examples.theorems.tolist(), found, strict=True)
    ]


class _Neighbours:
    """The statements of the same chapter that stand nearest before."""

    def __init__(self, passages: Sequence[Passage], depth: int) -> None:
        if any(passage.place is None for passage in passages):
            raise UnknownName("hard_from='document' needs to see places: train with --protocol accessible")
        self.depth = depth
        self.chapters: dict[tuple[str, str], list[int]] = {}
        places = [passage.place for passage in passages]
        self.place = [(at.document, at.chapter, at.position) if at else ("", "", 0) for at in places]
        for position, (document, chapter, _) in enumerate(self.place):
            self.chapters.setdefault((document, chapter), []).append(position)

    def __call__(self, theorem: int) -> Numbers:
        document, chapter, here = self.place[theorem]
        same = self.chapters[document, chapter]
        nearest = sorted(same, key=lambda other: abs(self.place[other][2] - here))
        return np.array(nearest[: self.depth + 1], dtype=np.intp)
