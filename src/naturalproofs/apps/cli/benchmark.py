"""Commands that train and measure methods: ``train``, ``tune``, ``evaluate``, ``compare``, ``reproduce`` and others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.apps.cli.options import (
    PATH,
    SOURCE,
    answer,
    corpus_argument,
    echo,
    echo_json,
    force_option,
    format_option,
    info,
    output_option,
    path_argument,
    place_option,
    progress_bar,
    projects_option,
    protocol_option,
    seed_option,
    split_option,
    suite_option,
    table_format_option,
)

if TYPE_CHECKING:
    from naturalproofs.apps.report.table import Table
    from naturalproofs.benchmark.reproduce import Reproduction
    from naturalproofs.benchmark.suite import MethodOfBook
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.ranking.contract import Ranker

# Commands that make models: ``train``, ``tune``.


@click.command()
@click.argument("method")
@path_argument
@output_option
@protocol_option
@seed_option
@click.option("--minutes", type=float, help="Time budget; training stops in time and keeps the best model so far.")
@click.option("--resume", is_flag=True, help="Resume an interrupted training from its checkpoints.")
@place_option("For hybrid: local, or a Ray cluster as in 'collect', which scores the training queries.")
def train(
    method: str,
    path: Path,
    output: Path,
    protocol_name: str,
    seed: int,
    minutes: float | None,
    resume: bool,
    place: str,
) -> None:
    """Train a method on a corpus, and save the model in a folder.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. The folder can be used wherever a method is
    expected: in evaluate, generate, suggest and serve. Training can be interrupted at any time and resumed with
    --resume.

    \b
    naturalproofs train hybrid stacks -o models/hybrid
    naturalproofs train "pairwise(size='small')" stacks -o models/pairwise --minutes 60
    """
    from naturalproofs.benchmark.make import load_with_splits
    from naturalproofs.benchmark.training import train_model
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.tasks.protocols import protocol

    ranker, how = parse_ranker(method), protocol(protocol_name)
    if place != "local":
        # What is missing is said at once, not when the first queries are scored.
        from naturalproofs.io.cluster import connect

        connect(place)
    with progress_bar(f"Training {method}", log=True) as progress:
        loaded, splits = load_with_splits(path, progress)
        model = train_model(
            ranker,
            loaded,
            splits,
            output,
            how,
            seed=seed,
            minutes=minutes,
            resume=resume,
            progress=progress,
            cluster="" if place == "local" else place,
        )
    info(f"Trained {model.method} on {model.trained_on.examples:,} examples in {model.seconds:.0f} s.")
    echo(str(output))


@click.command()
@click.argument("method")
@corpus_argument
@click.option(
    "--try", "choices", multiple=True, required=True, help="A setting and its values, such as 'k1=0.9|1.2|1.5'."
)
@click.option("--split", default="valid", help="valid or train; settings are never chosen on test.")
@protocol_option
@click.option("--measure", default="mAP", help="The measure to maximise.")
@seed_option
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also write all trials (JSON lines).")
@force_option
def tune(
    method: str,
    corpus: Path,
    choices: tuple[str, ...],
    split: str,
    protocol_name: str,
    measure: str,
    seed: int,
    output: Path | None,
) -> None:
    """Choose the settings of a method on the validation split.

    PATH is a corpus made by 'build'. Grid search: evaluates every combination and prints the best one last, in the
    form that 'evaluate' takes.

    \b
    naturalproofs tune bm25 stacks --try "k1=0.9|1.2|1.5" --try "b=0.4|0.6|0.75"
    """
    import msgspec

    from naturalproofs.benchmark.make import load_folder
    from naturalproofs.benchmark.training import parse_grid, tune
    from naturalproofs.io.outputs import check_output, write_output
    from naturalproofs.tasks.protocols import protocol

    check_output(output)
    ranker, grid = parse_grid(method, choices)
    (loaded, splits), how = load_folder(corpus), protocol(protocol_name)
    trials = []
    with progress_bar(f"Tuning {method}") as progress:
        for trial in tune(
            ranker, grid, loaded, splits, how, split=split, measure=measure, seed=seed, progress=progress
        ):
            trials.append(trial)
            info(f"{trial.value:6.2f}  {trial.method}  ({trial.seconds:.1f} s)")
            if output is not None:
                write_output(output, msgspec.json.Encoder().encode_lines(trials))
    best = max(trials, key=lambda trial: trial.value)
    echo(f"{best.measure} {best.value:.2f} on {loaded.name}/{split}, protocol {how}: {best.method}")


@click.command()
@click.argument("method")
@click.argument("path", type=SOURCE, required=False)
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
@click.option("--baselines/--no-baselines", default=True, help="With --suite: also the baselines.")
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
    help="How many candidates of each query -o and --trec store.",
)
@click.option(
    "--run",
    "external",
    type=PATH,
    metavar="FILE",
    help="Score a TREC run that another program made; METHOD is then only its name.",
)
@force_option
@click.pass_context
def evaluate(
    context: click.Context,
    method: str,
    path: Path | None,
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

    METHOD is a name (random, frequency, tfidf, bm25, neighbours, recency, fusion, hybrid; shipped as in 'suggest',
    collected as in a collection), a name with settings such as "bm25(k1=0.9)", or the folder of a trained model. For
    every theorem of the split, the method ranks the candidates; measures compare the ranking with the references of
    the proof. PATH is a LaTeX project, one of its files, or a corpus made by 'build'.

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
        if any(one is not None for one in (path, older, output, by, trec, external)):
            raise click.UsageError("--suite takes no PATH, --older, --output, --by, --trec or --run")
        chosen = context.get_parameter_source("protocol_name") is not click.core.ParameterSource.DEFAULT
        protocols = (protocol_name,) if chosen else ()
        _evaluate_suite(
            method, suite, folders, protocols, seed, style, baselines=baselines, most=most, held_out=held_out
        )
        return
    if path is None or held_out is not None:
        raise click.UsageError("Missing argument 'PATH' (or give --suite; --held-out is for suites only).")
    if older is not None and external is not None:
        raise click.UsageError("--older and --run do not go together")
    from naturalproofs.apps.report.evaluation import evaluation_table, group_table
    from naturalproofs.apps.report.table import to_text
    from naturalproofs.benchmark.evaluation import check_run_folder, evaluate, evaluate_run, group_measures, groups
    from naturalproofs.benchmark.make import load_folder, load_with_splits
    from naturalproofs.io.outputs import check_output, write_output
    from naturalproofs.ranking.registry import method_named

    top = int(trec) if trec is not None and trec.isdecimal() else 0
    check_run_folder(output)
    check_output(Path(trec) if trec and not top else None)
    with progress_bar(f"Evaluating {method}") as progress:
        loaded, splits = load_with_splits(path, progress)
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
        write_output(Path(trec), run.to_trec())
    found = groups(loaded, splits, run.queries, by) if by else {}
    if style == "json":
        echo_json(run.to_dict() | ({"groups": group_measures(found)} if by else {}))
        return
    echo(to_text(evaluation_table(run)))
    if by:
        echo("\n" + to_text(group_table(run, by, found)))


def _warn_if_seen(ranker: Ranker, corpus: Corpus, proofs: int) -> None:
    """Say so if the figures come from trees that were trained on the corpus."""
    from naturalproofs.benchmark.audit import seen_by_shipped_trees, warning

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
    from naturalproofs.apps.report.evaluation import suite_tables
    from naturalproofs.apps.report.table import render
    from naturalproofs.benchmark.suite import (
        BASELINES,
        BLIND,
        PROTOCOLS,
        evaluate_suite,
        held_out_trees,
        load_suite,
        suite_data,
    )
    from naturalproofs.ranking.registry import method_named

    suite = load_suite(name)
    others = {key: spec for key, spec in BASELINES.items() if baselines and spec != method}
    named = {next((key for key, spec in BASELINES.items() if spec == method), method): method}
    methods: dict[str, Ranker | MethodOfBook] = {key: method_named(spec) for key, spec in (named | others).items()}
    if held_out is not None:
        if method != "shipped":
            raise click.UsageError("--held-out is for the method shipped")
        del methods[method]
        blind = {"shipped without labels, author held out": held_out_trees(held_out / BLIND)}
        methods = {"shipped, author held out": held_out_trees(held_out), **blind, **methods}
    with progress_bar(f"Evaluating {method} on {suite.name}", log=True) as progress:
        runs, missing = evaluate_suite(
            methods, suite, folders, protocols=protocols or PROTOCOLS, seed=seed, most=most, progress=progress
        )
    answer(
        style,
        lambda: suite_data(suite, runs, missing, seed=seed),
        lambda: render(suite_tables(suite.name, runs, missing, seed=seed), style),
    )


@click.command()
@click.argument("method")
@path_argument
@click.option("--at", "label", metavar="LABEL", help="Print the sequence for this theorem only.")
@split_option("valid")
@protocol_option
@seed_option
@format_option("text", "json")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also write predicted and gold sequences (JSON lines).")
@force_option
def generate(
    method: str,
    path: Path,
    label: str | None,
    split: str,
    protocol_name: str,
    seed: int,
    style: str,
    output: Path | None,
) -> None:
    """Predict and measure the sequence of references of each proof.

    METHOD is a generator such as compose, which follows the hybrid ranker, or "retrieve(ranker='fusion')",
    the folder of a trained model, or a ranking method, which is then wrapped in retrieve. PATH is a LaTeX project, one
    of its files, or a corpus made by 'build'.

    \b
    naturalproofs generate fusion stacks --split valid
    naturalproofs generate models/autoregressive stacks --protocol paper-joint -o sequences.jsonl
    naturalproofs generate fusion stacks --at algebra-lemma-NAK --protocol accessible
    """
    import msgspec

    from naturalproofs.apps.report.evaluation import sequence_data, sequence_measures_table, sequence_text
    from naturalproofs.apps.report.table import to_text
    from naturalproofs.benchmark.evaluation import generate, measured_row
    from naturalproofs.benchmark.make import load_with_splits
    from naturalproofs.io.outputs import check_output, write_output
    from naturalproofs.ranking.sequences import generator_named, generator_spec
    from naturalproofs.tasks.dataset import retrieval_task, task_about
    from naturalproofs.tasks.protocols import protocol

    check_output(output)
    how, generator = protocol(protocol_name), generator_named(method)
    with progress_bar(f"Generating with {method}") as progress:
        loaded, splits = load_with_splits(path, progress)
        if label is not None:
            task = task_about(loaded, splits, loaded.find(label).id, how)
        else:
            task = retrieval_task(loaded, splits, split, how)
        sequences = generate(generator, task, seed=seed, progress=progress)
    if output is not None:
        write_output(output, msgspec.json.Encoder().encode_lines(sequences))
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
@click.option("--most", default=10, help="Number of theorems to list where the first two runs differ.")
@seed_option
def compare(runs: tuple[Path, ...], style: str, most: int, seed: int) -> None:
    """Compare runs with significance tests.

    A RUN is a folder written by 'evaluate -o'. All runs must have the same corpus, split and protocol.

    \b
    naturalproofs compare runs/bm25 runs/fusion
    """
    from naturalproofs.apps.report.evaluation import comparison_table, differences_table
    from naturalproofs.apps.report.table import render
    from naturalproofs.benchmark.evaluation import load_run

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
@click.option("--title", default="Leaderboard", help="Title of the page.")
@force_option
def leaderboard(runs: tuple[Path, ...], output: Path, title: str) -> None:
    """Write a page that ranks runs, task by task.

    A RUN is a folder written by 'evaluate -o', or a folder that holds such folders; runs of other programs come in by
    'evaluate --run FILE -o'. The page is one HTML file without anything outside of it: a sortable table for each
    corpus, split and protocol, with 95 % intervals, settings and the commit that made each run.

    \b
    naturalproofs leaderboard runs/ -o leaderboard.html
    """
    from naturalproofs.apps.report.evaluation import leaderboard_page
    from naturalproofs.benchmark.evaluation import MOST, left_out, runs_by_task
    from naturalproofs.errors import NotARun
    from naturalproofs.io.outputs import write_output

    tasks = runs_by_task(*runs)
    if not tasks:
        raise NotARun(f"{runs[0]}: holds no run; write one with 'naturalproofs evaluate -o'")
    if missing := left_out(*runs):
        info(f"{missing:,} runs are left out: {MOST:,} of a folder are read; name its subfolders one by one")
    write_output(output, leaderboard_page(list(tasks.values()), title).encode())
    echo(f"{output}: {sum(map(len, tasks.values())):,} runs of {len(tasks):,} tasks")


@click.command()
@path_argument
@split_option("eval")
@click.option("--near", default=0.9, help="Least TF-IDF cosine similarity of near-duplicates.")
@click.option("--most", default=10, help="Number of items to list.")
@click.option("--extraction", is_flag=True, help="Report what was not understood in a LaTeX project instead.")
@format_option("text", "json")
def audit(path: Path, split: str, near: float, most: int, extraction: bool, style: str) -> None:
    """Check a split for leaks, or how a project was read.

    PATH is a corpus made by 'build'. Checks that training does not contain evaluation theorems, and reports evaluation
    statements with exact or near duplicates in training and gold references that no training proof cites. Exits with 1
    if training leaks.

    With --extraction, PATH is a LaTeX project: the report lists environments and reference commands that were not
    understood, cited keys that no label has, and inputs that were not followed.

    \b
    naturalproofs audit stacks
    naturalproofs audit my-thesis/ --extraction
    """
    if extraction:
        _audit_extraction(path, most, style)
        return
    from naturalproofs.benchmark.audit import audit
    from naturalproofs.benchmark.make import load_folder

    found = audit(*load_folder(path), split, near=near)
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
    from naturalproofs.apps.report.listings import extraction_text
    from naturalproofs.workspace import Workspace
    from naturalproofs.workspace.extraction import audit_extraction

    found = audit_extraction(Workspace.open(project).home)
    answer(style, lambda: found, lambda: extraction_text(found, most))


# ``naturalproofs reproduce``.

GENERATION = {
    f"generation/{source}/{split}": source for source in ("stacks", "proofwiki") for split in ("test", "valid")
}


@click.command()
@click.argument("corpora", type=SOURCE, nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--table",
    "tables",
    multiple=True,
    help="Only these tables, such as retrieval/stacks (test, and valid beside it).  [default: all for the corpora]",
)
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("reproduction"),
    help="Folder for runs and models, reused by the next call.",
)
@click.option(
    "--older", type=PATH, metavar="CORPUS", help="An older version of the Stacks corpus, for temporal tables."
)
@seed_option
@click.option("--train", is_flag=True, help="Also train missing models; takes hours.")
@table_format_option
def reproduce(
    corpora: tuple[Path, ...],
    tables: tuple[str, ...],
    output: Path,
    older: Path | None,
    seed: int,
    train: bool,
    style: str,
) -> None:
    """Reproduce the paper's tables, its values beside ours.

    Each PATH is a corpus, known by its source: stacks, trench, stein, or the published file of ProofWiki. Runs are
    saved in the output folder and reused, so an interrupted reproduction can be resumed. Rows of models that take
    long to train are left out until the models are in the output folder; train them with --train.

    \b
    naturalproofs build stacks stacks-project -o stacks --rules paper
    naturalproofs build naturalproofs-json naturalproofs_proofwiki.json -o proofwiki --split layers --budget 0.15
    naturalproofs reproduce stacks proofwiki
    """
    from dataclasses import replace

    from naturalproofs.apps.report.reproduction import halves_together
    from naturalproofs.apps.report.table import render
    from naturalproofs.benchmark.make import load_folder
    from naturalproofs.benchmark.reproduce import PLANS, TEMPORAL, Reproduction
    from naturalproofs.corpus import store
    from naturalproofs.corpus.graph import paper_key
    from naturalproofs.errors import NotGiven, UnknownName

    provenances = {folder: store.load_manifest(folder).provenance for folder in corpora}
    folders = {paper_key(about) or about.source: folder for folder, about in provenances.items()}
    reported = {plan.corpus for plan in PLANS.values()} | {*GENERATION.values()}
    for source in folders.keys() - reported:
        info(f"{folders[source]}: the paper has no tables for the source {source!r}; only statistics follow")
    dataset = {f"statistics/{source}": source for source in folders}
    known = dataset | {k: plan.corpus for k, plan in PLANS.items() if older or plan.name != TEMPORAL} | GENERATION
    wanted = [key for key, source in known.items() if (_asked(key, tables) if tables else source in folders)]
    unknown = [name for name in tables if not any(_asked(key, (name,)) for key in known)]
    if unknown or not wanted:
        raise UnknownName(
            "".join(f"{name}: " for name in unknown) + f"no such table for these corpora; available: {', '.join(known)}"
        )
    opened = {source: load_folder(folder) for source, folder in folders.items()}
    whole = Reproduction(opened, output, seed, train, older=store.load(older) if older else None)
    data: list[object] = []
    waiting: list[Table] = []
    for key, following in zip(wanted, [*wanted[1:], ""], strict=True):
        if known[key] not in folders:
            raise NotGiven(f"{key} needs a corpus of the source {known[key]!r}; build it and pass it")
        with progress_bar(key) as progress:
            made, values = _computed(key, replace(whole, progress=progress), known[key], intervals=style != "text")
        data.append(values)
        if key.endswith("/test") and following == f"{key.removesuffix('test')}valid":
            waiting = made
            continue
        shown = [halves_together(*both) for both in zip(waiting, made, strict=True)] if waiting else made
        waiting = []
        if style != "json":
            echo(render(shown, style) + "\n")
    if style == "json":
        echo_json(data)


def _asked(key: str, names: tuple[str, ...]) -> bool:
    """Whether a table is among those that were named; a name without split stands for both halves."""
    return key in names or (key.endswith(("/test", "/valid")) and key.rpartition("/")[0] in names)


def _computed(key: str, reproduction: Reproduction, source: str, *, intervals: bool) -> tuple[list[Table], object]:
    """The tables of a key, and their values for JSON."""
    from dataclasses import asdict

    from naturalproofs.apps.report.reproduction import (
        corrections_table,
        generation_table,
        reproduction_data,
        reproduction_table,
    )
    from naturalproofs.apps.report.statistics import all_tables, statistics
    from naturalproofs.benchmark.reproduce import PLANS, generation_rows

    corpus, splits = reproduction.corpora[source]
    name, *_, split = key.split("/")
    if name == "statistics":
        measured = statistics(corpus, splits)
        return list(all_tables([measured])), {"table": name, **asdict(measured)}
    if name == "generation":
        rows = list(generation_rows(reproduction, source, split))
        values = {"table": name, "corpus": corpus.name, "split": split, "rows": rows}
        return [generation_table(corpus, split, rows)], values
    plan, outcomes = PLANS[key], []
    for outcome in reproduction.outcomes(plan):
        outcomes.append(outcome)
        seconds = f"{outcome.run.seconds:.1f} s" if outcome.fresh else "cached"
        info(f"{key}: {outcome.row.label} ({outcome.row.protocol}): {seconds}")
    tables = [reproduction_table(plan, outcomes, corpus, reproduction.corpora, intervals=intervals)]
    if plan.name == "retrieval":
        tables.append(corrections_table(corpus, plan.split, outcomes))
    return tables, reproduction_data(plan, outcomes, corpus)
