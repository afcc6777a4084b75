"""One method on one split under one protocol: ranks, figures and intervals, with all they depend on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.evaluation.evaluate import Results, evaluate
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES
from naturalproofs.evaluation.significance import bootstrap_intervals
from naturalproofs.experiments.ranking import Ranked, rank
from naturalproofs.experiments.runs import RunManifest, RunSpec, save_run
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.passages import WHOLE, TextView
from naturalproofs.tasks.protocols import Protocol
from naturalproofs.tasks.splits import Splits


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures in percent with 95 % bootstrap intervals, and the ranks they come from."""

    spec: RunSpec
    ranked: Ranked
    candidates: int
    results: Results
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]

    def to_dict(self) -> dict[str, Any]:
        """For machines."""
        spec = self.spec
        return {
            "corpus": spec.corpus,
            "corpus_hash": spec.corpus_hash,
            "rules": spec.rules,
            "split": spec.split,
            "split_recipe": spec.split_recipe,
            "protocol": spec.protocol,
            "method": spec.method,
            "seed": spec.seed,
            "queries": len(self.ranked.queries),
            "candidates": self.candidates,
            "measures": self.measures,
            "intervals": self.intervals,
            "seconds": round(self.ranked.seconds, 3),
        }

    def save(self, folder: Path) -> RunManifest:
        """Keep the run."""
        return save_run(
            folder,
            self.spec,
            self.ranked.queries,
            candidates=self.candidates,
            seconds=self.ranked.seconds,
            measures=self.measures,
            intervals=self.intervals,
        )


def evaluate_ranker(
    ranker: Ranker,
    corpus: Corpus,
    splits: Splits,
    split: str,
    protocol: Protocol,
    *,
    seed: int = 0,
    view: TextView = WHOLE,
    progress: Progress = silent,
    tell: Progress = silent,
) -> Evaluation:
    """Pose the task, ask the method, measure the answers."""
    task = retrieval_task(corpus, splits, split, protocol, view=view, candidate_view=view)
    return evaluate_on(ranker, task, corpus, splits, ranker_spec(ranker), seed=seed, progress=progress, tell=tell)


def evaluate_on(
    ranker: Ranker,
    task: RetrievalTask,
    corpus: Corpus,
    splits: Splits,
    name: str,
    *,
    seed: int = 0,
    progress: Progress = silent,
    tell: Progress = silent,
) -> Evaluation:
    """Ask a method, under a name, the questions of a task that is already posed."""
    ranked = rank(ranker, task, seed=seed, progress=progress, tell=tell)
    results = evaluate(ranked.queries, DEFAULT_MEASURES)
    intervals = bootstrap_intervals(results, seed=seed)
    spec = RunSpec(
        method=name,
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split=task.name.removeprefix(f"{corpus.name}/"),
        split_recipe=splits.recipe,
        protocol=task.protocol.name,
        seed=seed,
    )
    shown = {str(m): (m.shown(i.low), m.shown(i.high)) for m, i in intervals.items()}
    return Evaluation(spec, ranked, len(task.candidates), results, results.shown(), shown)
