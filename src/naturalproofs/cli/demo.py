"""``naturalproofs demo``."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, progress_bar

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.tasks.splits import Splits

METHODS = ("random", "frequency", "tfidf", "bm25", "fusion")
TRAINED = "hybrid"
THEOREM = "thm:orbit-stabiliser"


@click.command()
@click.option(
    "-o", "--output", type=PATH, default=Path("demo"), show_default=True, metavar="FOLDER", help="Output folder."
)
def demo(output: Path) -> None:
    """Run the whole pipeline on the bundled corpus.

    Builds the Primer, a LaTeX book that comes with the package, prints its statistics, draws its graph and plots,
    trains the hybrid ranker, compares it with the classical methods, and suggests references for one proof.
    """
    from naturalproofs.corpus.load import source_texts
    from naturalproofs.data import primer_folder
    from naturalproofs.io.files import write_atomic
    from naturalproofs.latex.display import macros_of
    from naturalproofs.report.card import dataset_card
    from naturalproofs.report.graph_page import graph_page
    from naturalproofs.report.listings import statement_text
    from naturalproofs.report.plots import draw
    from naturalproofs.report.statistics import dataset_table, graph_table, retrieval_table, statistics
    from naturalproofs.report.table import render
    from naturalproofs.source import source
    from naturalproofs.tasks.make import load_splits, make_corpus

    folder = output / "primer"
    with progress_bar("Reading the Primer") as progress:
        built, _ = make_corpus(source("latex"), primer_folder(), folder, name="primer", progress=progress)
    corpus, splits = built.corpus, load_splits(folder, built.corpus)
    measured = statistics(corpus, splits)
    echo(render([dataset_table([measured]), retrieval_table([measured]), graph_table([measured])], "text"))
    echo("\nOne of its theorems:\n")
    macros = macros_of(source_texts(built))
    echo(statement_text(corpus, corpus.find("thm:lagrange"), macros=macros, width=100))
    echo("\nComparison: each method ranks all statements for the theorems of the evaluation splits.\n")
    echo(_comparison(corpus, splits, output))
    echo(f"\n{TRAINED} uses the shipped trees here. They were trained on the Primer too, the proofs of these theorems")
    echo("included: its row is not one of an unseen book.")
    echo("\nSuggestions: what will the proof of this theorem cite, and why?\n")
    echo(suggestion(folder))
    write_atomic(output / "primer-card.md", dataset_card(corpus, measured).encode())
    page = graph_page(corpus, macros)
    write_atomic(output / "primer-graph.html", page.encode("utf-8", "replace"))
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
    from naturalproofs.experiments.evaluation import evaluate
    from naturalproofs.experiments.training import train_model
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.report.evaluation import comparison_table
    from naturalproofs.report.table import to_text
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
    from naturalproofs.report.listings import headline, paragraphs, suggestions_text
    from naturalproofs.workspace import Workspace

    workspace = Workspace.open(folder)
    theorem = workspace.find(THEOREM).statement
    text = "\n".join((headline(theorem), "", *paragraphs(workspace.render(theorem), 100), ""))
    return text + "\n" + suggestions_text(workspace.suggest(theorem, k=4), width=100)
