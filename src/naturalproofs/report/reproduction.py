"""The paper's results beside ours: each cell with both values, our interval and the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from naturalproofs.experiments.reproduce import Outcome
from naturalproofs.experiments.reproduction import TablePlan
from naturalproofs.report.paper import PaperTable, paper_results
from naturalproofs.report.table import Cell, Table

MEASURES = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


def reproduction_table(plan: TablePlan, outcomes: Sequence[Outcome], rules: str) -> Table:
    """Our rows, then the paper's rows that we have no method for yet."""
    paper = paper_results(plan.name, plan.corpus, plan.split)
    measures = paper.measures or MEASURES
    columns = ["", "protocol"]
    for measure in measures:
        columns += [measure, "paper"]
    rows: list[tuple[Cell, ...]] = []
    for outcome in outcomes:
        cells: list[Cell] = [outcome.row.label, outcome.row.protocol]
        for measure in measures:
            cells += [_two(outcome.manifest.measures.get(measure)), _two(paper.value(outcome.row.paper, measure))]
        rows.append(tuple(cells))
    rows.extend(_not_ours(plan, paper, measures))
    queries = outcomes[0].manifest.queries if outcomes else 0
    title = f"{plan.title}: {plan.corpus}/{plan.split}"
    note = f"{queries:,} queries, {rules} rules. In percent; intervals are in the runs."
    return Table(title, tuple(columns), tuple(rows), note)


def reproduction_data(plan: TablePlan, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Everything about a table, for machines."""
    paper = paper_results(plan.name, plan.corpus, plan.split)
    measures = paper.measures or MEASURES
    return {
        "table": plan.name,
        "corpus": plan.corpus,
        "split": plan.split,
        "rows": [
            {
                "label": outcome.row.label,
                "method": outcome.row.method,
                "protocol": outcome.row.protocol,
                "queries": outcome.manifest.queries,
                "candidates": outcome.manifest.candidates,
                "measures": {
                    measure: {
                        "ours": outcome.manifest.measures.get(measure),
                        "interval": outcome.manifest.intervals.get(measure),
                        "paper": paper.value(outcome.row.paper, measure),
                    }
                    for measure in measures
                },
            }
            for outcome in outcomes
        ],
        "not computed": dict.fromkeys(_missing(plan, paper), "this method is not part of the package yet"),
    }


def _missing(plan: TablePlan, paper: PaperTable) -> list[str]:
    ours = {row.paper for row in plan.rows}
    return [row for row in paper.rows if row not in ours]


def _not_ours(plan: TablePlan, paper: PaperTable, measures: Sequence[str]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for row in _missing(plan, paper):
        cells: list[Cell] = [f"{row} (not computed here)", ""]
        for measure in measures:
            cells += [None, _two(paper.value(row, measure))]
        rows.append(tuple(cells))
    return rows


def _two(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"
