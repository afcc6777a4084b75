"""``naturalproofs exercise``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naturalproofs.cli.options import PATH, complete_label, echo, main_option, open_workspace, seed_option

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
    naturalproofs exercise primer thm:cauchy thm:sylow --format json > sheet.json
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
