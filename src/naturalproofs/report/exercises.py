"""Exercise sheets in Markdown and LaTeX, answer sheets, and grades."""

from __future__ import annotations

import re
from collections.abc import Sequence

from naturalproofs.records import Mention, Statement
from naturalproofs.workspace.citing import one_line, preview
from naturalproofs.workspace.exercises import Exercise, full_name
from naturalproofs.workspace.grading import Grade
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.spots import cited_spots

_TASKS = {
    "choose": "Which of these does the proof use?",
    "order": "The proof uses all of these. In which order does it use them first?",
    "blanks": "Which of these belongs into which blank? One may be used more than once, and some not at all.",
}
_LABEL = re.compile(r"\\(?:label|index)\s*\{[^{}]*\}")
_BLANK = re.compile(r"⟨(\d+)⟩")
_ELEMENT = re.compile(r"<(?=[a-zA-Z/!?])")
_WIDTH = 240


def sheet_markdown(library: Library, exercises: Sequence[Exercise]) -> str:
    """A sheet in Markdown, with formulas as plain Unicode."""
    parts = []
    for number, exercise in enumerate(exercises, start=1):
        statement = library.statement(exercise.theorem)
        macros = library.home(statement.id).macros
        parts += [_heading(library, number, statement), _safe(one_line("\n".join(statement.lines), macros))]
        if exercise.text:
            proof = one_line(_BLANK.sub(r"\\_\\_(\1)\\_\\_", exercise.text), macros)
            parts.append(f"*Proof.* {_safe(proof)}")
        parts.append(_TASKS[exercise.form])
        options = [(option.letter, library.statement(option.id)) for option in exercise.options]
        parts.append("\n".join(f"- **{key}** {_short(library, one)}" for key, one in options))
    return "\n\n".join(parts) + "\n"


def answers_markdown(library: Library, exercises: Sequence[Exercise]) -> str:
    """The answers and hints."""
    parts = []
    for number, exercise in enumerate(exercises, start=1):
        letters = {option.id: option.letter for option in exercise.options}
        answer = ", ".join(letters[key] for key in exercise.answer)
        parts += [
            _heading(library, number, library.statement(exercise.theorem)),
            f"Answer: {answer}",
            "\n".join(f"{place}. {hint}" for place, hint in enumerate(exercise.hints, start=1)),
        ]
    return "\n\n".join(parts) + "\n"


def sheet_latex(library: Library, exercises: Sequence[Exercise]) -> str:
    """A sheet in LaTeX, with the macros of the project."""
    first = library.home(exercises[0].theorem)
    macros = [macro.definition() for name, macro in sorted(first.macros.items()) if name.isalpha()]
    body: list[str] = []
    for exercise in exercises:
        statement = library.statement(exercise.theorem)
        body += [rf"\exercise{{{_title(statement)}}}", _alone(library, statement)]
        if exercise.text:
            proof = _BLANK.sub(r"\\blank{\1}", _LABEL.sub("", exercise.text))
            body += [r"\par\emph{Proof.} " + proof]
        options = [(option.letter, library.statement(option.id)) for option in exercise.options]
        items = [rf"\item[{key}] \textbf{{{_title(one)}}} {_alone(library, one)}" for key, one in options]
        body += [rf"\par\medskip\noindent {_TASKS[exercise.form]}", r"\begin{description}", *items]
        body += [r"\end{description}"]
    return "\n".join([*_PREAMBLE, *macros, r"\begin{document}", *body, r"\end{document}"]) + "\n"


_PREAMBLE = (
    r"\documentclass{article}",
    r"\usepackage{amsmath,amssymb}",
    r"\newcounter{exercise}",
    r"\newcommand{\exercise}[1]{\section*{\stepcounter{exercise}\theexercise. #1}}",
    r"\newcommand{\blank}[1]{\underline{\hspace{2em}(#1)\hspace{2em}}}",
)


def _title(statement: Statement) -> str:
    title = f" ({statement.title})" if statement.title else ""
    number = f" {statement.number}" if statement.number else ""
    return (statement.form or statement.kind).capitalize() + number + title


def _alone(library: Library, statement: Statement) -> str:
    """The text of a statement with citations replaced by the names they print."""
    text = "\n".join(statement.lines)
    for spot in reversed(cited_spots(text, statement.mentions)):
        text = text[: spot.start] + ", ".join(_name(library, m) for m in spot.mentions) + text[spot.end :]
    return _LABEL.sub("", text)


def _name(library: Library, mention: Mention) -> str:
    if mention.reference is None:
        return "(elsewhere)"
    cited = library.statement(mention.reference)
    return cited.number or (cited.form or cited.kind)


def _short(library: Library, statement: Statement) -> str:
    text = preview(statement, library.home(statement.id).macros, _WIDTH)
    return _safe(f"{full_name(library, statement)}: {text}")


def _heading(library: Library, number: int, statement: Statement) -> str:
    return _safe(f"## {number}. {full_name(library, statement)}")


def _safe(text: str) -> str:
    """Escape what Markdown would read as an HTML element."""
    return _ELEMENT.sub(r"\\<", text)


def grade_text(result: Grade) -> str:
    """The score, the correct, wrong and missing letters, and the measures."""
    lines = [f"{result.points:.0%}" + (", all right" if result.perfect else "")]
    for word, letters in (("Right", result.right), ("Wrong", result.wrong), ("Missing", result.missing)):
        if letters and not (result.perfect and word != "Right"):
            lines.append(f"{word}: {', '.join(letters)}")
    measures = ", ".join(
        f"{name} {'–' if value is None else f'{value:.1f}'}" for name, value in result.measures.items()
    )
    return "\n".join([*lines, measures])
