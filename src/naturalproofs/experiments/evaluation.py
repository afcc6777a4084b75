"""Evaluate a method on one split of a corpus under one protocol."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import EmptySplit, UnknownName
from naturalproofs.evaluation.measures import PAPER_MEASURES, compute_measures
from naturalproofs.evaluation.ranks import (
    TOP,
    Groups,
    RankedQuery,
    by_category,
    by_kind,
    by_size,
    by_times_seen,
    ranked_queries,
)
from naturalproofs.experiments.runs import Run, RunSpec, measured_run
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import (
    CachingRanker,
    CalibratedScorer,
    FittedRanker,
    Ranker,
    Scorer,
    Scores,
    fit_in_context,
    temporary_context,
)
from naturalproofs.ranking.models import method_named
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task, split_parts
from naturalproofs.tasks.make import Recipe, load_with_splits, make_splits
from naturalproofs.tasks.protocols import protocol as protocol_named
from naturalproofs.tasks.splits import Splits
from naturalproofs.tasks.temporal import temporal_splits, temporal_task

CELLS = 8_000_000
"""Scores held in memory at a time (32 MB)."""


def evaluate(
    method: str | Ranker,
    corpus: Corpus | Path | str,
    *,
    splits: Splits | None = None,
    split: str = "test",
    protocol: str = "clean",
    older: Corpus | None = None,
    seed: int = 0,
    depth: int = TOP,
    progress: Progress = silent,
) -> Run:
    """Rank the candidates for every theorem of a split and compute the retrieval measures.

    The method is fitted on the training split. The result holds the measures in percent, their 95 % bootstrap
    intervals, and the ranks of the gold references of every query.

    >>> from naturalproofs.data import primer_folder
    >>> run = evaluate("bm25", primer_folder(), split="eval")
    >>> len(run.queries)
    92
    >>> round(run.measures["R@10"], 1)
    39.3
    >>> run.queries[0].ranks
    (4, 11, 487)

    Args:
        method: A name, a name with settings (``"bm25(k1=0.9)"``), a model folder, or a ranker.
        corpus: A corpus, or the path of a corpus folder or a LaTeX project.
        splits: The splits of the corpus; by default those stored with it, else those of its default recipe.
        split: ``train``, ``valid``, ``test``, or ``eval`` (valid and test together).
        protocol: A name in `naturalproofs.tasks.protocols.PROTOCOLS`: the candidate set and what is visible.
        older: An older version of the corpus: the method is fitted on all of it, and asked about the theorems that are
            new; the splits are not used.
        seed: Random seed of the method and of the intervals.
        depth: How many of the best candidates of each query to store.
        progress: Reports training, then scoring.
    """
    how = protocol_named(protocol)
    ranker = method_named(method) if isinstance(method, str) else method
    if isinstance(corpus, Corpus):
        loaded, chosen = corpus, splits or make_splits(corpus, Recipe())
    else:
        loaded, stored = load_with_splits(Path(corpus))
        chosen = splits or stored
    if older is not None:
        task, chosen = temporal_task(older, loaded, how), temporal_splits(older, loaded)
    else:
        task = retrieval_task(loaded, chosen, split, how)
    ranked = rank(ranker, task, seed=seed, depth=depth, progress=progress)
    spec = run_spec(ranker_spec(ranker), task, loaded, chosen, seed)
    return measured_run(spec, ranked.queries, len(task.candidates), ranked.seconds)


def run_spec(
    method: str, task: RetrievalTask, corpus: Corpus, splits: Splits, seed: int, external: str = ""
) -> RunSpec:
    """Everything the figures of a method on a task depend on."""
    return RunSpec(
        method=method,
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split=task.name.removeprefix(f"{corpus.name}/"),
        split_recipe=splits.recipe,
        protocol=task.protocol.name,
        seed=seed,
        external=external,
    )


def question_ids(splits: Splits, split: str) -> frozenset[str]:
    """The ids of the queries of a split."""
    return frozenset(f"{theorem}#{proof}" for part in split_parts(splits, split) for theorem, proof in part.examples)


def part_of_run(run: Run, splits: Splits, split: str) -> Run:
    """The part of a run on ``eval`` that is of ``valid`` or ``test``, which must have the same candidates."""
    wanted = question_ids(splits, split)
    queries = tuple(query for query in run.queries if query.query in wanted)
    return measured_run(replace(run.spec, split=split), queries, run.candidates, run.seconds)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranked queries of a task, and the seconds for fitting, indexing and scoring."""

    queries: tuple[RankedQuery, ...]
    seconds: float


def rank(
    ranker: Ranker, task: RetrievalTask, *, seed: int = 0, depth: int = TOP, progress: Progress = silent
) -> Ranked:
    """Fit, index and score; scores are computed in blocks of queries."""
    if not task.queries:
        raise EmptySplit(f"{task.name} has no examples; choose another split")
    start = time.perf_counter()
    with temporary_context(progress) as context:
        fitted = fit_in_context(context, ranker, task.train, seed=seed)
    (found,) = rank_together([fitted], task, depth=depth, progress=progress)
    return Ranked(found.queries, time.perf_counter() - start)


def rank_together(
    fitted: Sequence[FittedRanker], task: RetrievalTask, *, depth: int = TOP, progress: Progress = silent
) -> list[Ranked]:
    """Index and score several seeds of a fitted method; what their scorers can share is computed once.

    The seconds are those of all, divided by their number.
    """
    start = time.perf_counter()
    scorers = [fitted[0].index(task.candidates)]
    for other in fitted[1:]:
        again = other.reindex(task.candidates, scorers[0]) if isinstance(other, CachingRanker) else None
        scorers.append(again or other.index(task.candidates))
    names = [candidate.id for candidate in task.candidates]
    found: list[list[RankedQuery]] = [[] for _ in scorers]
    for block in _blocks(len(task.queries), len(scorers) * len(names)):
        progress(block.start, len(task.queries), "scoring")
        queries, excluded = task.queries[block], task.excluded[block]
        answers = _scores(scorers, [query.theorem for query in queries], excluded)
        for ranked, (scores, probabilities) in zip(found, answers, strict=True):
            ranked.extend(
                ranked_queries(
                    scores,
                    queries=[query.id for query in queries],
                    gold=[query.gold for query in queries],
                    candidates=names,
                    excluded=excluded,
                    top=depth,
                    # The original code ranks the larger index first among equal scores.
                    tie="paper" if task.protocol.name.startswith("paper") else "order",
                    probabilities=probabilities,
                )
            )
    progress(len(task.queries), len(task.queries), "scoring")
    seconds = (time.perf_counter() - start) / len(scorers)
    return [Ranked(tuple(ranked), seconds) for ranked in found]


def _scores(
    scorers: Sequence[Scorer], queries: Sequence[Passage], excluded: Sequence[Sequence[int]]
) -> Iterable[tuple[Scores, Scores | None]]:
    """The scores of each scorer, with the probabilities that it states."""
    calibrated = [scorer for scorer in scorers if isinstance(scorer, CalibratedScorer)]
    if len(calibrated) == len(scorers):
        return calibrated[0].score_together(queries, excluded, calibrated[1:])
    return ((scorer.score(queries), None) for scorer in scorers)


def _blocks(queries: int, candidates: int) -> Iterator[slice]:
    size = max(1, CELLS // max(1, candidates))
    for first in range(0, queries, size):
        yield slice(first, min(first + size, queries))


def groups(corpus: Corpus, splits: Splits, queries: tuple[RankedQuery, ...], by: str) -> Groups:
    """The queries of a run in groups: by ``kind``, ``seen``, ``size`` or ``category``."""
    breakdowns: dict[str, Callable[[], Groups]] = {
        "kind": lambda: by_kind(queries, {s.id: s.kind for s in corpus.statements}),
        "seen": lambda: by_times_seen(queries, _training_citations(corpus, splits)),
        "size": lambda: by_size(queries),
        "category": lambda: by_category(queries, {q.query: _categories(corpus, q) for q in queries}),
    }
    if by not in breakdowns:
        raise UnknownName(f"no grouping is called {by!r}; available: {', '.join(breakdowns)}")
    return breakdowns[by]()


def group_measures(found: Groups) -> dict[str, dict[str, float | None]]:
    """The paper's measures, in percent, of every group that has queries."""
    return {name: compute_measures(queries, PAPER_MEASURES).shown() for name, queries in found.items() if queries}


def _training_citations(corpus: Corpus, splits: Splits) -> Counter[str]:
    """The number of training proofs that cite each statement."""
    proofs = (corpus.by_id[theorem].proofs[index] for theorem, index in splits.train.examples)
    return Counter(key for proof in proofs for key in set(proof.references))


def _categories(corpus: Corpus, query: RankedQuery) -> tuple[str, ...]:
    statement = corpus.by_id[query.theorem]
    return statement.toplevel_categories or statement.categories
