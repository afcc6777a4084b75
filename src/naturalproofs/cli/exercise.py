"""``naturalproofs exercise``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naturalproofs.cli.options import PATH, progress_bar

_GRADE = "grade"


@click.command(name="exercise")
@click.argument("corpus", type=PATH)
@click.argument("names", nargs=-1, required=True, metavar="LABEL...")
@click.option(
    "--form",
    type=click.Choice(["choose", "order", "blanks"]),
    default="choose",
    show_default=True,
    help="What to ask: what the proof uses, in which order, or which result where.",
)
@click.option("--seed", default=0, show_default=True, help="Another seed, another exercise.")
@click.option(
    "--distractors", type=click.IntRange(0, 50), default=4, show_default=True, help="How many options are not used."
)
@click.option("--hints", type=click.IntRange(0), metavar="N", help="Only the first N hints, instead of the sheet.")
@click.option("--answers", is_flag=True, help="The answers and all hints, instead of the sheet.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "latex", "json"]),
    default="markdown",
    show_default=True,
    help="How to print; JSON holds sheet, answers and hints, and can be graded.",
)
def command(
    corpus: Path,
    names: tuple[str, ...],
    form: Any,
    seed: int,
    distractors: int,
    hints: int | None,
    answers: bool,
    style: str,
) -> None:
    """Make exercises from proofs, and grade the answers.

    CORPUS is a corpus made by 'build', or a LaTeX project; each LABEL is a theorem whose proof cites something. The
    sheet asks for the results that the proof uses, among others that it might have used.

    To grade, put 'grade', a sheet kept as JSON, and the answer: letters in order, - for an empty blank. If the sheet
    has several exercises, part their answers by a slash.

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
    from naturalproofs.workspace.library import Library

    with progress_bar(f"Reading {corpus}") as progress:
        library = Library.open([corpus], progress=progress)
    home = library.shelves[0].corpus
    made = [make_exercise(library, home.find(name), form=form, distractors=distractors, seed=seed) for name in names]
    if hints is not None:
        text = "\n\n".join("\n".join(one.hints[:hints]) for one in made) + "\n"
    elif answers:
        text = answers_markdown(library, made)
    elif style == "json":
        text = msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"
    else:
        text = (sheet_latex if style == "latex" else sheet_markdown)(library, made)
    click.echo(text, nl=False)


def _grade(sheet: Path, answer: tuple[str, ...]) -> None:
    import msgspec

    from naturalproofs.errors import BadSchema
    from naturalproofs.report.exercises import grade_text
    from naturalproofs.workspace.exercises import Exercise
    from naturalproofs.workspace.grading import grade

    try:
        exercises = msgspec.json.decode(sheet.read_bytes(), type=list[Exercise])
    except OSError as error:
        raise BadSchema(f"{sheet}: cannot be read ({error.strerror}); give a sheet made with --format json") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSchema(f"{sheet}: not a sheet ({error}); make one with --format json") from error
    given = [part.replace(",", " ").split() for part in " ".join(answer).split("/")]
    if len(given) != len(exercises):
        raise click.UsageError(
            f"the sheet has {len(exercises)} exercises and there are {len(given)} answers; part them by a slash"
        )
    results = [grade_text(grade(one, letters)) for one, letters in zip(exercises, given, strict=True)]
    click.echo("\n\n".join(results))
