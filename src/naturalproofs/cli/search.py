"""``naturalproofs search``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naturalproofs.cli.options import PATH, progress_bar

_COLOURS: dict[str, dict[str, Any]] = {
    "name": {"bold": True},
    "cite": {"fg": "cyan"},
    "mark": {"fg": "yellow", "bold": True},
    "faint": {"dim": True},
}


@click.command(name="search")
@click.argument("path", type=PATH)
@click.argument("query", nargs=-1, required=True)
@click.option("--with", "others", type=PATH, multiple=True, metavar="CORPUS", help="Search this too; may be repeated.")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only definitions, theorems, lemmas …")
@click.option("--chapter", "chapters", multiple=True, metavar="NAME", help="Only chapters whose name holds this.")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only categories whose name holds this.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(
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

    PATH is a corpus made by 'build', or a LaTeX project; its search index is kept for the next time. QUERY is words,
    "phrases", -words that must not occur, $formulas$, and kind:definition, chapter:sets or category:groups. A label,
    a tag or a number as printed finds its statement first.

    \b
    naturalproofs search primer finite cyclic group
    naturalproofs search stacks '$H^i(X, \\mathcal{F}) = 0$ kind:lemma'
    naturalproofs search stacks '"finite type" -noetherian' --chapter algebra
    """
    import msgspec

    from naturalproofs.report.listings import found_data, found_text
    from naturalproofs.workspace.search import search
    from naturalproofs.workspace.search.opening import open_search

    with progress_bar(f"Reading {path}") as progress:
        indexes = [open_search(one, progress=progress) for one in (path, *others)]
    found = search(indexes, " ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(found_data(found)), indent=2).decode())
    else:
        click.echo(found_text(found, paint=_paint, several=bool(others), macros={i.name: i.macros for i in indexes}))


def _paint(text: str, what: str) -> str:
    """Colours; click takes them out again where stdout is no terminal."""
    return click.style(text, **_COLOURS[what]) if text else ""
