"""``naturalproofs watch``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, info

if TYPE_CHECKING:
    from naturalproofs.workspace.index.watching import Step

_SHOWN = 5
_TICK = 200
"""Milliseconds after which the watch looks up even if nothing changed."""


@click.command(name="watch")
@click.argument("path", type=PATH)
def command(path: Path) -> None:
    """Follow a project while it is written, and tell new problems.

    PATH is a LaTeX project, its main file or one of its files. After every save the index is brought up to date, and
    what 'check' finds anew is printed, and what was mended. Stop it with Ctrl-C.

    \b
    naturalproofs watch thesis/
    """
    from watchfiles import watch

    from naturalproofs.errors import SourceNotFound
    from naturalproofs.workspace.index.finding import project_of
    from naturalproofs.workspace.index.watching import concerns, follow

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    project = project_of(path)
    root = project if project.is_dir() else project.parent
    rounds = watch(root, watch_filter=lambda _change, name: concerns(name), rust_timeout=_TICK, yield_on_timeout=True)
    # The watch begins with its first round: from before the project is read, so that no edit is missed in between.
    next(rounds)
    info(f"Watching {root}; stop with Ctrl-C.")
    for step in follow(project, filter(None, rounds)):
        _tell(step, root)


def _tell(step: Step, root: Path) -> None:
    now = time.strftime("%H:%M:%S")
    if step.error:
        click.echo(f"{now} {step.error}")
        return
    click.echo(f"{now} {step.statements:,} statements ({step.work.seconds:.1f} s)")
    for word, statements in (("new", step.added), ("changed", step.changed), ("gone", step.removed)):
        for statement in statements[:_SHOWN]:
            click.echo(f"  {word}: {statement.form or statement.kind} {statement.number} {statement.label}".rstrip())
        if len(statements) > _SHOWN:
            click.echo(f"  {word}: and {len(statements) - _SHOWN:,} more")
    for finding in step.problems:
        click.echo(f"  {root.as_posix()}/{finding}")
    for finding in step.mended:
        click.echo(f"  mended: {finding.message} [{finding.rule}]")
