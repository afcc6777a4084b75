"""``naturalproofs watch``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, info

if TYPE_CHECKING:
    from naturalproofs.workspace.watch import Step

_SHOWN = 5
_TICK = 200
"""Milliseconds after which the watch looks up even if nothing changed."""


@click.command(name="watch")
@click.argument("path", type=PATH)
def command(path: Path) -> None:
    """Follow a project while it is written and report new problems.

    PATH is a LaTeX project, its main file or one of its files. After every save the project is read again, and
    new and solved findings of 'check' are printed. Stop it with Ctrl-C.

    \b
    naturalproofs watch thesis/
    """
    from watchfiles import watch

    from naturalproofs.errors import SourceNotFound
    from naturalproofs.workspace.opening import project_of
    from naturalproofs.workspace.watch import follow, is_relevant

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    project = project_of(path)
    root = project if project.is_dir() else project.parent
    rounds = watch(
        root, watch_filter=lambda _change, name: is_relevant(name), rust_timeout=_TICK, yield_on_timeout=True
    )
    # The watch begins with its first round: from before the project is read, so that no edit is missed in between.
    next(rounds)
    info(f"Watching {root}; stop with Ctrl-C.")
    for step in follow(project, filter(None, rounds)):
        _print(step, root)


def _print(step: Step, root: Path) -> None:
    now = time.strftime("%H:%M:%S")
    if step.error:
        echo(f"{now} {step.error}")
        return
    echo(f"{now} {step.statements:,} statements ({step.seconds:.1f} s)")
    for word, statements in (("new", step.added), ("changed", step.changed), ("removed", step.removed)):
        for statement in statements[:_SHOWN]:
            echo(f"  {word}: {statement.form or statement.kind} {statement.number} {statement.label}".rstrip())
        if len(statements) > _SHOWN:
            echo(f"  {word}: and {len(statements) - _SHOWN:,} more")
    for finding in step.problems:
        echo(f"  {root.as_posix()}/{finding}")
    for finding in step.solved:
        echo(f"  solved: {finding.message} [{finding.rule}]")
