"""Commands that write pages: ``graph``, ``site``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import (
    PATH,
    echo,
    info,
    main_option,
    open_workspace,
    output_option,
    progress_bar,
    source_option,
)

if TYPE_CHECKING:
    from naturalproofs.corpus.drawing import Edges, Level


@click.command()
@click.argument("path", type=PATH)
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="Output file; formats other than html may go to stdout."
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["html", "dot", "graphml", "json"]),
    help="Output format.  [default: by the output's name, else html]",
)
@click.option("--focus", metavar="LABEL", help="Show only this statement and its neighbourhood.")
@click.option("--up", type=click.IntRange(0), default=2, show_default=True, help="Steps towards what the focus uses.")
@click.option("--down", type=click.IntRange(0), default=1, show_default=True, help="Steps towards what uses the focus.")
@click.option(
    "--level",
    type=click.Choice(["statement", "section", "chapter"]),
    default="statement",
    show_default=True,
    help="What a node is; a page opens with it.",
)
@click.option(
    "--edges",
    type=click.Choice(["statement", "proof", "both"]),
    default="both",
    show_default=True,
    help="References in statements, in proofs, or both.",
)
@click.option("--reduce", is_flag=True, help="Leave out references that follow from others.")
@click.option(
    "--threshold", type=click.IntRange(1), default=1, show_default=True, help="Least weight of an edge (not for html)."
)
@click.option(
    "--macros", type=PATH, metavar="FILE", help="A LaTeX file whose macros the formulas use, if PATH is a corpus."
)
@source_option
@main_option
def graph(
    path: Path,
    output: Path | None,
    style: str | None,
    focus: str | None,
    up: int,
    down: int,
    level: Level,
    edges: Edges,
    reduce: bool,
    threshold: int,
    macros: Path | None,
    kind: str | None,
    mains: tuple[str, ...],
) -> None:
    """Draw the reference graph as one web page.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. The page is one file that needs no server
    and no network. It contains all statements; options such as --focus select what it opens with. The other formats
    contain what the options select.

    \b
    naturalproofs graph thesis/ -o graph.html
    naturalproofs graph thesis/ --focus thm:main --up 3 --down 0 -o main.dot
    naturalproofs graph stacks --level chapter --threshold 50 --format json
    """
    from naturalproofs.corpus.drawing import EXPORTS, drawing
    from naturalproofs.io.files import write_atomic

    chosen = style or _by_name(output)
    if chosen == "html" and output is None:
        raise click.UsageError("a page needs a file to be written to: -o graph.html")
    home = open_workspace(path, mains, source=kind).home
    corpus = home.corpus
    if chosen == "html":
        from naturalproofs.report.graph_page import Opening, graph_page
        from naturalproofs.workspace.render import read_macro_files

        if len(corpus.statements) > 3000:
            info(f"{len(corpus.statements):,} statements; rendering their formulas takes a moment")
        label = corpus.find(focus).label if focus else ""
        opening = Opening(label, up, down, edges, reduce, level)
        text = graph_page(corpus, {**home.macros, **read_macro_files([macros] if macros else [])}, opening)
        summary = f"{len(corpus.statements):,} statements"
    else:
        drawn = drawing(
            corpus, level=level, edges=edges, reduce=reduce, focus=focus, up=up, down=down, threshold=threshold
        )
        text = EXPORTS[chosen](drawn)
        summary = f"{len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges"
    if output is None:
        echo(text, nl=False)
        return
    data = text.encode("utf-8", "replace")
    write_atomic(output, data)
    info(f"{output}: {summary}, {max(1, len(data) // 1024):,} KB")


_SUFFIXES = {".html": "html", ".htm": "html", ".dot": "dot", ".gv": "dot", ".graphml": "graphml", ".json": "json"}


def _by_name(output: Path | None) -> str:
    """The format that the name of the output says; a page if it says nothing."""
    suffix = output.suffix.lower() if output else ""
    if suffix and suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(f"the output must be a file with one of the suffixes {known}, or give --format")
    return _SUFFIXES.get(suffix, "html")


@click.command()
@click.argument("path", type=PATH)
@output_option
@click.option(
    "--tags",
    "tags_file",
    type=PATH,
    metavar="FILE",
    help="Keep the permanent tags in this file too, so that they outlive the output; keep it with the project.",
)
@click.option("--url", "address", default="", metavar="URL", help="Where the site will stand; also writes a sitemap.")
@click.option(
    "--macros", type=PATH, metavar="FILE", help="A LaTeX file whose macros the formulas use, if PATH is a corpus."
)
@source_option
@main_option
def site(
    path: Path,
    output: Path,
    tags_file: Path | None,
    address: str,
    macros: Path | None,
    kind: str | None,
    mains: tuple[str, ...],
) -> None:
    """Write a book as a web site of plain files.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. The site has a page for each chapter and
    each statement, the graph, and search in the browser. It needs no server: open index.html, or copy the folder to
    any web host. Run again, it rewrites only what has changed.

    Each statement has a permanent tag of four characters, and its page is tag/XXXX.html; label/NAME.html leads to it.
    Tags are kept in tags.txt of the output and, with --tags, in a file of your choice. A statement keeps its tag when
    its label or its text changes, though not both at once; the old label leads to it too.

    \b
    naturalproofs site thesis/ -o public
    naturalproofs site thesis/ -o public --tags thesis/tags --url https://example.org/thesis
    """
    from naturalproofs.publish.book import Book
    from naturalproofs.publish.folder import check_folder, write_site
    from naturalproofs.publish.tags import open_tags, save_tags
    from naturalproofs.workspace.render import read_macro_files

    check_folder(output)
    if address and not address.startswith(("https://", "http://")):
        raise click.UsageError("--url must begin with https:// or http://")
    home = open_workspace(path, mains, source=kind).home
    tags = open_tags(home.corpus, output, tags_file)
    book = Book(home, tags, read_macro_files([macros] if macros else []), address.rstrip("/"))
    try:
        with progress_bar(f"Writing {output}") as progress:
            written = write_site(output, home.name, book.files(), lambda done: progress(done, book.file_count))
    except KeyboardInterrupt:
        info(f"{output}: interrupted; each file is complete, but the site is not: run the command again")
        raise click.exceptions.Exit(130) from None
    if tags_file is not None:
        save_tags(tags_file, tags)
    changes = f"{written.changed:,} written, {written.removed:,} removed"
    info(f"{output}: {len(home.corpus.statements):,} statements, {written.files:,} files ({changes}); open index.html")
