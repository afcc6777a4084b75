"""``naturalproofs stats``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, echo_json, info, progress_bar, table_format_option


@click.command()
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="PATH...")
@table_format_option
@click.option("--plots", type=PATH, metavar="FOLDER", help="Also write plots (SVG and PNG) to this folder.")
@click.option("--card", type=PATH, metavar="FILE", help="Also write a dataset card (Markdown); one corpus only.")
def stats(corpora: tuple[Path, ...], style: str, plots: Path | None, card: Path | None) -> None:
    """Print statistics of corpora, with the paper's figures.

    PATH is a corpus made by 'build', or a LaTeX project. Prints counts, lengths, splits and the reference graph;
    several corpora are shown side by side. JSON is one object for one corpus and a list for several.

    \b
    naturalproofs stats stacks
    naturalproofs stats stacks trench stein --format latex
    """
    from naturalproofs.io.files import write_atomic
    from naturalproofs.report.card import dataset_card
    from naturalproofs.report.plots import draw
    from naturalproofs.report.statistics import all_tables, statistics
    from naturalproofs.report.table import render
    from naturalproofs.tasks.make import load_with_splits

    if card is not None and len(corpora) > 1:
        raise click.UsageError("--card needs exactly one corpus")
    opened = []
    for path in corpora:
        with progress_bar(f"Reading {path}") as progress:
            opened.append(load_with_splits(path, progress))
    loaded = [corpus for corpus, _ in opened]
    measured = [statistics(corpus, splits) for corpus, splits in opened]
    if style == "json":
        echo_json(measured[0] if len(measured) == 1 else measured)
    else:
        echo(render(all_tables(measured), style))
    if card is not None:
        write_atomic(card, dataset_card(loaded[0], measured[0]).encode())
        info(f"card: {card}")
    if plots is not None:
        for corpus in loaded:
            for path in draw(corpus, plots):
                info(f"plot: {path}")
