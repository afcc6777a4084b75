"""Exercise sheets in Markdown and LaTeX, answer sheets, and grades."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from naturalproofs.apps.report.table import safe_markdown
from naturalproofs.errors import RepeatedAnswer
from naturalproofs.records import Mention, Statement
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.exercises import Exercise, Grade, full_name, grade
from naturalproofs.workspace.render import (
    named_citations,
    one_line,
    preview,
    printed_name,
)
from naturalproofs.workspace.workspace import Workspace

_TASKS = {
    "choose": "Which of these does the proof use?",
    "order": "The proof uses all of these. In which order does it use them first?",
    "blanks": "Which of these belongs into which blank? One may be used more than once, and some not at all.",
}
_LABEL = re.compile(r"\\(?:label|index)\s*\{[^{}]*\}")
_BLANK = re.compile(r"⟨(\d+)⟩")
_WIDTH = 240


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """An exercise with everything that a page shows of it."""

    exercise: Exercise
    theorem: Statement
    task: str
    options: list[tuple[str, Statement]]
    """Letters and statements."""
    given: list[str]
    """The answer that was given, as letters."""
    grade: Grade | None
    problem: str = ""
    """Why the answer cannot be graded."""

    def verdict(self, letter: str) -> tuple[str, str]:
        """Whether an option was answered rightly, and what is to be said about it, once there is an answer."""
        if self.grade is None:
            return "", ""
        used = any(option.letter == letter and option.id in self.exercise.answer for option in self.exercise.options)
        if letter in self.grade.displaced:
            return "wrong", "used, but elsewhere"
        if letter in self.grade.right or (self.exercise.form == "order" and self.grade.perfect):
            return "right", "right: the proof uses it"
        if letter in self.grade.wrong:
            return "wrong", "wrong: the proof uses it less often" if used else "wrong: the proof does not use it"
        return ("wrong", "missed: the proof uses it") if used else ("", "")

    @property
    def letters(self) -> list[tuple[str, tuple[str, ...]]]:
        """What is to be said about letters."""
        return graded_letters(self.grade) if self.grade is not None else []


def exercise_view(workspace: Workspace, exercise: Exercise, given: Sequence[str] = ()) -> ExerciseView:
    """An exercise for a page; graded if there is an answer."""
    options = [(option.letter, workspace.statement(option.id)) for option in exercise.options]
    graded, problem = None, ""
    try:
        graded = grade(exercise, given) if given else None
    except RepeatedAnswer as error:
        problem = str(error)
    theorem = workspace.statement(exercise.theorem)
    return ExerciseView(exercise, theorem, _TASKS[exercise.form], options, list(given), graded, problem)


def sheet_markdown(workspace: Workspace, exercises: Sequence[Exercise]) -> str:
    """A sheet in Markdown, with formulas as plain Unicode."""
    parts = []
    for number, exercise in enumerate(exercises, start=1):
        statement = workspace.statement(exercise.theorem)
        macros = workspace.macros(statement)
        mentions = [*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions)]
        text = _named(workspace, statement, statement.text, mentions)
        parts += [_heading(workspace, number, statement), safe_markdown(one_line(text, macros))]
        if exercise.text:
            blanked = _BLANK.sub(r"\\_\\_(\1)\\_\\_", _named(workspace, statement, exercise.text, mentions))
            proof = one_line(blanked, macros)
            parts.append(f"*Proof.* {safe_markdown(proof)}")
        parts.append(_TASKS[exercise.form])
        options = [(option.letter, workspace.statement(option.id)) for option in exercise.options]
        parts.append("\n".join(f"- **{key}** {_short(workspace, one)}" for key, one in options))
    return "\n\n".join(parts) + "\n"


def answers_markdown(workspace: Workspace, exercises: Sequence[Exercise]) -> str:
    """The answers and hints."""
    parts = []
    for number, exercise in enumerate(exercises, start=1):
        letters = {option.id: option.letter for option in exercise.options}
        answer = ", ".join(letters[key] for key in exercise.answer)
        parts += [
            _heading(workspace, number, workspace.statement(exercise.theorem)),
            f"Answer: {answer}",
            "\n".join(f"{place}. {hint}" for place, hint in enumerate(exercise.hints, start=1)),
        ]
    return "\n\n".join(parts) + "\n"


def sheet_latex(workspace: Workspace, exercises: Sequence[Exercise]) -> str:
    """A sheet in LaTeX: with the preamble of the project, to be compiled in its folder, else with its macros."""
    first = workspace.find(exercises[0].theorem).corpus
    preamble = project_preamble(first, workspace.statement(exercises[0].theorem))
    if preamble is None:
        macros = [macro.definition() for name, macro in sorted(first.macros.items()) if name.isalpha()]
        head = [r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", *macros]
    else:
        head = ["% Compile this file in the folder of the project: its preamble may load files from there.", preamble]
    body: list[str] = []
    for exercise in exercises:
        statement = workspace.statement(exercise.theorem)
        body += [rf"\npexercise{{{_title(statement)}}}", _alone(workspace, statement)]
        if exercise.text:
            proof = _BLANK.sub(r"\\npblank{\1}", _LABEL.sub("", exercise.text))
            body += [r"\par\medskip\noindent\emph{Proof.} " + proof]
        options = [(option.letter, workspace.statement(option.id)) for option in exercise.options]
        items = [rf"\item[{key}] \textbf{{{_title(one)}}} {_alone(workspace, one)}" for key, one in options]
        body += [rf"\par\medskip\noindent {_TASKS[exercise.form]}", r"\begin{description}", *items]
        body += [r"\end{description}"]
    return "\n".join([*head, *_COMMANDS, r"\begin{document}", *body, r"\end{document}"]) + "\n"


_COMMANDS = (
    r"\newcounter{npexercise}",
    r"\newcommand{\npexercise}[1]{\section*{\stepcounter{npexercise}\thenpexercise. #1}}",
    r"\newcommand{\npblank}[1]{\underline{\hspace{2em}(#1)\hspace{2em}}}",
)
_BEGIN = re.compile(r"^(?:[^%\n\\]|\\(?!begin\s*\{document\}).)*\\begin\s*\{document\}", re.MULTILINE)


def project_preamble(corpus: OpenCorpus, statement: Statement) -> str | None:
    """What stands before the document in the main file that contains a statement; None if there is no such file."""
    mains = corpus.reading.snapshot.mains if corpus.reading is not None else {}
    path = statement.origin.path if statement.origin else ""
    for main in sorted(mains, key=lambda one: path not in mains[one]):
        text = corpus.texts.get(main, "")
        begin = _BEGIN.search(text)
        if begin is not None and "\\documentclass" in text[: begin.end()]:
            return text[: begin.start()] + begin[0][: begin[0].rindex("\\begin")]
    return None


def _title(statement: Statement) -> str:
    return printed_name(statement) + (f" ({statement.title})" if statement.title else "")


def _alone(workspace: Workspace, statement: Statement) -> str:
    return _LABEL.sub("", _named(workspace, statement, statement.text, statement.mentions))


def _named(workspace: Workspace, statement: Statement, text: str, mentions: Sequence[Mention]) -> str:
    """A text of a statement with names in place of citations."""
    return named_citations(workspace.find(statement.id).corpus, text, mentions, unknown=True)


def _short(workspace: Workspace, statement: Statement) -> str:
    named = replace(statement, lines=(_named(workspace, statement, statement.text, statement.mentions),))
    text = preview(named, workspace.macros(statement), _WIDTH)
    return safe_markdown(f"{full_name(workspace, statement)}: {text}")


def _heading(workspace: Workspace, number: int, statement: Statement) -> str:
    return safe_markdown(f"## {number}. {full_name(workspace, statement)}")


def graded_letters(result: Grade) -> list[tuple[str, tuple[str, ...]]]:
    """What is to be said about letters, in order: what is right, what is not, and which they are."""
    said = [("Right", result.right)]
    if not result.perfect:
        said += [("In the wrong place", result.displaced), ("Wrong", result.wrong), ("Missing", result.missing)]
    return [(word, letters) for word, letters in said if letters]


def grade_text(result: Grade) -> str:
    """The score, the right, displaced, wrong and missing letters, and the measures."""
    lines = [f"{result.percent}%" + (", all right" if result.perfect else "")]
    lines += [f"{word}: {', '.join(letters)}" for word, letters in graded_letters(result)]
    measures = ", ".join(
        f"{name} {'–' if value is None else f'{value:.1f}'}" for name, value in result.measures.items()
    )
    return "\n".join([*lines, measures])
