"""Options, arguments and helpers that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from naturalproofs.progress import Progress, silent

PATH = click.Path(path_type=Path)
WIPE = "\r\x1b[K"
"""Begins the line of a terminal anew."""

corpus_argument = click.argument("corpus", type=PATH)
output_option = click.option("-o", "--output", type=PATH, required=True, metavar="PATH", help="Where to write.")

table_format_option = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "csv", "latex", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How to print the tables.",
)

protocol_option = click.option(
    "--protocol",
    "protocol_name",
    default="clean",
    show_default=True,
    help="clean, accessible, paper or paper-joint: who is a candidate and what a method sees.",
)
seed_option = click.option(
    "--seed", default=0, show_default=True, help="For what is random in the method and in the intervals."
)


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A progress bar on stderr, for people only: nothing is shown when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    with click.progressbar(length=1, label=label, file=sys.stderr, show_eta=True) as bar:

        def advance(done: float, total: float, _message: str = "") -> None:
            bar.length = max(int(total), 1)
            bar.update(int(done) - bar.pos)

        yield advance


def say(text: str) -> None:
    """Tell a person how it goes, on stderr, so that stdout stays clean for machines."""
    click.echo((WIPE if sys.stderr.isatty() else "") + text, err=True)


@contextmanager
def telling() -> Iterator[Progress]:
    """How training goes, as one line that is rewritten and in the end wiped, for a person; nothing for a pipe."""
    shown = sys.stderr.isatty()

    def tell(done: float, total: float, message: str = "") -> None:
        if shown:
            click.echo(f"{WIPE}{done / total:4.0%}  {message}", err=True, nl=False)

    try:
        yield tell
    finally:
        if shown:
            click.echo(WIPE, err=True, nl=False)
