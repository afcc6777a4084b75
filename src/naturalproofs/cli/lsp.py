"""``naturalproofs lsp``."""

from __future__ import annotations

import click


@click.command(name="lsp")
def command() -> None:
    """Serve an editor: completion of \\cref{, hover, definitions, problems.

    A language server on stdin and stdout, started by the editor. How to tell Neovim, VS Code or Emacs of it stands in
    docs/how-to/use-it-in-an-editor.md.

    \b
    naturalproofs lsp
    """
    from naturalproofs.editor.features import make_server

    make_server().start_io()
