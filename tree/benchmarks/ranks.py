"""How fast the ranks of gold references are found, beside a full sort of every row that gives the same ranks.

    python benchmarks/ranks.py [QUERIES CANDIDATES]

The default is as large as the paper's largest evaluation. Scores are rounded, so that ties occur; both ways must
agree on every rank. Figures are of processor time and taken in one run: what counts is their ratio.
"""

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.tasks.measures.ranks import gold_ranks, top_candidates

QUERIES, CANDIDATES, KEPT = 1_911, 45_805, 100
PROMISED = 5.0


def by_sorting(scores: NDArray[Any], gold: Sequence[Sequence[int]], own: Sequence[int]) -> list[tuple[int | None, ...]]:
    """The same ranks from a stable sort of each row, without the query's own column."""
    found: list[tuple[int | None, ...]] = []
    for row, columns, without in zip(scores, gold, own, strict=True):
        order = np.argsort(-row, kind="stable")
        rank = np.empty(len(row), dtype=np.intp)
        rank[order[order != without]] = np.arange(1, len(row))
        found.append(tuple(int(rank[column]) for column in columns))
    return found


def main() -> int:
    """Print the figures; fail when the ranks differ or the promise is broken."""
    queries, candidates = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (QUERIES, CANDIDATES)
    generator = np.random.default_rng(0)
    scores = np.round(generator.gamma(1.0, size=(queries, candidates)).astype(np.float32), 3)
    own = generator.integers(candidates // 2, size=queries).tolist()
    # Gold lies in the upper half, so that it never is the query itself.
    gold = [
        (candidates // 2 + generator.choice(candidates - candidates // 2, size, replace=False)).tolist()
        for size in generator.integers(1, 13, size=queries)
    ]
    start = time.process_time()
    counted = gold_ranks(scores, gold, [(column,) for column in own])
    ours = time.process_time() - start
    start = time.process_time()
    for row, without in zip(scores, own, strict=True):
        top_candidates(row, KEPT, (without,))
    kept = time.process_time() - start
    start = time.process_time()
    sorted_ranks = by_sorting(scores, gold, own)
    theirs = time.process_time() - start
    print(f"{queries:,} queries, {candidates:,} candidates, {sum(map(len, gold)):,} gold references")
    print(f"  ranks by counting          {ours:6.2f} s")
    print(f"  the best {KEPT} of each query  {kept:6.2f} s")
    print(f"  ranks by sorting           {theirs:6.2f} s  ({theirs / ours:.1f} times; promised {PROMISED})")
    if counted != sorted_ranks:
        print("  THE RANKS DIFFER")
    return 0 if counted == sorted_ranks and theirs / ours >= PROMISED else 1


if __name__ == "__main__":
    sys.exit(main())
