"""Commands that write pages and texts for readers: ``graph``, ``site``, ``course``, ``exercise``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.apps.cli.options import (
    PATH,
    complete_label,
    echo,
    echo_json,
    force_option,
    info,
    known_option,
    macros_option,
    main_option,
    open_workspace,
    output_option,
    path_argument,
    progress_bar,
    seed_option,
    source_option,
)

if TYPE_CHECKING:
    from naturalproofs.corpus.drawing import Edges, Level


@click.command()
@path_argument
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="Output file; formats other than html may go to stdout."
)
@force_option
@click.option(
    "--format",
    "style",
    type=click.Choice(["html", "dot", "graphml", "json"]),
    help="Output format.  [default: by the output's name, else html]",
)
@click.option("--focus", metavar="LABEL", help="Show only this statement and its neighbourhood.")
@click.option("--up", type=click.IntRange(0), default=2, help="Steps towards what the focus uses.")
@click.option("--down", type=click.IntRange(0), default=1, help="Steps towards what uses the focus.")
@click.option(
    "--level",
    type=click.Choice(["statement", "section", "chapter"]),
    default="statement",
    help="What a node is; a page opens with it.",
)
@click.option(
    "--edges",
    type=click.Choice(["statement", "proof", "both"]),
    default="both",
    help="References in statements, in proofs, or both.",
)
@click.option("--reduce", is_flag=True, help="Leave out references that follow from others.")
@click.option("--threshold", type=click.IntRange(1), default=1, help="Least weight of an edge (not for html).")
@macros_option
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
    from naturalproofs.io.outputs import check_output, write_output

    chosen = style or _by_name(output)
    if chosen == "html" and output is None:
        raise click.UsageError("a page needs a file to be written to: -o graph.html")
    check_output(output)
    home = open_workspace(path, mains, source=kind).home
    corpus = home
    if chosen == "html":
        from naturalproofs.apps.report.graph_page import Opening, graph_page
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
    write_output(output, data)
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
@path_argument
@output_option
@click.option(
    "--tags",
    "tags_file",
    type=PATH,
    metavar="FILE",
    help="Keep the permanent tags in this file too, so that they outlive the output; keep it with the project.",
)
@click.option("--url", "address", metavar="URL", help="Where the site will stand; also writes a sitemap.")
@macros_option
@source_option
@main_option
def site(
    path: Path,
    output: Path,
    tags_file: Path | None,
    address: str | None,
    macros: Path | None,
    kind: str | None,
    mains: tuple[str, ...],
) -> None:
    """Write a book as a web site of plain files.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. The site has a page for each chapter and
    each statement, the graph, and search in the browser. It needs no server: open index.html, or copy the folder to any
    web host. Run again, it rewrites only what has changed.

    Each statement has a permanent tag of four characters, and its page is tag/XXXX.html; label/NAME.html leads to it.
    Tags are kept in tags.txt of the output and, with --tags, in a file of your choice. A statement keeps its tag when
    its label or its text changes, though not both at once; the old label leads to it too.

    \b
    naturalproofs site thesis/ -o public
    naturalproofs site thesis/ -o public --tags thesis/tags --url https://example.org/thesis
    """
    from naturalproofs.apps.site.book import Book, check_folder, write_site
    from naturalproofs.apps.site.tags import open_tags, save_tags
    from naturalproofs.workspace.render import read_macro_files

    check_folder(output)
    if address and not address.startswith(("https://", "http://")):
        raise click.UsageError("--url must begin with https:// or http://")
    home = open_workspace(path, mains, source=kind).home
    tags = open_tags(home, output, tags_file)
    book = Book(home, tags, read_macro_files([macros] if macros else []), (address or "").rstrip("/"))
    try:
        with progress_bar(f"Writing {output}") as progress:
            written = write_site(output, home.name, book.files(), lambda done: progress(done, book.file_count))
    except KeyboardInterrupt:
        info(f"{output}: interrupted; each file is complete, but the site is not: run the command again")
        raise click.exceptions.Exit(130) from None
    if tags_file is not None:
        save_tags(tags_file, tags)
    changes = f"{written.changed:,} written, {written.removed:,} removed"
    info(f"{output}: {len(home.statements):,} statements, {written.files:,} files ({changes}); open index.html")


# Commands for teaching: ``course``, ``exercise``.


@click.command()
@path_argument
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@known_option
@click.option("--most", type=click.IntRange(1), default=500, help="The longest list.")
@click.option("--cited-only", is_flag=True, help="Leave out prerequisites that are inferred from defined terms.")
@click.option("--no-proofs", is_flag=True, help="Leave out proofs.")
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="A .html or .md file.  [default: Markdown on standard output]"
)
@force_option
@main_option
def course(
    path: Path,
    names: tuple[str, ...],
    known: tuple[str, ...],
    most: int,
    cited_only: bool,
    no_proofs: bool,
    output: Path | None,
    mains: tuple[str, ...],
) -> None:
    """Make a reading list with all texts as one file.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Each NAME is a theorem at which the course
    arrives. The file contains everything that they rest on, in an order in which it can be read. HTML needs the extra
    'web'.

    \b
    naturalproofs course my-notes/ thm:main -o course.html
    naturalproofs course primer thm:lagrange thm:cauchy --known 'chapter Sets and maps' --no-proofs
    """
    from naturalproofs.io.outputs import check_output, write_output

    if output is not None and output.suffix.lower() not in (".html", ".htm", ".md", ".markdown"):
        raise click.UsageError("the output must be a .html or .md file")
    check_output(output)
    workspace = open_workspace(path, mains)
    found = workspace.path(names, known=known, limit=most, inferred=not cited_only)
    if output is not None and output.suffix.lower().startswith(".htm"):
        from naturalproofs.apps.web.teaching_pages import course_html

        text = course_html(workspace, found, proofs=not no_proofs)
    else:
        from naturalproofs.apps.report.listings import course_markdown

        text = course_markdown(workspace, found, proofs=not no_proofs)
    if output is None:
        echo(text, nl=False)
        return
    write_output(output, text.encode("utf-8", "replace"))
    info(f"{output}: {len(found.steps):,} statements")


_GRADE = "grade"


@click.command()
@path_argument
@click.argument("names", nargs=-1, required=True, metavar="LABEL...", shell_complete=complete_label)
@click.option(
    "--form",
    type=click.Choice(["choose", "order", "blanks"]),
    default="choose",
    help="What to ask: the results that the proof uses, their order, or which result belongs in which gap.",
)
@seed_option
@click.option("--distractors", type=click.IntRange(0, 50), default=4, help="Number of wrong options.")
@click.option("--hints", type=click.IntRange(0), help="Print only the first N hints.")
@click.option("--answers", is_flag=True, help="Print the answers and all hints.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "latex", "json"]),
    default="markdown",
    help="Output format; JSON holds sheet, answers and hints, and can be graded.",
)
@main_option
def exercise(
    path: Path,
    names: tuple[str, ...],
    form: Any,
    seed: int,
    distractors: int,
    hints: int | None,
    answers: bool,
    style: str,
    mains: tuple[str, ...],
) -> None:
    """Make exercises from proofs, and grade the answers.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'; each LABEL is a theorem whose proof cites
    something. The sheet asks for the results that the proof uses, among others that it might have used.

    To grade, put 'grade', a sheet kept as JSON, and the answer: letters in order, - for an empty blank. If the sheet
    has several exercises, separate their answers by a slash.

    \b
    naturalproofs exercise primer thm:lagrange --form order
    naturalproofs exercise primer thm:cauchy thm:sylow-first --format json > sheet.json
    naturalproofs exercise grade sheet.json A C / B D
    """
    if str(path) == _GRADE:
        _grade(Path(names[0]), names[1:])
        return
    from naturalproofs.apps.report.exercises import answers_markdown, sheet_latex, sheet_markdown
    from naturalproofs.workspace.exercises import make_exercise

    workspace = open_workspace(path, mains)
    theorems = [workspace.find(name).statement for name in names]
    made = [make_exercise(workspace, one, form=form, distractors=distractors, seed=seed) for one in theorems]
    if hints is not None:
        text = "\n\n".join("\n".join(one.hints[:hints]) for one in made) + "\n"
    elif answers:
        text = answers_markdown(workspace, made)
    elif style == "json":
        echo_json(made)
        return
    else:
        text = (sheet_latex if style == "latex" else sheet_markdown)(workspace, made)
    echo(text, nl=False)


def _grade(sheet: Path, answer: tuple[str, ...]) -> None:
    from naturalproofs.apps.report.exercises import grade_text
    from naturalproofs.errors import BadSchema
    from naturalproofs.io.decoding import read_json
    from naturalproofs.workspace.exercises import Exercise, grade

    try:
        exercises = read_json(sheet, list[Exercise])
    except OSError as error:
        raise BadSchema(f"{sheet}: cannot be read ({error.strerror}); give a sheet made with --format json") from error
    except ValueError as error:
        raise BadSchema(f"{sheet}: not a sheet ({error}); make one with --format json") from error
    given = [part.replace(",", " ").split() for part in " ".join(answer).split("/")]
    if len(given) != len(exercises):
        raise click.UsageError(
            f"the sheet has {len(exercises)} exercises and there are {len(given)} answers; separate them by a slash"
        )
    results = [grade_text(grade(one, letters)) for one, letters in zip(exercises, given, strict=True)]
    echo("\n\n".join(results))
