"""Measures of generated reference sequences, compared as sequences, multisets or sets.

An example with an empty true sequence is not counted. F1 and BLEU are corpus-level: counts are summed over all examples
first. All but the length ratio are shown in percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from naturalproofs.tasks.measures.retrieval import Floats, Measure, mean

View: TypeAlias = Literal["multiset", "set"]
"""How sequences are compared when their order is ignored."""


@dataclass(frozen=True, slots=True)
class GeneratedSequence:
    """The predicted and the true references of one query, in order and with repeats."""

    query: str
    predicted: tuple[Hashable, ...]
    gold: tuple[Hashable, ...]


GenerationMeasure: TypeAlias = Measure[GeneratedSequence]


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


def exact_match(view: View | None = None) -> GenerationMeasure:
    """``EM``, ``multiset EM``, ``set EM``: the share of examples that are fully correct."""
    if view is None:
        return mean("EM", lambda item: float(item.predicted == item.gold))
    return mean(f"{view} EM", lambda item: float(_counts(item.predicted, view) == _counts(item.gold, view)))


EDIT_DISTANCE: GenerationMeasure = mean(
    "Edit", lambda item: min(1.0, edit_distance(item.predicted, item.gold) / len(item.gold))
)
"""The mean of min(1, Levenshtein distance / true length); lower is better."""
LENGTH_RATIO: GenerationMeasure = mean("Len", lambda item: len(item.predicted) / len(item.gold), percent=False)
"""The mean ratio of predicted to true length, at best 1; the only measure not in percent."""


def f1(view: View) -> GenerationMeasure:
    """``multiset F1``, ``set F1``: 2 · correct / (predicted + true), micro-averaged."""
    return Measure(f"{view} F1", lambda item: _f1_parts(item, view))


def mean_f1(view: View) -> GenerationMeasure:
    """``multiset F1 mean``, ``set F1 mean``: the mean of each example's F1."""

    def score(item: GeneratedSequence) -> float:
        correct, total = _f1_parts(item, view)
        return correct / total

    return mean(f"{view} F1 mean", score)


def _f1_parts(item: GeneratedSequence, view: View) -> tuple[float, float]:
    """Twice the correct ones, and predicted plus true."""
    if not item.gold:
        return 0.0, 0.0
    predicted, gold = _counts(item.predicted, view), _counts(item.gold, view)
    return 2.0 * (predicted & gold).total(), float(predicted.total() + gold.total())


def bleu(order: int) -> GenerationMeasure:
    """``BLEU4``, ``BLEU2``, ``BLEU1``: corpus BLEU with one reference and no smoothing.

    The geometric mean of the clipped precisions of 1- to n-grams over the whole corpus, times the brevity penalty
    exp(min(0, 1 - true length / predicted length)). An example that is too short for an n-gram counts one in
    that denominator, as in NLTK's ``corpus_bleu``. Papineni et al., BLEU, ACL 2002.
    """
    width, orders = 2 * order + 2, range(1, order + 1)

    def parts(item: GeneratedSequence) -> tuple[float, ...]:
        """Matches of each order, n-grams of each order, predicted length, true length."""
        if not item.gold:
            return (0.0,) * width
        size = len(item.predicted)
        # Each predicted n-gram is counted at most as often as it is true.
        matches = [(_ngrams(item.predicted, n) & _ngrams(item.gold, n)).total() for n in orders]
        ngrams = [max(1, size - n + 1) for n in orders]
        return tuple(map(float, (*matches, *ngrams, size, len(item.gold))))

    def value(sums: Floats) -> Floats:
        matches, ngrams = sums[..., :order], sums[..., order:-2]
        # Without a match, exp(log 0) gives the zero that is wanted.
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.exp(np.log(matches / ngrams).mean(axis=-1))
            penalty = np.exp(np.minimum(0.0, 1.0 - sums[..., -1] / sums[..., -2]))
        return np.asarray(precision * penalty, dtype=np.float64)

    return Measure(f"BLEU{order}", parts, width, value)


GENERATION_MEASURES = (
    exact_match(),
    EDIT_DISTANCE,
    bleu(4),
    bleu(2),
    LENGTH_RATIO,
    exact_match("multiset"),
    f1("multiset"),
    exact_match("set"),
    f1("set"),
    bleu(1),
)
"""The columns of the paper's generation table."""
