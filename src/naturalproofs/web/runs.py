"""Saved runs, grouped by task: only runs of one task can be compared."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.experiments.evaluation import Run, RunSpec, is_run, load_run
from naturalproofs.records import StatementId
from naturalproofs.report.evaluation import comparison_table
from naturalproofs.report.table import Cell, Table

DEEPEST, MOST = 4, 200
"""How deep run folders may lie, and how many are loaded."""
COMPARED = 12
"""The most runs for which significance is computed."""
MEASURES = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


@dataclass(frozen=True)
class Task:
    """One corpus, split and protocol, and the runs that answer it."""

    name: str
    runs: tuple[Run, ...]

    @property
    def spec(self) -> RunSpec:
        """What all runs of the task share; the method is that of the first."""
        return self.runs[0].spec

    @cached_property
    def table(self) -> Table:
        """The methods side by side, with marks for significant differences."""
        if 2 <= len(self.runs) <= COMPARED:
            return comparison_table(self.runs)
        columns = [m for m in MEASURES if any(m in run.measures for run in self.runs)]
        rows: list[tuple[Cell, ...]] = []
        for run in self.runs:
            values = (run.measures.get(name) for name in columns)
            rows.append((run.spec.method, *(None if v is None else f"{v:.2f}" for v in values)))
        spec, queries = self.spec, len(self.runs[0].queries)
        title = f"{spec.corpus}/{spec.split}, protocol {spec.protocol}, {queries:,} queries"
        return Table(title, ("", *columns), tuple(rows), "In percent.")

    @cached_property
    def questions(self) -> dict[StatementId, list[str]]:
        """The theorems that were asked about, each with the names of its queries, one a proof."""
        found: dict[StatementId, list[str]] = {}
        for query in self.runs[0].queries:
            found.setdefault(query.query.rpartition("#")[0], []).append(query.query)
        return found


def load_tasks(folder: Path | None) -> tuple[Task, ...]:
    """All runs in a folder and its subfolders, by task."""
    if folder is None:
        return ()
    if not folder.is_dir():
        raise SourceNotFound(f"{folder}: no such folder; give one that holds runs saved by 'naturalproofs evaluate -o'")
    groups: dict[tuple[str, str, str, str], list[Run]] = {}
    for place in _run_folders(folder):
        run = load_run(place)
        spec = run.spec
        groups.setdefault((spec.corpus, spec.split, spec.protocol, spec.corpus_hash), []).append(run)
    tasks = []
    for (corpus, split, protocol, digest), runs in sorted(groups.items()):
        ordered = sorted(runs, key=lambda run: -(run.measures.get("mAP") or 0.0))
        tasks.append(Task(f"{corpus}-{split}-{protocol}-{digest[:6]}", tuple(ordered)))
    return tuple(tasks)


def _run_folders(folder: Path) -> list[Path]:
    found: list[Path] = []
    for place, inner, _ in os.walk(folder):
        here = Path(place)
        if is_run(here):
            found.append(here)
            inner.clear()
        if len(here.relative_to(folder).parts) >= DEEPEST:
            inner.clear()
    return sorted(found)[:MOST]
