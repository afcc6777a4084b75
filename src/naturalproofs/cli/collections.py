"""``naturalproofs collect``."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, echo_json, format_option, info, place_option, progress_bar
from naturalproofs.errors import MissingExtra

if TYPE_CHECKING:
    from naturalproofs.collection.answers import OpenCollection

PROBLEMS_SHOWN = 10
on_option = place_option(
    "local (this machine), ray (the cluster on this machine or in RAY_ADDRESS), HOST:PORT or ray://HOST:PORT."
)


@click.command()
@click.argument("sources", type=PATH, nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="COLLECTION", help="A folder, or an address such as s3://…")
@on_option
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes with --on local.  [default: one per core]")
@click.option("--retry", is_flag=True, help="Read projects again that failed before.")
@click.option("--largest", type=click.IntRange(1), default=1024, show_default=True, help="Largest project in MB.")
@click.option("--seconds", type=click.FloatRange(1), default=300, show_default=True, help="CPU time of a project.")
@click.option("--memory", type=click.IntRange(100), default=3072, show_default=True, help="Memory of a project in MB.")
@format_option("text", "json")
def collect(
    sources: tuple[Path, ...],
    output: str,
    place: str,
    workers: int | None,
    retry: bool,
    largest: int,
    seconds: float,
    memory: int,
    style: str,
) -> None:
    """Read thousands of projects into one collection.

    SOURCE is a project, an archive of one (as arXiv has them), a folder of projects and archives, a corpus made by
    'build', or a tar file of archives (as arXiv ships them in bulk). COLLECTION is a folder of Lance tables. Projects
    that have not changed are skipped, so the command can be stopped and run again. A project that cannot be read is
    reported and stops nothing.

    \b
    naturalproofs collect papers/ books/*.tar.gz -o collection
    naturalproofs collect arXiv_src_2401_001.tar -o collection --on ray://head:10001
    """
    # Workers are processes; threads of the linear algebra inside each would compete for the same cores.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    need_lance("collect")
    from naturalproofs.collection.collect import collect
    from naturalproofs.collection.read import Limits

    limits = Limits(largest << 20, seconds, memory << 20)
    if place == "local":
        from naturalproofs.collection.workers import read_locally

        run = partial(read_locally, workers=workers or len(os.sched_getaffinity(0)))
    else:
        from naturalproofs.collection.cluster import read_on_cluster

        run = partial(read_on_cluster, address=place)
    with progress_bar("Collecting", log=True) as progress:
        report = collect(sources, output, run, limits=limits, retry=retry, progress=progress)
    if style == "json":
        echo_json(report)
        return
    for name, message in list(report.problems.items())[:PROBLEMS_SHOWN]:
        info(f"{name}: {message}")
    if len(report.problems) > PROBLEMS_SHOWN:
        info(f"… and {len(report.problems) - PROBLEMS_SHOWN:,} more in the table 'projects'")
    echo(
        f"{output}: {report.read:,} projects read, {report.unchanged:,} unchanged, {report.empty:,} without "
        f"statements, {report.failed:,} failed"
    )
    echo(
        f"{report.statements:,} statements, {report.edges:,} references, {report.duplicates:,} statements that an "
        "earlier project has too"
    )


def open_collection(path: Path, others: tuple[Path, ...] = (), mains: tuple[str, ...] = ()) -> OpenCollection:
    """Open a collection for a question; it cannot be asked together with others."""
    need_lance("a collection")
    from naturalproofs.collection import as_address
    from naturalproofs.collection.answers import OpenCollection

    if others or mains:
        raise click.UsageError("a collection is asked by itself, without --with and --main")
    return OpenCollection.open(as_address(path))


def need_lance(feature: str) -> None:
    """Name the extra if the tables cannot be read; others of its packages are parts of other extras too."""
    import naturalproofs.collection  # noqa: F401 - sets what Lance reads when it is loaded

    try:
        import lance  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtra(feature, "scale") from error
