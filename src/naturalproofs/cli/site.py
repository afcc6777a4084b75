"""``naturalproofs site``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import (
    PATH,
    info,
    main_option,
    open_workspace,
    output_option,
    progress_bar,
    source_option,
)


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
    kind: str,
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
    from naturalproofs.publish.tag_files import open_tags, save_tags
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
