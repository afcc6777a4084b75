"""Commands that answer programs: ``serve`` (browsers), ``mcp`` (agents), ``lsp`` (editors)."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, chosen_documents, info, main_option, place_option, progress_bar

_corpora_argument = click.argument("corpora", type=PATH, nargs=-1, metavar="[CORPUS]...")
_method_option = click.option(
    "--method", metavar="METHOD", help="A method or a model folder; the shipped ranker if left out."
)
_no_cache_option = click.option("--no-cache", is_flag=True, help="Do not use the cache.")


@click.command()
@_corpora_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 means any free port."
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of worker processes.")
@_method_option
@click.option("--runs", type=PATH, metavar="FOLDER", help="Runs kept by 'evaluate -o', to be compared on a page.")
@click.option(
    "--macros", type=PATH, multiple=True, metavar="FILE", help="A LaTeX file that defines commands which a corpus uses."
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="A further name that requests may give this server in their Host header; * means any.",
)
@main_option
@place_option("For a collection: local, or a Ray cluster as in 'collect', with --workers replicas.")
@_no_cache_option
def serve(
    corpora: tuple[Path, ...],
    host: str,
    port: int,
    workers: int,
    place: str,
    method: str | None,
    runs: Path | None,
    macros: tuple[Path, ...],
    allowed: tuple[str, ...],
    mains: tuple[str, ...],
    no_cache: bool,
) -> None:
    """Serve the page: search, suggestions, graphs and statistics.

    CORPUS is a corpus made by 'build', or a LaTeX project; the bundled Primer if none is given. Or it is one collection
    made by 'collect', which can be served by replicas on a Ray cluster. The page makes no requests to other machines
    and answers programs under /api. Stop it with Ctrl-C.

    \b
    naturalproofs serve
    naturalproofs serve my-thesis/ stacks --port 8080
    naturalproofs serve stacks --workers 2 --runs runs
    naturalproofs serve collection --on ray --workers 4
    """
    import os

    # Workers are processes; threads of the linear algebra inside each would compete for the same cores.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

    from naturalproofs.collection import is_collection

    if any(is_collection(path) for path in corpora):
        _serve_collection(corpora, place, host, port, workers, allowed)
        return
    if place != "local":
        raise click.UsageError("--on is only for a collection made by 'collect'")
    from naturalproofs.data import primer_folder
    from naturalproofs.web.server import Serving, bind, open_site, serve, serve_with_workers
    from naturalproofs.workspace.methods import HINT, shipped_available

    with bind(host, port) as listener:
        if not (method or shipped_available()):
            info(f"({HINT})")
        opened = _chosen(corpora, mains) or (primer_folder(),)
        serving = Serving(opened, method, runs, not no_cache, host, workers, macros, allowed)
        if serving.warning:
            info(serving.warning)
        with progress_bar("Opening", log=True) as progress:
            progress(0, 0, ", ".join(path.resolve().name for path in opened))
            site = open_site(serving, progress)
        info(f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/  (Ctrl-C stops)")
        if workers == 1:
            serve(site, serving, listener)
        else:
            # Opening the site has filled the cache for the workers.
            del site
            serve_with_workers(serving, listener)


def _serve_collection(
    corpora: tuple[Path, ...], place: str, host: str, port: int, workers: int, allowed: tuple[str, ...]
) -> None:
    """Serve a collection in this process, or by replicas on a cluster."""
    from naturalproofs.cli.collections import need_lance

    need_lance("a collection")
    from naturalproofs.collection import as_address
    from naturalproofs.web.cluster import front_app, live_collection, start_replicas, stop_replicas
    from naturalproofs.web.collection_app import create_collection_app
    from naturalproofs.web.server import Serving, bind, serve_app

    if len(corpora) != 1:
        raise click.UsageError("a collection is served by itself")
    if place == "local" and workers > 1:
        raise click.UsageError("several processes serve a collection with --on ray")
    # Replicas run in other folders.
    address = as_address(corpora[0])
    address = address if "://" in address else str(corpora[0].absolute())
    hosts = Serving(corpora, host=host, allowed=allowed).hosts
    with bind(host, port) as listener:
        number = listener.getsockname()[1]
        # A server that was killed leaves its replicas; the next one on the same port takes them over.
        name = f"naturalproofs-{number}"
        with progress_bar("Opening" if place == "local" else "Starting replicas", log=True) as progress:
            progress(0, 0, address)
            if place == "local":
                app = create_collection_app(live_collection(address), hosts=hosts)
            else:
                app = front_app(start_replicas(address, place, replicas=workers, name=name), hosts=hosts)
        info(f"http://{f'[{host}]' if ':' in host else host}:{number}/  (Ctrl-C stops)")
        serve_app(app, listener)
        if place != "local":
            stop_replicas(name)


@click.command()
@_corpora_argument
@_method_option
@main_option
@_no_cache_option
def mcp(corpora: tuple[Path, ...], method: str | None, mains: tuple[str, ...], no_cache: bool) -> None:
    """Answer agents over the Model Context Protocol.

    CORPUS is a corpus made by 'build', or a LaTeX project; the bundled Primer if none is given. Agents start this
    command themselves and talk to it over stdin and stdout; it has the tools suggest, search, statement, path, impact,
    graph, check, render and corpora.

    \b
    naturalproofs mcp my-thesis/ stacks
    """
    from naturalproofs.agents.server import create_server
    from naturalproofs.data import primer_folder
    from naturalproofs.workspace import Workspace

    opened = _chosen(corpora, mains) or (primer_folder(),)
    create_server(Workspace.open(opened, method=method, cache=not no_cache)).run()


def _chosen(corpora: tuple[Path, ...], mains: tuple[str, ...]) -> tuple[Path, ...]:
    """What to open: the main files of the first corpus, if some are named, and the other corpora."""
    if not mains:
        return corpora
    if not corpora:
        raise click.UsageError("--main names a file inside a folder; give the folder too")
    return (*chosen_documents(corpora[0], mains), *corpora[1:])


@click.command()
@click.option("--stdio", is_flag=True, help="Talk over stdin and stdout, which is the default.")
def lsp(stdio: bool) -> None:
    """Serve an editor: completion, hover, rename, references and problems.

    A language server on stdin and stdout, started by the editor. How to set up VS Code, Neovim, Emacs, Helix or Zed
    stands in docs/how-to/use-it-in-an-editor.md.

    \b
    naturalproofs lsp
    """
    del stdio
    import logging

    from naturalproofs.editor.server import OneLine, make_server

    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    make_server().start_io()
