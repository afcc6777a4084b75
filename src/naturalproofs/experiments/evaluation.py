"""Evaluate a method on one split of a corpus under one protocol."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import EmptySplit, UnknownName
from naturalproofs.evaluation.breakdowns import Groups, by_category, by_kind, by_size, by_times_seen
from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES, PAPER_MEASURES
from naturalproofs.evaluation.ranks import RankedQuery, ranked_queries
from naturalproofs.evaluation.significance import bootstrap_intervals
from naturalproofs.experiments.runs import Run, RunSpec
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Ranker, fit_in_context, temporary_context
from naturalproofs.ranking.models import method_named
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.make import Recipe, load_with_splits, make_splits
from naturalproofs.tasks.protocols import protocol as protocol_named
from naturalproofs.tasks.splits import Splits

CELLS = 8_000_000
"""Scores held in memory at a time (32 MB)."""


def evaluate(
    method: str | Ranker,
    corpus: Corpus | Path | str,
    *,
    splits: Splits | None = None,
    split: str = "test",
    protocol: str = "clean",
    seed: int = 0,
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
    39.6
    >>> run.queries[0].ranks
    (4, 1)

    Args:
        method: A name, a name with settings (``"bm25(k1=0.9)"``), a model folder, or a ranker.
        corpus: A corpus, or the path of a corpus folder or a LaTeX project.
        splits: The splits of the corpus; by default those stored with it, else those of its default recipe.
        split: ``train``, ``valid``, ``test``, or ``eval`` (valid and test together).
        protocol: ``clean``, ``accessible``, ``paper`` or ``paper-joint``: the candidate set and the visible fields.
        seed: Random seed of the method and of the intervals.
        progress: Reports training, then scoring.
    """
    how = protocol_named(protocol)
    ranker = method_named(method) if isinstance(method, str) else method
    if isinstance(corpus, Corpus):
        loaded, chosen = corpus, splits or make_splits(corpus, Recipe())
    else:
        loaded, stored = load_with_splits(Path(corpus))
        chosen = splits or stored
    task = retrieval_task(loaded, chosen, split, how)
    return evaluate_task(ranker, task, loaded, chosen, seed=seed, progress=progress)


def evaluate_task(
    ranker: Ranker,
    task: RetrievalTask,
    corpus: Corpus,
    splits: Splits,
    *,
    name: str = "",
    seed: int = 0,
    progress: Progress = silent,
) -> Run:
    """Evaluate a ranker on a task; the name defaults to the printed form of the ranker."""
    ranked = rank(ranker, task, seed=seed, progress=progress)
    results = compute_measures(ranked.queries, DEFAULT_MEASURES)
    intervals = bootstrap_intervals(results, seed=seed)
    spec = RunSpec(
        method=name or ranker_spec(ranker),
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split=task.name.removeprefix(f"{corpus.name}/"),
        split_recipe=splits.recipe,
        protocol=task.protocol.name,
        seed=seed,
    )
    shown = {str(m): (m.shown(i.low), m.shown(i.high)) for m, i in intervals.items()}
    return Run(spec, ranked.queries, len(task.candidates), ranked.seconds, results.shown(), shown)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranked queries of a task, and the seconds for fitting, indexing and scoring."""

    queries: tuple[RankedQuery, ...]
    seconds: float


def rank(ranker: Ranker, task: RetrievalTask, *, seed: int = 0, progress: Progress = silent) -> Ranked:
    """Fit, index and score; scores are computed in blocks of queries."""
    if not task.queries:
        raise EmptySplit(f"{task.name} has no examples; choose another split")
    start = time.perf_counter()
    with temporary_context(progress) as context:
        scorer = fit_in_context(context, ranker, task.train, seed=seed).index(task.candidates)
    names = [candidate.id for candidate in task.candidates]
    found: list[RankedQuery] = []
    for block in _blocks(len(task.queries), len(names)):
        progress(block.start, len(task.queries), "scoring")
        queries = task.queries[block]
        found.extend(
            ranked_queries(
                scorer.score([query.theorem for query in queries]),
                queries=[query.id for query in queries],
                gold=[query.gold for query in queries],
                candidates=names,
                excluded=task.excluded[block],
                # The original code ranks the larger index first among equal scores.
                tie="paper" if task.protocol.name.startswith("paper") else "order",
            )
        )
    progress(len(task.queries), len(task.queries), "scoring")
    return Ranked(tuple(found), time.perf_counter() - start)


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
    statement = corpus.by_id[query.query.rpartition("#")[0]]
    return statement.toplevel_categories or statement.categories
