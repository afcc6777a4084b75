"""``naturalproofs compare``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, format_option, seed_option


@click.command(name="compare")
@click.argument("runs", type=PATH, nargs=-1, required=True, metavar="RUN...")
@format_option("text", "csv", "latex", "markdown", "html")
@click.option(
    "--most", default=10, show_default=True, help="Number of theorems to list where the first two runs differ."
)
@seed_option
def command(runs: tuple[Path, ...], style: str, most: int, seed: int) -> None:
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
