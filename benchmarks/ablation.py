"""The value of each feature group of the hybrid: ``python benchmarks/ablation.py CORPUS [--greedy]``.

Trees are trained without the features of a group, on the same training tables, and evaluated on the validation split
over the same pools; measures are means over seeds. The loss is against the trees with all features. With ``--greedy``
the least useful group is dropped, again and again, until mAP has fallen by more than ``--tolerance``.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import numpy as np

from naturalproofs.benchmark.make import load_folder
from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.first_stage import PooledQuery
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid
from naturalproofs.ranking.hybrid.scorer import TIE, whole_order
from naturalproofs.ranking.hybrid.training import TrainingTable
from naturalproofs.ranking.hybrid.trees import Booster, Boosting
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.measures.ranks import RankedQuery, ranked_queries
from naturalproofs.tasks.measures.retrieval import PAPER_MEASURES, compute_measures
from naturalproofs.tasks.protocols import protocol

SHOWN = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The training table of one seed, and the pools of the validation queries: only the trees differ."""

    seed: int
    table: TrainingTable = field(repr=False)
    pools: list[tuple[PooledQuery, FeatureTable]] = field(repr=False)


def prepare(task: RetrievalTask, seed: int) -> Prepared:
    """Compute all features once."""
    method = Hybrid()
    table = method.training_table(task.train, seed=seed)
    if table is None:
        raise SystemExit("too few training proofs to learn from")
    scorer = FittedHybrid(task.train, None, table.association, method.pool).index(task.candidates)
    return Prepared(seed, table, list(scorer.each([query.theorem for query in task.queries])))


def measure(task: RetrievalTask, one: Prepared, booster: Booster | None) -> dict[str, float]:
    """The measures of an order of the pools; None is the first stage."""
    names = [candidate.id for candidate in task.candidates]
    found: list[RankedQuery] = []
    for (pooled, table), wanted, excluded in zip(one.pools, task.queries, task.excluded, strict=True):
        first = pooled.first[pooled.pool]
        scores = first if booster is None else booster.scores(table) + TIE * first
        whole = whole_order(pooled, scores)[np.newaxis, :]
        found += ranked_queries(
            whole, queries=[wanted.id], gold=[wanted.gold], candidates=names, excluded=[excluded], tie="order"
        )
    shown = compute_measures(tuple(found), PAPER_MEASURES).shown()
    return {name: shown[name] or 0.0 for name in SHOWN}


def without(task: RetrievalTask, prepared: Sequence[Prepared], groups: Collection[str]) -> dict[str, float]:
    """Mean measures of trees trained without some groups."""
    method = Hybrid()
    settings = Boosting(method.trees, method.leaves, method.rate)
    found = []
    for one in prepared:
        names = [name for name in one.table.pools[0].names if name.partition("/")[0] not in groups]
        pools = [pool.only(names) for pool in one.table.pools]
        found.append(measure(task, one, Booster.of(pools, settings, one.seed)))
    return {name: mean(each[name] for each in found) for name in SHOWN}


def show(label: str, found: dict[str, float], whole: dict[str, float]) -> None:
    """Print one row."""
    lost = whole["mAP"] - found["mAP"]
    print(f"| {label} | {' | '.join(f'{found[name]:.2f}' for name in SHOWN)} | {lost:.2f} |", flush=True)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--protocol", default="clean")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--greedy", action="store_true")
    parser.add_argument("--tolerance", type=float, default=0.8)
    given = parser.parse_args()
    task = retrieval_task(*load_folder(given.corpus), "valid", protocol(given.protocol))
    prepared = [prepare(task, seed) for seed in given.seeds]
    groups = list(dict.fromkeys(name.partition("/")[0] for name in prepared[0].table.pools[0].names))
    print(f"| without | {' | '.join(SHOWN)} | mAP lost |\n| --- |{' --: |' * (len(SHOWN) + 1)}")
    whole = without(task, prepared, ())
    first = [measure(task, one, None) for one in prepared]
    show("the trees", {name: mean(each[name] for each in first) for name in SHOWN}, whole)
    show("nothing", whole, whole)
    for group in groups:
        show(group, without(task, prepared, {group}), whole)
    dropped: set[str] = set()
    while given.greedy and len(dropped) < len(groups) - 1:
        left = {group: without(task, prepared, {*dropped, group}) for group in groups if group not in dropped}
        least = max(left, key=lambda group: left[group]["mAP"])
        if left[least]["mAP"] < whole["mAP"] - given.tolerance:
            break
        dropped.add(least)
        show(", ".join(sorted(dropped)), left[least], whole)


if __name__ == "__main__":
    main()
