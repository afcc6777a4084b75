"""Generated sequences, and how good they are."""

from __future__ import annotations

from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.evaluation.generated import GeneratedSequence
from naturalproofs.experiments.generation import GenerationRow
from naturalproofs.report.table import Cell, Table


def measures_table(task: str, row: GenerationRow) -> Table:
    """One row a measure, with its interval."""
    rows: list[tuple[Cell, ...]] = []
    for name, value in row.measures.items():
        low, high = row.intervals[name]
        interval = None if low is None or high is None else f"{low:.2f} – {high:.2f}"
        rows.append((name, None if value is None else f"{value:.2f}", interval))
    note = f"{row.queries:,} proofs. In percent, but for Len; with 95 % bootstrap intervals."
    return Table(f"{row.label} on {task}, protocol {row.protocol}", ("", "value", "interval"), tuple(rows), note)


def sequence_text(corpus: Corpus, sequence: GeneratedSequence) -> str:
    """A sequence for a person: each reference by its label, marked where a known proof cites it too."""
    lines = []
    for number, reference in enumerate(sequence.predicted, 1):
        statement = corpus.by_id[str(reference)]
        mark = "" if not sequence.true else "✓ " if reference in sequence.true else "  "
        title = f"  {statement.title}" if statement.title else ""
        lines.append(f"{number:3}. {mark}{statement.label or statement.id}{title}")
    if not lines:
        lines.append("nothing to cite")
    if sequence.true:
        right = len(set(sequence.predicted) & set(sequence.true))
        lines.append(f"✓ {right} of the {len(set(sequence.true))} references of the proof in the corpus")
    return "\n".join(lines)


def sequence_data(corpus: Corpus, sequence: GeneratedSequence) -> dict[str, Any]:
    """A sequence for machines."""
    return {
        "theorem": sequence.query.rpartition("#")[0],
        "predicted": list(sequence.predicted),
        "labels": [corpus.by_id[str(reference)].label for reference in sequence.predicted],
        "true": list(sequence.true),
    }
