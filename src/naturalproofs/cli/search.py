"""``naturalproofs search``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, echo_json, format_option, paint, progress_bar


@click.command()
@click.argument("path", type=PATH)
@click.argument("query", nargs=-1, required=True)
@click.option("--with", "others", type=PATH, multiple=True, metavar="CORPUS", help="Search this too; may be repeated.")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of hits.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only definitions, theorems, lemmas …")
@click.option("--chapter", "chapters", multiple=True, metavar="NAME", help="Only chapters whose name holds this.")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only categories whose name holds this.")
@format_option("text", "json")
def search(
    path: Path,
    query: tuple[str, ...],
    others: tuple[Path, ...],
    count: int,
    kinds: tuple[str, ...],
    chapters: tuple[str, ...],
    categories: tuple[str, ...],
    style: str,
) -> None:
    """Search titles and contents by words, formulas and meaning.

    PATH is a corpus made by 'build', or a LaTeX project; its search index is cached. QUERY is words,
    "phrases", -words that must not occur, $formulas$, and kind:definition, chapter:sets or category:groups. A label,
    a tag or a number as printed finds its statement first.

    \b
    naturalproofs search primer finite cyclic group
    naturalproofs search stacks '$H^i(X, \\mathcal{F}) = 0$ kind:lemma'
    naturalproofs search stacks '"finite type" -noetherian' --chapter algebra
    """
    from naturalproofs.report.listings import found_data, found_text
    from naturalproofs.workspace import Workspace

    with progress_bar(f"Reading {path}") as progress:
        workspace = Workspace.open([path, *others], progress=progress)
    found = workspace.search(" ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
    if style == "json":
        echo_json(found_data(found))
    else:
        macros = {one.name: one.macros for one in workspace.corpora}
        echo(found_text(found, paint=paint, several=bool(others), macros=macros), styled=True)
