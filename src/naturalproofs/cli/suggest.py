"""``naturalproofs suggest``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from naturalproofs.cli.options import (
    PATH,
    complete_label,
    echo,
    echo_json,
    format_option,
    info,
    main_option,
    open_workspace,
    paint,
    progress_bar,
)
from naturalproofs.errors import SourceNotFound


@click.command()
@click.argument("path", type=PATH)
@click.argument("text", required=False)
@click.option(
    "--at",
    metavar="WHERE",
    shell_complete=complete_label,
    help="The theorem: a label, FILE:LINE, or a line of PATH.",
)
@click.option(
    "--with",
    "others",
    type=PATH,
    multiple=True,
    metavar="CORPUS",
    help="Also suggest from this corpus; may be repeated.",
)
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of suggestions.")
@click.option("--method", metavar="METHOD", help="A method as in 'evaluate'; the shipped ranker if left out.")
@click.option("--model", type=PATH, metavar="FOLDER", help="A model made by 'train', in place of a method.")
@click.option("--ignore-proof", is_flag=True, help="Ignore what is written of the proof.")
@main_option
@format_option("text", "json")
def suggest(
    path: Path,
    text: str | None,
    at: str | None,
    others: tuple[Path, ...],
    count: int,
    method: str | None,
    model: Path | None,
    ignore_proof: bool,
    mains: tuple[str, ...],
    style: str,
) -> None:
    """Suggest what a proof may want to cite, with reasons.

    PATH is a LaTeX project, one of its files, a corpus made by 'build', or a collection made by 'collect'. Say with
    --at which theorem is being proved: only what stands before its proof is suggested, and nothing that the proof
    cites already. Or give the theorem as TEXT or on stdin, in LaTeX, with the beginning of its proof if there is one.
    No training is needed.

    \b
    naturalproofs suggest paper.tex --at thm:main
    naturalproofs suggest thesis/ --at chapters/sheaves.tex:120 --with stacks
    naturalproofs suggest primer "Every finite group of prime order is cyclic."
    """
    from naturalproofs.collection import is_collection
    from naturalproofs.report.listings import cited_text, suggestions_data, suggestions_text

    if at and text:
        raise click.UsageError("give either a text or --at, not both")
    if method and model:
        raise click.UsageError("give either --method or --model, not both")
    if not at and text is None:
        text = _from_stdin(path)
    if is_collection(path):
        from naturalproofs.cli.collections import open_collection

        if at or method or model:
            raise click.UsageError("a collection is asked with a text, and has its own method")
        found = open_collection(path, others, mains).suggest(text or "", k=count)
        if style == "json":
            echo_json(suggestions_data(found))
        else:
            echo(suggestions_text(found, paint=paint, several=True), styled=True)
        return
    workspace = open_workspace(path, mains, others, method=_model(model) if model else method)
    with progress_bar("Preparing suggestions") as progress:
        workspace.prepare(progress)
    # Imported after the preparation, which names the extra that suggestions need.
    from naturalproofs.workspace.methods import HINT, shipped_available

    if workspace.home.method is None and not shipped_available():
        info(f"({HINT})")
    query: Any = text or ""
    if at:
        query = workspace.locate(at, path)
        query = query.statement if ignore_proof else query
    found = workspace.suggest(query, k=count)
    if style == "json":
        echo_json(suggestions_data(found))
        return
    if found.about is not None:
        from naturalproofs.report.listings import headline

        info(headline(workspace.statement(found.about), workspace.home.macros))
    if found.cited:
        info(cited_text([workspace.statement(key) for key in found.cited], workspace.home.citing()))
    info("")
    echo(suggestions_text(found, paint=paint, several=bool(others)), styled=True)


def _model(folder: Path) -> str:
    """The folder of a model, in the form that names a method; an error if it is not a model."""
    from naturalproofs.ranking.models import load_manifest

    load_manifest(folder)
    return str(folder)


def _from_stdin(path: Path) -> str:
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a LaTeX project")
    if sys.stdin.isatty():
        raise click.UsageError("say which theorem: --at LABEL, a text, or a text on stdin")
    text = sys.stdin.read()
    if not text.strip():
        raise click.UsageError("stdin holds no text; give the theorem, or --at LABEL")
    return text
