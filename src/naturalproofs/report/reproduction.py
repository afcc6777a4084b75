"""The paper's results beside ours: each cell with both values, our interval and the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.evaluation.breakdowns import by_kind
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.generation_measures import GENERATION_MEASURES
from naturalproofs.evaluation.parse import parse_ranking_measure
from naturalproofs.experiments.generation import GenerationRow
from naturalproofs.experiments.reproduce import Outcome
from naturalproofs.experiments.reproduction import TablePlan
from naturalproofs.experiments.runs import load_run
from naturalproofs.report.paper import PaperTable, paper_results
from naturalproofs.report.table import Cell, Table

MEASURES = ("mAP", "R@10", "R@100", "Full@10", "Full@100")


def reproduction_table(
    plan: TablePlan, outcomes: Sequence[Outcome], corpus: Corpus, *, intervals: bool = False
) -> Table:
    """Our rows, with 95 % intervals if asked for, then the paper's rows that we have no method for yet."""
    paper = paper_results(plan.name, plan.corpus, plan.split)
    measures = paper.measures or MEASURES
    columns = ["", "protocol"]
    for measure in measures:
        columns += [measure, "paper"]
    rows: list[tuple[Cell, ...]] = []
    for outcome in outcomes:
        cells: list[Cell] = [outcome.row.label, outcome.row.protocol]
        values = _values(plan, outcome, corpus)
        for measure in measures:
            low, high = outcome.manifest.intervals.get(measure, (None, None)) if intervals else (None, None)
            around = f" ({low:.1f}–{high:.1f})" if low is not None and high is not None else ""
            if measure in outcome.spread:
                around = f" ± {outcome.spread[measure]:.2f}"
            own = _two(values.get(measure))
            cells += [own and own + around, _two(paper.value(outcome.row.paper, measure))]
        rows.append(tuple(cells))
    rows.extend(_not_ours(outcomes, paper, measures))
    queries = outcomes[0].manifest.queries if outcomes else 0
    title = f"{plan.title}: {plan.corpus}/{plan.split}"
    note = f"{queries:,} queries, {corpus.provenance.rules} rules. In percent"
    note += ", with 95 % intervals." if intervals else "; intervals are in the runs and in the other formats."
    seeds = max((outcome.row.seeds for outcome in outcomes), default=1)
    if seeds > 1:
        note += f" Where a figure has ±, it is the mean of {seeds} seeds with their standard deviation."
    if plan.name == "by-type":
        note += " The paper's types were wrong for about a third of the statements of Stacks."
    return Table(title, tuple(columns), tuple(rows), note)


def generation_table(corpus: Corpus, split: str, found: Sequence[GenerationRow]) -> Table:
    """The generation table, our value and the paper's in each cell."""
    paper = paper_results("generation", corpus.provenance.source, split)
    measures = paper.measures or tuple(str(measure) for measure in GENERATION_MEASURES)
    rows: list[tuple[Cell, ...]] = []
    for row in found:
        cells: list[Cell] = [row.label, row.protocol]
        for measure in measures:
            cells += [_two(row.measures.get(measure)), _two(paper.value(row.paper, measure))]
        rows.append(tuple(cells))
    columns = ["", "protocol", *(name for measure in measures for name in (measure, "paper"))]
    queries = found[0].queries if found else 0
    note = f"{queries:,} queries, {corpus.provenance.rules} rules. In percent, but for Len."
    return Table(f"Reference generation: {corpus.name}/{split}", tuple(columns), tuple(rows), note)


def _values(plan: TablePlan, outcome: Outcome, corpus: Corpus) -> dict[str, float | None]:
    """The figures of a row by the names of the paper's columns."""
    if plan.name != "by-type":
        return outcome.measures
    measure = parse_ranking_measure("mAP")
    groups = by_kind(load_run(outcome.folder).queries, {s.id: s.kind for s in corpus.statements})
    found = {f"mAP {kind}s": measure.shown(evaluate(q, [measure]).total(measure)) for kind, q in groups.items()}
    return {"mAP": outcome.manifest.measures["mAP"], **found}


def reproduction_data(plan: TablePlan, outcomes: Sequence[Outcome], corpus: Corpus) -> dict[str, Any]:
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
                "seeds": outcome.row.seeds,
                "queries": outcome.manifest.queries,
                "candidates": outcome.manifest.candidates,
                "measures": {
                    measure: {
                        "ours": _values(plan, outcome, corpus).get(measure),
                        "spread": outcome.spread.get(measure),
                        "interval": outcome.manifest.intervals.get(measure),
                        "paper": paper.value(outcome.row.paper, measure),
                    }
                    for measure in measures
                },
            }
            for outcome in outcomes
        ],
        "not computed": dict.fromkeys(_missing(outcomes, paper), "no row of ours, or its model is not trained here"),
    }


def _missing(outcomes: Sequence[Outcome], paper: PaperTable) -> list[str]:
    ours = {outcome.row.paper for outcome in outcomes}
    return [row for row in paper.rows if row not in ours]


def _not_ours(outcomes: Sequence[Outcome], paper: PaperTable, measures: Sequence[str]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for row in _missing(outcomes, paper):
        cells: list[Cell] = [f"{row} (not computed here)", ""]
        for measure in measures:
            cells += [None, _two(paper.value(row, measure))]
        rows.append(tuple(cells))
    return rows


def _two(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"
