"""Commands that list what a whole project uses: ``outside``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, echo, echo_json, format_option, main_option, open_workspace


@click.command()
@corpus_argument
@click.argument("name", default="", metavar="[NAME]")
@main_option
@format_option("text", "json")
def outside(corpus: Path, name: str, mains: tuple[str, ...], style: str) -> None:
    """List the results of other works that statements and proofs use.

    CORPUS is a corpus made by 'build', or a LaTeX project. Citations such as \\cite[Theorem 3]{EGA} are listed by
    work and by result, each with the statements that use it. With NAME, only what this statement uses.

    \b
    naturalproofs outside my-thesis/
    naturalproofs outside my-thesis/ thm:main
    """
    from naturalproofs.report.overviews import outside_data, outside_text

    workspace = open_workspace(corpus, mains)
    works = workspace.outside(name)
    if style == "json":
        echo_json(outside_data(works))
    else:
        echo(outside_text(works, workspace.home.corpus))


@click.command()
@corpus_argument
@main_option
@format_option("text", "json")
def notation(corpus: Path, mains: tuple[str, ...], style: str) -> None:
    """List the notation of a project, each symbol with the definition that introduces it.

    CORPUS is a corpus made by 'build', or a LaTeX project. Notation is what definitions introduce by words such as
    'denoted by' and 'we write', and what the author lists with \\nomenclature or in the index.

    \b
    naturalproofs notation my-thesis/
    """
    from naturalproofs.report.overviews import notation_data, notation_text

    workspace = open_workspace(corpus, mains)
    home = workspace.home
    if style == "json":
        echo_json(notation_data(workspace.notation(), home.corpus, home.macros))
    else:
        echo(notation_text(workspace.notation(), home.corpus, home.macros))
