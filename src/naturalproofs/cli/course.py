"""``naturalproofs course``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, echo, info, known_option, main_option, open_workspace


@click.command()
@corpus_argument
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@known_option
@click.option("--most", type=click.IntRange(1), default=500, show_default=True, help="The longest list.")
@click.option("--cited-only", is_flag=True, help="Leave out prerequisites that are inferred from defined terms.")
@click.option("--no-proofs", is_flag=True, help="Leave out proofs.")
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="A .html or .md file.  [default: Markdown on standard output]"
)
@main_option
def course(
    corpus: Path,
    names: tuple[str, ...],
    known: tuple[str, ...],
    most: int,
    cited_only: bool,
    no_proofs: bool,
    output: Path | None,
    mains: tuple[str, ...],
) -> None:
    """Make a reading list with all texts as one file.

    CORPUS is a corpus made by 'build', or a LaTeX project. Each NAME is a theorem at which the course arrives. The file
    contains everything that they rest on, in an order in which it can be read. HTML needs the extra 'web'.

    \b
    naturalproofs course my-notes/ thm:main -o course.html
    naturalproofs course primer thm:lagrange thm:cauchy --known 'chapter Sets and maps' --no-proofs
    """
    from naturalproofs.io.files import write_atomic

    if output is not None and output.suffix.lower() not in (".html", ".htm", ".md", ".markdown"):
        raise click.UsageError("the output must be a .html or .md file")
    workspace = open_workspace(corpus, mains)
    path = workspace.path(names, known=known, limit=most, inferred=not cited_only)
    if output is not None and output.suffix.lower().startswith(".htm"):
        from naturalproofs.web.course_pack import course_html

        text = course_html(workspace, path, proofs=not no_proofs)
    else:
        from naturalproofs.report.course import course_markdown

        text = course_markdown(workspace, path, proofs=not no_proofs)
    if output is None:
        echo(text, nl=False)
        return
    write_atomic(output, text.encode("utf-8", "replace"))
    info(f"{output}: {len(path.steps):,} statements")
