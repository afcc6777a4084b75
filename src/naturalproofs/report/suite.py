"""Tables of a suite of books: macro means, figures of each book, and groups of books."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs.evaluation.significance import bootstrap_intervals
from naturalproofs.experiments.suite_evaluation import (
    LEAST,
    MEASURES,
    TRAINED_ON,
    BookComparison,
    SuiteRun,
    book_results,
    comparisons,
)
from naturalproofs.report.table import Cell, Table

GROUPS = ("subject", "language", "kind", "length")


def suite_tables(suite: str, runs: Sequence[SuiteRun], missing: Sequence[str], *, seed: int = 0) -> list[Table]:
    """For each protocol the macro means, the books and the groups; the first method is compared with the others."""
    tests = comparisons(runs, seed=seed)
    tables = []
    for how in dict.fromkeys(run.protocol for run in runs):
        here = [run for run in runs if run.protocol == how]
        tables.append(_macro_table(suite, here, [one for one in tests if one.protocol == how], missing, seed))
        tables.append(_book_table(here))
        tables.append(_group_table(here[0]))
    return tables


def _macro_table(
    suite: str, runs: Sequence[SuiteRun], tests: Sequence[BookComparison], missing: Sequence[str], seed: int
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        results = run.results()
        intervals = bootstrap_intervals(results, seed=seed)
        cells: list[Cell] = [run.method]
        for measure in MEASURES:
            low, high = (100 * bound for bound in intervals[measure])
            cells.append(f"{100 * results.total(measure):.1f} ({low:.1f}–{high:.1f})")
        test = next((t for t in tests if (t.first, t.second, t.measure) == (runs[0].method, run.method, "mAP")), None)
        cells.append(f"{test.wins}–{test.losses}, p = {test.adjusted:.3f}" if test else None)
        rows.append(tuple(cells))
    counted = runs[0].counted()
    note = (
        f"Macro means over {len(counted)} books with at least {LEAST} questions "
        f"({sum(one.questions for one in counted):,} of {sum(one.questions for one in runs[0].books):,} questions), "
        f"95 % bootstrap intervals over books. Won and lost: books on which {runs[0].method} has the higher and the "
        "lower mAP, and the p-value of a randomisation test over books, Holm-corrected."
    )
    if any(TRAINED_ON.get(suite) == run.method for run in runs):
        note += f" {TRAINED_ON[suite]} was trained on these books: its row is not one of unseen books."
    if missing:
        note += f" Not found: {', '.join(missing)}."
    columns = ("method", *(str(measure) for measure in MEASURES), "won–lost")
    return Table(f"{suite}, {runs[0].protocol}", columns, tuple(rows), note)


def _book_table(runs: Sequence[SuiteRun]) -> Table:
    """The measures of the first method, and the mAP of the others."""
    first, others = runs[0], runs[1:]
    rows: list[tuple[Cell, ...]] = []
    for number, one in enumerate(first.books):
        values = [100 * one.values[str(measure)] for measure in MEASURES]
        beside = [100 * run.books[number].values["mAP"] for run in others]
        rows.append((one.book.name, one.statements, one.questions, *values, *beside))
    columns = ("book", "statements", "questions", *map(str, MEASURES), *(f"mAP {run.method}" for run in others))
    return Table(f"Books, {first.method}, {first.protocol}", columns, tuple(rows))


def _group_table(run: SuiteRun) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for key in GROUPS:
        for name, part in run.by(key).items():
            results = book_results(part)
            rows.append((f"{key}: {name}", len(part), *(100 * results.total(measure) for measure in MEASURES)))
    columns = ("group", "books", *map(str, MEASURES))
    return Table(f"Groups of books, {run.method}, {run.protocol}", columns, tuple(rows))
