"""Tables of runs: measures with intervals, groups, comparisons, and the ranking of one theorem; generated sequences."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import NotComparable, UnknownName
from naturalproofs.evaluation.breakdowns import Groups
from naturalproofs.evaluation.generation_measures import GeneratedSequence
from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import DEFAULT_MEASURES, PAPER_MEASURES, MeanAveragePrecision
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.evaluation.significance import compare
from naturalproofs.experiments.evaluation import group_measures
from naturalproofs.experiments.generation import GenerationRow
from naturalproofs.experiments.runs import Run
from naturalproofs.records import Statement
from naturalproofs.report.statement import headline
from naturalproofs.report.table import Cell, Table, render, two_decimals

LEVEL = 0.05
RANKS_SHOWN = 6
TOP_SHOWN = 10
WIDTH = 44


def evaluation_table(run: Run) -> Table:
    """One row per measure, with its interval."""
    spec = run.spec
    title = f"{spec.method} on {spec.corpus}/{spec.split}, protocol {spec.protocol}"
    note = (
        f"{len(run.queries):,} queries, {run.candidates:,} candidates, {spec.rules} rules, "
        f"{run.seconds:.1f} s. In percent, with 95 % bootstrap intervals."
    )
    return Table(title, ("", "value", "interval"), _measure_rows(run.measures, run.intervals), note)


def sequence_measures_table(task: str, row: GenerationRow) -> Table:
    """One row per generation measure, with its interval."""
    title = f"{row.label} on {task}, protocol {row.protocol}"
    note = f"{row.queries:,} proofs. In percent, except Len; with 95 % bootstrap intervals."
    return Table(title, ("", "value", "interval"), _measure_rows(row.measures, row.intervals), note)


def _measure_rows(
    measures: Mapping[str, float | None], intervals: Mapping[str, tuple[float | None, float | None]]
) -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for name, value in measures.items():
        low, high = intervals[name]
        interval = None if low is None or high is None else f"{low:.2f} – {high:.2f}"
        rows.append((name, two_decimals(value), interval))
    return tuple(rows)


def group_table(run: Run, by: str, groups: Groups) -> Table:
    """One row per group; categories are sorted by size."""
    names = list(groups) if by != "category" else sorted(groups, key=lambda name: (-len(groups[name]), name))
    measures = group_measures(groups)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        values = measures.get(name, {})
        gold = sum(len(query.gold) for query in groups[name])
        figures = (two_decimals(values.get(str(measure))) for measure in PAPER_MEASURES)
        rows.append((name, len(groups[name]), gold, *figures))
    columns = (by, "queries", "gold", *map(str, PAPER_MEASURES))
    return Table(f"By {by}, protocol {run.spec.protocol}", columns, tuple(rows))


def comparison_table(runs: Sequence[Run], *, seed: int = 0) -> Table:
    """One row per run; a letter after a value names a run that is significantly worse."""
    _check_same_task(runs)
    letters = string.ascii_lowercase[: len(runs)]
    results = {
        letter: compute_measures(run.queries, DEFAULT_MEASURES) for letter, run in zip(letters, runs, strict=True)
    }
    beaten: dict[tuple[str, str], str] = {}
    for comparison in compare(results, DEFAULT_MEASURES, seed=seed):
        if comparison.adjusted < LEVEL:
            winner, loser = comparison.first, comparison.second
            if comparison.difference <= 0:
                winner, loser = loser, winner
            key = winner, str(comparison.measure)
            beaten[key] = beaten.get(key, "") + loser
    rows: list[tuple[Cell, ...]] = []
    for letter, run in zip(letters, runs, strict=True):
        cells: list[Cell] = [f"{letter}  {run.spec.method}"]
        for measure in DEFAULT_MEASURES:
            mark = beaten.get((letter, str(measure)), "")
            cells.append(f"{measure.format(results[letter].total(measure))} {mark:<{len(runs) - 1}}".rstrip())
        rows.append(tuple(cells))
    spec = runs[0].spec
    title = f"{spec.corpus}/{spec.split}, protocol {spec.protocol}, {len(runs[0].queries):,} queries"
    note = (
        "In percent. Letters: the runs that are beaten at p < 0.05 (paired randomisation test, Holm's correction over "
        "all pairs and measures)."
    )
    return Table(title, ("", *map(str, DEFAULT_MEASURES)), tuple(rows), note)


def differences_table(first: Run, second: Run, *, most: int = 10) -> Table:
    """The theorems whose average precision differs most between two runs."""
    _check_same_task([first, second])
    one, two = _average_precisions(first), _average_precisions(second)
    order = sorted(range(len(one)), key=lambda i: (-abs(one[i] - two[i]), first.queries[i].query))[:most]
    rows: list[tuple[Cell, ...]] = [
        (
            first.queries[i].query,
            f"{100 * one[i]:.1f}",
            f"{100 * two[i]:.1f}",
            _rank_list(first.queries[i].ranks),
            _rank_list(second.queries[i].ranks),
        )
        for i in order
    ]
    names = (first.spec.method, second.spec.method)
    columns = ("theorem#proof", f"AP {names[0]}", f"AP {names[1]}", f"gold ranks {names[0]}", f"gold ranks {names[1]}")
    return Table("Where they differ most", columns, tuple(rows))


def _average_precisions(run: Run) -> list[float]:
    measure = MeanAveragePrecision()
    return [float(value) for value in compute_measures(run.queries, [measure]).per_query(measure)]


def _rank_list(ranks: Sequence[int | None]) -> str:
    shown = ["–" if rank is None else f"{rank:,}" for rank in ranks[:RANKS_SHOWN]]
    return " ".join(shown) + (" …" if len(ranks) > RANKS_SHOWN else "")


def _check_same_task(runs: Sequence[Run]) -> None:
    if len({(run.spec.corpus_hash, run.spec.split, run.spec.protocol) for run in runs}) > 1:
        names = "; ".join(sorted(run.name for run in runs))
        raise NotComparable(f"these runs are of different tasks and cannot be compared: {names}")


def rankings_text(corpus: Corpus, statement: Statement, runs: Sequence[Run]) -> str:
    """The paper's qualitative table for one theorem: the ranks of its gold references and the top ten of each run."""
    by_run = [_queries_about(run, statement) for run in runs]
    proofs = sorted({query for queries in by_run for query in queries})
    names = [run.spec.method for run in runs]
    tables = []
    for proof in proofs:
        found = [queries.get(proof) for queries in by_run]
        tables.append(_gold_table(corpus, proof, found, names))
        tables.append(_top_table(corpus, found, names))
    return render(tables, "text")


def _queries_about(run: Run, statement: Statement) -> dict[str, RankedQuery]:
    found = {query.query: query for query in run.queries if query.query.rpartition("#")[0] == statement.id}
    if not found:
        raise UnknownName(f"{run.name} has no query for {statement.id}; is it in that split?")
    return found


def _gold_table(corpus: Corpus, proof: str, found: Sequence[RankedQuery | None], names: Sequence[str]) -> Table:
    gold = next(query.gold for query in found if query is not None)
    rows: list[tuple[Cell, ...]] = []
    for key in gold:
        ranks = [dict(zip(q.gold, q.ranks, strict=True)).get(key) if q is not None else None for q in found]
        rows.append((headline(corpus.by_id[key]), *ranks))
    return Table(f"Ranks of what {proof} cites", ("", *names), tuple(rows))


def _top_table(corpus: Corpus, found: Sequence[RankedQuery | None], names: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for position in range(TOP_SHOWN):
        cells = [_top_cell(corpus, query, position) for query in found]
        rows.append((str(position + 1), *cells))
    return Table("Ranked first (* is cited)", ("", *names), tuple(rows))


def _top_cell(corpus: Corpus, query: RankedQuery | None, position: int) -> str | None:
    if query is None or position >= len(query.top):
        return None
    key = query.top[position]
    text = headline(corpus.by_id[key])
    short = text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
    return f"{short} *" if key in query.gold else f"{short}  "


def sequence_text(corpus: Corpus, sequence: GeneratedSequence) -> str:
    """A generated sequence as a numbered list; references of the known proof are ticked."""
    lines = []
    for number, reference in enumerate(sequence.predicted, 1):
        statement = corpus.by_id[str(reference)]
        mark = "" if not sequence.true else "✓ " if reference in sequence.true else "  "
        title = f"  {statement.title}" if statement.title else ""
        lines.append(f"{number:3}. {mark}{statement.label or statement.id}{title}")
    if not lines:
        lines.append("no references predicted")
    if sequence.true:
        correct = len(set(sequence.predicted) & set(sequence.true))
        lines.append(f"✓ {correct} of the {len(set(sequence.true))} references of the proof in the corpus")
    return "\n".join(lines)


def sequence_data(corpus: Corpus, sequence: GeneratedSequence) -> dict[str, Any]:
    """A generated sequence as plain values for JSON."""
    return {
        "theorem": sequence.query.rpartition("#")[0],
        "predicted": list(sequence.predicted),
        "labels": [corpus.by_id[str(reference)].label for reference in sequence.predicted],
        "true": list(sequence.true),
    }
