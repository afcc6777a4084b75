"""Commands for a project that is being written: ``suggest``, ``check``, and those about its statements."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from naturalproofs.apps.cli.options import (
    PATH,
    about_project,
    answer,
    chosen_documents,
    complete_label,
    echo,
    echo_json,
    force_option,
    format_option,
    info,
    known_option,
    main_option,
    open_collection,
    open_workspace,
    paint,
    path_argument,
    progress_bar,
    source_option,
    with_option,
)
from naturalproofs.errors import SourceNotFound, install_line
from naturalproofs.io.listing import name_of, path_of

if TYPE_CHECKING:
    from naturalproofs.workspace import Workspace
    from naturalproofs.workspace.watch import Step

# ``naturalproofs suggest``.


@click.command()
@path_argument
@click.argument("text", required=False)
@click.option(
    "--at", metavar="WHERE", shell_complete=complete_label, help="The theorem: a label, FILE:LINE, or a line of PATH."
)
@with_option("Also suggest from this project or corpus")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, help="Number of suggestions.")
@click.option("--method", metavar="METHOD", help="A method as in 'evaluate'; the shipped ranker if left out.")
@click.option("--model", type=PATH, metavar="FOLDER", help="A model made by 'train', in place of a method.")
@click.option("--ignore-proof", is_flag=True, help="Ignore what is written of the proof.")
@click.option("--later", is_flag=True, help="With --at: add three statements that stand after the proof.")
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
    later: bool,
    mains: tuple[str, ...],
    style: str,
) -> None:
    """Suggest what a proof may want to cite, with reasons.

    PATH is a LaTeX project, one of its files, a corpus made by 'build', or a collection made by 'collect'. Say with
    --at which theorem is being proved: only what stands before its proof is suggested, and nothing that the proof cites
    already. At a line of the proof, what is likely to be cited next comes first, by the last sentence and by what is
    near, as in an editor: what is cited before may come again, and a word such as "Lemma" at the end asks for lemmas.
    With --later three statements of the rest of the text follow, such as an exercise below, of which none depends on
    the theorem. In a collection, --at names a statement by its id. Or give the theorem as TEXT or on stdin, in LaTeX,
    with the beginning of its proof if there is one. No training is needed.

    \b
    naturalproofs suggest paper.tex --at thm:main
    naturalproofs suggest thesis/ --at chapters/sheaves.tex:120 --with stacks
    naturalproofs suggest primer "Every finite group of prime order is cyclic."
    """
    from naturalproofs.apps.collections import is_collection
    from naturalproofs.apps.report.listings import cited_text, suggestions_data, suggestions_text

    if at and text:
        raise click.UsageError("give either a text or --at, not both")
    if method and model:
        raise click.UsageError("give either --method or --model, not both")
    if later and not at:
        raise click.UsageError("--later needs --at: only a place in a text has something after it")
    if not at and text is None:
        text = _from_stdin(path)
    if is_collection(path):
        if method or model:
            raise click.UsageError("a collection has its own method")
        opened = open_collection(path, others, mains)
        found = opened.suggest_for(at, k=count) if at else opened.suggest(text or "", k=count)
        listed = partial(suggestions_text, found, paint=paint, several=True)
        answer(style, lambda: suggestions_data(found), listed, styled=True)
        return
    workspace = open_workspace(path, mains, others, method=_model(model) if model else method)
    with progress_bar("Preparing suggestions") as progress:
        workspace.prepare(progress)
    # Imported after the preparation, which names the extra that suggestions need.
    from naturalproofs.workspace.methods import HINT, shipped_available

    if workspace.home.method is None and not shipped_available():
        info(f"({HINT}: {install_line('hybrid')})")
    query: Any = text or ""
    if at:
        query = workspace.locate(at, path)
        query = query.statement if ignore_proof else query
    found = workspace.suggest(query, k=count, later=3 if later else 0)
    if style == "json":
        echo_json(suggestions_data(found))
        return
    if found.about is not None:
        from naturalproofs.apps.report.listings import headline

        info(headline(workspace.statement(found.about), workspace.home.macros))
    if found.cited:
        info(cited_text([workspace.statement(key) for key in found.cited], workspace.home.citing()))
    info("")
    echo(suggestions_text(found, paint=paint, several=bool(others)), styled=True)


def _model(folder: Path) -> str:
    """The folder of a model, in the form that names a method; an error if it is not a model."""
    from naturalproofs.ranking.registry import load_manifest

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


@click.command()
@path_argument
@click.option("--select", "-s", metavar="RULES", help="Run only these rules, with their notes (comma-separated).")
@click.option("--ignore", "-i", metavar="RULES", help="Skip these rules (comma-separated).")
@click.option(
    "--all",
    "notes",
    is_flag=True,
    help="Show notes too: citations that may be missing, numbers written by hand, entries that nothing cites.",
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Ignore the findings that FILE lists.")
@click.option("--write-baseline", type=PATH, metavar="FILE", help="Write current findings to FILE and exit 0.")
@force_option
@click.option(
    "--watch",
    "follow",
    is_flag=True,
    help="Follow the project while it is written: after every save, print new and solved findings; Ctrl-C stops.",
)
@with_option("A work whose results are cited, to see that it has them")
@format_option("text", "json", "sarif", "github")
@source_option
@main_option
@click.pass_context
def check(
    ctx: click.Context,
    path: Path,
    select: str | None,
    ignore: str | None,
    notes: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    follow: bool,
    others: tuple[Path, ...],
    style: str,
    kind: str | None,
    mains: tuple[str, ...],
) -> None:
    """Find broken, missing and circular references.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Findings go to stdout, a summary to stderr;
    the exit status is 1 if there is an error among them, not for warnings and notes.

    \b
    naturalproofs check paper.tex
    naturalproofs check thesis/ --select circular-argument,forward-reference
    naturalproofs check thesis/ --baseline known.json --format github
    naturalproofs check thesis/ --watch
    """
    from dataclasses import replace

    from naturalproofs.workspace.check import Selection
    from naturalproofs.workspace.check.run import FORMATS, read_baseline
    from naturalproofs.workspace.check.run import write_baseline as store_baseline

    if len(mains) > 1:
        raise click.UsageError("one document is checked at a time: give --main once")
    if follow:
        _only_with_main(ctx)
        _watch(path, mains)
        return
    workspace = open_workspace(path, mains, others, source=kind)
    known = read_baseline(baseline) if baseline else frozenset()
    report = workspace.check(Selection(_names(select), _names(ignore), notes), known)
    if write_baseline is not None:
        count = store_baseline(write_baseline, report.everything)
        info(f"{write_baseline}: {count:,} findings are now known; pass it with --baseline")
        return
    # Editors and GitHub look for files from where the command runs, not from the project's folder.
    root = workspace.home.root
    shown = [replace(one, path=name_of(root / path_of(one.path))) if root else one for one in report.findings]
    echo(FORMATS[style](shown), nl=False)
    counts = report.counts
    parts = [
        f"{counts[word]:,} {word}{'' if counts[word] == 1 else 's'}"
        for word in ("error", "warning", "note")
        if counts[word]
    ]
    if report.hidden:
        parts.append(f"{report.hidden:,} note{'' if report.hidden == 1 else 's'} not shown (--all)")
    if report.known:
        parts.append(f"{report.known:,} known from the baseline")
    if workspace.home.root is None:
        parts.append("unused-label was not checked, as a corpus keeps no labels: give the project itself")
    info(f"{path}: {len(workspace.home.statements):,} statements: {'; '.join(parts) or 'no findings'}")
    if report.failed:
        ctx.exit(1)


def _only_with_main(ctx: click.Context) -> None:
    """Refuse options that --watch would ignore."""
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name not in ("path", "follow", "mains"):
            raise click.UsageError(f"--watch goes with --main only, not with {option.opts[0]}")


def _names(text: str | None) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in (text or "").split(","))))


_SHOWN = 8
"""Statements that are named; of more, the number is given."""
_TICK = 200
"""Milliseconds after which the watch looks up even if nothing changed."""


def _watch(path: Path, mains: tuple[str, ...]) -> None:
    """Print new and solved findings after every save, until it is interrupted."""
    from watchfiles import watch

    from naturalproofs.workspace.opening import project_of
    from naturalproofs.workspace.watch import follow, is_relevant

    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a LaTeX project")
    (path,) = chosen_documents(path, mains)
    project = project_of(path)
    root = project if project.is_dir() else project.parent
    rounds = watch(
        root, watch_filter=lambda _change, name: is_relevant(name), rust_timeout=_TICK, yield_on_timeout=True
    )
    # The watch begins with its first round: from before the project is read, so that no edit is missed in between.
    next(rounds)
    info(f"Watching {root}; stop with Ctrl-C.")
    try:
        for step in follow(project, filter(None, rounds)):
            _print(step, root)
    except KeyboardInterrupt:
        # This is how it ends.
        raise click.exceptions.Exit(130) from None


def _print(step: Step, root: Path) -> None:
    now = time.strftime("%H:%M:%S")
    if step.error:
        echo(f"{now} {step.error}")
        return
    echo(f"{now} {step.statements:,} statements ({step.seconds:.1f} s)")
    for word, statements in (("new", step.added), ("changed", step.changed), ("removed", step.removed)):
        for statement in statements[:_SHOWN]:
            echo(f"  {word}: {statement.form or statement.kind} {statement.number} {statement.label}".rstrip())
        if len(statements) > _SHOWN:
            echo(f"  {word}: and {len(statements) - _SHOWN:,} more")
    for finding in step.problems:
        echo(f"  {root.as_posix()}/{finding}")
    for finding in step.solved:
        echo(f"  solved: {finding.message} [{finding.rule}]")


# Commands about statements: ``show``, ``search``, ``path``, ``impact``, ``outside``, ``notation``.


@click.command()
@about_project
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
def show(workspace: Workspace, name: str, style: str, runs: tuple[Path, ...], as_written: bool) -> None:
    """Print one statement with its proofs and references.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. NAME is a label, an id, a tag, a number such
    as 4.2.4 or 'Theorem 4.2.4', or a title.

    \b
    naturalproofs show primer thm:lagrange
    naturalproofs show primer thm:lagrange --run runs/bm25 --run runs/fusion
    """
    from msgspec import to_builtins

    from naturalproofs.apps.report.listings import outside_data, statement_text

    home, statement = workspace.find(name)
    outside = workspace.outside(statement.id)
    answer(
        style,
        lambda: {**to_builtins(statement), **({"outside": outside_data(outside)} if outside else {})},
        lambda: statement_text(home, statement, outside, home.macros, as_written=as_written),
    )
    if runs and style == "text":
        from naturalproofs.apps.report.evaluation import rankings_text
        from naturalproofs.benchmark.evaluation import load_run

        echo("\n" + rankings_text(home, statement, [load_run(folder) for folder in runs]))


@click.command()
@path_argument
@click.argument("query", nargs=-1, required=True)
@with_option("Search this too")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=10, help="Number of hits.")
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

    PATH is a LaTeX project, one of its files, a corpus made by 'build', or a collection made by 'collect'. QUERY is
    words, "phrases", -words that must not occur, $formulas$, and kind:definition, chapter:sets or category:groups. A
    label, a tag or a number as printed finds its statement first.

    \b
    naturalproofs search primer finite cyclic group
    naturalproofs search stacks '$H^i(X, \\mathcal{F}) = 0$ kind:lemma'
    naturalproofs search stacks '"finite type" -noetherian' --chapter algebra
    """
    from naturalproofs.apps.collections import is_collection
    from naturalproofs.apps.report.listings import found_data, found_text

    if is_collection(path):
        opened = open_collection(path, others, mains)
        found = opened.search(" ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
        several, macros = True, {}
    else:
        workspace = open_workspace(path, mains, others)
        found = workspace.search(" ".join(query), k=count, kinds=kinds, chapters=chapters, categories=categories)
        several, macros = bool(others), {one.name: one.macros for one in workspace.corpora}
    text = partial(found_text, found, paint=paint, several=several, macros=macros)
    answer(style, lambda: found_data(found), text, styled=True)


@click.command()
@about_project
@click.argument("target", shell_complete=complete_label)
@known_option
@click.option("--most", type=click.IntRange(1), help="The longest path; 200 if left out.")
@click.option(
    "--edges",
    type=click.Choice(["both", "statement", "proof"]),
    default="both",
    help="Which citations count: those in statements, in proofs, or both.",
)
@click.option("--cited-only", is_flag=True, help="Leave out prerequisites that are inferred from defined terms.")
@format_option("text", "json")
def path(
    workspace: Workspace,
    target: str,
    known: tuple[str, ...],
    most: int | None,
    edges: Literal["both", "statement", "proof"],
    cited_only: bool,
    style: str,
) -> None:
    """List what to read before a theorem, in order.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. The list starts at foundations, or at what
    is known, and ends with the theorem. A definition whose term is used, or a theorem that is named, belongs to it even
    if it is not cited; it is marked as inferred.

    \b
    naturalproofs path my-notes/ thm:main
    naturalproofs path primer thm:lagrange --known 'Definition 3.1.1' --known 'chapter Sets and maps'
    """
    from naturalproofs.apps.report.listings import path_text

    home, statement = workspace.find(target)
    found = workspace.path(statement.id, known=known, limit=most, edges=edges, inferred=False if cited_only else None)
    answer(style, lambda: found, lambda: path_text(home, found, home.macros))


@click.command()
@about_project
@click.argument("name", shell_complete=complete_label)
@click.option("--all", "everything", is_flag=True, help="List all statements, however many there are.")
@format_option("text", "json")
def impact(workspace: Workspace, name: str, everything: bool, style: str) -> None:
    """List everything that depends on a statement.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. How many statements of each chapter depend
    on it, then the nearest ones with their distance.

    \b
    naturalproofs impact my-thesis/ lem:key
    """
    from naturalproofs.apps.report.listings import NEAREST, impact_text

    home, statement = workspace.find(name)
    found, most = workspace.impact(statement.id), None if everything else NEAREST
    answer(style, lambda: dict(found), lambda: impact_text(home, statement.id, found, most, home.macros))


@click.command()
@about_project
@click.argument("name", default="", metavar="[NAME]")
@format_option("text", "json")
def outside(workspace: Workspace, name: str, style: str) -> None:
    """List the results of other works that are used.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Citations such as \\cite[Theorem 3]{EGA} are
    listed by work and by result, each with the statements that use it. With NAME, only what this statement uses.

    \b
    naturalproofs outside my-thesis/
    naturalproofs outside my-thesis/ thm:main
    """
    from naturalproofs.apps.report.listings import outside_data, outside_text

    works = workspace.outside(name)
    home = workspace.find(name).corpus if name else workspace.home
    answer(style, lambda: outside_data(works), lambda: outside_text(works, home))


@click.command()
@about_project
@format_option("text", "json")
def notation(workspace: Workspace, style: str) -> None:
    """List the notation of a project with its definitions.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Notation is what definitions introduce by
    words such as 'denoted by' and 'we write', and what the author lists with \\nomenclature or in the index.

    \b
    naturalproofs notation my-thesis/
    """
    from naturalproofs.apps.report.listings import notation_data, notation_text

    shown = workspace.notation(), workspace.home, workspace.home.macros
    answer(style, lambda: notation_data(*shown), lambda: notation_text(*shown))
