"""Reproduced tables: our values beside the paper's, and the effect of each correction of its protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from naturalproofs.apps.report.statistics import paper_figures
from naturalproofs.apps.report.table import Cell, Table, two_decimals
from naturalproofs.benchmark.evaluation import GenerationRow, Run
from naturalproofs.benchmark.reproduce import LEAKED, PAPER_TFIDF, Outcome, OverSeeds, TablePlan
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import paper_key
from naturalproofs.corpus.store import counts
from naturalproofs.io.decoding import decode_toml
from naturalproofs.records import Kind, StatementId
from naturalproofs.tasks.measures.generated import GENERATION_MEASURES
from naturalproofs.tasks.measures.ranks import by_kind
from naturalproofs.tasks.measures.retrieval import MAP, PAPER_MEASURES, compute_measures

MEASURES = tuple(map(str, PAPER_MEASURES))
CORRECTION_MEASURES = ("mAP", "R@10", "R@100")


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of results: the value of each row and measure, in percent."""

    name: str
    corpus: str
    split: str
    measures: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]

    def value(self, row: str, measure: str) -> float | None:
        """One cell; None if the paper has no value."""
        if row not in self.rows or measure not in self.measures:
            return None
        return self.rows[row][self.measures.index(measure)]


@cache
def _all_results() -> tuple[PaperTable, ...]:
    text = files("naturalproofs.data").joinpath("paper-results.toml").read_text("utf-8")
    return msgspec.convert(decode_toml(text)["table"], tuple[PaperTable, ...])


def paper_results(name: str, corpus: str, split: str) -> PaperTable:
    """The paper's table of a name, corpus and split; empty if there is none."""
    for table in _all_results():
        if (table.name, table.corpus, table.split) == (name, corpus, split):
            return table
    return PaperTable(name, corpus, split, (), {})


def reproduction_table(
    plan: TablePlan, outcomes: Sequence[Outcome], corpus: Corpus, given: Collection[str], *, intervals: bool = False
) -> Table:
    """Our rows, optionally with 95 % intervals, then the paper's rows that were not computed.

    Args:
        plan: The rows of the table.
        outcomes: The rows that were computed.
        corpus: What the table is about.
        given: The sources of the corpora at hand; the paper's rows that need others are left out.
        intervals: Whether mAP has an interval.
    """
    paper = paper_results(plan.name, plan.corpus, plan.split)
    measures = paper.measures or MEASURES
    absent = {row.paper: row.trained_on for row in plan.rows if row.trained_on and row.trained_on not in given}
    rows = []
    for outcome in outcomes:
        over = _values(plan, outcome, corpus)
        own = _with_spread(over.means, over.spread)
        low, high = outcome.run.intervals.get("mAP", (None, None))
        if intervals and not over.spread and low is not None and high is not None:
            own["mAP"] = f"{own['mAP']} ({low:.1f}–{high:.1f})"
        rows.append(_beside_paper(outcome.row.label, outcome.row.protocol, own, paper, outcome.row.paper, measures))
    rows += [
        _beside_paper(f"{name} (the paper's alone; ours needs --train)", "", {}, paper, name, measures)
        for name in _missing(outcomes, paper)
        if name not in absent
    ]
    queries = len(outcomes[0].run.queries) if outcomes else 0
    title = f"{plan.title}: {plan.corpus}/{plan.split}"
    note = f"{queries:,} queries, {corpus.provenance.rules} rules. In percent"
    note += "; mAP with 95 % intervals, the run folders have the others." if intervals else "."
    note += _note_on_seeds(len(outcome.runs) for outcome in outcomes)
    if absent.keys() & paper.rows.keys():
        note += f" Rows of models trained on {', '.join(sorted(set(absent.values())))} need that corpus."
    if plan.name == "by-type" and plan.corpus == "stacks":
        note += " The paper's types were wrong for about a third of the statements of Stacks."
    return Table(title, _columns(measures), tuple(rows), note + _difference_of_sets(corpus))


def generation_table(corpus: Corpus, split: str, found: Sequence[GenerationRow]) -> Table:
    """The generation table, with our values and the paper's."""
    paper = paper_results("generation", paper_key(corpus.provenance), split)
    measures = paper.measures or tuple(str(measure) for measure in GENERATION_MEASURES)
    rows = []
    for row in found:
        own = _with_spread(row.measures, row.spread)
        rows.append(_beside_paper(row.label, row.protocol, own, paper, row.paper, measures))
    queries = found[0].queries if found else 0
    note = f"{queries:,} queries, {corpus.provenance.rules} rules. In percent, except Len."
    note += _note_on_seeds(row.seeds for row in found) + _difference_of_sets(corpus)
    return Table(f"Reference generation: {corpus.name}/{split}", _columns(measures), tuple(rows), note)


def _with_spread(means: Mapping[str, float | None], spread: Mapping[str, float]) -> dict[str, Cell]:
    """The cell of each measure: its mean, with the standard deviation over seeds if there are several."""
    return {
        measure: two_decimals(value)
        if value is None or measure not in spread
        else f"{value:.2f} ± {spread[measure]:.2f}"
        for measure, value in means.items()
    }


def _note_on_seeds(seeds: Iterable[int]) -> str:
    most = max(seeds, default=1)
    return f" Values with ± are means over {most} seeds with their standard deviation." if most > 1 else ""


def halves_together(test: Table, valid: Table) -> Table:
    """The table of test with the rows of valid below each of its own."""
    names = test.columns.index("protocol") + 1 if "protocol" in test.columns else 1
    rows: list[tuple[Cell, ...]] = []
    beside = {row[:names]: row for row in valid.rows}
    for row in test.rows:
        rows.append((*row[:names], "test", *row[names:]))
        if row[:names] in beside:
            rows.append((*("",) * names, "valid", *beside[row[:names]][names:]))
    columns = (*test.columns[:names], "split", *test.columns[names:])
    note = test.note if test.note == valid.note else f"Test: {test.note} Valid: {valid.note.partition(', ')[0]}."
    return Table(test.title.removesuffix("/test"), columns, tuple(rows), note)


def _difference_of_sets(corpus: Corpus) -> str:
    """A sentence about the corpus if the paper's has other counts: values are not of the same set."""
    paper = {f"{kind}s": number for kind, number in paper_figures(paper_key(corpus.provenance)).counts.items()}
    own = {kind: number for kind, number in counts(corpus).items() if kind in paper}
    if own == paper:
        return ""
    here, there = (", ".join(f"{number:,} {kind}" for kind, number in found.items()) for found in (own, paper))
    return f" The sets differ: here {here}; in the paper {there}."


def _columns(measures: Sequence[str]) -> tuple[str, ...]:
    return ("", "protocol", *(name for measure in measures for name in (measure, "paper")))


def _beside_paper(
    label: str, protocol: str, own: Mapping[str, Cell], paper: PaperTable, name: str, measures: Sequence[str]
) -> tuple[Cell, ...]:
    """A row: the cell of each measure, and beside it the value of the paper's row of that name."""
    pairs = ((own.get(measure), two_decimals(paper.value(name, measure))) for measure in measures)
    return (label, protocol, *(cell for pair in pairs for cell in pair))


def _values(plan: TablePlan, outcome: Outcome, corpus: Corpus) -> OverSeeds:
    """The values of a row by the names of the paper's columns."""
    if plan.name != "by-type":
        return OverSeeds.of([run.measures for run in outcome.runs])
    kinds = {statement.id: statement.kind for statement in corpus.statements}
    return OverSeeds.of([{"mAP": run.measures["mAP"], **_by_kind(run, kinds)} for run in outcome.runs])


def _by_kind(run: Run, kinds: Mapping[StatementId, Kind]) -> dict[str, float | None]:
    groups = by_kind(run.queries, kinds)
    return {f"mAP {kind}s": compute_measures(queries, [MAP]).shown()["mAP"] for kind, queries in groups.items()}


def reproduction_data(plan: TablePlan, outcomes: Sequence[Outcome], corpus: Corpus) -> dict[str, Any]:
    """A table as plain values for JSON."""
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
                "seeds": len(outcome.runs),
                "queries": len(outcome.run.queries),
                "candidates": outcome.run.candidates,
                "measures": {
                    measure: {
                        "ours": over.means.get(measure),
                        "spread": over.spread.get(measure),
                        "interval": outcome.run.intervals.get(measure),
                        "paper": paper.value(outcome.row.paper, measure),
                    }
                    for measure in measures
                },
            }
            for outcome, over in ((one, _values(plan, one, corpus)) for one in outcomes)
        ],
        "not computed": dict.fromkeys(_missing(outcomes, paper), "no row of ours, or its model is not trained here"),
    }


def _missing(outcomes: Sequence[Outcome], paper: PaperTable) -> list[str]:
    ours = {outcome.row.paper for outcome in outcomes}
    return [row for row in paper.rows if row not in ours]


def corrections_table(corpus: Corpus, split: str, outcomes: Sequence[Outcome]) -> Table:
    """The effect of each correction of the paper's protocol on mAP, R@10 and R@100."""
    runs = {(outcome.row.method, outcome.row.protocol): outcome.run.measures for outcome in outcomes}
    pairs = (
        ("the theorem is not its own candidate", (PAPER_TFIDF, "paper"), (PAPER_TFIDF, "clean")),
        ("never-cited statements stay candidates", (PAPER_TFIDF, "paper-joint"), (PAPER_TFIDF, "clean")),
        ("frequency is counted in training", (LEAKED, "paper"), ("frequency", "paper")),
    )
    rows: list[tuple[Cell, ...]] = []
    for label, before, after in pairs:
        cells: list[Cell] = [label]
        for measure in CORRECTION_MEASURES:
            cells += [two_decimals(runs.get(key, {}).get(measure)) for key in (before, after)]
        rows.append(tuple(cells))
    columns = ["", *(name for measure in CORRECTION_MEASURES for name in (f"{measure} paper", "corrected"))]
    title = f"Effect of each correction: {corpus.name}/{split}"
    note = (
        "The first two rows are TF-IDF with the paper's settings, the third is frequency. In percent. The effect of "
        "correct types cannot be computed, since the original numbering is unknown; for lost references, compare with "
        "a corpus built with --rules fixed."
    )
    return Table(title, tuple(columns), tuple(rows), note)
