"""What each correction of the paper's protocol is worth, read off the runs of its retrieval table."""

from collections.abc import Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.experiments.reproduce import Outcome
from naturalproofs.experiments.reproduction import LEAKED, PAPER_TFIDF
from naturalproofs.report.table import Cell, Table

MEASURES = ("mAP", "R@10", "R@100")


def corrections_table(corpus: Corpus, split: str, outcomes: Sequence[Outcome]) -> Table:
    """One row a correction: the paper's way, the right way, in mAP, R@10 and R@100."""
    runs = {(outcome.row.method, outcome.row.protocol): outcome.manifest.measures for outcome in outcomes}
    pairs = (
        ("the theorem is no candidate of its own", (PAPER_TFIDF, "paper"), (PAPER_TFIDF, "clean")),
        ("never-cited statements stay candidates", (PAPER_TFIDF, "paper-joint"), (PAPER_TFIDF, "clean")),
        ("frequency is counted in training", (LEAKED, "paper"), ("frequency", "paper")),
    )
    rows: list[tuple[Cell, ...]] = []
    for label, before, after in pairs:
        cells: list[Cell] = [label]
        for measure in MEASURES:
            cells += [_shown(runs, before, measure), _shown(runs, after, measure)]
        rows.append(tuple(cells))
    columns = ["", *(name for measure in MEASURES for name in (f"{measure} paper's way", "corrected"))]
    title = f"What each correction is worth: {corpus.name}/{split}"
    note = (
        "The first two rows are TF-IDF with the paper's settings, the third is frequency. In percent. What right types "
        "are worth cannot be computed, since the original's numbering is not known; for lost references, compare with "
        "a corpus built with --rules fixed."
    )
    return Table(title, tuple(columns), tuple(rows), note)


def _shown(runs: dict[tuple[str, str], dict[str, float | None]], key: tuple[str, str], measure: str) -> str | None:
    value = runs.get(key, {}).get(measure)
    return None if value is None else f"{value:.2f}"
