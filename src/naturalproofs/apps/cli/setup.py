"""Commands about the installation: ``demo``, ``doctor``."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.apps.cli.options import (
    PATH,
    chosen_documents,
    echo,
    echo_json,
    format_option,
    info,
    main_option,
    open_workspace,
    progress_bar,
)
from naturalproofs.errors import CacheNotWritten, MissingExtra, SourceNotFound, install_line

if TYPE_CHECKING:
    from naturalproofs.apps.report.installation import Index, Installation
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.tasks.splits import Splits

# ``naturalproofs demo``.

METHODS = ("random", "frequency", "tfidf", "bm25", "fusion")
TRAINED = "hybrid"
THEOREM = "thm:orbit-stabiliser"


@click.command()
@click.option("-o", "--output", type=PATH, default=Path("demo"), metavar="FOLDER", help="Output folder.")
def demo(output: Path) -> None:
    """Run the whole pipeline on the bundled corpus.

    Builds the Primer, a LaTeX book that comes with the package, prints its statistics, draws its graph and plots,
    trains the hybrid ranker, compares it with the classical methods, and suggests references for one proof.
    """
    from naturalproofs.apps.report.graph_page import graph_page
    from naturalproofs.apps.report.listings import statement_text
    from naturalproofs.apps.report.plots import draw
    from naturalproofs.apps.report.statistics import (
        dataset_card,
        dataset_table,
        graph_table,
        retrieval_table,
        statistics,
    )
    from naturalproofs.apps.report.table import render
    from naturalproofs.benchmark.make import load_splits, make_corpus
    from naturalproofs.corpus.load import source_macros
    from naturalproofs.data import primer_folder
    from naturalproofs.io.outputs import write_output
    from naturalproofs.sources.registry import source

    folder = output / "primer"
    with progress_bar("Reading the Primer") as progress:
        built, _ = make_corpus(source("latex"), primer_folder(), folder, name="primer", progress=progress)
    corpus, splits = built, load_splits(folder, built)
    measured = statistics(corpus, splits)
    echo(render([dataset_table([measured]), retrieval_table([measured]), graph_table([measured])], "text"))
    echo("\nOne of its theorems:\n")
    macros = source_macros(built)
    echo(statement_text(corpus, corpus.find("thm:lagrange"), macros=macros, width=100))
    echo("\nComparison: each method ranks all statements for the theorems of the evaluation splits.\n")
    echo(_comparison(corpus, splits, output))
    echo(f"\n{TRAINED} uses the shipped trees here. They were trained on the Primer too, the proofs of these theorems")
    echo("included: its row is not one of an unseen book.")
    echo("\nSuggestions: what will the proof of this theorem cite, and why?\n")
    echo(suggestion(folder))
    write_output(output / "primer-card.md", dataset_card(corpus, measured).encode())
    page = graph_page(corpus, macros)
    write_output(output / "primer-graph.html", page.encode("utf-8", "replace"))
    echo("\nWritten:")
    echo(f"  {folder}  the corpus: JSON lines and a manifest")
    echo(f"  {output / 'primer-graph.html'}  its reference graph: open it in a browser")
    echo(f"  {output / 'primer-card.md'}  its dataset card")
    echo(f"  {output / TRAINED}  the trained ranker")
    echo(f"  {output / 'runs'}  the runs: gold ranks of every query")
    for path in draw(corpus, output / "plots"):
        echo(f"  {path}")
    echo("\nNext: suggestions, the web page, and the benchmark. Give your own paper instead of the Primer.")
    corpus_path, runs = shlex.quote(str(folder)), shlex.quote(str(output / "runs"))
    for step in (
        f"suggest {corpus_path} --at {THEOREM}",
        f"serve {corpus_path} --runs {runs}",
        f"evaluate {TRAINED} {corpus_path} --protocol accessible",
    ):
        echo(f"  {_program()} {step}")


def _program() -> str:
    """The command that started this process, as it can be typed again in the same folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m naturalproofs"
    found = shutil.which(called.name)
    return called.name if found is not None and Path(found) == called else shlex.quote(str(called))


def _comparison(corpus: Corpus, splits: Splits, output: Path) -> str:
    """Train the hybrid ranker, evaluate it and some classical methods, and compare them."""
    from naturalproofs.apps.report.evaluation import comparison_table
    from naturalproofs.apps.report.table import to_text
    from naturalproofs.benchmark.evaluation import evaluate
    from naturalproofs.benchmark.training import train_model
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.tasks.protocols import protocol

    names, runs = (*METHODS, TRAINED), []
    with progress_bar("Evaluating") as progress:
        for done, name in enumerate(names):
            progress(done, len(names), name)
            if name == TRAINED:
                train_model(parse_ranker(name), corpus, splits, output / TRAINED, protocol("clean"))
            method = str(output / TRAINED) if name == TRAINED else name
            run = evaluate(method, corpus, splits=splits, split="eval")
            run.save(output / "runs" / name)
            runs.append(run)
    return to_text(comparison_table(runs))


def suggestion(folder: Path) -> str:
    """Suggestions for one theorem, ignoring its proof."""
    from naturalproofs.apps.report.listings import headline, paragraphs, suggestions_text
    from naturalproofs.workspace import Workspace

    workspace = Workspace.open(folder)
    theorem = workspace.find(THEOREM).statement
    text = "\n".join((headline(theorem), "", *paragraphs(workspace.render(theorem), 100), ""))
    return text + "\n" + suggestions_text(workspace.suggest(theorem, k=4), width=100)


# ``naturalproofs doctor``.


@click.command()
@click.argument("paths", type=PATH, nargs=-1, metavar="[PATH]...")
@click.option("--clean", is_flag=True, help="Remove what killed commands left behind, and move back what they moved.")
@click.option("--index", "update", is_flag=True, help="Bring the index of each PATH up to date.")
@main_option
@format_option("text", "json")
def doctor(paths: tuple[Path, ...], clean: bool, update: bool, mains: tuple[str, ...], style: str) -> None:
    """Report what is installed, where caches are, and problems.

    Checks the package and its data, the libraries it needs, and the cache folder, and looks for temporary files of
    commands that were killed, in the cache and in each PATH (by default the current folder). Exits with 1 if there is
    a problem.

    If PATH is a project, one of its files or an archive of it, the state of its index is reported too. The index lies
    in the cache and is keyed by the contents of the files: what did not change is not read again. --index brings it up
    to date, as 'suggest', 'search' and 'check' do. NATURALPROOFS_CACHE names another cache folder;
    NATURALPROOFS_CACHE_BESIDE=1 keeps the index in the project.

    \b
    naturalproofs doctor
    naturalproofs doctor results/ --clean
    naturalproofs doctor thesis/ --index
    """
    from naturalproofs.apps.report.installation import inspect, is_project, stored_index
    from naturalproofs.io import files

    if (update or mains) and not paths:
        raise click.UsageError("--index and --main need the PATH of a project")
    if missing := next((path for path in paths if not path.exists()), None):
        raise SourceNotFound(f"{missing}: no such file or folder; give a project, or a folder to look for leftovers in")
    projects = [one for path in paths for one in chosen_documents(path, mains)]
    indexes = [_updated(one) if update else stored_index(one) for one in projects if update or is_project(one)]
    places = [path if path.is_dir() else path.parent for path in paths] or [Path()]
    found = inspect(places, indexes)
    if clean and found.leftovers:
        for leftover in found.leftovers:
            files.clean(leftover)
        found = inspect(places, indexes)
    if style == "json":
        echo_json(found)
    else:
        _print(found)
    if update and not all(one.exists for one in indexes):
        raise CacheNotWritten(f"{found.cache}: cannot be written; free disk space or set NATURALPROOFS_CACHE")
    if found.problems:
        click.get_current_context().exit(1)


def _updated(path: Path) -> Index:
    """Bring the index of a project up to date."""
    from naturalproofs.apps.report.installation import updated_index

    start = time.perf_counter()
    workspace = open_workspace(path)
    home = workspace.home
    if home.reading is None:
        raise SourceNotFound(f"{path}: a corpus needs no index; give a project")
    if isinstance(home.statements, tuple):
        with progress_bar("Preparing suggestions") as progress, suppress(MissingExtra):
            # The base install reads and searches projects; only the arrays of the ranker need an extra.
            workspace.prepare(progress)
    else:
        # The arrays of the ranker take several times the memory of everything else.
        info(f"{home.path}: large; suggestions are prepared when they are first asked for")
        _ = home.search_index
    seconds = time.perf_counter() - start
    return updated_index(home.path or path, home.reading.work, len(home.statements), seconds, home.account)


def _print(found: Installation) -> None:
    from naturalproofs.sources.account import account_lines

    commit = f" ({found.commit})" if found.commit else ""
    echo(f"naturalproofs {found.version}{commit}, Python {found.python}, {found.system}")
    echo(f"in {found.package}")
    echo("\nExtras")
    for extra in found.extras:
        lacks = f"  (lacks {', '.join(extra.missing)}: {install_line(extra.name)})"
        echo(f"  {'yes' if extra.installed else 'no ':4}{extra.name:9}{extra.gives}{'' if extra.installed else lacks}")
    echo(f"\nCache {found.cache}")
    for cache in found.caches:
        entries = "entry" if cache.entries == 1 else "entries"
        echo(f"  {cache.bytes / 1e6:9,.1f} MB  {cache.name:9}{cache.entries:6,} {entries}: {cache.holds}")
    if not found.caches:
        echo("  empty")
    if found.indexes:
        echo("\nIndex")
    for index in found.indexes:
        for line in (index.state, *account_lines(index.account)):
            echo(f"  {index.project}: {line}")
    echo("\nProblems" if found.problems else "\nNo problems.")
    for problem in found.problems:
        echo(f"  {problem}")
