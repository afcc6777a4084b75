"""Evaluation over a suite of books: figures of each book, macro means with intervals over books, and paired tests.

Every book counts the same, however many questions it has; books with few questions are measured, but not averaged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import EmptySplit
from naturalproofs.evaluation.measures import MAP, RankingMeasure, Results, compute_measures, mean, recall
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.evaluation.significance import compare, shown_intervals
from naturalproofs.experiments.evaluation import rank
from naturalproofs.experiments.suite import Suite, SuiteBook, load_book
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.registry import FUSION_RECENCY
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import zero_shot_split

PROTOCOLS = ("zero-shot", "in-project")
"""The protocols of the benchmark."""
BASELINES = {"recency": "recency", "BM25": "bm25", "fusion with recency": FUSION_RECENCY, "shipped": "shipped"}
"""Names and printed forms of the methods that every table has."""
TRAINED_ON = {"books": "shipped"}
"""By suite, a method that was trained on its books: its figures there are not those of unseen books."""
LEAST = 15
"""The fewest questions of a book that counts in macro means."""
RECALL = recall(10)
HIT: RankingMeasure = mean("Hit@1", lambda _: 0.0)
"""Whether the first suggestion is right, among statements with a label. Others cannot be cited without editing.

It depends on more than ranks; `_book_values` computes it."""
MEASURES = (MAP, RECALL, HIT)
LENGTHS = {"up to 150 statements": 150, "151 to 500": 500, "more than 500": 10**9}

MethodOfBook = Callable[[SuiteBook], Ranker]
"""A method that depends on the book, such as a model trained on books of other authors."""


@dataclass(frozen=True, slots=True)
class BookScores:
    """The figures of one method for one book, as fractions."""

    book: SuiteBook
    statements: int
    questions: int
    values: dict[str, float]
    """By measure."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A method over all books, under one protocol."""

    method: str
    protocol: str
    books: tuple[BookScores, ...]
    seconds: float

    def counted(self) -> tuple[BookScores, ...]:
        """The books that count in macro means."""
        return tuple(one for one in self.books if one.questions >= LEAST)

    def results(self) -> Results:
        """The books as items, for means, intervals and tests."""
        return book_results(self.counted())

    def by(self, key: str) -> dict[str, tuple[BookScores, ...]]:
        """The books that count in groups: by ``subject``, ``language``, ``kind`` or ``length``."""
        found: dict[str, list[BookScores]] = {}
        for one in self.counted():
            found.setdefault(_length(one) if key == "length" else str(getattr(one.book, key)), []).append(one)
        return {name: tuple(found[name]) for name in (LENGTHS if key == "length" else sorted(found)) if name in found}


@dataclass(frozen=True, slots=True)
class BookComparison:
    """Two methods over the same books: a randomisation test that swaps their outcomes book by book."""

    protocol: str
    first: str
    second: str
    measure: str
    difference: float
    """In percent, first minus second."""
    p: float
    adjusted: float
    """After Holm's correction over all comparisons of the protocol."""
    wins: int
    losses: int


def book_results(books: Sequence[BookScores]) -> Results:
    """Books as items whose measures are averaged."""
    parts = {m: np.array([(one.values[str(m)], 1.0) for one in books]).reshape(-1, 2) for m in MEASURES}
    return Results(tuple(one.book.name for one in books), parts)


def evaluate_suite(
    methods: Mapping[str, Ranker | MethodOfBook],
    suite: Suite,
    folders: Sequence[Path],
    *,
    protocols: Iterable[str] = PROTOCOLS,
    seed: int = 0,
    most: int | None = None,
    progress: Progress = silent,
) -> tuple[list[SuiteRun], tuple[str, ...]]:
    """Evaluate methods on every book that is found; also the names of the books that are not.

    Args:
        methods: By their names in tables: rankers, or functions that give the ranker for a book.
        suite: The books.
        folders: Where their texts lie.
        protocols: Usually ``zero-shot`` and ``in-project``.
        seed: Random seed of the methods.
        most: How many questions of a book are asked at most, evenly spaced; all if None.
        progress: Counts the books.
    """
    paths, missing = suite.found(folders)
    rows = [(name, method, how) for how in map(protocol, protocols) for name, method in methods.items()]
    scores: dict[tuple[str, str], list[BookScores]] = {(name, how.name): [] for name, _, how in rows}
    seconds = dict.fromkeys(scores, 0.0)
    for done, book in enumerate(one for one in suite.books if one.name in paths):
        progress(done, len(paths), book.name)
        corpus = load_book(book, paths[book.name])
        splits = zero_shot_split(corpus)
        if not splits.test.examples:
            continue
        for name, method, how in rows:
            ranker = method if isinstance(method, Ranker) else method(book)
            start = time.perf_counter()
            task = spaced_queries(retrieval_task(corpus, splits, "test", how), most)
            if not task.queries:
                continue
            ranked = rank(ranker, task, seed=seed).queries
            seconds[name, how.name] += time.perf_counter() - start
            values = _book_values(corpus, ranked)
            scores[name, how.name].append(BookScores(book, len(corpus.statements), len(ranked), values))
    if not any(scores.values()):
        raise EmptySplit(f"no book of {suite.name!r} has a proof that cites a statement; choose other books")
    progress(len(paths), len(paths))
    runs = [SuiteRun(*key, tuple(books), seconds[key]) for key, books in scores.items()]
    return runs, missing


def spaced_queries(task: RetrievalTask, most: int | None) -> RetrievalTask:
    """The task with so many of its queries at most, evenly spaced."""
    if most is None or len(task.queries) <= most:
        return task
    rows = np.linspace(0, len(task.queries) - 1, most).astype(int).tolist()
    return replace(
        task, queries=tuple(task.queries[row] for row in rows), excluded=tuple(task.excluded[row] for row in rows)
    )


def _book_values(corpus: Corpus, ranked: Sequence[RankedQuery]) -> dict[str, float]:
    measured: tuple[RankingMeasure, ...] = (MAP, RECALL)
    results = compute_measures(ranked, measured)
    labelled = {statement.id for statement in corpus.statements if not has_generated_label(statement)}
    hits = [_first(query, labelled) in query.gold for query in ranked]
    return {str(m): results.total(m) for m in measured} | {str(HIT): float(np.mean(hits))}


def _first(query: RankedQuery, labelled: set[StatementId]) -> StatementId | None:
    return next((one for one in query.top if one in labelled), None)


def _length(one: BookScores) -> str:
    return next(name for name, most in LENGTHS.items() if one.statements <= most)


def comparisons(runs: Sequence[SuiteRun], *, seed: int = 0) -> list[BookComparison]:
    """Every pair of methods under each protocol, in every measure."""
    found = []
    for how in dict.fromkeys(run.protocol for run in runs):
        results = {run.method: run.results() for run in runs if run.protocol == how}
        for one in compare(results, MEASURES, seed=seed):
            difference = results[one.first].per_query(one.measure) - results[one.second].per_query(one.measure)
            found.append(
                BookComparison(
                    protocol=how,
                    first=one.first,
                    second=one.second,
                    measure=str(one.measure),
                    difference=100 * one.difference,
                    p=one.p,
                    adjusted=one.adjusted,
                    wins=int((difference > 0).sum()),
                    losses=int((difference < 0).sum()),
                )
            )
    return found


def suite_data(suite: Suite, runs: Sequence[SuiteRun], missing: Sequence[str], *, seed: int = 0) -> dict[str, Any]:
    """Everything as plain values for JSON; measures are in percent."""
    return {
        "suite": suite.name,
        "seed": seed,
        "least_questions": LEAST,
        "missing": list(missing),
        "trained_on_these_books": [TRAINED_ON[suite.name]] if suite.name in TRAINED_ON else [],
        "results": [_run_data(run, seed) for run in runs],
        "comparisons": comparisons(runs, seed=seed),
    }


def _run_data(run: SuiteRun, seed: int) -> dict[str, Any]:
    results = run.results()
    return {
        "method": run.method,
        "protocol": run.protocol,
        "questions": sum(one.questions for one in run.books),
        "macro_books": len(results.queries),
        "macro": results.shown(),
        "intervals": shown_intervals(results, seed=seed),
        "books": {
            one.book.name: {
                "statements": one.statements,
                "questions": one.questions,
                **{name: 100 * value for name, value in one.values.items()},
            }
            for one in run.books
        },
        "by": {
            key: {name: {"books": len(part), **book_results(part).shown()} for name, part in run.by(key).items()}
            for key in ("subject", "language", "kind", "length")
        },
        "seconds": round(run.seconds, 1),
    }
