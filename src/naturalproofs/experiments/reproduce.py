"""Run the plan of a table, skipping what a manifest proves done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.experiments.evaluation import evaluate_on
from naturalproofs.experiments.reproduction import LEAKED, Row, TablePlan
from naturalproofs.experiments.runs import RunManifest, is_run, load_run
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.leaked import LeakedFrequency
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import Splits


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its figures."""

    row: Row
    manifest: RunManifest
    folder: Path
    fresh: bool
    """Whether it was computed just now."""


def reproduce(plan: TablePlan, corpus: Corpus, splits: Splits, folder: Path, *, seed: int = 0) -> Iterator[Outcome]:
    """Give the rows of a table one by one; an interrupted run goes on where it stopped."""
    fingerprint = content_hash(corpus)[:12]
    for row in plan.rows:
        place = folder / "runs" / plan.name / f"{corpus.name}-{plan.split}" / _slug(row)
        done = _done(place, row, plan, fingerprint, seed)
        if done is not None:
            yield Outcome(row, done, place, fresh=False)
            continue
        how = protocol(row.protocol)
        task = retrieval_task(corpus, splits, plan.split, how, view=row.view, candidate_view=row.view)
        evaluation = evaluate_on(_ranker(row, task), task, corpus, splits, row.method, seed=seed)
        yield Outcome(row, evaluation.save(place), place, fresh=True)


def _ranker(row: Row, task: RetrievalTask) -> Ranker:
    if row.method == LEAKED:
        return LeakedFrequency.of(question.sequence for question in task.questions)
    return parse_ranker(row.method)


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


def _slug(row: Row) -> str:
    return f"{row.protocol}-{sha256_bytes(f'{row.method}/{row.view}'.encode())[:10]}"
