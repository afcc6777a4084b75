"""Saved runs, grouped by task: only runs of one task can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from naturalproofs.evaluation.measures import PAPER_MEASURES
from naturalproofs.experiments.runs import MANIFEST, MOST, Run, RunSpec, run_folders, runs_by_task
from naturalproofs.records import StatementId
from naturalproofs.report.evaluation import comparison_table, run_names
from naturalproofs.report.table import Table, two_decimals

COMPARED = 12
"""The most runs for which significance is computed."""
MEASURES = tuple(map(str, PAPER_MEASURES))


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
    def names(self) -> list[str]:
        """What each run is called beside the others."""
        return run_names(self.runs, short=True)

    @cached_property
    def table(self) -> Table:
        """The methods side by side, with marks for significant differences."""
        if 2 <= len(self.runs) <= COMPARED:
            return comparison_table(self.runs)
        columns = [m for m in MEASURES if any(m in run.measures for run in self.runs)]
        rows = tuple(
            (name, *(two_decimals(run.measures.get(column)) for column in columns))
            for name, run in zip(self.names, self.runs, strict=True)
        )
        spec, queries = self.spec, len(self.runs[0].queries)
        title = f"{spec.corpus}/{spec.split}, protocol {spec.protocol}, {queries:,} queries"
        return Table(title, ("", *columns), rows, "In percent.")

    @cached_property
    def questions(self) -> dict[StatementId, list[str]]:
        """The theorems that were asked about, each with the names of its queries, one a proof."""
        found: dict[StatementId, list[str]] = {}
        for query in self.runs[0].queries:
            found.setdefault(query.theorem, []).append(query.query)
        return found


def runs_state(folder: Path | None) -> tuple[tuple[str, int], ...]:
    """The runs in a folder with the times of their last change, by which new ones are noticed."""
    if folder is None or not folder.is_dir():
        return ()
    return tuple((str(place), (place / MANIFEST).stat().st_mtime_ns) for place in run_folders(folder))


def left_out(seen: tuple[tuple[str, int], ...]) -> int:
    """How many of the runs of a folder are too many to be loaded."""
    return max(0, len(seen) - MOST)


def load_tasks(folder: Path | None) -> tuple[Task, ...]:
    """The runs in a folder and its subfolders, by task; `left_out` says how many are not among them."""
    if folder is None:
        return ()
    return tuple(
        Task(f"{corpus}-{split}-{protocol}-{digest[:6]}", runs)
        for (corpus, split, protocol, digest), runs in runs_by_task(folder).items()
    )
