"""``retrieve``: the ranking of any method, turned into a sequence by learned decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from naturalproofs.ranking.contract import FittedRanker, Scorer, Sequences, TrainContext, fit_in_context, stage
from naturalproofs.ranking.models import method_named
from naturalproofs.ranking.sequences import CitationStatistics, LengthModel
from naturalproofs.ranking.shortlists import Decisions, shortlists
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

FEWEST = 100
"""With fewer held-out theorems nothing is learned, and the two best are named."""
LARGEST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Retrieve:
    """A generator made of any ranking method."""

    ranker: str = "fusion"
    """The printed form of the method."""
    length_ratio: float = 1.0
    """The wanted mean length of sequences, relative to the true length."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedRetrieve:
        """Fit the ranker on all of training, and once more without the theorems that the decisions are learned from."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedRetrieve:
        """Fit, with progress of the ranker's training."""
        method = method_named(self.ranker)
        rest, held_out = _hold_out(train.examples)
        learned = len(held_out) >= FEWEST
        others = TrainSet(train.passages, rest)
        return FittedRetrieve(
            self,
            train,
            rest if learned else train.examples,
            held_out if learned else (),
            fit_in_context(stage(context, 0, 2 if learned else 1), method, train, seed=seed),
            fit_in_context(stage(context, 1, 2), method, others, seed=seed) if learned else None,
            seed,
        )


@dataclass(frozen=True, slots=True)
class FittedRetrieve:
    """The fitted rankers; decisions are learned when the candidates are bound."""

    settings: Retrieve
    train: TrainSet
    rest: tuple[TrainingExample, ...]
    held_out: tuple[TrainingExample, ...]
    ranker: FittedRanker
    without_held_out: FittedRanker | None
    seed: int

    def index(self, candidates: Sequence[Passage]) -> RetrieveGenerator:
        """Bind the candidates and learn the decisions."""
        scorer = self.ranker.index(candidates)
        statistics = CitationStatistics.of(example.references for example in self.train.examples)
        if self.without_held_out is None:
            return RetrieveGenerator(tuple(candidates), scorer, Decisions(statistics))
        theorems = [example.theorem for example in self.held_out]
        lists = shortlists(
            self.without_held_out.index(candidates), candidates, theorems, _excluded(candidates, theorems)
        )
        decisions = Decisions.learn(
            lists,
            [example.references for example in self.held_out],
            CitationStatistics.of(example.references for example in self.rest),
            LengthModel.learn(self.rest),
            passages={p.id: p for p in self.train.passages},
            length_ratio=self.settings.length_ratio,
            seed=self.seed,
        )
        return RetrieveGenerator(
            tuple(candidates), scorer, decisions.with_statistics(statistics, LengthModel.learn(self.train.examples))
        )


@dataclass(frozen=True, slots=True)
class RetrieveGenerator:
    """A scorer, and the decisions about its shortlists."""

    candidates: tuple[Passage, ...]
    scorer: Scorer
    decisions: Decisions

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query."""
        return self.decisions.decide(shortlists(self.scorer, self.candidates, queries, excluded))


def _hold_out(
    examples: Sequence[TrainingExample],
) -> tuple[tuple[TrainingExample, ...], tuple[TrainingExample, ...]]:
    """Hold out theorems that no training proof cites, like those of evaluation."""
    cited = {reference for example in examples for reference in example.references}
    leaves = list(dict.fromkeys(e.theorem.id for e in examples if e.theorem.id not in cited))
    step = max(1, round(len(leaves) / max(1.0, LARGEST_SHARE * len(examples))))
    aside = set(leaves[::step])
    rest = tuple(e for e in examples if e.theorem.id not in aside)
    return rest, tuple(e for e in examples if e.theorem.id in aside and e.references)


def _excluded(candidates: Sequence[Passage], theorems: Sequence[Passage]) -> list[tuple[int, ...]]:
    """By theorem: the theorem itself and, where places are known, all that stands after it."""
    index = {candidate.id: position for position, candidate in enumerate(candidates)}
    found: list[tuple[int, ...]] = []
    for theorem in theorems:
        own: tuple[int, ...] = (index[theorem.id],) if theorem.id in index else ()
        if theorem.place is not None:
            here = theorem.place.position
            own = tuple(i for i, c in enumerate(candidates) if c.place is not None and c.place.position >= here)
        found.append(own)
    return found
