"""``naturalproofs suggest``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.cli.options import PATH, info, progress_bar

if TYPE_CHECKING:
    from naturalproofs.workspace.library import Library

_LARGE = 5_000
"""Statements from which on preparing is worth a word."""
_COLOURS: dict[str, dict[str, Any]] = {
    "name": {"bold": True},
    "sure": {"fg": "green"},
    "cite": {"fg": "cyan"},
    "faint": {"dim": True},
}


@click.command(name="suggest")
@click.argument("path", type=PATH)
@click.argument("text", required=False)
@click.option("--at", metavar="WHERE", help="The theorem: a label, FILE:LINE, or a line of PATH.")
@click.option(
    "--with", "others", type=PATH, multiple=True, metavar="CORPUS", help="Also suggest from this; may be repeated."
)
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many.")
@click.option("--method", metavar="METHOD", help="Another method than the shipped ranker, as in 'evaluate'.")
@click.option("--model", type=PATH, metavar="FOLDER", help="A model made by 'train', instead.")
@click.option("--anew", is_flag=True, help="As if the proof were not written yet.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(
    path: Path,
    text: str | None,
    at: str | None,
    others: tuple[Path, ...],
    count: int,
    method: str | None,
    model: Path | None,
    anew: bool,
    style: str,
) -> None:
    """Suggest what a proof may want to cite, with reasons.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Say with --at which theorem is being
    proved: only what stands before its proof is suggested, and nothing that the proof cites already. Or give the
    theorem as TEXT or on stdin, in LaTeX, with the beginning of its proof if there is one. No training is needed.

    \b
    naturalproofs suggest paper.tex --at thm:main
    naturalproofs suggest thesis/ --at chapters/sheaves.tex:120 --with stacks
    naturalproofs suggest primer "Every finite group of prime order is cyclic."
    """
    import msgspec

    from naturalproofs.report.listings import cited_text, suggestions_data, suggestions_text
    from naturalproofs.workspace.library import Library
    from naturalproofs.workspace.locating import locate
    from naturalproofs.workspace.methods import BETTER, shipped_runs

    if at and text:
        raise click.UsageError("give either a text or --at, not both")
    if method and model:
        raise click.UsageError("give either --method or --model, not both")
    if not at and text is None:
        text = _from_stdin()
    with progress_bar(f"Reading {path}") as progress:
        library = Library.open([path, *others], method=str(model) if model else method, progress=progress)
    if not (method or model or shipped_runs()):
        info(f"({BETTER})")
    _prepare(library)
    shelf = library.shelves[0]
    if at:
        spot = locate(shelf, at, path)
        cited, written = ((), "") if anew else (spot.cited, spot.written)
        found = library.suggest(spot.statement, k=count, cited=cited, proof=written)
    else:
        found = library.suggest(text or "", k=count)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(suggestions_data(found)), indent=2).decode())
        return
    if found.about is not None:
        from naturalproofs.report.statement import headline

        info(headline(library.statement(found.about)))
    if found.cited:
        info(cited_text([library.statement(key) for key in found.cited], shelf.citing()))
    info("")
    click.echo(suggestions_text(found, paint=_paint, several=bool(others)))


def _prepare(library: Library) -> None:
    """Bind the method; of a large corpus that takes seconds, the first time."""
    shelves = library.shelves
    if sum(len(shelf.corpus.statements) for shelf in shelves) < _LARGE:
        return
    with progress_bar("Preparing suggestions") as progress:
        for done, shelf in enumerate(shelves):
            progress(done, len(shelves))
            _ = shelf.advisor
        progress(len(shelves), len(shelves))


def _paint(text: str, what: str) -> str:
    """Colours; click takes them out again where stdout is no terminal."""
    return click.style(text, **_COLOURS[what]) if text else ""


def _from_stdin() -> str:
    if sys.stdin.isatty():
        raise click.UsageError("say which theorem: --at LABEL, a text, or a text on stdin")
    text = sys.stdin.read()
    if not text.strip():
        raise click.UsageError("stdin holds no text; give the theorem, or --at LABEL")
    return text
