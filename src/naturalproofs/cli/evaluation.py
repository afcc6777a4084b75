"""Commands that measure methods: ``evaluate``, ``generate``, ``compare``, ``leaderboard``, ``audit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import (
    PATH,
    corpus_argument,
    echo,
    echo_json,
    format_option,
    info,
    output_option,
    progress_bar,
    projects_option,
    protocol_option,
    seed_option,
    split_option,
    suite_option,
)

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.experiments.suite_evaluation import MethodOfBook
    from naturalproofs.ranking.contract import Ranker


@click.command()
@click.argument("method")
@click.argument("corpus", type=PATH, required=False)
@split_option("test")
@protocol_option
@seed_option
@format_option("text", "json")
@click.option(
    "--older",
    type=PATH,
    metavar="CORPUS",
    help="Train on this older version of the corpus, and ask about the theorems that are new; --split is not used.",
)
@suite_option
@projects_option
@click.option("--baselines/--no-baselines", default=True, help="With --suite: also the baselines.  [default: yes]")
@click.option(
    "--most", type=click.IntRange(1), metavar="N", help="With --suite: at most N questions of a book, evenly spaced."
)
@click.option(
    "--held-out",
    type=PATH,
    metavar="FOLDER",
    help="With --suite, for shipped: trees trained without each book's author, as ship_ranker.py --folds writes them.",
)
@click.option("-o", "--output", type=PATH, metavar="FOLDER", help="Also save the run: the gold ranks of every query.")
@click.option(
    "--by",
    type=click.Choice(["kind", "seen", "size", "category"]),
    help="Also measure groups: by kind of reference, citations in training, number of references, or category.",
)
@click.option(
    "--trec",
    metavar="FILE|K",
    help="Also write the best candidates of each query as a TREC run; a number prints the top K instead of measures.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many candidates of each query -o and --trec store.",
)
@click.option(
    "--run",
    "external",
    type=PATH,
    metavar="FILE",
    help="Score a TREC run that another program made; METHOD is then only its name.",
)
@click.pass_context
def evaluate(
    context: click.Context,
    method: str,
    corpus: Path | None,
    split: str,
    protocol_name: str,
    seed: int,
    style: str,
    older: Path | None,
    suite: str | None,
    folders: tuple[Path, ...],
    baselines: bool,
    most: int | None,
    held_out: Path | None,
    output: Path | None,
    by: str | None,
    trec: str | None,
    depth: int,
    external: Path | None,
) -> None:
    """Evaluate a ranking method on a split of a corpus.

    METHOD is a name (random, frequency, tfidf, bm25, neighbours, recency, fusion, hybrid), a name with settings such as
    "bm25(k1=0.9)", or the folder of a trained model. For every theorem of the split, the method ranks the candidates;
    measures compare the ranking with the references of the proof.

    With --suite, the method is measured on many books that it was not trained on, beside the baselines, under the
    protocols zero-shot and in-project unless one is given.

    \b
    naturalproofs evaluate bm25 stacks --split eval
    naturalproofs evaluate fusion stacks --protocol clean -o runs/fusion
    naturalproofs evaluate "encoder(encoder='models/e5', query_prefix='query: ', passage_prefix='passage: ')" stacks
    naturalproofs evaluate my-model stacks --run my-model.trec -o runs/my-model
    naturalproofs evaluate shipped --suite books --projects texts/
    """
    if suite is not None:
        if any(one is not None for one in (corpus, older, output, by, trec, external)):
            raise click.UsageError("--suite takes no CORPUS, --older, --output, --by, --trec or --run")
        chosen = context.get_parameter_source("protocol_name") is not click.core.ParameterSource.DEFAULT
        protocols = (protocol_name,) if chosen else ()
        _evaluate_suite(
            method, suite, folders, protocols, seed, style, baselines=baselines, most=most, held_out=held_out
        )
        return
    if corpus is None or held_out is not None:
        raise click.UsageError("Missing argument 'CORPUS' (or give --suite; --held-out is for suites only).")
    if older is not None and external is not None:
        raise click.UsageError("--older and --run do not go together")
    from naturalproofs.experiments.evaluation import evaluate, group_measures, groups
    from naturalproofs.experiments.runs import check_output
    from naturalproofs.experiments.trec_run import evaluate_run
    from naturalproofs.io.files import write_atomic
    from naturalproofs.ranking.models import method_named
    from naturalproofs.report.evaluation import evaluation_table, group_table
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.make import load_folder, load_with_splits

    check_output(output)
    top = int(trec) if trec is not None and trec.isdecimal() else 0
    with progress_bar(f"Evaluating {method}") as progress:
        loaded, splits = load_with_splits(corpus, progress)
        if external is not None:
            run, report = evaluate_run(
                external, loaded, splits, name=method, split=split, protocol=protocol_name, seed=seed
            )
            for message in report.messages():
                info(f"{external}: {message}")
        else:
            ranker = method_named(method)
            past = load_folder(older)[0] if older is not None else None
            run = evaluate(
                ranker,
                loaded,
                splits=splits,
                split=split,
                protocol=protocol_name,
                older=past,
                seed=seed,
                depth=top or depth,
                progress=progress,
            )
            _warn_if_seen(ranker, loaded, len(past.examples if past else splits.train.examples))
    if output is not None:
        run.save(output)
    if top:
        echo(run.to_trec().decode(), nl=False)
        return
    if trec is not None:
        write_atomic(Path(trec), run.to_trec())
    found = groups(loaded, splits, run.queries, by) if by else {}
    if style == "json":
        echo_json(run.to_dict() | ({"groups": group_measures(found)} if by else {}))
        return
    echo(to_text(evaluation_table(run)))
    if by:
        echo("\n" + to_text(group_table(run, by, found)))


def _warn_if_seen(ranker: Ranker, corpus: Corpus, proofs: int) -> None:
    """Say so if the figures come from trees that were trained on the corpus."""
    from naturalproofs.experiments.seen_books import seen_by_shipped_trees, warning

    if seen_by_shipped_trees(ranker, corpus, proofs):
        info(warning(corpus))


def _evaluate_suite(
    method: str,
    name: str,
    folders: tuple[Path, ...],
    protocols: tuple[str, ...],
    seed: int,
    style: str,
    *,
    baselines: bool,
    most: int | None,
    held_out: Path | None,
) -> None:
    from naturalproofs.experiments.suite import held_out_trees, load_suite
    from naturalproofs.experiments.suite_evaluation import BASELINES, PROTOCOLS, evaluate_suite, suite_data
    from naturalproofs.ranking.models import method_named
    from naturalproofs.report.suite import suite_tables
    from naturalproofs.report.table import render

    suite = load_suite(name)
    others = {key: spec for key, spec in BASELINES.items() if baselines and spec != method}
    named = {next((key for key, spec in BASELINES.items() if spec == method), method): method}
    methods: dict[str, Ranker | MethodOfBook] = {key: method_named(spec) for key, spec in (named | others).items()}
    if held_out is not None:
        if method != "shipped":
            raise click.UsageError("--held-out is for the method shipped")
        del methods[method]
        methods = {"shipped, author held out": held_out_trees(held_out), **methods}
    with progress_bar(f"Evaluating {method} on {suite.name}", log=True) as progress:
        runs, missing = evaluate_suite(
            methods, suite, folders, protocols=protocols or PROTOCOLS, seed=seed, most=most, progress=progress
        )
    if style == "json":
        echo_json(suite_data(suite, runs, missing, seed=seed))
    else:
        echo(render(suite_tables(suite.name, runs, missing, seed=seed), style))


@click.command()
@click.argument("method")
@corpus_argument
@click.option("--at", "label", metavar="LABEL", help="Print the sequence for this theorem only.")
@split_option("valid")
@protocol_option
@seed_option
@format_option("text", "json")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also write predicted and gold sequences (JSON lines).")
def generate(
    method: str,
    corpus: Path,
    label: str | None,
    split: str,
    protocol_name: str,
    seed: int,
    style: str,
    output: Path | None,
) -> None:
    """Predict and measure the sequence of references of each proof.

    METHOD is a generator such as compose, which uses the features of the hybrid ranker, or "retrieve(ranker='fusion')",
    the folder of a trained model, or a ranking method, which is then wrapped in retrieve.

    \b
    naturalproofs generate fusion stacks --split valid
    naturalproofs generate models/autoregressive stacks --protocol paper-joint -o sequences.jsonl
    naturalproofs generate fusion stacks --at algebra-lemma-NAK --protocol accessible
    """
    import msgspec

    from naturalproofs.experiments.generation import generate, measured_row
    from naturalproofs.io.files import write_atomic
    from naturalproofs.ranking.generation import generator_named, generator_spec
    from naturalproofs.report.evaluation import sequence_data, sequence_measures_table, sequence_text
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.dataset import retrieval_task, task_about
    from naturalproofs.tasks.make import load_with_splits
    from naturalproofs.tasks.protocols import protocol

    how, generator = protocol(protocol_name), generator_named(method)
    with progress_bar(f"Generating with {method}") as progress:
        loaded, splits = load_with_splits(corpus, progress)
        if label is not None:
            task = task_about(loaded, splits, loaded.find(label).id, how)
        else:
            task = retrieval_task(loaded, splits, split, how)
        sequences = generate(generator, task, seed=seed, progress=progress)
    if output is not None:
        write_atomic(output, msgspec.json.Encoder().encode_lines(sequences))
    if label is not None:
        data, text = sequence_data(loaded, sequences[0]), sequence_text(loaded, sequences[0])
    else:
        row = measured_row(generator_spec(generator), "", how.name, sequences, seed)
        data, text = msgspec.to_builtins(row), to_text(sequence_measures_table(task.name, row))
    if style == "json":
        echo_json(data)
    else:
        echo(text)


@click.command()
@click.argument("runs", type=PATH, nargs=-1, required=True, metavar="RUN...")
@format_option("text", "csv", "latex", "markdown", "html")
@click.option(
    "--most", default=10, show_default=True, help="Number of theorems to list where the first two runs differ."
)
@seed_option
def compare(runs: tuple[Path, ...], style: str, most: int, seed: int) -> None:
    """Compare runs with significance tests.

    A RUN is a folder written by 'evaluate -o'. All runs must have the same corpus, split and protocol.

    \b
    naturalproofs compare runs/bm25 runs/fusion
    """
    from naturalproofs.experiments.runs import load_run
    from naturalproofs.report.evaluation import comparison_table, differences_table
    from naturalproofs.report.table import render

    if not 2 <= len(runs) <= 26:
        raise click.UsageError("give 2 to 26 runs")
    loaded = [load_run(folder) for folder in runs]
    tables = [comparison_table(loaded, seed=seed)]
    if most > 0:
        tables.append(differences_table(loaded[0], loaded[1], most=most))
    echo(render(tables, style))


@click.command()
@click.argument("runs", type=PATH, nargs=-1, required=True, metavar="RUN...")
@output_option
@click.option("--title", default="Leaderboard", show_default=True, help="Title of the page.")
def leaderboard(runs: tuple[Path, ...], output: Path, title: str) -> None:
    """Write a page that ranks runs, task by task.

    A RUN is a folder written by 'evaluate -o', or a folder that holds such folders; runs of other programs come in by
    'evaluate --run FILE -o'. The page is one HTML file without anything outside of it: a sortable table for each
    corpus, split and protocol, with 95 % intervals, settings and the commit that made each run.

    \b
    naturalproofs leaderboard runs/ -o leaderboard.html
    """
    from naturalproofs.errors import NotARun
    from naturalproofs.experiments.runs import MOST, left_out, runs_by_task
    from naturalproofs.io.files import replace_file
    from naturalproofs.report.leaderboard import OURS, leaderboard_page

    tasks = runs_by_task(*runs)
    if not tasks:
        raise NotARun(f"{runs[0]}: holds no run; write one with 'naturalproofs evaluate -o'")
    if missing := left_out(*runs):
        info(f"{missing:,} runs are left out: {MOST:,} of a folder are read; name its subfolders one by one")
    replace_file(output, leaderboard_page(list(tasks.values()), title).encode(), OURS)
    echo(f"{output}: {sum(map(len, tasks.values())):,} runs of {len(tasks):,} tasks")


@click.command()
@corpus_argument
@split_option("eval")
@click.option("--near", default=0.9, show_default=True, help="Least TF-IDF cosine similarity of near-duplicates.")
@click.option("--most", default=10, show_default=True, help="Number of items to list.")
@click.option("--extraction", is_flag=True, help="Report what was not understood in a LaTeX project instead.")
@format_option("text", "json")
def audit(corpus: Path, split: str, near: float, most: int, extraction: bool, style: str) -> None:
    """Check train/test leakage and near-duplicates, or how well a project was read.

    Checks that training does not contain evaluation theorems, and reports evaluation statements with exact or near
    duplicates in training and gold references that no training proof cites. Exits with 1 if training leaks.

    With --extraction, CORPUS is a LaTeX project: the report lists environments and reference commands that were not
    understood, cited keys that no label has, and inputs that were not followed.

    \b
    naturalproofs audit stacks
    naturalproofs audit my-thesis/ --extraction
    """
    if extraction:
        _audit_extraction(corpus, most, style)
        return
    from naturalproofs.experiments.audit import audit
    from naturalproofs.tasks.make import load_folder

    found = audit(*load_folder(corpus), split, near=near)
    if style == "json":
        echo_json(found)
    else:
        share = 100 * found.unseen_gold / found.gold if found.gold else 0.0
        echo(f"Leak: {found.leak or 'none: training contains no evaluation theorem'}")
        echo(f"Exact duplicates in training: {len(found.same_text):,} of {found.queries:,} queries")
        echo(f"Near-duplicates (similarity {near} or more): {len(found.near):,}")
        for pair in found.near[:most]:
            shared = f"{pair.shared_gold} shared references"
            echo(f"  {pair.similarity:.3f}  {pair.evaluation}  ~  {pair.training}  ({shared})")
        echo(f"Gold references that no training proof cites: {found.unseen_gold:,} of {found.gold:,} ({share:.1f} %)")
        echo(f"Queries with no gold reference seen in training: {found.queries_all_unseen:,}")
    if found.leak:
        raise SystemExit(1)


def _audit_extraction(project: Path, most: int, style: str) -> None:
    from naturalproofs.report.listings import extraction_text
    from naturalproofs.workspace import Workspace
    from naturalproofs.workspace.extraction import audit_extraction

    found = audit_extraction(Workspace.open(project).home)
    if style == "json":
        echo_json(found)
    else:
        echo(extraction_text(found, most))
