"""Runs side by side: figures, which differences are more than chance, and the theorems where runs differ most."""

from __future__ import annotations

import string
from collections.abc import Sequence

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.parse import parse_ranking_measure
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES
from naturalproofs.evaluation.significance import compare
from naturalproofs.experiments.runs import Run
from naturalproofs.report.table import Cell, Table

LEVEL = 0.05


def comparison_table(runs: Sequence[Run], *, seed: int = 0) -> Table:
    """One row a run; a letter after a figure names a run it beats beyond chance."""
    _check(runs)
    letters = string.ascii_lowercase[: len(runs)]
    results = {letter: evaluate(run.queries, DEFAULT_MEASURES) for letter, run in zip(letters, runs, strict=True)}
    beaten: dict[tuple[str, str], str] = {}
    for comparison in compare(results, DEFAULT_MEASURES, seed=seed):
        if comparison.adjusted < LEVEL:
            first_wins = comparison.difference > 0
            winner, loser = (comparison.first, comparison.second)[:: 1 if first_wins else -1]
            key = winner, str(comparison.measure)
            beaten[key] = beaten.get(key, "") + loser
    rows: list[tuple[Cell, ...]] = []
    for letter, run in zip(letters, runs, strict=True):
        cells: list[Cell] = [f"{letter}  {run.manifest.spec.method}"]
        for measure in DEFAULT_MEASURES:
            mark = beaten.get((letter, str(measure)), "")
            cells.append(f"{measure.format(results[letter].total(measure))} {mark:<{len(runs) - 1}}".rstrip())
        rows.append(tuple(cells))
    spec = runs[0].manifest.spec
    title = f"{spec.corpus}/{spec.split}, protocol {spec.protocol}, {len(runs[0].queries):,} queries"
    note = (
        "In percent. Letters: the runs that are beaten at p < 0.05 (paired randomisation test, Holm's correction over "
        "all pairs and measures)."
    )
    return Table(title, ("", *map(str, DEFAULT_MEASURES)), tuple(rows), note)


def differences_table(first: Run, second: Run, *, most: int = 10) -> Table:
    """The theorems on which two runs differ most in average precision."""
    _check([first, second])
    one, two = _precisions(first), _precisions(second)
    order = sorted(range(len(one)), key=lambda i: (-abs(one[i] - two[i]), first.queries[i].query))[:most]
    rows: list[tuple[Cell, ...]] = [
        (
            first.queries[i].query,
            f"{100 * one[i]:.1f}",
            f"{100 * two[i]:.1f}",
            _ranks(first.queries[i].ranks),
            _ranks(second.queries[i].ranks),
        )
        for i in order
    ]
    names = (first.manifest.spec.method, second.manifest.spec.method)
    columns = ("theorem#proof", f"AP {names[0]}", f"AP {names[1]}", f"gold ranks {names[0]}", f"gold ranks {names[1]}")
    return Table("Where they differ most", columns, tuple(rows))


def _precisions(run: Run) -> list[float]:
    """The average precision of every query."""
    measure = parse_ranking_measure("mAP")
    return [float(value) for value in evaluate(run.queries, [measure]).per_query(measure)]


def _ranks(ranks: Sequence[int | None]) -> str:
    shown = ["–" if rank is None else f"{rank:,}" for rank in ranks[:6]]
    return " ".join(shown) + (" …" if len(ranks) > 6 else "")


def _check(runs: Sequence[Run]) -> None:
    asked = {(r.manifest.spec.corpus_hash, r.manifest.spec.split, r.manifest.spec.protocol) for r in runs}
    if len(asked) > 1:
        named = "; ".join(sorted(run.name for run in runs))
        raise UnknownName(f"these runs answer different tasks and cannot be compared: {named}")
