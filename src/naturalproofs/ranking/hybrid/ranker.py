"""The hybrid ranker: many cheap signals, combined by trees that are trained on what proofs cite."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.errors import TimeLimitUnsupported, UnknownName
from naturalproofs.ranking.contract import TrainContext, stage
from naturalproofs.ranking.hybrid.boosting import Boosters, Boosting
from naturalproofs.ranking.hybrid.features import GROUPS
from naturalproofs.ranking.hybrid.fitted import FittedHybrid
from naturalproofs.ranking.hybrid.shipped import shipped_boosters
from naturalproofs.ranking.hybrid.signals import fit_on_all
from naturalproofs.ranking.hybrid.training import TrainingTable, TrainSettings, training_table
from naturalproofs.tasks.dataset import TrainSet

NOT_TRAINED = ("shape",)
"""Groups that only the shipped trees use.

Trees that are trained on one corpus rank better without kind and lengths (docs/log.md). The likely cause: a length
identifies a candidate across queries, and its citation count, which leaves out the proof of the query, then shows
whether that proof cites it.
"""


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Settings; the defaults were chosen on Stacks valid."""

    questions: int = 3500
    """Training proofs that are queries, of theorems that few others cite first; all proofs vote."""
    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    pool: int = 1000
    """Candidates that the trees order; the rest keeps the order of the first stage."""
    dimensions: int = 512
    """Of the passage vectors that the association works on."""
    folds: int = 4
    enough: int = 400
    """With fewer training proofs the shipped trees are used."""
    without: tuple[str, ...] = ()
    """Feature groups to leave out, for ablations."""
    signals: tuple[str, ...] = ()
    """Other methods by their printed forms, cross-fitted."""

    def __post_init__(self) -> None:
        """Check the feature groups."""
        unknown = [group for group in self.without if group not in GROUPS]
        if unknown:
            raise UnknownName(f"hybrid has no feature group {unknown[0]!r}; it has: {', '.join(GROUPS)}")

    def fit(self, train: TrainSet, *, seed: int) -> FittedHybrid:
        """Train; with few proofs, use the shipped trees, and let the proofs vote."""
        return self.fit_table(train, self.training_table(train, seed=seed), seed=seed)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedHybrid:
        """Train as `fit` does and report progress; other methods among the signals can be resumed."""
        if context.minutes is not None:
            raise TimeLimitUnsupported(
                "hybrid has no time limit; leave out --minutes, or train on less, as in hybrid(questions=1000)"
            )
        table = self.training_table(train, seed=seed, context=stage(context, 0, 2))
        return self.fit_table(train, table, seed=seed, context=stage(context, 1, 2))

    def training_table(
        self, train: TrainSet, *, seed: int, context: TrainContext | None = None
    ) -> TrainingTable | None:
        """The slow part of training: the features of all training queries, which several seeds of trees can share."""
        if len(train.examples) < self.enough:
            return None
        settings = TrainSettings(self.dimensions, self.folds, self.questions, self.pool, self.not_trained, self.signals)
        return training_table(train, settings, seed, context)

    def fit_table(
        self, train: TrainSet, table: TrainingTable | None, *, seed: int, context: TrainContext | None = None
    ) -> FittedHybrid:
        """Train trees on the table, or use the shipped ones if there is none."""
        signals = tuple((spec, fit_on_all(spec, train, seed, context)) for spec in self.signals)
        if table is None:
            return FittedHybrid(train, shipped_boosters(), None, self.pool, self.without, signals, seed)
        booster = table.booster(Boosting(self.trees, self.leaves, self.rate), seed)
        boosters = Boosters(booster, booster)
        return FittedHybrid(train, boosters, table.association, self.pool, self.not_trained, signals, seed)

    @property
    def not_trained(self) -> tuple[str, ...]:
        """The groups that are left out of training."""
        return tuple(dict.fromkeys((*self.without, *NOT_TRAINED)))
