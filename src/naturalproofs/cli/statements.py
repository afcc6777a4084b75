"""Commands about statements: ``show``, ``search``, ``path``, ``impact``, ``outside``, ``notation``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from naturalproofs.cli.options import (
    PATH,
    complete_label,
    corpus_argument,
    echo,
    echo_json,
    format_option,
    known_option,
    main_option,
    open_workspace,
    paint,
)


@click.command()
@corpus_argument
@click.argument("name", shell_complete=complete_label)
@format_option("text", "json")
@click.option(
    "--run",
    "runs",
    type=PATH,
    multiple=True,
    help="Also show the ranking of a run made by 'evaluate -o'; may be repeated.",
)
@click.option("--as-written", is_flag=True, help="Print the texts as they are written.")
@main_option
def show(corpus: Path, name: str, style: str, runs: tuple[Path, ...], as_written: bool, mains: tuple[str, ...]) -> None:
    """Print one statement with its proofs and references.

    CORPUS is a corpus made by 'build', or a LaTeX project. NAME is a label, an id, a tag, a number such
    as 4.2.4 or 'Theorem 4.2.4', or a title.

    \b
    naturalproofs show primer thm:lagrange
    naturalproofs show primer thm:lagrange --run runs/bm25 --run runs/fusion
    """
    from msgspec import to_builtins

    from naturalproofs.report.listings import statement_text
    from naturalproofs.report.overviews import outside_data

    workspace = open_workspace(corpus, mains)
    home, statement = workspace.find(name)
    outside = workspace.outside(statement.id)
    if style == "json":
        echo_json({**to_builtins(statement), **({"outside": outside_data(outside)} if outside else {})})
    else:
        echo(statement_text(home.corpus, statement, outside, home.macros, as_written=as_written))
        if runs:
            from naturalproofs.experiments.runs import load_run
            from naturalproofs.report.evaluation import rankings_text

            echo("\n" + rankings_text(home.corpus, statement, [load_run(folder) for folder in runs]))


@click.command()
@click.argument("path", type=PATH)
@click.argument("query", nargs=-1, required=True)
@click.option("--with", "others", type=PATH, multiple=True, metavar="CORPUS", help="Search this too; may be repeated.")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of hits.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only definitions, theorems, lemmas …")
@click.option("--chapter", "chapters", multiple=True, metavar="NAME", help="Only chapters whose name holds this.")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only categories whose name holds this.")
@main_option
@format_option("text", "json")
def search(
    path: Path,
    query: tuple[str, ...],
    others: tuple[Path, ...],
    count: int,
    kinds: tuple[str, ...],
    chapters: tuple[str, ...],
    categories: tuple[str, ...],
    mains: tuple[str, ...],
    style: str,
) -> None:
    """Search titles and contents by words, formulas and meaning.

    PATH is a corpus made by 'build', a collection made by 'collect', or a LaTeX project. QUERY is words,
    "phrases", -words that must not occur, $formulas$, and kind:definition, chapter:sets or category:groups. A label,
    a tag or a number as printed finds its statement first.

    \b
    naturalproofs search primer finite cyclic group
    naturalproofs search stacks '$H^i(X, \\mathcal{F}) = 0$ kind:lemma'
    naturalproofs search stacks '"finite type" -noetherian' --chapter algebra
    """
    from naturalproofs.collection import is_collection
    from naturalproofs.report.listings import found_data, found_text

    if is_collection(path):
        from naturalproofs.cli.collections import open_collection

        opened = open_collection(path, others, mains)
        found = opened.search(" ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
        several, macros = True, {}
    else:
        workspace = open_workspace(path, mains, others)
        found = workspace.search(" ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
        several, macros = bool(others), {one.name: one.macros for one in workspace.corpora}
    if style == "json":
        echo_json(found_data(found))
    else:
        echo(found_text(found, paint=paint, several=several, macros=macros), styled=True)


@click.command()
@corpus_argument
@click.argument("target", shell_complete=complete_label)
@known_option
@click.option("--most", type=click.IntRange(1), help="The longest path; 200 if left out.")
@click.option(
    "--edges",
    type=click.Choice(["both", "statement", "proof"]),
    default="both",
    show_default=True,
    help="Which citations count: those in statements, in proofs, or both.",
)
@click.option("--cited-only", is_flag=True, help="Leave out prerequisites that are inferred from defined terms.")
@main_option
@format_option("text", "json")
def path(
    corpus: Path,
    target: str,
    known: tuple[str, ...],
    most: int | None,
    edges: Literal["both", "statement", "proof"],
    cited_only: bool,
    mains: tuple[str, ...],
    style: str,
) -> None:
    """List what to read before a theorem, in order.

    CORPUS is a corpus made by 'build', or a LaTeX project. The list starts at foundations, or at what is known, and
    ends with the theorem. A definition whose term is used, or a theorem that is named, belongs to it even if it is not
    cited; it is marked as inferred.

    \b
    naturalproofs path my-notes/ thm:main
    naturalproofs path primer thm:lagrange --known 'Definition 3.1.1' --known 'chapter Sets and maps'
    """
    from naturalproofs.report.listings import path_text

    workspace = open_workspace(corpus, mains)
    home, statement = workspace.find(target)
    found = workspace.path(statement.id, known=known, limit=most, edges=edges, inferred=False if cited_only else None)
    if style == "json":
        echo_json(found)
    else:
        echo(path_text(home.corpus, found, home.macros))


@click.command()
@corpus_argument
@click.argument("name", shell_complete=complete_label)
@click.option("--all", "everything", is_flag=True, help="List all statements, however many there are.")
@main_option
@format_option("text", "json")
def impact(corpus: Path, name: str, everything: bool, mains: tuple[str, ...], style: str) -> None:
    """List everything that depends on a statement.

    CORPUS is a corpus made by 'build', or a LaTeX project. How many statements of each chapter depend on it, then the
    nearest ones with their distance.

    \b
    naturalproofs impact my-thesis/ lem:key
    """
    from naturalproofs.report.listings import NEAREST, impact_text

    workspace = open_workspace(corpus, mains)
    home, statement = workspace.find(name)
    found = workspace.impact(statement.id)
    if style == "json":
        echo_json(dict(found))
    else:
        echo(impact_text(home.corpus, statement.id, found, None if everything else NEAREST, home.macros))


@click.command()
@corpus_argument
@click.argument("name", default="", metavar="[NAME]")
@main_option
@format_option("text", "json")
def outside(corpus: Path, name: str, mains: tuple[str, ...], style: str) -> None:
    """List the results of other works that statements and proofs use.

    CORPUS is a corpus made by 'build', or a LaTeX project. Citations such as \\cite[Theorem 3]{EGA} are listed by
    work and by result, each with the statements that use it. With NAME, only what this statement uses.

    \b
    naturalproofs outside my-thesis/
    naturalproofs outside my-thesis/ thm:main
    """
    from naturalproofs.report.overviews import outside_data, outside_text

    workspace = open_workspace(corpus, mains)
    works = workspace.outside(name)
    if style == "json":
        echo_json(outside_data(works))
    else:
        home = workspace.find(name).corpus if name else workspace.home
        echo(outside_text(works, home.corpus))


@click.command()
@corpus_argument
@main_option
@format_option("text", "json")
def notation(corpus: Path, mains: tuple[str, ...], style: str) -> None:
    """List the notation of a project, each symbol with the definition that introduces it.

    CORPUS is a corpus made by 'build', or a LaTeX project. Notation is what definitions introduce by words such as
    'denoted by' and 'we write', and what the author lists with \\nomenclature or in the index.

    \b
    naturalproofs notation my-thesis/
    """
    from naturalproofs.report.overviews import notation_data, notation_text

    workspace = open_workspace(corpus, mains)
    home = workspace.home
    if style == "json":
        echo_json(notation_data(workspace.notation(), home.corpus, home.macros))
    else:
        echo(notation_text(workspace.notation(), home.corpus, home.macros))
