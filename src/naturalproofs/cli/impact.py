"""``naturalproofs impact``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, echo, echo_json, format_option


@click.command(name="impact")
@corpus_argument
@click.argument("name")
@format_option("text", "json")
def command(corpus: Path, name: str, style: str) -> None:
    """List everything that depends on a statement.

    CORPUS is a corpus made by 'build', or a LaTeX project. Nearest first, with the distance.

    \b
    naturalproofs impact my-thesis/ lem:key
    """
    from naturalproofs.report.statement import impact_text
    from naturalproofs.workspace import Workspace

    workspace = Workspace.open(corpus)
    found = workspace.impact(name)
    if style == "json":
        echo_json(dict(found))
    else:
        echo(impact_text(workspace.home.corpus, workspace.find(name).statement.id, found))
