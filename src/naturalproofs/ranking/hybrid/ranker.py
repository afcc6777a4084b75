"""The hybrid ranker: many cheap signals, joined by trees that were trained on what proofs cite."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.errors import TimeLimitUnsupported, UnknownName
from naturalproofs.ranking.contract import TrainContext, stage
from naturalproofs.ranking.hybrid.boosting import Boosting
from naturalproofs.ranking.hybrid.features import GROUPS
from naturalproofs.ranking.hybrid.fitted import Boosters, FittedHybrid
from naturalproofs.ranking.hybrid.shipped import shipped_boosters
from naturalproofs.ranking.hybrid.signals import whole
from naturalproofs.ranking.hybrid.training import Lessons, Plan, lessons
from naturalproofs.tasks.dataset import TrainSet

UNREAD = ("shape",)
"""Groups that trees of one's own do without.

Without kind and lengths they rank better (docs/log.md). The likely cause: by its length a candidate is known again from
question to question, and its count, which leaves out the proof in question, then tells whether that proof cites it.
"""


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Settings; the defaults were chosen on Stacks valid."""

    questions: int = 3500
    """Training proofs that are asked, of theorems that few others use first; all proofs vote."""
    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    pool: int = 1000
    """Candidates that the trees order; the rest is in the order of the first stage."""
    dimensions: int = 512
    """Of the passage vectors that the association works on."""
    folds: int = 4
    enough: int = 400
    """Training proofs below which trees of one's own would know less than the shipped ones."""
    without: tuple[str, ...] = ()
    """Groups of signals to do without, for ablations."""
    signals: tuple[str, ...] = ()
    """Other methods by their printed forms; each is trained once a fold: none answers what it was trained on."""

    def __post_init__(self) -> None:
        """Refuse groups that do not exist."""
        unknown = [group for group in self.without if group not in GROUPS]
        if unknown:
            raise UnknownName(f"hybrid has no signals {unknown[0]!r}; it has: {', '.join(GROUPS)}")

    def fit(self, train: TrainSet, *, seed: int) -> FittedHybrid:
        """Train; with few proofs, take the shipped trees and let the proofs vote."""
        return self.fit_table(train, self.training_table(train, seed=seed), seed=seed)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedHybrid:
        """Train as `fit` does, telling how far it has come; other methods among the signals can be resumed."""
        if context.minutes is not None:
            raise TimeLimitUnsupported(
                "hybrid trains to its end; leave out --minutes, or ask less, as in hybrid(questions=1000)"
            )
        learnt = self.training_table(train, seed=seed, context=stage(context, 0, 2))
        return self.fit_table(train, learnt, seed=seed, context=stage(context, 1, 2))

    def training_table(self, train: TrainSet, *, seed: int, context: TrainContext | None = None) -> Lessons | None:
        """The slow part of training: features of all training questions, which several seeds of trees can share."""
        if len(train.examples) < self.enough:
            return None
        plan = Plan(self.dimensions, self.folds, self.questions, self.pool, self.unread, self.signals)
        return lessons(train, plan, seed, context)

    def fit_table(
        self, train: TrainSet, taught: Lessons | None, *, seed: int, context: TrainContext | None = None
    ) -> FittedHybrid:
        """Trees over lessons, or the shipped ones if there are none."""
        signals = tuple((spec, whole(spec, train, seed, context)) for spec in self.signals)
        if taught is None:
            return FittedHybrid(train, shipped_boosters(), None, self.pool, self.without, signals, seed)
        booster = taught.booster(Boosting(self.trees, self.leaves, self.rate), seed)
        return FittedHybrid(train, Boosters(booster, booster), taught.associated, self.pool, self.unread, signals, seed)

    @property
    def unread(self) -> tuple[str, ...]:
        """The groups that trees of one's own are trained without."""
        return tuple(dict.fromkeys((*self.without, *UNREAD)))
