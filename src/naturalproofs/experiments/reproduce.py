"""Compute the rows of a table, reusing the runs and models that are already in the output folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import UnknownName
from naturalproofs.experiments.evaluation import Run, evaluate_task, is_run, load_run, part_of_run, question_ids
from naturalproofs.experiments.plans import LEAKED, TEMPORAL, Row, TablePlan
from naturalproofs.experiments.training import train_model
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.baselines import LeakedFrequency
from naturalproofs.ranking.contract import FittedRanker, Ranker, SharedTraining, temporary_context
from naturalproofs.ranking.models import Model, is_model, load_model
from naturalproofs.ranking.registry import parse_ranker, ranker_spec
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet, retrieval_task
from naturalproofs.tasks.protocols import WHOLE, TextView, protocol
from naturalproofs.tasks.splits import Splits
from naturalproofs.tasks.temporal import temporal_splits, temporal_task

WithSplits: TypeAlias = tuple[Corpus, Splits]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its figures."""

    row: Row
    run: Run
    """The run of the first seed."""
    fresh: bool
    """Whether a run was computed now rather than loaded."""
    measures: dict[str, float | None]
    """Means over the seeds."""
    spread: dict[str, float]
    """Standard deviations over the seeds; empty for a single seed."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The corpora, the folder for runs and models, and whether missing models are trained."""

    corpora: Mapping[str, WithSplits]
    """By source."""
    folder: Path
    seed: int = 0
    train: bool = False
    progress: Progress = silent
    older: Corpus | None = None
    """An older version of a corpus, for the temporal tables."""

    def outcomes(self, plan: TablePlan) -> Iterator[Outcome]:
        """The rows of a table, one by one, so that an interrupted reproduction can be resumed.

        A row whose model is missing is left out unless models may be trained.
        """
        for row in plan.rows:
            runs, fresh = self._runs(row, plan)
            if runs:
                yield Outcome(row, runs[0], fresh, *_over_seeds(runs))

    def _runs(self, row: Row, plan: TablePlan) -> tuple[list[Run], bool]:
        """A run for each seed of a row, and whether one was computed now; none if the row cannot be run."""
        corpus, splits = self.corpora[plan.corpus][0], self._splits(plan)
        wanted = content_hash(corpus)[:12], question_ids(splits, "test" if plan.name == TEMPORAL else plan.split)
        seeds = range(self.seed, self.seed + row.seeds)
        # Tables share their runs.
        base = self.folder / "runs" / f"{corpus.name}-{plan.split}" / slug(row)
        folders = [base if seed == self.seed else base.with_name(f"{base.name}-{seed}") for seed in seeds]
        done = [_stored(folder, row, *wanted, plan.split, seed) for folder, seed in zip(folders, seeds, strict=True)]
        fresh = None in done
        if fresh and not self.can_run(row):
            return [], False
        same_candidates = set(splits.valid.absent) == set(splits.test.absent)
        if fresh and row.seeds > 1 and plan.split != "eval" and same_candidates:
            # Both halves are ranked at once: what takes long is the training.
            whole, _ = self._runs(row, replace(plan, split="eval"))
            runs = [part_of_run(run, splits, plan.split) for run in whole]
            for folder, run in zip(folders, runs, strict=True):
                run.save(folder)
            return runs, True
        compute = self._runner(row, plan)
        runs = [old or compute(folder, seed) for old, folder, seed in zip(done, folders, seeds, strict=True)]
        return runs, fresh

    def _runner(self, row: Row, plan: TablePlan) -> Callable[[Path, int], Run]:
        """A function that runs a row with a seed; the training that seeds can share is done once."""
        corpus, _ = self.corpora[plan.corpus]
        shared: list[Ranker] = []

        def compute(folder: Path, seed: int) -> Run:
            task = self._task(row, plan)
            if row.seeds > 1 and not shared:
                shared.append(_prepared(parse_ranker(row.method), task.train, seed, self.progress))
            ranker = shared[0] if shared else self._ranker(row, task, seed)
            run = evaluate_task(
                ranker, task, corpus, self._splits(plan), name=row.method, seed=seed, progress=self.progress
            )
            run.save(folder)
            return run

        return compute

    def _splits(self, plan: TablePlan) -> Splits:
        corpus, splits = self.corpora[plan.corpus]
        return temporal_splits(self._older(plan), corpus) if plan.name == TEMPORAL else splits

    def _task(self, row: Row, plan: TablePlan) -> RetrievalTask:
        corpus, splits = self.corpora[plan.corpus]
        how = protocol(row.protocol)
        if plan.name == TEMPORAL:
            return temporal_task(self._older(plan), corpus, how, view=row.view)
        return retrieval_task(corpus, splits, plan.split, how, view=row.view)

    def _older(self, plan: TablePlan) -> Corpus:
        if self.older is None:
            raise UnknownName(f"{plan.key} needs an older version of the corpus; give it with --older")
        return self.older

    def _ranker(self, row: Row, task: RetrievalTask, seed: int) -> Ranker:
        if row.method == LEAKED:
            return LeakedFrequency.of(query.sequence for query in task.queries)
        if row.trained_on:
            return self.model(row.method, row.trained_on, row.protocol, seed, row.view)
        return parse_ranker(row.method)

    def model(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView = WHOLE) -> Model:
        """The saved model of a method, trained first if it is missing.

        Protocols that show a method the same share a model; it is validated under the strictest of them.
        """
        corpus, splits = self.corpora[trained_on]
        strictest = protocol(_training_protocol(protocol_name))
        folder = self._model_folder(method, trained_on, protocol_name, seed, view)

        def pretrained(ranker: Ranker) -> FittedRanker:
            return self.model(ranker_spec(ranker), trained_on, protocol_name, seed, view).fitted

        if not is_model(folder):
            train_model(
                parse_ranker(method),
                corpus,
                splits,
                folder,
                strictest,
                seed=seed,
                resume=True,
                progress=self.progress,
                pretrained=pretrained,
                view=view,
            )
        return load_model(folder)

    def can_run(self, row: Row) -> bool:
        """Whether a row needs no saved model, or its model exists or can be trained."""
        if not row.trained_on:
            return True
        if row.trained_on not in self.corpora:
            return False
        return self.train or is_model(self._model_folder(row.method, row.trained_on, row.protocol, self.seed, row.view))

    def _model_folder(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView) -> Path:
        """A folder named by a hash of everything a model depends on."""
        corpus, splits = self.corpora[trained_on]
        name = method.partition("(")[0]
        shown = "" if view == WHOLE else f"/{view}"
        data = f"{content_hash(corpus)}/{sha256_bytes(splits.to_json())}"
        key = f"{method}/{data}/{_training_protocol(protocol_name)}{shown}"
        return self.folder / "models" / f"{name}-{corpus.name}-{sha256_bytes(key.encode())[:10]}-{seed}"


def _training_protocol(name: str) -> str:
    """The protocol that models for a protocol are trained under: without places, all show the same."""
    return name if protocol(name).place else "clean"


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A ranker whose shared part of training is done."""

    ranker: SharedTraining
    table: Any

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        return self.ranker.fit_table(train, self.table, seed=seed)


def _prepared(ranker: Ranker, train: TrainSet, seed: int, progress: Progress) -> Ranker:
    """The ranker with the part of its training done that seeds can share, if it has one."""
    if not isinstance(ranker, SharedTraining):
        return ranker
    with temporary_context(progress) as context:
        return _Prepared(ranker, ranker.training_table(train, seed=seed, context=context))


def _over_seeds(runs: list[Run]) -> tuple[dict[str, float | None], dict[str, float]]:
    """Means and standard deviations of every measure."""
    if len(runs) == 1:
        return dict(runs[0].measures), {}
    means: dict[str, float | None] = {}
    spread: dict[str, float] = {}
    for name in runs[0].measures:
        values = [value for run in runs if (value := run.measures[name]) is not None]
        means[name] = mean(values) if values else None
        spread[name] = stdev(values) if len(values) > 1 else 0.0
    return means, spread


def _stored(folder: Path, row: Row, corpus_hash: str, asked: frozenset[str], split: str, seed: int) -> Run | None:
    """The run in a folder, if it is of this row, corpus, seed and queries."""
    if not is_run(folder):
        return None
    run = load_run(folder)
    wanted = (row.method, corpus_hash, split, row.protocol, seed)
    spec = run.spec
    same = (spec.method, spec.corpus_hash, spec.split, spec.protocol, spec.seed) == wanted
    return run if same and {query.query for query in run.queries} == asked else None


def slug(row: Row) -> str:
    """A short unique name for the run of a row."""
    where = f"/{row.trained_on}" if row.trained_on else ""
    return f"{row.protocol}-{sha256_bytes(f'{row.method}/{row.view}{where}'.encode())[:10]}"
