"""``naturalproofs show``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument


@click.command(name="show")
@corpus_argument
@click.argument("name")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option(
    "--run", "runs", type=PATH, multiple=True, help="Also what a run kept by 'evaluate -o' found; may be repeated."
)
def command(corpus: Path, name: str, style: str, runs: tuple[Path, ...]) -> None:
    """Print one statement with its proofs and references.

    CORPUS is a corpus made by 'build', or a LaTeX project. NAME is a label, an id, a tag, or a title if only one
    statement has it.

    \b
    naturalproofs show primer thm:lagrange
    naturalproofs show primer thm:lagrange --run runs/bm25 --run runs/fusion
    """
    import msgspec

    from naturalproofs.corpus.load import load_path
    from naturalproofs.report.statement import statement_text

    loaded = load_path(corpus).corpus
    statement = loaded.find(name)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(statement), indent=2).decode())
    else:
        click.echo(statement_text(loaded, statement))
        if runs:
            from naturalproofs.experiments.runs import load_run
            from naturalproofs.report.evaluation import rankings_text

            click.echo("\n" + rankings_text(loaded, statement, [load_run(folder) for folder in runs]))
