"""``naturalproofs doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, echo_json, format_option

if TYPE_CHECKING:
    from naturalproofs.report.installation import Installation


@click.command()
@click.argument("folders", type=PATH, nargs=-1, metavar="[FOLDER]...")
@click.option("--clean", is_flag=True, help="Remove what killed commands left behind, and move back what they moved.")
@format_option("text", "json")
def doctor(folders: tuple[Path, ...], clean: bool, style: str) -> None:
    """Report what is installed, where caches are, and problems.

    Checks the package and its data, the libraries it needs, and the cache folder, and looks for temporary files of
    commands that were killed, in the cache and in each FOLDER (by default the current one). Exits with 1 if there is
    a problem.

    \b
    naturalproofs doctor
    naturalproofs doctor results/ --clean
    """
    from naturalproofs.io import files
    from naturalproofs.report.installation import inspect

    places = folders or (Path(),)
    found = inspect(places)
    if clean and found.leftovers:
        for leftover in found.leftovers:
            files.clean(leftover)
        found = inspect(places)
    if style == "json":
        echo_json(found)
    else:
        _print(found)
    if found.problems:
        click.get_current_context().exit(1)


def _print(found: Installation) -> None:
    commit = f" ({found.commit})" if found.commit else ""
    echo(f"naturalproofs {found.version}{commit}, Python {found.python}, {found.system}")
    echo(f"in {found.package}")
    echo("\nExtras")
    for extra in found.extras:
        lacks = f"  (lacks {', '.join(extra.missing)}: pip install 'naturalproofs[{extra.name}]')"
        echo(f"  {'yes' if extra.installed else 'no ':4}{extra.name:9}{extra.gives}{'' if extra.installed else lacks}")
    echo(f"\nCache {found.cache}")
    for cache in found.caches:
        entries = "entry" if cache.entries == 1 else "entries"
        echo(f"  {cache.bytes / 1e6:9,.1f} MB  {cache.name:9}{cache.entries:6,} {entries}: {cache.holds}")
    if not found.caches:
        echo("  empty")
    echo("\nProblems" if found.problems else "\nNo problems.")
    for problem in found.problems:
        echo(f"  {problem}")
