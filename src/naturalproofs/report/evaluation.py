"""An evaluation as a table: the figure, its interval, and everything it depends on."""

from naturalproofs.evaluation.breakdowns import Groups
from naturalproofs.evaluation.ranking_measures import PAPER_MEASURES
from naturalproofs.experiments.evaluation import Evaluation
from naturalproofs.experiments.grouping import group_measures
from naturalproofs.report.table import Cell, Table


def evaluation_table(outcome: Evaluation) -> Table:
    """One row a measure."""
    spec = outcome.spec
    rows: list[tuple[Cell, ...]] = []
    for name, value in outcome.measures.items():
        low, high = outcome.intervals[name]
        interval = None if low is None or high is None else f"{low:.2f} – {high:.2f}"
        rows.append((name, None if value is None else f"{value:.2f}", interval))
    title = f"{spec.method} on {spec.corpus}/{spec.split}, protocol {spec.protocol}"
    note = (
        f"{len(outcome.ranked.queries):,} queries, {outcome.candidates:,} candidates, {spec.rules} rules, "
        f"{outcome.ranked.seconds:.1f} s. In percent, with 95 % bootstrap intervals."
    )
    return Table(title, ("", "value", "interval"), tuple(rows), note)


def group_table(outcome: Evaluation, by: str, found: Groups) -> Table:
    """One row a group, largest first where the groups have no order of their own."""
    names = list(found) if by != "category" else sorted(found, key=lambda name: (-len(found[name]), name))
    measured = group_measures(found)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        values = measured.get(name, {})
        shown = (values.get(str(measure)) for measure in PAPER_MEASURES)
        gold = sum(len(query.gold) for query in found[name])
        rows.append((name, len(found[name]), gold, *(None if v is None else f"{v:.2f}" for v in shown)))
    columns = (by, "queries", "gold", *map(str, PAPER_MEASURES))
    return Table(f"By {by}, protocol {outcome.spec.protocol}", columns, tuple(rows))
