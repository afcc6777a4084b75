"""``naturalproofs show``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, echo, echo_json, format_option


@click.command(name="show")
@corpus_argument
@click.argument("name")
@format_option("text", "json")
@click.option(
    "--run",
    "runs",
    type=PATH,
    multiple=True,
    help="Also show the ranking of a run made by 'evaluate -o'; may be repeated.",
)
def command(corpus: Path, name: str, style: str, runs: tuple[Path, ...]) -> None:
    """Print one statement with its proofs and references.

    CORPUS is a corpus made by 'build', or a LaTeX project. NAME is a label, an id, a tag, a number such
    as 4.2.4 or 'Theorem 4.2.4', or a title.

    \b
    naturalproofs show primer thm:lagrange
    naturalproofs show primer thm:lagrange --run runs/bm25 --run runs/fusion
    """
    from naturalproofs.report.statement import statement_text
    from naturalproofs.workspace import Workspace

    workspace = Workspace.open(corpus)
    loaded, statement = workspace.home.corpus, workspace.find(name).statement
    if style == "json":
        echo_json(statement)
    else:
        echo(statement_text(loaded, statement))
        if runs:
            from naturalproofs.experiments.runs import load_run
            from naturalproofs.report.evaluation import rankings_text

            echo("\n" + rankings_text(loaded, statement, [load_run(folder) for folder in runs]))
