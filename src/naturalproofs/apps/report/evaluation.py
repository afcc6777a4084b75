"""Tables of runs: measures with intervals, groups, comparisons, and the ranking of one theorem; generated sequences."""

from __future__ import annotations

import base64
import hashlib
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from naturalproofs.apps.report.table import Cell, Table, render, to_html, two_decimals
from naturalproofs.benchmark.evaluation import Run, group_measures
from naturalproofs.errors import NotComparable, UnknownName
from naturalproofs.records import Statement, StatementId
from naturalproofs.tasks.measures.generated import GeneratedSequence
from naturalproofs.tasks.measures.ranks import Groups, RankedQuery
from naturalproofs.tasks.measures.retrieval import (
    DEFAULT_MEASURES,
    PAPER_MEASURES,
    average_precision,
    compute_measures,
)
from naturalproofs.tasks.measures.significance import bootstrap_intervals, compare
from naturalproofs.tasks.protocols import PROTOCOLS

if TYPE_CHECKING:
    from naturalproofs.benchmark.evaluation import GenerationRow
    from naturalproofs.benchmark.suite import BookComparison, SuiteRun
    from naturalproofs.corpus.corpus import Corpus

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


def run_names(runs: Sequence[Run], *, short: bool = False) -> list[str]:
    """Names that tell runs of one task apart: seeds, and settings in short names, are named only where they differ."""
    methods = [run.spec.method for run in runs]
    heads = [method.partition("(")[0] if short else method for method in methods]
    settings = Counter(head for head, _ in set(zip(heads, methods, strict=True)))
    names = [head if settings[head] == 1 else method for head, method in zip(heads, methods, strict=True)]
    again = Counter(names)
    seeds = (run.spec.seed for run in runs)
    return [name if again[name] == 1 else f"{name}, seed {seed}" for name, seed in zip(names, seeds, strict=True)]


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
    for letter, name in zip(letters, run_names(runs), strict=True):
        cells: list[Cell] = [f"{letter}  {name}"]
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


@dataclass(frozen=True, slots=True)
class Difference:
    """A proof on which two runs differ: the average precision and the gold ranks of each."""

    query: str
    precisions: tuple[float, float]
    ranks: tuple[Sequence[int | None], Sequence[int | None]]

    @property
    def theorem(self) -> StatementId:
        """The theorem of the proof."""
        return self.query.rpartition("#")[0]


def differences(first: Run, second: Run, *, most: int) -> list[Difference]:
    """The proofs whose average precision differs most between two runs."""
    other = {query.query: query for query in second.queries}
    found = [
        Difference(one.query, (average_precision(one), average_precision(two)), (one.ranks, two.ranks))
        for one in first.queries
        if (two := other.get(one.query)) is not None
    ]
    return sorted(found, key=lambda one: (-abs(one.precisions[0] - one.precisions[1]), one.query))[:most]


def differences_table(first: Run, second: Run, *, most: int = 10) -> Table:
    """The theorems whose average precision differs most between two runs."""
    _check_same_task([first, second])
    rows: list[tuple[Cell, ...]] = [
        (one.query, *(f"{100 * value:.1f}" for value in one.precisions), *map(_rank_list, one.ranks))
        for one in differences(first, second, most=most)
    ]
    names = run_names((first, second))
    columns = ("theorem#proof", *(f"{what} {name}" for what in ("AP", "gold ranks") for name in names))
    return Table("Where they differ most", columns, tuple(rows))


def _rank_list(ranks: Sequence[int | None]) -> str:
    shown = ["–" if rank is None else f"{rank:,}" for rank in ranks[:RANKS_SHOWN]]
    return " ".join(shown) + (" …" if len(ranks) > RANKS_SHOWN else "")


def _check_same_task(runs: Sequence[Run]) -> None:
    if len({(run.spec.corpus_hash, run.spec.split, run.spec.protocol) for run in runs}) > 1:
        names = "; ".join(sorted(run.name for run in runs))
        raise NotComparable(f"these runs are of different tasks and cannot be compared: {names}")


@dataclass(frozen=True, slots=True)
class ProofAnswers:
    """The answers of several runs for one proof."""

    query: str
    ranks: list[tuple[StatementId, list[int | None]]]
    """Each cited statement with its rank by run."""
    best: list[list[tuple[StatementId | None, bool]]]
    """Row by row, by run: the statement ranked there, and whether the proof cites it."""


def answers_to(theorem: StatementId, runs: Sequence[Run]) -> list[ProofAnswers]:
    """The answers of runs for each proof of a theorem that at least one of them was asked about."""
    by_run = [{query.query: query for query in run.queries if query.theorem == theorem} for run in runs]
    return [
        _proof_answers(proof, [queries.get(proof) for queries in by_run])
        for proof in sorted({query for queries in by_run for query in queries})
    ]


def _proof_answers(proof: str, answers: Sequence[RankedQuery | None]) -> ProofAnswers:
    gold = next(answer.gold for answer in answers if answer)
    ranks = [dict(zip(answer.gold, answer.ranks, strict=True)) if answer else {} for answer in answers]
    best: list[list[tuple[StatementId | None, bool]]] = [
        [
            (answer.top[row], answer.top[row] in answer.gold) if answer and row < len(answer.top) else (None, False)
            for answer in answers
        ]
        for row in range(TOP_SHOWN)
    ]
    return ProofAnswers(proof, [(key, [by_key.get(key) for by_key in ranks]) for key in gold], best)


def rankings_text(corpus: Corpus, statement: Statement, runs: Sequence[Run]) -> str:
    """The paper's qualitative table for one theorem: the ranks of its gold references and the top ten of each run."""
    from naturalproofs.apps.report.listings import headline

    for run in runs:
        if not answers_to(statement.id, [run]):
            raise UnknownName(f"{run.name} has no query for {statement.id}; is it in that split?")
    columns = ("", *run_names(runs))
    tables = []
    for proof in answers_to(statement.id, runs):
        gold = tuple((headline(corpus.by_id[key]), *ranks) for key, ranks in proof.ranks)
        best = tuple(
            (str(rank), *(_top_cell(corpus, key, cited=cited) for key, cited in row))
            for rank, row in enumerate(proof.best, start=1)
        )
        tables.append(Table(f"Ranks of what {proof.query} cites", columns, gold))
        tables.append(Table("Ranked first (* is cited)", columns, best))
    return render(tables, "text")


def _top_cell(corpus: Corpus, key: StatementId | None, *, cited: bool) -> str | None:
    from naturalproofs.apps.report.listings import headline

    if key is None:
        return None
    text = headline(corpus.by_id[key])
    short = text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
    return f"{short} *" if cited else f"{short}  "


def sequence_text(corpus: Corpus, sequence: GeneratedSequence) -> str:
    """A generated sequence as a numbered list; references of the known proof are ticked."""
    lines = []
    for number, reference in enumerate(sequence.predicted, 1):
        statement = corpus.by_id[str(reference)]
        mark = "" if not sequence.gold else "✓ " if reference in sequence.gold else "  "
        title = f"  {statement.title}" if statement.title else ""
        lines.append(f"{number:3}. {mark}{statement.label or statement.id}{title}")
    if not lines:
        lines.append("no references predicted")
    if sequence.gold:
        correct = len(set(sequence.predicted) & set(sequence.gold))
        lines.append(f"✓ {correct} of the {len(set(sequence.gold))} references of the proof in the corpus")
    return "\n".join(lines)


def sequence_data(corpus: Corpus, sequence: GeneratedSequence) -> dict[str, Any]:
    """A generated sequence as plain values for JSON."""
    return {
        "theorem": sequence.query.rpartition("#")[0],
        "predicted": list(sequence.predicted),
        "labels": [corpus.by_id[str(reference)].label for reference in sequence.predicted],
        "gold": list(sequence.gold),
    }


# A leaderboard of runs as one HTML file: a sortable table for each corpus, split and protocol.

_LEADERBOARD_COLUMNS = ("mAP", "R@10", "R@100", "Full@10", "Full@100", "nDCG@10", "RR")


def leaderboard_page(tasks: Sequence[Sequence[Run]], title: str) -> str:
    """The page.

    Args:
        tasks: The runs of each task, best first.
        title: The title of the page.
    """
    style, script = _asset("style.css"), _asset("sort.js")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'"
    return _asset("page.html").format_map(
        {
            "policy": policy,
            "title": escape(title),
            "style": style,
            "script": script,
            "tasks": "\n".join(_task(runs) for runs in tasks),
        }
    )


def _task(runs: Sequence[Run]) -> str:
    spec = runs[0].spec
    shown = [measure for measure in _LEADERBOARD_COLUMNS if any(run.measures.get(measure) is not None for run in runs)]
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        method = f"{run.spec.method} (scored from {run.spec.external})" if run.spec.external else run.spec.method
        measured = dict.fromkeys(shown, None) | {
            name: value if interval is None else f"{value} ({interval})"
            for name, value, interval in _measure_rows(run.measures, run.intervals)
        }
        rows.append((method, *(measured[name] for name in shown), run.spec.seed, run.made_by))
    how = PROTOCOLS.get(spec.protocol)
    about = (
        f"{len(runs[0].queries):,} queries, {runs[0].candidates:,} candidates. Split: {spec.split_recipe}. "
        f"Rules: {spec.rules}. Corpus {spec.corpus_hash}."
    )
    return (
        f"<section>\n<h2>{escape(spec.corpus)}/{escape(spec.split)}, {escape(spec.protocol)}</h2>\n"
        f"<p>{escape(f'{how.purpose}. ' if how else '')}{escape(about)}</p>\n"
        f'<div class="wide">{to_html(Table("", ("method", *shown, "seed", "made by"), tuple(rows)))}</div>\n</section>'
    )


def _asset(name: str) -> str:
    return files("naturalproofs.apps.report").joinpath("leaderboard_page", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# Tables of a suite of books: macro means, figures of each book, and groups of books.

GROUPS = ("subject", "language", "kind", "length")


def suite_tables(suite: str, runs: Sequence[SuiteRun], missing: Sequence[str], *, seed: int = 0) -> list[Table]:
    """For each protocol the macro means, the books and the groups; the first method is compared with the others."""
    from naturalproofs.benchmark.suite import comparisons

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
    from naturalproofs.benchmark.suite import EARLIER, LEAST, MEASURES, TRAINED_ON

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
        "lower mAP, and the p-value of a randomisation test over books, Holm-corrected. Of the citations, "
        f"{100 * runs[0].forward:.1f} % name what stands after the proof: no candidate, counted "
        f"as missed but in {EARLIER}."
    )
    if any(TRAINED_ON.get(suite) == run.method for run in runs):
        note += f" {TRAINED_ON[suite]} was trained on books of this suite: its row is not one of unseen books."
    if missing:
        note += f" Not found: {', '.join(missing)}."
    columns = ("method", *(str(measure) for measure in MEASURES), "won–lost")
    return Table(f"{suite}, {runs[0].protocol}", columns, tuple(rows), note)


def _book_table(runs: Sequence[SuiteRun]) -> Table:
    """The measures of the first method, and the mAP of the others."""
    from naturalproofs.benchmark.suite import MEASURES

    first, others = runs[0], runs[1:]
    rows: list[tuple[Cell, ...]] = []
    for number, one in enumerate(first.books):
        values = [100 * one.values[str(measure)] for measure in MEASURES]
        beside = [100 * run.books[number].values["mAP"] for run in others]
        rows.append((one.book.name, one.statements, one.questions, 100 * one.forward, *values, *beside))
    columns = (
        "book",
        "statements",
        "questions",
        "forward",
        *map(str, MEASURES),
        *(f"mAP {run.method}" for run in others),
    )
    return Table(f"Books, {first.method}, {first.protocol}", columns, tuple(rows))


def _group_table(run: SuiteRun) -> Table:
    from naturalproofs.benchmark.suite import MEASURES, book_results

    rows: list[tuple[Cell, ...]] = []
    for key in GROUPS:
        for name, part in run.by(key).items():
            results = book_results(part)
            rows.append((f"{key}: {name}", len(part), *(100 * results.total(measure) for measure in MEASURES)))
    columns = ("group", "books", *map(str, MEASURES))
    return Table(f"Groups of books, {run.method}, {run.protocol}", columns, tuple(rows))
