"""Time and calibration of the hybrid ranker: ``python benchmarks/hybrid.py CORPUS [--model FOLDER]``.

Trains on the corpus (or reads a trained model) and prints the expected calibration error of its probabilities on the
validation split. Then times single queries over as many candidates as given, made by repeating the corpus's statements
with some words exchanged, beside BM25 on the same queries. Times are processor times.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalproofs.benchmark.make import load_folder
from naturalproofs.ranking.contract import Scorer
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.ranking.lexical import BM25
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol

QUESTIONS = 40
BINS = 10
WARM = 5


def many(passages: Sequence[Passage], count: int) -> list[Passage]:
    """Repeat statements under new names, a tenth of their words drawn from the whole."""
    chance = random.Random(0)
    words = [word for passage in passages for word in passage.text.split()]
    made = list(passages)
    while len(made) < count:
        one = passages[len(made) % len(passages)]
        text = " ".join(chance.choice(words) if chance.random() < 0.1 else word for word in one.text.split(" "))
        made.append(replace(one, id=f"{one.id}/{len(made)}", text=text))
    return made[:count]


def timed(work: Callable[[], object]) -> float:
    """Processor seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def a_question(scorer: Scorer, queries: Sequence[Passage]) -> float:
    """The median processor time of one question, warm, in milliseconds."""
    for query in queries[:WARM]:
        scorer.score([query])
    return 1e3 * statistics.median(timed(lambda query=query: scorer.score([query])) for query in queries[WARM:])


def calibration(scorer: HybridScorer, task: RetrievalTask) -> float:
    """The expected calibration error over the pools of all queries, in ten bins of equal width."""
    pairs: list[tuple[float, bool]] = []
    for query, excluded in zip(task.queries, task.excluded, strict=True):
        found = scorer.suggest(query.theorem, k=scorer.bound.pool, excluded=excluded, explained=0)
        pairs += [(one.probability or 0.0, task.candidates[one.position].id in query.gold) for one in found]
    predicted, observed = np.array(pairs, dtype=float).T
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, predicted - observed, BINS)
    return float(np.abs(gaps).sum() / len(pairs))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, help="the folder of a fitted hybrid, instead of training one")
    parser.add_argument("--candidates", type=int, default=46_000)
    parser.add_argument("--protocol", default="clean")
    given = parser.parse_args()
    corpus, splits = load_folder(given.corpus)
    task = retrieval_task(corpus, splits, "valid", protocol(given.protocol))
    if given.model is not None:
        fitted = FittedHybrid.load(given.model)
    else:
        start = time.process_time()
        fitted = Hybrid().fit(task.train, seed=0)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"training        {time.process_time() - start:8.1f} s, peak proofs {peak:.2f} GB")
    print(f"calibration     {100 * calibration(fitted.index(task.candidates), task):8.2f} % expected calibration error")
    candidates = many(task.candidates, given.candidates)
    queries = [question.theorem for question in task.queries[: QUESTIONS + WARM]]
    start = time.process_time()
    scorer = fitted.index(candidates)
    print(f"index           {time.process_time() - start:8.1f} s for {len(candidates):,} candidates")
    hybrid, plain = a_question(scorer, queries), a_question(BM25().fit(task.train, seed=0).index(candidates), queries)
    advice = 1e3 * statistics.median(timed(lambda query=query: scorer.suggest(query, k=10)) for query in queries[WARM:])
    print(f"one question    {hybrid:8.1f} ms; BM25 {plain:.1f} ms; ratio {hybrid / plain:.1f}")
    print(f"with ten reasons{advice:8.1f} ms")


if __name__ == "__main__":
    main()
