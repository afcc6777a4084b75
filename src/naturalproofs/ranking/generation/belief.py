"""How probable it is that a proof cites a candidate: several kinds of trees, and one curve over their mean."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting
from naturalproofs.ranking.hybrid.calibration import Calibration
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.hybrid.training import Lessons

YES_OR_NO = Boosting(trees=400, leaves=31, rate=0.05, order=False)
MEMBERS = (YES_OR_NO, YES_OR_NO, Boosting())
"""Two draws of trees that learn what is cited, and trees that learn what comes first: better together (docs/log.md)."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Belief:
    """Trees whose scores are averaged, and the curve that makes probabilities of the average."""

    members: tuple[Booster, ...] = field(repr=False)
    calibration: Calibration = field(repr=False)

    @classmethod
    def learn(cls, lessons: Lessons, seed: int, context: TrainContext | None = None) -> Belief:
        """Train on the lessons; the questions that the trees have not seen make the curve."""
        members: list[Booster] = []
        for number, settings in enumerate(MEMBERS, start=1):
            members.append(lessons.uncalibrated(settings, seed + number - 1))
            if context is not None:
                context.progress(number, len(MEMBERS), f"trees, {number} of {len(MEMBERS)}")
        plain = cls(tuple(members), Calibration((), ()))
        scores = plain.scores(Table(lessons.rows.names, lessons.held_out.values))
        return cls(plain.members, Calibration.of(scores, lessons.held_out.labels))

    def scores(self, table: Table) -> Floats:
        """The members' mean."""
        found: Floats = np.mean([member.scores(table) for member in self.members], axis=0, dtype=np.float32)
        return found

    def probabilities(self, table: Table) -> Floats:
        """Neither 0 nor 1; the scores decide among candidates that the curve makes equal."""
        scores = self.scores(table)
        return np.clip(self.calibration(scores) + np.float32(1e-6) * scores, 1e-6, 1 - 1e-3)
