"""Measures of generated reference sequences, compared as sequences, multisets or sets.

An example with an empty true sequence is not counted. F1 and BLEU are corpus-level: counts are summed over all examples
first. All but the length ratio are shown in percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from naturalproofs.evaluation.measures import Floats, Mean, Measure

View: TypeAlias = Literal["multiset", "set"]
"""How sequences are compared when their order is ignored."""


@dataclass(frozen=True, slots=True)
class GeneratedSequence:
    """The predicted and the true references of one query, in order and with repeats."""

    query: str
    predicted: tuple[Hashable, ...]
    gold: tuple[Hashable, ...]


GenerationMeasure: TypeAlias = Measure[GeneratedSequence]


@dataclass(frozen=True, slots=True)
class ExactMatch(Mean[GeneratedSequence]):
    """``EM``, ``multiset EM``, ``set EM``: the share of examples that are fully correct."""

    view: View | None = None
    """None compares the sequences themselves."""

    def __str__(self) -> str:
        return "EM" if self.view is None else f"{self.view} EM"

    def score(self, item: GeneratedSequence) -> float:
        """One if equal."""
        if self.view is None:
            return float(item.predicted == item.gold)
        return float(_counts(item.predicted, self.view) == _counts(item.gold, self.view))


@dataclass(frozen=True, slots=True)
class EditDistance(Mean[GeneratedSequence]):
    """``Edit``, the mean of min(1, Levenshtein distance / true length); lower is better."""

    name: ClassVar[str] = "Edit"

    def score(self, item: GeneratedSequence) -> float:
        """Edits per true reference, at most one."""
        return min(1.0, edit_distance(item.predicted, item.gold) / len(item.gold))


@dataclass(frozen=True, slots=True)
class LengthRatio(Mean[GeneratedSequence]):
    """``Len``, the mean ratio of predicted to true length, at best 1; the only measure not in percent."""

    name: ClassVar[str] = "Len"
    percent: ClassVar[bool] = False

    def score(self, item: GeneratedSequence) -> float:
        """The ratio of lengths."""
        return len(item.predicted) / len(item.gold)


@dataclass(frozen=True, slots=True)
class Bleu(Measure[GeneratedSequence]):
    """``BLEU4``, ``BLEU2``, ``BLEU1``: corpus BLEU with one reference and no smoothing.

    The geometric mean of the clipped precisions of 1- to n-grams over the whole corpus, times the brevity penalty
    exp(min(0, 1 - true length / predicted length)). An example that is too short for an n-gram counts one in
    that denominator, as in NLTK's ``corpus_bleu``. Papineni et al., BLEU, ACL 2002.
    """

    order: int

    def __str__(self) -> str:
        return f"BLEU{self.order}"

    @property
    def width(self) -> int:
        """Matches and n-grams of each order, and the two lengths."""
        return 2 * self.order + 2

    def parts(self, item: GeneratedSequence) -> tuple[float, ...]:
        """Matches of each order, n-grams of each order, predicted length, true length."""
        if not item.gold:
            return (0.0,) * self.width
        size, orders = len(item.predicted), range(1, self.order + 1)
        # Each predicted n-gram is counted at most as often as it is true.
        matches = [(_ngrams(item.predicted, n) & _ngrams(item.gold, n)).total() for n in orders]
        ngrams = [max(1, size - n + 1) for n in orders]
        return tuple(map(float, (*matches, *ngrams, size, len(item.gold))))

    def value(self, sums: Floats) -> Floats:
        """BLEU of summed counts."""
        matches, ngrams = sums[..., : self.order], sums[..., self.order : -2]
        # Without a match, exp(log 0) gives the zero that is wanted.
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.exp(np.log(matches / ngrams).mean(axis=-1))
            penalty = np.exp(np.minimum(0.0, 1.0 - sums[..., -1] / sums[..., -2]))
        return np.asarray(precision * penalty, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class F1(Measure[GeneratedSequence]):
    """``multiset F1``, ``set F1``: 2 · correct / (predicted + true), micro-averaged."""

    view: View

    def __str__(self) -> str:
        return f"{self.view} F1"

    def parts(self, item: GeneratedSequence) -> tuple[float, ...]:
        """Twice the correct ones, and predicted plus true."""
        if not item.gold:
            return 0.0, 0.0
        predicted, gold = _counts(item.predicted, self.view), _counts(item.gold, self.view)
        return 2.0 * (predicted & gold).total(), float(predicted.total() + gold.total())


@dataclass(frozen=True, slots=True)
class MeanF1(Mean[GeneratedSequence]):
    """``multiset F1 mean``, ``set F1 mean``: the mean of each example's F1."""

    view: View

    def __str__(self) -> str:
        return f"{self.view} F1 mean"

    def score(self, item: GeneratedSequence) -> float:
        """F1 of one example."""
        correct, total = F1(self.view).parts(item)
        return correct / total


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The least number of insertions, deletions and substitutions (Levenshtein distance)."""
    row = list(range(len(second) + 1))
    for number, item in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for column, other in enumerate(second, 1):
            diagonal, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, diagonal + (item != other))
    return row[-1]


def _ngrams(items: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(zip(*(items[start:] for start in range(n)), strict=False))


def _counts(items: Sequence[Hashable], view: View) -> Counter[Hashable]:
    return Counter(set(items)) if view == "set" else Counter(items)


GENERATION_MEASURES: tuple[GenerationMeasure, ...] = (
    ExactMatch(),
    EditDistance(),
    Bleu(4),
    Bleu(2),
    LengthRatio(),
    ExactMatch("multiset"),
    F1("multiset"),
    ExactMatch("set"),
    F1("set"),
    Bleu(1),
)
"""The columns of the paper's generation table."""
