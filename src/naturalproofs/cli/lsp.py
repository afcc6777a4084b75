"""``naturalproofs lsp``."""

from __future__ import annotations

import click


@click.command(name="lsp")
@click.option("--stdio", is_flag=True, help="Talk over stdin and stdout, which is the default.")
def command(stdio: bool) -> None:
    """Serve an editor: completion of \\cref{, hover, definitions, problems.

    A language server on stdin and stdout, started by the editor. How to tell Neovim, VS Code or Emacs of it stands in
    docs/how-to/use-it-in-an-editor.md.

    \b
    naturalproofs lsp
    """
    del stdio
    from naturalproofs.editor.server import make_server

    make_server().start_io()
