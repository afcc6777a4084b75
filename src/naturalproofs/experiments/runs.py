"""Runs: ranked queries with their measures and everything they depend on, in memory and on disk."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from naturalproofs.errors import NotARun, SourceNotFound
from naturalproofs.evaluation.calibration import CalibrationCurve, calibration_curve
from naturalproofs.evaluation.measures import DEFAULT_MEASURES, compute_measures
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.evaluation.significance import shown_intervals
from naturalproofs.experiments.code_version import code_version
from naturalproofs.io.files import check_free, replaced_folder, write_file
from naturalproofs.io.folders import FolderKind, pretty, read_jsonl, write_jsonl
from naturalproofs.io.hashing import sha256_file
from naturalproofs.tasks.exports.common import plain_id

MANIFEST = "run.json"
QUERIES = "queries.jsonl"
SCHEMA = 1
DEEPEST, MOST = 4, 200
"""How deep run folders may lie in a folder, and how many of one folder are loaded."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything a figure depends on."""

    method: str
    corpus: str
    corpus_hash: str
    rules: str
    split: str
    split_recipe: str
    protocol: str
    seed: int
    external: str = ""
    """The beginning of the hash of the run file, if another program made it."""


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The manifest of a run folder, written last."""

    schema: int
    spec: RunSpec
    queries: int
    candidates: int
    seconds: float
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]
    files: dict[str, str]
    made_by: str


FOLDERS = FolderKind("run", MANIFEST, _Manifest, SCHEMA, "naturalproofs evaluate -o", "evaluate again", NotARun)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of evaluating one method on one split under one protocol."""

    spec: RunSpec
    queries: tuple[RankedQuery, ...]
    candidates: int
    seconds: float
    measures: dict[str, float | None]
    """Values in percent, by name of the measure; None where no query counts."""
    intervals: dict[str, tuple[float | None, float | None]]
    """95 % bootstrap confidence intervals."""
    made_by: str = ""
    """The version of the package, and its commit where it is known."""

    @property
    def name(self) -> str:
        """The name used in messages."""
        return f"{self.spec.method} on {self.spec.corpus}/{self.spec.split} ({self.spec.protocol})"

    @property
    def calibration(self) -> CalibrationCurve | None:
        """How often what the method calls probable is cited; None if the run holds no probabilities."""
        return calibration_curve(self.queries)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the queries."""
        return {
            **asdict(self.spec),
            "queries": len(self.queries),
            "candidates": self.candidates,
            "measures": self.measures,
            "intervals": self.intervals,
            "seconds": round(self.seconds, 3),
            "calibration": asdict(self.calibration) if self.calibration is not None else None,
        }

    def to_trec(self) -> bytes:
        """The stored candidates in TREC format: ``query Q0 document rank score tag``.

        The score is 1/rank, precise enough that trec_eval, which orders by the score alone, sees no ties.
        """
        tag = plain_id(self.spec.method.replace(" ", ""))
        lines = [
            f"{plain_id(query.query)} Q0 {plain_id(document)} {rank} {1 / rank:.9f} {tag}\n"
            for query in self.queries
            for rank, document in enumerate(query.top, start=1)
        ]
        return "".join(lines).encode()

    def save(self, folder: Path) -> None:
        """Write a run folder, atomically."""
        with replaced_folder(folder, FOLDERS.may_replace) as scratch:
            write_jsonl(scratch / QUERIES, self.queries)
            manifest = _Manifest(
                schema=SCHEMA,
                spec=self.spec,
                queries=len(self.queries),
                candidates=self.candidates,
                seconds=self.seconds,
                measures=self.measures,
                intervals=self.intervals,
                files={QUERIES: sha256_file(scratch / QUERIES)},
                made_by=self.made_by,
            )
            write_file(scratch / MANIFEST, pretty(manifest))


def check_output(folder: Path | None) -> None:
    """Refuse a folder that a run cannot be saved in, before any work is done."""
    if folder is not None:
        check_free(folder, FOLDERS.may_replace)


def measured_run(spec: RunSpec, queries: tuple[RankedQuery, ...], candidates: int, seconds: float) -> Run:
    """The run of ranked queries: their measures with intervals."""
    results = compute_measures(queries, DEFAULT_MEASURES)
    intervals = shown_intervals(results, seed=spec.seed)
    return Run(spec, queries, candidates, seconds, results.shown(), intervals, code_version())


def load_run(folder: Path) -> Run:
    """Read a run folder and check its files against the manifest."""
    manifest = FOLDERS.read(folder)
    queries = tuple(read_jsonl(FOLDERS.checked(folder, manifest, QUERIES), RankedQuery))
    return Run(
        manifest.spec,
        queries,
        manifest.candidates,
        manifest.seconds,
        manifest.measures,
        manifest.intervals,
        manifest.made_by,
    )


def is_run(path: Path) -> bool:
    """Whether a folder is a run."""
    return (path / MANIFEST).is_file()


def runs_by_task(*folders: Path) -> dict[tuple[str, str, str, str], tuple[Run, ...]]:
    """The runs in some folders, by corpus, split, protocol and hash of the corpus; the best mAP comes first.

    Of each folder only the first `MOST` are loaded; `left_out` says how many are not.
    """
    groups: dict[tuple[str, str, str, str], list[Run]] = {}
    for place in dict.fromkeys(place for folder in folders for place in run_folders(folder)[:MOST]):
        run = load_run(place)
        spec = run.spec
        groups.setdefault((spec.corpus, spec.split, spec.protocol, spec.corpus_hash), []).append(run)
    return {
        task: tuple(sorted(runs, key=lambda run: -(run.measures.get("mAP") or 0.0)))
        for task, runs in sorted(groups.items())
    }


def left_out(*folders: Path) -> int:
    """How many runs in some folders are too many to be loaded."""
    return sum(max(0, len(run_folders(folder)) - MOST) for folder in folders)


def run_folders(folder: Path) -> list[Path]:
    """All run folders in a folder and its subfolders, or the folder itself."""
    if not folder.is_dir():
        raise SourceNotFound(f"{folder}: no such folder; give one that holds runs saved by 'naturalproofs evaluate -o'")
    found: list[Path] = []
    for place, inner, _ in os.walk(folder):
        here = Path(place)
        if is_run(here):
            found.append(here)
            inner.clear()
        if len(here.relative_to(folder).parts) >= DEEPEST:
            inner.clear()
    return sorted(found)
