"""Validation while training: a fixed sample of the questions over a fixed sample of the candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import MeanAveragePrecision
from naturalproofs.evaluation.ranks import ranked_queries
from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.batching import Texts
from naturalproofs.tasks.dataset import RetrievalTask


def sample(task: RetrievalTask, questions: int, candidates: int) -> RetrievalTask:
    """A smaller task with every gold reference of its questions among the candidates; always the same one."""
    generator = np.random.default_rng(0)
    asked = np.arange(len(task.queries))
    if len(asked) > questions:
        asked = np.sort(generator.choice(asked, questions, replace=False))
    index = {candidate.id: position for position, candidate in enumerate(task.candidates)}
    needed = {index[key] for row in asked for key in task.queries[row].gold if key in index}
    rest = np.array([i for i in range(len(index)) if i not in needed], dtype=np.intp)
    more = min(max(0, candidates - len(needed)), len(rest))
    kept = sorted({*needed, *generator.choice(rest, more, replace=False).tolist()})
    place = {old: new for new, old in enumerate(kept)}
    return replace(
        task,
        queries=tuple(task.queries[row] for row in asked),
        candidates=tuple(task.candidates[position] for position in kept),
        excluded=tuple(tuple(place[i] for i in task.excluded[row] if i in place) for row in asked),
    )


@dataclass(frozen=True, slots=True)
class Validation:
    """A sampled task, read once."""

    task: RetrievalTask
    theorems: Texts
    candidates: Texts

    def measure(self, score: Callable[[Validation], Scores]) -> float:
        """Mean average precision of a way to score theorems against candidates."""
        ranked = ranked_queries(
            score(self),
            queries=[question.id for question in self.task.queries],
            gold=[question.gold for question in self.task.queries],
            candidates=[candidate.id for candidate in self.task.candidates],
            excluded=self.task.excluded,
            top=0,
        )
        measure = MeanAveragePrecision()
        return compute_measures(ranked, [measure]).total(measure)
