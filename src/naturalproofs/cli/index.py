"""``naturalproofs index``."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, progress_bar

if TYPE_CHECKING:
    from naturalproofs.workspace.index.project import Indexed
    from naturalproofs.workspace.index.snapshot import Changes

_SHOWN = 8


@click.command(name="index")
@click.argument("path", type=PATH)
@click.option("--status", "only_status", is_flag=True, help="Say what is stale, and change nothing.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(path: Path, only_status: bool, style: str) -> None:
    """Keep the index of a LaTeX project up to date.

    PATH is the project, its main file or one of its files. The index lies in the user's cache folder and is
    keyed by the contents of the files: what did not change is not read again. 'suggest' and 'watch' update it too.
    NATURALPROOFS_CACHE names another cache folder; NATURALPROOFS_CACHE_BESIDE=1 keeps the index in the project.

    \b
    naturalproofs index thesis/
    naturalproofs index thesis/ --status
    """
    import msgspec

    from naturalproofs.corpus.store import is_corpus
    from naturalproofs.errors import SourceNotFound
    from naturalproofs.workspace.index.finding import project_of
    from naturalproofs.workspace.index.project import open_project, status
    from naturalproofs.workspace.shelf import Shelf

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    if path.is_dir() and is_corpus(path):
        raise SourceNotFound(f"{path}: a corpus needs no index beside it; give a LaTeX project")
    project = project_of(path)
    if only_status:
        known = status(project)
        if style == "json":
            data = {"project": str(project), "index": known is not None, "changes": known[1] if known else None}
            click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
        elif known is None:
            click.echo(f"{project}: no index yet, or one of another version; it is made when it is needed")
        else:
            click.echo(f"{project}: {_told(known[1]) or f'up to date, {len(known[0].snapshot.files):,} files'}")
        return
    start = time.perf_counter()
    with progress_bar(f"Reading {project}") as progress:
        indexed = open_project(project, progress)
    with progress_bar("Preparing suggestions") as progress:
        progress(0, 1)
        Shelf.indexed(indexed).keep()
        progress(1, 1)
    indexed = replace(indexed, work=replace(indexed.work, seconds=time.perf_counter() - start))
    if style == "json":
        data = {
            "project": str(project),
            "statements": len(indexed.opened.corpus.statements),
            "work": indexed.work,
        }
        click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
    else:
        click.echo(f"{project}: {_done(indexed)}")


def _done(indexed: Indexed) -> str:
    """What was done, in one line."""
    work = indexed.work
    total = f"{len(indexed.opened.corpus.statements):,} statements"
    if not work.read and not work.changes and not work.fresh:
        return f"up to date; {total} ({work.seconds:.1f} s)"
    parts = [f"read {len(work.read):,} of {work.documents:,} document{'' if work.documents == 1 else 's'}"]
    if work.changes:
        parts.append(_told(work.changes))
    parts.append(f"{work.cut:,} of {total} are new or changed")
    if not work.kept:
        parts.append("the index could not be kept here")
    return f"{'; '.join(parts)} ({work.seconds:.1f} s)"


def _told(changes: Changes) -> str:
    """How a project differs from its index."""
    parts = [
        f"{word} {', '.join(names[:_SHOWN])}{f' and {len(names) - _SHOWN:,} more' if len(names) > _SHOWN else ''}"
        for word, names in (("changed:", changes.changed), ("new:", changes.added), ("gone:", changes.gone))
        if names
    ]
    if changes.otherwise and not parts:
        parts.append("settings, numbers or included files changed")
    return "; ".join(parts)
