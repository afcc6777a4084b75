"""``naturalproofs mcp``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH


@click.command(name="mcp")
@click.argument("corpora", type=PATH, nargs=-1, metavar="[CORPUS]...")
@click.option("--method", metavar="METHOD", help="A method or a model folder; the shipped ranker if left out.")
@click.option("--no-cache", is_flag=True, help="Do not use the cache.")
def command(corpora: tuple[Path, ...], method: str | None, no_cache: bool) -> None:
    """Answer agents over the Model Context Protocol.

    CORPUS is a corpus made by 'build', or a LaTeX project; the bundled Primer if none is given. Agents start this
    command themselves and talk to it over stdin and stdout; it has the tools suggest, search, statement, path, impact
    and corpora.

    \b
    naturalproofs mcp my-thesis/ stacks
    """
    from naturalproofs.agents.server import create_server
    from naturalproofs.data import primer_folder
    from naturalproofs.workspace import Workspace

    create_server(Workspace.open(corpora or (primer_folder(),), method=method, cache=not no_cache)).run()
