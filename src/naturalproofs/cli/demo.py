"""``naturalproofs demo``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, progress_bar


@click.command(name="demo")
@click.option(
    "-o", "--output", type=PATH, default=Path("demo"), show_default=True, metavar="FOLDER", help="Where to write."
)
def command(output: Path) -> None:
    """Show the whole job on the bundled corpus.

    Builds the Primer, a small LaTeX book that comes with the package, measures it, draws plots and ends by itself.
    """
    from naturalproofs.data import primer_folder
    from naturalproofs.io.folders import write_atomic
    from naturalproofs.report.card import dataset_card
    from naturalproofs.report.plots import draw
    from naturalproofs.report.statement import statement_text
    from naturalproofs.report.statistics import statistics
    from naturalproofs.report.statistics_tables import dataset_table, graph_table, retrieval_table
    from naturalproofs.report.table import render
    from naturalproofs.sources.source import source
    from naturalproofs.tasks.make import load_splits, make_corpus

    folder = output / "primer"
    with progress_bar("Reading the Primer") as progress:
        built, manifest = make_corpus(source("latex"), primer_folder(), folder, name="primer", progress=progress)
    corpus = built.corpus
    measured = statistics(corpus, load_splits(folder))
    click.echo(render([dataset_table([measured]), retrieval_table([measured]), graph_table([measured])], "text"))
    click.echo("\nOne of its theorems:\n")
    click.echo(statement_text(corpus, corpus.find("thm:lagrange")))
    write_atomic(output / "primer-card.md", dataset_card(corpus, manifest, measured).encode())
    plots = draw(corpus, output / "plots")
    click.echo("\nWritten:")
    click.echo(f"  {folder}  the corpus: JSON lines and a manifest")
    click.echo(f"  {output / 'primer-card.md'}  its dataset card")
    for path in plots:
        click.echo(f"  {path}")
    click.echo("\nNext:")
    click.echo(f"  naturalproofs show {folder} thm:bezout")
    click.echo("  naturalproofs build latex path/to/your/paper -o my-corpus")
    click.echo("  naturalproofs stats my-corpus")
