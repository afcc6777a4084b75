"""Commands for teaching: ``course``, ``exercise``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naturalproofs.cli.options import (
    PATH,
    complete_label,
    corpus_argument,
    echo,
    info,
    known_option,
    main_option,
    open_workspace,
    seed_option,
)


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


_GRADE = "grade"


@click.command()
@click.argument("corpus", type=PATH)
@click.argument("names", nargs=-1, required=True, metavar="LABEL...", shell_complete=complete_label)
@click.option(
    "--form",
    type=click.Choice(["choose", "order", "blanks"]),
    default="choose",
    show_default=True,
    help="What to ask: the results that the proof uses, their order, or which result belongs in which gap.",
)
@seed_option
@click.option(
    "--distractors", type=click.IntRange(0, 50), default=4, show_default=True, help="Number of wrong options."
)
@click.option("--hints", type=click.IntRange(0), metavar="N", help="Print only the first N hints.")
@click.option("--answers", is_flag=True, help="Print the answers and all hints.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "latex", "json"]),
    default="markdown",
    show_default=True,
    help="Output format; JSON holds sheet, answers and hints, and can be graded.",
)
@main_option
def exercise(
    corpus: Path,
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

    CORPUS is a corpus made by 'build', or a LaTeX project; each LABEL is a theorem whose proof cites something. The
    sheet asks for the results that the proof uses, among others that it might have used.

    To grade, put 'grade', a sheet kept as JSON, and the answer: letters in order, - for an empty blank. If the sheet
    has several exercises, separate their answers by a slash.

    \b
    naturalproofs exercise primer thm:lagrange --form order
    naturalproofs exercise primer thm:cauchy thm:sylow-first --format json > sheet.json
    naturalproofs exercise grade sheet.json A C / B D
    """
    if str(corpus) == _GRADE:
        _grade(Path(names[0]), names[1:])
        return
    import msgspec

    from naturalproofs.report.exercises import answers_markdown, sheet_latex, sheet_markdown
    from naturalproofs.workspace.exercises import make_exercise

    workspace = open_workspace(corpus, mains)
    theorems = [workspace.find(name).statement for name in names]
    made = [make_exercise(workspace, one, form=form, distractors=distractors, seed=seed) for one in theorems]
    if hints is not None:
        text = "\n\n".join("\n".join(one.hints[:hints]) for one in made) + "\n"
    elif answers:
        text = answers_markdown(workspace, made)
    elif style == "json":
        text = msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"
    else:
        text = (sheet_latex if style == "latex" else sheet_markdown)(workspace, made)
    echo(text, nl=False)


def _grade(sheet: Path, answer: tuple[str, ...]) -> None:
    import msgspec

    from naturalproofs.errors import BadSchema
    from naturalproofs.report.exercises import grade_text
    from naturalproofs.workspace.exercises import Exercise, grade

    try:
        exercises = msgspec.json.decode(sheet.read_bytes(), type=list[Exercise])
    except OSError as error:
        raise BadSchema(f"{sheet}: cannot be read ({error.strerror}); give a sheet made with --format json") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSchema(f"{sheet}: not a sheet ({error}); make one with --format json") from error
    given = [part.replace(",", " ").split() for part in " ".join(answer).split("/")]
    if len(given) != len(exercises):
        raise click.UsageError(
            f"the sheet has {len(exercises)} exercises and there are {len(given)} answers; separate them by a slash"
        )
    results = [grade_text(grade(one, letters)) for one, letters in zip(exercises, given, strict=True)]
    echo("\n\n".join(results))
