"""What each group of signals is worth to the hybrid: ``python benchmarks/ablation.py CORPUS [--protocol clean]``.

Trees are trained anew without the features of a group, on the same questions and over the same candidates, and asked
the questions of the validation split. What is printed as lost is against the trees that see everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import PAPER_MEASURES
from naturalproofs.evaluation.ranks import RankedQuery, ranked_queries
from naturalproofs.ranking.hybrid import Hybrid
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting
from naturalproofs.ranking.hybrid.desk import Question
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.hybrid.fitted import TIE, FittedHybrid, whole_order
from naturalproofs.ranking.hybrid.training import Lessons
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.make import load_folder
from naturalproofs.tasks.protocols import protocol

SHOWN = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


def unseen(lessons: Lessons, group: str) -> Lessons:
    """The same lessons without the features of a group."""
    kept = [i for i, name in enumerate(lessons.rows.names) if name.partition("/")[0] != group]
    rows = replace(lessons.rows, names=tuple(lessons.rows.names[i] for i in kept), values=lessons.rows.values[:, kept])
    held_out = replace(lessons.held_out, values=lessons.held_out.values[:, kept])
    return replace(lessons, rows=rows, held_out=held_out)


def figures(task: RetrievalTask, seed: int) -> Iterator[tuple[str, dict[str, float | None]]]:
    """The measures of the first stage, with everything, then without each group that the task has."""
    method = Hybrid()
    lessons = method.training_table(task.train, seed=seed)
    if lessons is None:
        raise SystemExit("too few training proofs to learn from")
    scorer = FittedHybrid(task.train, None, lessons.associated, method.pool, method.unread).index(task.candidates)
    # Features are worked out once: only the trees differ.
    asked = list(scorer.each([question.theorem for question in task.queries]))
    yield "the trees", measured(task, asked, None)
    groups = dict.fromkeys(name.partition("/")[0] for name in lessons.rows.names)
    for group in ("", *groups):
        taught = unseen(lessons, group) if group else lessons
        booster = taught.booster(Boosting(method.trees, method.leaves, method.rate), seed)
        yield group or "nothing", measured(task, asked, booster)


def measured(
    task: RetrievalTask, asked: list[tuple[Question, Table]], booster: Booster | None
) -> dict[str, float | None]:
    """The measures of an order of the pools."""
    names = [candidate.id for candidate in task.candidates]
    found: list[RankedQuery] = []
    for (question, table), wanted, excluded in zip(asked, task.queries, task.excluded, strict=True):
        first = question.first[question.pool]
        scores = first if booster is None else booster.scores(table) + TIE * first
        whole = whole_order(question, scores)[np.newaxis, :]
        found += ranked_queries(
            whole, queries=[wanted.id], gold=[wanted.gold], candidates=names, excluded=[excluded], tie="order"
        )
    return compute_measures(tuple(found), PAPER_MEASURES).shown()


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--protocol", default="clean")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    corpus, splits = load_folder(given.corpus)
    task = retrieval_task(corpus, splits, "valid", protocol(given.protocol))
    whole: dict[str, float | None] = {}
    print(f"| without | {' | '.join(SHOWN)} | mAP lost |\n| --- |{' --: |' * (len(SHOWN) + 1)}")
    for group, found in figures(task, given.seed):
        whole = found if group == "nothing" else whole
        lost = f"{(whole['mAP'] or 0) - (found['mAP'] or 0):.2f}" if whole else ""
        print(f"| {group} | {' | '.join(f'{found[name]:.2f}' for name in SHOWN)} | {lost} |", flush=True)


if __name__ == "__main__":
    main()
