"""Run the plan of a table, skipping what a manifest proves done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.experiments.evaluation import evaluate_on
from naturalproofs.experiments.reproduction import LEAKED, Row, TablePlan
from naturalproofs.experiments.runs import RunManifest, is_run, load_run
from naturalproofs.experiments.training import train_model
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contexts import temporary_context
from naturalproofs.ranking.contract import FittedRanker, Ranker, SharedTraining
from naturalproofs.ranking.leaked import LeakedFrequency
from naturalproofs.ranking.models import Model, is_model, load_model
from naturalproofs.ranking.registry import parse_ranker, ranker_spec
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet, retrieval_task
from naturalproofs.tasks.passages import WHOLE, TextView
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import Splits

WithSplits: TypeAlias = tuple[Corpus, Splits]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its figures."""

    row: Row
    manifest: RunManifest
    """Of the first seed."""
    folder: Path
    fresh: bool
    """Whether it was computed just now."""
    measures: dict[str, float | None]
    """Means over the seeds."""
    spread: dict[str, float]
    """Standard deviations over the seeds; empty for a single one."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What tables are computed from, where runs and models are kept, and whether missing models are trained."""

    corpora: Mapping[str, WithSplits]
    """By source."""
    folder: Path
    seed: int = 0
    train: bool = False
    tell: Progress = silent

    def reproduce(self, plan: TablePlan) -> Iterator[Outcome]:
        """Give the rows of a table one by one; an interrupted run goes on where it stopped.

        Rows whose model is neither there nor may be trained are left out.
        """
        corpus, _ = self.corpora[plan.corpus]
        fingerprint = content_hash(corpus)[:12]
        for row in plan.rows:
            seeds = range(self.seed, self.seed + row.seeds)
            base = self.folder / "runs" / plan.name / f"{corpus.name}-{plan.split}" / slug(row)
            places = [base if seed == self.seed else base.with_name(f"{base.name}-{seed}") for seed in seeds]
            done = [_done(place, row, plan, fingerprint, seed) for place, seed in zip(places, seeds, strict=True)]
            fresh = None in done
            if fresh and not self.can(row):
                continue
            run = self._runner(row, plan)
            found = [kept or run(place, seed) for kept, place, seed in zip(done, places, seeds, strict=True)]
            yield Outcome(row, found[0], places[0], fresh, *_over_seeds(found))

    def _runner(self, row: Row, plan: TablePlan) -> Callable[[Path, int], RunManifest]:
        """A function that runs a row with a seed; what seeds can share is made once, with the first of them."""
        corpus, splits = self.corpora[plan.corpus]
        shared: list[Ranker] = []

        def run(place: Path, seed: int) -> RunManifest:
            task = retrieval_task(
                corpus, splits, plan.split, protocol(row.protocol), view=row.view, candidate_view=row.view
            )
            if row.seeds > 1 and not shared:
                shared.append(_sharing(parse_ranker(row.method), task.train, seed, self.tell))
            ranker = shared[0] if shared else self._ranker(row, task, seed)
            return evaluate_on(ranker, task, corpus, splits, row.method, seed=seed, tell=self.tell).save(place)

        return run

    def _ranker(self, row: Row, task: RetrievalTask, seed: int) -> Ranker:
        if row.method == LEAKED:
            return LeakedFrequency.of(question.sequence for question in task.queries)
        return (
            self.model(row.method, row.trained_on, row.protocol, seed, row.view)
            if row.trained_on
            else parse_ranker(row.method)
        )

    def model(self, method: str, trained_on: str, how: str, seed: int, view: TextView = WHOLE) -> Model:
        """The kept model of a method, trained now if it is not there.

        Protocols that show the same share a model; it is validated under the strictest of them.
        """
        corpus, splits = self.corpora[trained_on]
        shown = protocol("accessible" if protocol(how).place else "clean")
        folder = self._model_folder(method, trained_on, how, seed, view)
        if not is_model(folder):
            train_model(
                parse_ranker(method), corpus, splits, folder, shown, seed=seed, resume=True, tell=self.tell,
                made=lambda first: self.model(ranker_spec(first), trained_on, how, seed, view).fitted, view=view,
            )  # fmt: skip
        return load_model(folder)

    def can(self, row: Row) -> bool:
        """Whether a row can be computed: what its model is trained on is at hand, or the model itself."""
        if not row.trained_on:
            return True
        if row.trained_on not in self.corpora:
            return False
        return self.train or is_model(self._model_folder(row.method, row.trained_on, row.protocol, self.seed, row.view))

    def _model_folder(self, method: str, trained_on: str, how: str, seed: int, view: TextView) -> Path:
        """A folder for each thing a model depends on; protocols that show the same share a model."""
        corpus, _ = self.corpora[trained_on]
        name = method.partition("(")[0]
        shown = "" if view == WHOLE else f"/{view}"
        mark = sha256_bytes(f"{method}/{content_hash(corpus)}/{protocol(how).place}{shown}".encode())[:10]
        return self.folder / "models" / f"{name}-{corpus.name}-{mark}-{seed}"


@dataclass(frozen=True, slots=True)
class _Lessons:
    """A ranker whose lessons are made already."""

    ranker: SharedTraining
    lessons: Any

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        return self.ranker.taught(train, self.lessons, seed=seed)


def _sharing(ranker: Ranker, train: TrainSet, seed: int, tell: Progress) -> Ranker:
    """The ranker, its slow part done if it has one apart."""
    if not isinstance(ranker, SharedTraining):
        return ranker
    with temporary_context(tell) as context:
        return _Lessons(ranker, ranker.lessons(train, seed=seed, context=context))


def _over_seeds(found: list[RunManifest]) -> tuple[dict[str, float | None], dict[str, float]]:
    """Means and standard deviations of every measure."""
    if len(found) == 1:
        return dict(found[0].measures), {}
    means: dict[str, float | None] = {}
    spread: dict[str, float] = {}
    for name in found[0].measures:
        values = [value for manifest in found if (value := manifest.measures[name]) is not None]
        means[name] = mean(values) if values else None
        spread[name] = stdev(values) if len(values) > 1 else 0.0
    return means, spread


def _done(place: Path, row: Row, plan: TablePlan, fingerprint: str, seed: int) -> RunManifest | None:
    if not is_run(place):
        return None
    manifest = load_run(place).manifest
    spec = manifest.spec
    same = (spec.method, spec.corpus_hash, spec.split, spec.protocol, spec.seed) == (
        row.method,
        fingerprint,
        plan.split,
        row.protocol,
        seed,
    )
    return manifest if same else None


def slug(row: Row) -> str:
    """A short name for the run of a row."""
    where = f"/{row.trained_on}" if row.trained_on else ""
    return f"{row.protocol}-{sha256_bytes(f'{row.method}/{row.view}{where}'.encode())[:10]}"
