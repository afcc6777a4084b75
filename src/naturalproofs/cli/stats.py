"""``naturalproofs stats``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, progress_bar, say, table_format_option


@click.command(name="stats")
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="PATH...")
@table_format_option
@click.option("--plots", type=PATH, metavar="FOLDER", help="Also draw plots (SVG and PNG) into this folder.")
@click.option("--card", type=PATH, metavar="FILE", help="Also write a dataset card (Markdown); one corpus only.")
def command(corpora: tuple[Path, ...], style: str, plots: Path | None, card: Path | None) -> None:
    """Measure corpora, beside the paper's figures.

    PATH is a corpus made by 'build', or a LaTeX project. Counts, lengths, splits and the reference graph; several
    corpora side by side. JSON gives one object for one corpus and a list for several.

    \b
    naturalproofs stats stacks
    naturalproofs stats stacks trench stein --format latex
    """
    import msgspec

    from naturalproofs.io.files import write_atomic
    from naturalproofs.report.card import dataset_card
    from naturalproofs.report.plots import draw
    from naturalproofs.report.statistics import statistics
    from naturalproofs.report.statistics_tables import all_tables
    from naturalproofs.report.table import render
    from naturalproofs.tasks.make import load_with_splits

    if card is not None and len(corpora) > 1:
        raise click.UsageError("a card describes one corpus; give one")
    opened = []
    for path in corpora:
        with progress_bar(f"Reading {path}") as progress:
            opened.append(load_with_splits(path, progress))
    loaded = [corpus for corpus, _ in opened]
    measured = [statistics(corpus, splits) for corpus, splits in opened]
    if style == "json":
        objects = [one.to_dict() for one in measured]
        value = objects[0] if len(objects) == 1 else objects
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
    else:
        click.echo(render(all_tables(measured), style))
    if card is not None:
        write_atomic(card, dataset_card(loaded[0], measured[0]).encode())
        say(f"card: {card}")
    if plots is not None:
        for corpus in loaded:
            for path in draw(corpus, plots):
                say(f"plot: {path}")
