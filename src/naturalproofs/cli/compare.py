"""``naturalproofs compare``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH


@click.command(name="compare")
@click.argument("runs", type=PATH, nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "csv", "latex", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How to print the tables.",
)
@click.option("--most", default=10, show_default=True, help="How many of the theorems where the first two differ most.")
@click.option("--seed", default=0, show_default=True, help="For the randomisation tests.")
def command(runs: tuple[Path, ...], style: str, most: int, seed: int) -> None:
    """Put runs side by side and say which differences are more than chance.

    A RUN is a folder kept by 'evaluate -o'. All must be of one corpus, split and protocol.

    \b
    naturalproofs compare runs/bm25 runs/fusion
    """
    from naturalproofs.experiments.runs import load_run
    from naturalproofs.report.comparison import comparison_table, differences_table
    from naturalproofs.report.table import render

    if not 2 <= len(runs) <= 26:
        raise click.UsageError("give two runs or more, up to 26")
    loaded = [load_run(folder) for folder in runs]
    tables = [comparison_table(loaded, seed=seed)]
    if most > 0:
        tables.append(differences_table(loaded[0], loaded[1], most=most))
    click.echo(render(tables, style))
