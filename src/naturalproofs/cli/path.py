"""``naturalproofs path``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from naturalproofs.cli.options import corpus_argument, echo, echo_json, format_option


@click.command(name="path")
@corpus_argument
@click.argument("target")
@click.option("--known", multiple=True, metavar="NAME", help="A statement that is known; may be repeated.")
@click.option("--most", default=200, show_default=True, help="The longest path.")
@click.option(
    "--edges",
    type=click.Choice(["both", "statement", "proof"]),
    default="both",
    show_default=True,
    help="Which citations count: those in statements, in proofs, or both.",
)
@format_option("text", "json")
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
    from naturalproofs.report.statement import path_text
    from naturalproofs.workspace import Workspace

    if most < 1:
        raise click.UsageError("--most must be at least 1")
    workspace = Workspace.open(corpus)
    found = workspace.path(target, known=known, limit=most, edges=edges)
    if style == "json":
        echo_json(found)
    else:
        echo(path_text(workspace.home.corpus, found))
