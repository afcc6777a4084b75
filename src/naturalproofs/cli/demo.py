"""``naturalproofs demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, progress_bar

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.tasks.splits import Splits

METHODS = ("random", "frequency", "tfidf", "bm25", "fusion")
TRAINED = "hybrid"
ASKED = "thm:orbit-stabiliser"


@click.command(name="demo")
@click.option(
    "-o", "--output", type=PATH, default=Path("demo"), show_default=True, metavar="FOLDER", help="Where to write."
)
def command(output: Path) -> None:
    """Show the whole job on the bundled corpus.

    Builds the Primer, a LaTeX book that comes with the package, measures it, draws its graph and plots, trains our own
    ranker and compares it with the classical methods, suggests what one proof needs, and ends by itself.
    """
    from naturalproofs.data import primer_folder
    from naturalproofs.io.files import write_atomic
    from naturalproofs.report.card import dataset_card
    from naturalproofs.report.plots import draw
    from naturalproofs.report.statement import statement_text
    from naturalproofs.report.statistics import statistics
    from naturalproofs.report.statistics_tables import dataset_table, graph_table, retrieval_table
    from naturalproofs.report.table import render
    from naturalproofs.source import source
    from naturalproofs.tasks.make import load_splits, make_corpus

    folder = output / "primer"
    with progress_bar("Reading the Primer") as progress:
        built, _ = make_corpus(source("latex"), primer_folder(), folder, name="primer", progress=progress)
    corpus, splits = built.corpus, load_splits(folder, built.corpus)
    measured = statistics(corpus, splits)
    click.echo(render([dataset_table([measured]), retrieval_table([measured]), graph_table([measured])], "text"))
    click.echo("\nOne of its theorems:\n")
    click.echo(statement_text(corpus, corpus.find("thm:lagrange")))
    click.echo("\nWho finds what a proof needs? Each method ranks all statements for theorems it has not seen.\n")
    click.echo(_comparison(corpus, splits, output))
    click.echo("\nAnd for someone who writes: what will the proof of this theorem need, and why?\n")
    click.echo(suggestion(folder))
    write_atomic(output / "primer-card.md", dataset_card(corpus, measured).encode())
    _graph(corpus, output / "primer-graph.html")
    click.echo("\nWritten:")
    click.echo(f"  {folder}  the corpus: JSON lines and a manifest")
    click.echo(f"  {output / 'primer-graph.html'}  its reference graph: open it in a browser")
    click.echo(f"  {output / 'primer-card.md'}  its dataset card")
    click.echo(f"  {output / TRAINED}  the trained ranker")
    click.echo(f"  {output / 'runs'}  every query with the ranks of its references")
    for path in draw(corpus, output / "plots"):
        click.echo(f"  {path}")
    click.echo("\nNext, your own paper, the page, and the benchmark:")
    click.echo("  naturalproofs suggest path/to/paper.tex --at thm:main")
    click.echo(f"  naturalproofs serve {folder} --runs {output / 'runs'}")
    click.echo(f"  naturalproofs evaluate {TRAINED} {folder} --protocol accessible")


def _comparison(corpus: Corpus, splits: Splits, output: Path) -> str:
    """Train our ranker, evaluate it and a few classical methods, and put them side by side."""
    from naturalproofs.experiments.evaluation import evaluate_ranker
    from naturalproofs.experiments.runs import load_run
    from naturalproofs.experiments.training import train_model
    from naturalproofs.ranking.models import method_named
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.report.comparison import comparison_table
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.protocols import protocol

    clean, names = protocol("clean"), (*METHODS, TRAINED)
    with progress_bar("Asking the methods") as progress:
        for done, name in enumerate(names):
            progress(done, len(names))
            if name == TRAINED:
                train_model(parse_ranker(name), corpus, splits, output / TRAINED, clean)
            ranker = method_named(str(output / TRAINED) if name == TRAINED else name)
            evaluate_ranker(ranker, corpus, splits, "eval", clean).save(output / "runs" / name)
        progress(len(names), len(names))
    return to_text(comparison_table([load_run(output / "runs" / name) for name in names]))


def suggestion(folder: Path) -> str:
    """What the proof of one theorem needs, as if it were not written yet."""
    from naturalproofs.report.statement import headline
    from naturalproofs.report.suggestions import suggestions_text
    from naturalproofs.workspace.library import Library

    library = Library.open([folder])
    theorem = library.shelves[0].corpus.find(ASKED)
    text = "\n".join((headline(theorem), "", *theorem.lines, ""))
    return text + "\n" + suggestions_text(library.suggest(theorem, k=4), width=100)


def _graph(corpus: Corpus, path: Path) -> None:
    """Write the graph page."""
    from naturalproofs.corpus.load import LoadedCorpus, source_texts
    from naturalproofs.data import primer_folder
    from naturalproofs.io.files import write_atomic
    from naturalproofs.latex.display import read_macros
    from naturalproofs.report.graph_page.page import Opening, graph_page

    macros = read_macros(source_texts(LoadedCorpus(corpus, (), (), None, primer_folder())))
    write_atomic(path, graph_page(corpus, macros, Opening()).encode("utf-8", "replace"))
