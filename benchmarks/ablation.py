"""What each group of signals is worth to the hybrid: ``python benchmarks/ablation.py CORPUS [--protocol clean]``.

Trees are trained anew without the features of a group, on the same questions and over the same candidates, and asked
the questions of the validation split. What is printed as lost is against the trees that see everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.ranking_measures import PAPER_MEASURES
from naturalproofs.experiments.ranking import rank
from naturalproofs.ranking.contract import FittedRanker
from naturalproofs.ranking.hybrid import Hybrid
from naturalproofs.ranking.hybrid.features import GROUPS
from naturalproofs.ranking.hybrid.training import Lessons
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet, retrieval_task
from naturalproofs.tasks.make import load_splits
from naturalproofs.tasks.protocols import protocol

SHOWN = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


@dataclass(frozen=True, slots=True)
class Done:
    """A method that has learnt already."""

    fitted: FittedRanker

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """What was learnt."""
        return self.fitted


def unseen(lessons: Lessons, group: str) -> Lessons:
    """The same lessons without the features of a group."""
    kept = [i for i, name in enumerate(lessons.rows.names) if name.partition("/")[0] != group]
    rows = replace(lessons.rows, names=tuple(lessons.rows.names[i] for i in kept), values=lessons.rows.values[:, kept])
    return replace(lessons, rows=rows, held_values=lessons.held_values[:, kept])


def figures(task: RetrievalTask, seed: int) -> Iterator[tuple[str, dict[str, float | None]]]:
    """The measures with everything, then without each group that the task has."""
    method = Hybrid()
    lessons = method.lessons(task.train, seed=seed)
    if lessons is None:
        raise SystemExit("too few training proofs to learn from")
    present = {name.partition("/")[0] for name in lessons.rows.names}
    for group in ("", *(group for group in GROUPS if group in present)):
        taught = unseen(lessons, group) if group else lessons
        ranked = rank(Done(method.taught(task.train, taught, seed=seed)), task)
        yield group or "everything", evaluate(ranked.queries, PAPER_MEASURES).shown()


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--protocol", default="clean")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    corpus, splits = store.load(given.corpus), load_splits(given.corpus)
    task = retrieval_task(corpus, splits, "valid", protocol(given.protocol))
    whole: dict[str, float | None] = {}
    print(f"| without | {' | '.join(SHOWN)} | mAP lost |\n| --- |{' --: |' * (len(SHOWN) + 1)}")
    for group, found in figures(task, given.seed):
        whole = whole or found
        lost = (whole["mAP"] or 0) - (found["mAP"] or 0)
        print(f"| {group} | {' | '.join(f'{found[name]:.2f}' for name in SHOWN)} | {lost:.2f} |", flush=True)


if __name__ == "__main__":
    main()
