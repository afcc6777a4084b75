"""The measures of generated sequences: order counts, then only how often, then only whether.

An example whose true sequence is empty counts in none of them. F1 and BLEU are of the whole corpus: counts are added
over all examples first. All are fractions printed in percent, but for the length ratio.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from naturalproofs.evaluation.generated import GeneratedSequence
from naturalproofs.evaluation.measure import Aggregation, Better, Floats, Measure
from naturalproofs.evaluation.sequences import clipped_matches, edit_distance

GenerationMeasure: TypeAlias = Measure[GeneratedSequence]
View: TypeAlias = Literal["multiset", "set"]
"""What is left of a sequence when its order is forgotten, and also how often each reference occurs."""


class _Mean(Measure[GeneratedSequence]):
    """A measure whose aggregate is the mean over the examples."""

    __slots__ = ()

    @abstractmethod
    def score(self, predicted: tuple[Hashable, ...], true: tuple[Hashable, ...]) -> float:
        """The measure of one example whose true sequence is not empty."""

    def parts(self, item: GeneratedSequence) -> tuple[float, ...]:
        """The score, counted once."""
        return (self.score(item.predicted, item.true), 1.0) if item.true else (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ExactMatch(_Mean):
    """``EM``, ``multiset EM``, ``set EM``: the share of examples that are all right."""

    view: View | None = None
    """None compares the sequences themselves."""

    def __str__(self) -> str:
        return "EM" if self.view is None else f"{self.view} EM"

    def score(self, predicted: tuple[Hashable, ...], true: tuple[Hashable, ...]) -> float:
        """One if equal."""
        if self.view is None:
            return float(predicted == true)
        return float(_counts(predicted, self.view) == _counts(true, self.view))


@dataclass(frozen=True, slots=True)
class EditDistance(_Mean):
    """``Edit``, the mean of min(1, Levenshtein distance / true length)."""

    better: ClassVar[Better] = "lower"

    def __str__(self) -> str:
        return "Edit"

    def score(self, predicted: tuple[Hashable, ...], true: tuple[Hashable, ...]) -> float:
        """Edits for each true reference, at most one."""
        return min(1.0, edit_distance(predicted, true) / len(true))


@dataclass(frozen=True, slots=True)
class LengthRatio(_Mean):
    """``Len``, the mean of the predicted length over the true length; the only measure that is not in percent."""

    better: ClassVar[Better] = "nearer to 1"
    percent: ClassVar[bool] = False

    def __str__(self) -> str:
        return "Len"

    def score(self, predicted: tuple[Hashable, ...], true: tuple[Hashable, ...]) -> float:
        """The ratio of lengths."""
        return len(predicted) / len(true)


@dataclass(frozen=True, slots=True)
class Bleu(Measure[GeneratedSequence]):
    """``BLEU4``, ``BLEU2``, ``BLEU1``: corpus BLEU with one reference and no smoothing.

    The geometric mean of the clipped precisions of 1- to n-grams over the whole corpus, times the brevity penalty
    exp(min(0, 1 - true length / predicted length)). An example too short for an n-gram still counts one in that
    denominator, as in NLTK's ``corpus_bleu``. Papineni et al., BLEU, ACL 2002.
    """

    order: int
    aggregation: ClassVar[Aggregation] = "corpus"

    def __str__(self) -> str:
        return f"BLEU{self.order}"

    @property
    def width(self) -> int:
        """Matches and n-grams of each order, and two lengths."""
        return 2 * self.order + 2

    def parts(self, item: GeneratedSequence) -> tuple[float, ...]:
        """Matches of each order, n-grams of each order, predicted length, true length."""
        if not item.true:
            return (0.0,) * self.width
        size, orders = len(item.predicted), range(1, self.order + 1)
        matches = [clipped_matches(item.predicted, item.true, n) for n in orders]
        ngrams = [max(1, size - n + 1) for n in orders]
        return tuple(map(float, (*matches, *ngrams, size, len(item.true))))

    def value(self, sums: Floats) -> Floats:
        """BLEU of summed counts."""
        matches, ngrams = sums[..., : self.order], sums[..., self.order : -2]
        # No match at all makes a logarithm of nothing, whose exponential is the zero that is meant.
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.exp(np.log(matches / ngrams).mean(axis=-1))
            penalty = np.exp(np.minimum(0.0, 1.0 - sums[..., -1] / sums[..., -2]))
        return np.asarray(precision * penalty, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class F1(Measure[GeneratedSequence]):
    """``multiset F1``, ``set F1``: 2 · right / (predicted + true), counted over the whole corpus."""

    view: View
    aggregation: ClassVar[Aggregation] = "micro"

    def __str__(self) -> str:
        return f"{self.view} F1"

    def parts(self, item: GeneratedSequence) -> tuple[float, ...]:
        """Twice what is right, and all that was predicted or true."""
        if not item.true:
            return 0.0, 0.0
        predicted, true = _counts(item.predicted, self.view), _counts(item.true, self.view)
        return 2.0 * (predicted & true).total(), float(predicted.total() + true.total())


@dataclass(frozen=True, slots=True)
class MeanF1(_Mean):
    """``multiset F1 mean``, ``set F1 mean``: F1 of each example first, then the mean."""

    view: View

    def __str__(self) -> str:
        return f"{self.view} F1 mean"

    def score(self, predicted: tuple[Hashable, ...], true: tuple[Hashable, ...]) -> float:
        """F1 of one example."""
        right, both = F1(self.view).parts(GeneratedSequence("", predicted, true))
        return right / both


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
"""The columns of the paper's generation table, in their order."""

GENERATION: dict[str, GenerationMeasure] = {
    str(measure): measure for measure in (*GENERATION_MEASURES, MeanF1("multiset"), MeanF1("set"))
}
"""By name."""
