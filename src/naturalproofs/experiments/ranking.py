"""Ask a ranker every question of a task, a block at a time, and keep where the gold ended up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.ranked import RankedQuery, ranked_queries
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contexts import fitted_in, temporary_context
from naturalproofs.ranking.contract import Ranker
from naturalproofs.tasks.dataset import RetrievalTask

CELLS = 8_000_000
"""Scores held at a time: 32 MB, whatever the task."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The outcome of every question, and how long it took."""

    queries: tuple[RankedQuery, ...]
    seconds: float


def rank(
    ranker: Ranker,
    task: RetrievalTask,
    *,
    seed: int = 0,
    progress: Progress = silent,
    tell: Progress = silent,
) -> Ranked:
    """Fit, index and ask.

    Args:
        ranker: The method.
        task: What it is asked.
        seed: For all that is random.
        progress: Is called with how many questions of how many are answered.
        tell: Is told how training goes, where that takes long.
    """
    if not task.queries:
        raise UnknownName(f"{task.name} has no examples; choose another split")
    start = time.perf_counter()
    with temporary_context(tell) as context:
        scorer = fitted_in(context, ranker, task.train, seed=seed).index(task.candidates)
    names = [candidate.id for candidate in task.candidates]
    found: list[RankedQuery] = []
    for block in _blocks(len(task.queries), len(names)):
        progress(block.start, len(task.queries))
        questions = task.queries[block]
        found.extend(
            ranked_queries(
                scorer.score([question.theorem for question in questions]),
                queries=[question.id for question in questions],
                gold=[question.gold for question in questions],
                candidates=names,
                excluded=task.excluded[block],
                # The original put the larger index first among equals.
                tie="paper" if task.protocol.name.startswith("paper") else "order",
            )
        )
    progress(len(task.queries), len(task.queries))
    return Ranked(tuple(found), time.perf_counter() - start)


def _blocks(questions: int, candidates: int) -> Iterator[slice]:
    size = max(1, CELLS // max(1, candidates))
    for first in range(0, questions, size):
        yield slice(first, min(first + size, questions))
