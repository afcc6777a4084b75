"""The paper's "frequency" row, counted on the evaluation split's own answers: a leak, kept for comparison only."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from naturalproofs.ranking.frequency import FittedFrequency
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class LeakedFrequency:
    """Knows how often each statement is cited in the answers; it is not registered, so no benchmark can pick it."""

    counts: tuple[tuple[StatementId, int], ...]

    @classmethod
    def of(cls, answers: Iterable[Sequence[StatementId]]) -> "LeakedFrequency":
        """Count the answers, repeats included, as the original did."""
        return cls(tuple(Counter(key for answer in answers for key in answer).items()))

    def fit(self, train: TrainSet, *, seed: int) -> FittedFrequency:
        """Ignore training."""
        return FittedFrequency(dict(self.counts))
