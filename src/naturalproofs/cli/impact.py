"""``naturalproofs impact``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument


@click.command(name="impact")
@corpus_argument
@click.argument("name")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(corpus: Path, name: str, style: str) -> None:
    """List what falls if a statement is wrong.

    CORPUS is a corpus made by 'build', or a LaTeX project. Nearest first, with the distance.

    \b
    naturalproofs impact my-thesis/ lem:key
    """
    import msgspec

    from naturalproofs.corpus.graph import ReferenceGraph
    from naturalproofs.corpus.load import load_path
    from naturalproofs.report.statement import impact_text
    from naturalproofs.workspace.paths import impact

    loaded = load_path(corpus).corpus
    node = loaded.find(name).id
    found = impact(loaded, ReferenceGraph.of(loaded), node)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(dict(found)), indent=2).decode())
    else:
        click.echo(impact_text(loaded, node, found))
