"""An evaluation as a table: the figure, its interval, and everything it depends on."""

from naturalproofs.experiments.evaluation import Evaluation
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
