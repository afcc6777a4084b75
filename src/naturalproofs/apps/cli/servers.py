"""Commands that answer programs, ``serve``, ``mcp`` and ``lsp``, and ``collect``, which reads what they may serve."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.apps.cli.options import (
    PATH,
    SOURCE,
    chosen_documents,
    echo,
    echo_json,
    format_option,
    info,
    main_option,
    need_lance,
    place_option,
    progress_bar,
)
from naturalproofs.errors import SourceNotFound, UnknownName, install_line

if TYPE_CHECKING:
    from naturalproofs.apps.collections.upkeep import CollectionStatus
    from naturalproofs.apps.web.server import Serving

_paths_argument = click.argument("paths", type=SOURCE, nargs=-1, metavar="[PATH]...")
_method_option = click.option(
    "--method", metavar="METHOD", help="A method or a model folder; the shipped ranker if left out."
)
_no_cache_option = click.option("--no-cache", is_flag=True, help="Do not use the cache.")
_host_option = click.option("--host", default="127.0.0.1", help="Address to listen on.")
_port_option = click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port; 0 means any free port.")
_allowed_option = click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="A further name that requests may give this server in their Host header; * means any.",
)
_token_option = click.option(
    "--token/--no-token",
    "asks",
    default=None,
    help="Answer only those who have the token in the printed address.  [default: if others can reach the address]",
)


@click.command()
@_paths_argument
@_host_option
@_port_option
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="Number of worker processes.")
@_method_option
@click.option("--runs", type=PATH, metavar="FOLDER", help="Runs kept by 'evaluate -o', to be compared on a page.")
@click.option(
    "--macros", type=PATH, multiple=True, metavar="FILE", help="A LaTeX file that defines commands which a corpus uses."
)
@_allowed_option
@_token_option
@main_option
@place_option("For a collection: local, or a Ray cluster as in 'collect', with --workers replicas.")
@_no_cache_option
def serve(
    paths: tuple[Path, ...],
    host: str,
    port: int,
    workers: int,
    place: str,
    method: str | None,
    runs: Path | None,
    macros: tuple[Path, ...],
    allowed: tuple[str, ...],
    asks: bool | None,
    mains: tuple[str, ...],
    no_cache: bool,
) -> None:
    """Serve the page: search, suggestions, graphs and statistics.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'; the bundled Primer if none is given. Or it
    is one collection made by 'collect', which can be served by replicas on a Ray cluster. The page makes no requests to
    other machines and answers programs under /api. On an address that other machines can reach, it asks for a token,
    which stands in the address that is printed. Stop it with Ctrl-C.

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

    from naturalproofs.apps.collections import is_collection

    collection = any(is_collection(path) for path in paths)
    if collection:
        need_lance("a collection")
    elif place != "local":
        raise click.UsageError("--on is only for a collection made by 'collect'")
    from naturalproofs.apps.web.server import Serving, bind, open_site, serve, serve_with_workers

    token = _token(host, asks)
    if collection:
        _serve_collection(Serving(paths, host=host, workers=workers, allowed=allowed, token=token), place, port)
        return
    from naturalproofs.data import primer_folder
    from naturalproofs.workspace.methods import HINT, shipped_available

    with bind(host, port) as listener:
        if not (method or shipped_available()):
            info(f"({HINT}: {install_line('hybrid')})")
        opened = _chosen(paths, mains) or (primer_folder(),)
        serving = Serving(opened, method, runs, not no_cache, host, workers, macros, allowed, token)
        if serving.warning:
            info(serving.warning)
        with progress_bar("Opening", log=True) as progress:
            progress(0, 0, ", ".join(path.resolve().name for path in opened))
            site = open_site(serving, progress)
        _print_address(serving, listener.getsockname()[1])
        if workers == 1:
            serve(site, serving, listener)
        else:
            # Opening the site has filled the cache for the workers.
            del site
            serve_with_workers(serving, listener)


def _token(host: str, asks: bool | None) -> str:
    """What requests must carry: nothing, if only this machine can reach the address or the user says so."""
    from naturalproofs.apps.web.server import is_loopback

    return token_hex(24) if asks or (asks is None and not is_loopback(host)) else ""


def _address(collection: Path) -> str:
    """The address of a collection for other processes, which run in other folders."""
    from naturalproofs.apps.collections import as_address

    address = as_address(collection)
    return address if "://" in address else str(collection.absolute())


def _print_address(serving: Serving, port: int, ends: str = "Ctrl-C stops") -> None:
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    token = f"?token={serving.token}" if serving.token else ""
    info(f"http://{host}:{port}/{token}  ({ends})")


def _serve_collection(serving: Serving, place: str, port: int) -> None:
    """Serve a collection in this process, or by replicas on a cluster."""
    from naturalproofs.apps.web.collection_app import create_collection_app
    from naturalproofs.apps.web.server import (
        bind,
        front_app,
        live_collection,
        serve_app,
        start_replicas,
        stop_replicas,
    )

    if len(serving.paths) != 1:
        raise click.UsageError("a collection is served by itself")
    if place == "local" and serving.workers > 1:
        raise click.UsageError("several processes serve a collection with --on ray")
    address = _address(serving.paths[0])
    access: dict[str, Any] = {"hosts": serving.hosts, "token": serving.token}
    with bind(serving.host, port) as listener:
        if serving.warning:
            info(serving.warning)
        # A server that was killed leaves its replicas; the next one on the same port takes them over.
        name = f"naturalproofs-{listener.getsockname()[1]}"
        with progress_bar("Opening" if place == "local" else "Starting replicas", log=True) as progress:
            progress(0, 0, address)
            if place == "local":
                app = create_collection_app(live_collection(address), **access)
            else:
                app = front_app(start_replicas(address, place, replicas=serving.workers, name=name), **access)
        _print_address(serving, listener.getsockname()[1])
        serve_app(app, listener)
        if place != "local":
            stop_replicas(name)


@click.command()
@click.argument("action", type=click.Choice(["deploy", "status", "stop"]))
@click.argument("what", type=SOURCE, required=False, metavar="[COLLECTION]")
@click.option("--on", "place", default="ray", metavar="PLACE", help="A Ray cluster that runs, as in 'collect'.")
@click.option("--replicas", type=click.IntRange(1, 1024), default=1, help="How many answer; each needs a core.")
@_host_option
@_port_option
@_allowed_option
@_token_option
def collections(
    action: str,
    what: Path | None,
    place: str,
    replicas: int,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    asks: bool | None,
) -> None:
    """Keep a collection served by a Ray cluster.

    deploy starts the service, or replaces it replica by replica; it goes on without this command. status lists what Ray
    Serve runs on the cluster, also what a killed 'serve' has left. stop ends the service, or another application whose
    name stands in place of COLLECTION.

    \b
    naturalproofs collections deploy /shared/collection --on head:6379 --replicas 4
    naturalproofs collections status --on head:6379
    naturalproofs collections stop --on head:6379
    """
    need_lance("a collection")
    from naturalproofs.apps.web import server

    if action == "deploy":
        if what is None:
            raise click.UsageError("give the collection to be served")
        serving = server.Serving((what,), host=host, allowed=allowed, token=_token(host, asks))
        access = {"hosts": serving.hosts, "token": serving.token}
        server.deploy(_address(what), place, replicas=replicas, host=host, port=port, **access)
        _print_address(serving, port, "'naturalproofs collections stop' ends it")
    known = server.applications(place)
    if action == "stop":
        name = str(what or server.APPLICATION)
        if name not in known:
            raise UnknownName(f"{place}: no application has the name {name}; there are: {', '.join(known) or 'none'}")
        server.stop_replicas(name)
        known = server.applications(place)
    for name, (state, message, running) in known.items():
        echo(f"{name}: {state}, {running} replicas{f'; {message}' if message else ''}")
    if not known:
        echo(f"{place}: no applications")


@click.command()
@_paths_argument
@_method_option
@main_option
@_no_cache_option
def mcp(paths: tuple[Path, ...], method: str | None, mains: tuple[str, ...], no_cache: bool) -> None:
    """Answer agents over the Model Context Protocol.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'; the bundled Primer if none is given. Agents
    start this command themselves and talk to it over stdin and stdout; it has the tools suggest, search, statement,
    path, impact, graph, check, render and corpora.

    \b
    naturalproofs mcp my-thesis/ stacks
    """
    from naturalproofs.apps.agents import create_server
    from naturalproofs.data import primer_folder
    from naturalproofs.workspace import Workspace

    opened = _chosen(paths, mains) or (primer_folder(),)
    create_server(Workspace.open(opened, method=method, cache=not no_cache)).run()


def _chosen(paths: tuple[Path, ...], mains: tuple[str, ...]) -> tuple[Path, ...]:
    """What to open: the main files of the first path, if some are named, and the other paths."""
    if not mains:
        return paths
    if not paths:
        raise click.UsageError("--main names a file inside a folder; give the folder too")
    return (*chosen_documents(paths[0], mains), *paths[1:])


@click.command()
@click.option("--stdio", is_flag=True, help="Talk over stdin and stdout, which is the default.")
def lsp(stdio: bool) -> None:
    """Serve an editor: completion, hover, rename, problems.

    A language server on stdin and stdout, started by the editor. How to set up VS Code, Neovim, Emacs, Helix or Zed
    stands in docs/how-to/use-it-in-an-editor.md.

    \b
    naturalproofs lsp
    """
    del stdio
    import logging

    from naturalproofs.apps.editor.server import OneLine, make_server

    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    try:
        make_server().start_io()
    except ValueError as error:
        raise SourceNotFound(f"the editor: a message that cannot be read ({error})") from error


# ``naturalproofs collect``.

PROBLEMS_SHOWN = 10
on_option = place_option(
    "local (this machine), ray (the cluster on this machine or in RAY_ADDRESS), HOST:PORT or ray://HOST:PORT."
)


@click.command()
@click.argument("paths", type=PATH, nargs=-1, metavar="[PATH]...")
@click.option("-o", "--output", required=True, metavar="COLLECTION", help="A folder, or an address such as s3://…")
@on_option
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes with --on local.  [default: one per core]")
@click.option("--about", type=PATH, metavar="FILE", help="Authors, years … as JSON lines, as in arXiv's snapshot.")
@click.option("--retry", is_flag=True, help="Read projects again that failed before.")
@click.option("--remove", "removed", multiple=True, metavar="SOURCE", help="Remove a project, by its name or path.")
@click.option("--maintain", "kept_up", is_flag=True, help="Check the tables, compact and index them, clean up.")
@click.option("--status", "told", is_flag=True, help="Say what is in the collection, and what failed.")
@click.option("--largest", type=click.IntRange(1), default=1024, help="Largest project in MB.")
@click.option("--seconds", type=click.FloatRange(1), default=300, help="CPU time of a project.")
@click.option("--memory", type=click.IntRange(100), default=3072, help="Memory of a project in MB.")
@format_option("text", "json")
def collect(
    paths: tuple[Path, ...],
    output: str,
    place: str,
    workers: int | None,
    about: Path | None,
    retry: bool,
    removed: tuple[str, ...],
    kept_up: bool,
    told: bool,
    largest: int,
    seconds: float,
    memory: int,
    style: str,
) -> None:
    """Read thousands of projects into one collection.

    PATH is a project, an archive of one (as arXiv has them), a folder of projects and archives, a corpus made by
    'build', or a tar file of archives (as arXiv ships them in bulk). COLLECTION is a folder of Lance tables. Projects
    that have not changed are skipped, so the command can be stopped and run again. A project that cannot be read is
    reported and stops nothing. A project keeps its name as long as it is read from the same path.

    \b
    naturalproofs collect papers/ books/*.tar.gz -o collection
    naturalproofs collect arXiv_src_2401_001.tar -o collection --on ray://head:10001
    naturalproofs collect -o collection --remove papers/withdrawn --maintain
    """
    if not (paths or removed or kept_up or told):
        raise click.UsageError("give projects to read, or one of --remove, --maintain and --status")
    # Workers are processes; threads of the linear algebra inside each would compete for the same cores.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    need_lance("collect")
    from naturalproofs.apps.collections import upkeep
    from naturalproofs.apps.collections.collect import collect
    from naturalproofs.apps.collections.read import Limits

    # What was read is committed when a scheduler ends the process, as after Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    limits = Limits(largest << 20, seconds, memory << 20)
    if place == "local":
        from naturalproofs.apps.collections.collect import read_locally

        run, elsewhere = partial(read_locally, workers=workers or len(os.sched_getaffinity(0))), dict[str, Any]()
    else:
        from naturalproofs.apps.collections.collect import read_on_cluster
        from naturalproofs.io.cluster import starmap_on_cluster

        run, elsewhere = partial(read_on_cluster, address=place), {"spread": partial(starmap_on_cluster, place)}
    with progress_bar("Collecting", log=True) as progress:
        if removed:
            info(f"{output}: removed {', '.join(upkeep.remove_projects(output, removed, progress))}")
        options: dict[str, Any] = {"limits": limits, "retry": retry, "about": about, "progress": progress}
        options |= elsewhere
        report = collect(paths, output, run, **options) if paths else None
        if kept_up:
            freed = upkeep.maintain(output, progress, **elsewhere)
            info(f"{output}: maintained, {freed >> 20:,} MB of old versions removed")
    if told or report is None:
        _show_status(output, upkeep.collection_status(output), style)
        return
    if style == "json":
        echo_json(report)
        return
    for name, message in list(report.problems.items())[:PROBLEMS_SHOWN]:
        info(f"{name}: {message}")
    if len(report.problems) > PROBLEMS_SHOWN:
        info(f"… and {len(report.problems) - PROBLEMS_SHOWN:,} more; --status lists all")
    echo(
        f"{output}: {report.read:,} projects read, {report.unchanged:,} unchanged, {report.empty:,} without "
        f"statements, {report.failed:,} failed"
    )
    echo(
        f"{report.statements:,} statements, {report.edges:,} references and {report.links:,} between projects, "
        f"{report.duplicates:,} statements that an earlier project has too"
    )


def _show_status(output: str, status: CollectionStatus, style: str) -> None:
    if style == "json":
        echo_json(status)
        return
    for name, message in status.problems.items():
        info(f"{name}: {message}")
    known = ", ".join(f"{count:,} {name}" for name, count in sorted(status.projects.items()))
    echo(f"{output}: commit {status.commit:,}, projects: {known or 'none'}")
    echo(
        f"{status.statements:,} statements in {status.parts:,} parts, {status.references:,} references and "
        f"{status.links:,} between projects, "
        f"{status.duplicates:,} statements that an earlier project has too"
        + ("" if status.finished else "; not indexed yet, the next 'collect' does it")
    )
