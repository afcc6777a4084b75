"""``naturalproofs path``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from naturalproofs.cli.options import corpus_argument


@click.command(name="path")
@corpus_argument
@click.argument("target")
@click.option("--known", multiple=True, metavar="NAME", help="A statement that is known already; may be repeated.")
@click.option(
    "--most", default=200, show_default=True, help="The longest path; going back stops before it gets longer."
)
@click.option(
    "--edges",
    type=click.Choice(["both", "statement", "proof"]),
    default="both",
    show_default=True,
    help="What counts as resting on: citations in statements, in proofs, or both.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(
    corpus: Path,
    target: str,
    known: tuple[str, ...],
    most: int,
    edges: Literal["both", "statement", "proof"],
    style: str,
) -> None:
    """List what to read before a theorem, in order.

    CORPUS is a corpus made by 'build', or a LaTeX project. The list starts at foundations, or at what is known, and
    ends with the theorem.

    \b
    naturalproofs path my-notes/ thm:main
    naturalproofs path primer thm:lagrange --known def:group --known def:subgroup
    """
    import msgspec

    from naturalproofs.corpus.graph import ReferenceGraph
    from naturalproofs.corpus.load import load_path
    from naturalproofs.report.statement import path_text
    from naturalproofs.workspace.paths import reading_path

    if most < 1:
        raise click.UsageError("--most must be at least 1")
    loaded = load_path(corpus).corpus
    graph = ReferenceGraph.of(loaded, ("statement", "proof") if edges == "both" else (edges,))
    names = [loaded.find(name).id for name in known]
    found = reading_path(loaded, graph, loaded.find(target).id, known=names, most=most)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        click.echo(path_text(loaded, found))
