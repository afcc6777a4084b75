"""The ranker that ships with the package: trees over features that mean the same in every corpus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from naturalproofs.ranking.hybrid.boosting import Booster, Boosters
from naturalproofs.ranking.hybrid.first_stage import POOL
from naturalproofs.ranking.hybrid.fitted import FittedHybrid
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Shipped:
    """Suggestions without training; the proofs of a training split, if there is one, vote."""

    pool: int = POOL

    def fit(self, train: TrainSet, *, seed: int) -> FittedHybrid:
        """Store the proofs."""
        return FittedHybrid(train, shipped_boosters(), None, self.pool, ("learned",), (), seed)


@lru_cache(maxsize=1)
def shipped_boosters() -> Boosters | None:
    """The trees in the package's data; None if an installation has no data."""
    folder = files("naturalproofs.data") / "ranker"
    found = [folder / name for name in ("placed.txt", "unplaced.txt")]
    if not all(file.is_file() for file in found):
        return None
    placed, unplaced = (Booster.from_text(file.read_text("utf-8")) for file in found)
    return Boosters(placed, unplaced)
