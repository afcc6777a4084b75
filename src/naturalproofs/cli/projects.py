"""Commands for a project that is being written: ``check``, ``index``, ``watch``."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import (
    PATH,
    chosen_documents,
    echo,
    echo_json,
    format_option,
    info,
    main_option,
    one_main_option,
    open_workspace,
    progress_bar,
    source_option,
)
from naturalproofs.errors import CacheNotWritten, MissingExtra, SourceNotFound
from naturalproofs.io.names import name_of, path_of

if TYPE_CHECKING:
    from naturalproofs.workspace.project import Work
    from naturalproofs.workspace.snapshot import Changes
    from naturalproofs.workspace.watch import Step


@click.command()
@click.argument("path", type=PATH)
@click.option(
    "--select", "-s", metavar="RULES", default="", help="Run only these rules, with their notes (comma-separated)."
)
@click.option("--ignore", "-i", metavar="RULES", default="", help="Skip these rules (comma-separated).")
@click.option(
    "--all",
    "notes",
    is_flag=True,
    help="Show notes too: citations that may be missing, numbers written by hand, entries that nothing cites.",
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Ignore the findings that FILE lists.")
@click.option("--write-baseline", type=PATH, metavar="FILE", help="Write current findings to FILE and exit 0.")
@format_option("text", "json", "sarif", "github")
@source_option
@main_option
@click.pass_context
def check(
    ctx: click.Context,
    path: Path,
    select: str,
    ignore: str,
    notes: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    style: str,
    kind: str | None,
    mains: tuple[str, ...],
) -> None:
    """Find broken, missing and circular references.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Findings go to stdout, a summary to stderr;
    the exit status is 1 if there is an error among them, not for warnings and notes.

    \b
    naturalproofs check paper.tex
    naturalproofs check thesis/ --select circular-argument,forward-reference
    naturalproofs check thesis/ --baseline known.json --format github
    """
    from dataclasses import replace

    from naturalproofs.workspace.check import Selection
    from naturalproofs.workspace.check.formats import FORMATS, read_baseline
    from naturalproofs.workspace.check.formats import write_baseline as store_baseline

    if len(mains) > 1:
        raise click.UsageError("one document is checked at a time: give --main once")
    workspace = open_workspace(path, mains, source=kind)
    known = read_baseline(baseline) if baseline else frozenset()
    report = workspace.check(Selection(_names(select), _names(ignore), notes), known)
    if write_baseline is not None:
        count = store_baseline(write_baseline, report.everything)
        info(f"{write_baseline}: {count:,} findings are now known; pass it with --baseline")
        return
    # Editors and GitHub look for files from where the command runs, not from the project's folder.
    root = workspace.home.root
    shown = [replace(one, path=name_of(root / path_of(one.path))) if root else one for one in report.findings]
    echo(FORMATS[style](shown), nl=False)
    counts = report.counts
    parts = [
        f"{counts[word]:,} {word}{'' if counts[word] == 1 else 's'}"
        for word in ("error", "warning", "note")
        if counts[word]
    ]
    if report.hidden:
        parts.append(f"{report.hidden:,} note{'' if report.hidden == 1 else 's'} not shown (--all)")
    if report.known:
        parts.append(f"{report.known:,} known from the baseline")
    if workspace.home.opened.anchors is None:
        parts.append("unused-label was not checked, as a corpus keeps no labels: give the project itself")
    info(f"{path}: {len(workspace.home.corpus.statements):,} statements: {'; '.join(parts) or 'no findings'}")
    if report.failed:
        ctx.exit(1)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in text.split(","))))


_SHOWN = 8
"""Files or statements that are named; of more, the number is given."""
_TICK = 200
"""Milliseconds after which the watch looks up even if nothing changed."""


@click.command()
@click.argument("path", type=PATH)
@click.option("--status", "only_status", is_flag=True, help="Report what is stale and change nothing.")
@one_main_option
@format_option("text", "json")
def index(path: Path, only_status: bool, main: str | None, style: str) -> None:
    """Bring the cached index of a LaTeX project up to date.

    PATH is the project, its main file or one of its files. The index lies in the user's cache folder and is
    keyed by the contents of the files: what did not change is not read again. 'suggest' and 'watch' update it too.
    NATURALPROOFS_CACHE names another cache folder; NATURALPROOFS_CACHE_BESIDE=1 keeps the index in the project.

    \b
    naturalproofs index thesis/
    naturalproofs index thesis/ --status
    """
    from naturalproofs.corpus.store import is_corpus
    from naturalproofs.workspace.opening import index_status

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    if path.is_dir() and is_corpus(path):
        raise SourceNotFound(f"{path}: a corpus needs no index; give a LaTeX project")
    (path,) = chosen_documents(path, (main,) if main else ())
    if only_status:
        status = index_status(path)
        project, changes = status.project, status.changes
        if style == "json":
            echo_json({"project": str(project), "index": changes is not None, "changes": changes})
        elif changes is None:
            echo(f"{project}: no index yet, or one of another version; it is made when it is needed")
        else:
            echo(f"{project}: {_described(changes) or f'up to date, {status.files:,} files'}")
        return
    start = time.perf_counter()
    workspace = open_workspace(path)
    home = workspace.home
    if isinstance(home.corpus.statements, tuple):
        with progress_bar("Preparing suggestions") as progress, suppress(MissingExtra):
            # The base install reads and searches projects; only the arrays of the ranker need an extra.
            workspace.prepare(progress)
    else:
        # The arrays of the ranker take several times the memory of everything else.
        info(f"{home.path}: large; suggestions are prepared when they are first asked for")
        _ = home.search_index
    seconds = time.perf_counter() - start
    statements, work = len(home.corpus.statements), home.state.work if home.state is not None else None
    if style == "json":
        echo_json({"project": str(home.path), "statements": statements, "work": work, "seconds": seconds})
    elif work is not None:
        echo(f"{home.path}: {_summary(work, statements)} ({seconds:.1f} s)")
    if work is not None and not work.cached:
        from naturalproofs.io.cache import cache_folder

        raise CacheNotWritten(f"{cache_folder()}: cannot be written; free disk space or set NATURALPROOFS_CACHE")


def _summary(work: Work, statements: int) -> str:
    """What was done, in one line."""
    total = f"{statements:,} statements"
    if not work.read and not work.changes and not work.fresh:
        return f"up to date; {total}"
    parts = [f"read {len(work.read):,} of {work.documents:,} document{'' if work.documents == 1 else 's'}"]
    if work.changes:
        parts.append(_described(work.changes))
    parts.append(total)
    return "; ".join(parts)


def _described(changes: Changes) -> str:
    """How a project differs from its index."""
    parts = [
        f"{word} {', '.join(names[:_SHOWN])}{f' and {len(names) - _SHOWN:,} more' if len(names) > _SHOWN else ''}"
        for word, names in (("changed:", changes.changed), ("new:", changes.added), ("removed:", changes.removed))
        if names
    ]
    if changes.other and not parts:
        parts.append("settings, numbers or included files changed")
    return "; ".join(parts)


@click.command()
@click.argument("path", type=PATH)
@one_main_option
def watch(path: Path, main: str | None) -> None:
    """Follow a project while it is written and report new problems.

    PATH is a LaTeX project, its main file or one of its files. After every save the project is read again, and
    new and solved findings of 'check' are printed. Stop it with Ctrl-C.

    \b
    naturalproofs watch thesis/
    """
    from watchfiles import watch

    from naturalproofs.workspace.opening import project_of
    from naturalproofs.workspace.watch import follow, is_relevant

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    (path,) = chosen_documents(path, (main,) if main else ())
    project = project_of(path)
    root = project if project.is_dir() else project.parent
    rounds = watch(
        root, watch_filter=lambda _change, name: is_relevant(name), rust_timeout=_TICK, yield_on_timeout=True
    )
    # The watch begins with its first round: from before the project is read, so that no edit is missed in between.
    next(rounds)
    info(f"Watching {root}; stop with Ctrl-C.")
    try:
        for step in follow(project, filter(None, rounds)):
            _print(step, root)
    except KeyboardInterrupt:
        # This is how it ends.
        raise click.exceptions.Exit(130) from None


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
