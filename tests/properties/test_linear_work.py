"""Twice the text is twice the work, whatever is repeated. The work is counted, so that no clock decides.

Counted are calls, and the characters that searches pass over: a search that starts over at every position would show.
"""

import contextlib
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalproofs.apps.web.render import render_latex
from naturalproofs.errors import NaturalProofsError
from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import cursor, plain_text
from naturalproofs.sources.latex.macros import engine
from naturalproofs.sources.latex.project.choice import plan_reading
from naturalproofs.sources.latex.scan import scanner
from naturalproofs.sources.latex.scan.scanner import STRUCTURE
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import RULES, Selection
from naturalproofs.workspace.extraction import audit_extraction
from naturalproofs.workspace.suggest import parse_theorem
from support.counted_work import CountingPattern, Work, counted, counting_patterns
from support.project_listing import read_project

PREAMBLE = (
    "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\newcommand{\\tref}[1]{Theorem~\\ref{#1}}"
    "\\begin{document}\\begin{theorem}\\label{a}A.\\end{theorem}"
)
PIECES = [
    "\\begin{theorem}", "\\end{theorem}", "\\begin{theorem}[A]\\label{b}B.\\end{theorem}", "\\begin{proof}",
    "\\end{proof}", "\\begin{proof}\\ref{a}\\end{proof}", "\\section{A}", "\\part{a} x ", "\\label{a}", "\\label{",
    "\\ref{a}", "\\ref{", "\\cref{a,b}", "\\tref{a}", "\\tref", "\\input{a} ", "\\input ", "\\include{a}",
    "\\documentclass[", "\\usepackage[a]{b}", "\\newcommand{\\x}{\\y}", "\\def\\x#1{#1}", "\\newtheorem{x}{X}",
    "\\begin{verbatim}", "\\verb|", "\\iffalse", "\\fi", "\\else", "\\begin{enumerate}", "\\item ", "\\cite{a}",
    "\\textbf{Proof.}", "{\\bf Proof}", "\\qed", "$", "$$", "\\[", "\\]", "{", "}", "[", "]", "%", "%\n", "\n",
    "\n\n", " ", "\\", "\\\\", "a", "\\begin{a}", "\\end{a}", "\\begin{", "\\footnote{", "\\eqref{a}",
    "\\begin{equation}\\label{e}", "\\appendix", "\\paragraph{Proof}", "\\uses{a}",
]  # fmt: skip
"""The constructs of the grammar, whole and cut short."""
SHOWN = [
    *PIECES, "\\\\[", "\\\\[{]}", "\\cite[", "\\cite[{]}", "\\opt[", "\\newline[", "\\line ", "${$", "$\\mqty($", "\\(",
    "\\verb", "\\glossary(", "\\alpha_\\begin{matrix}", "\\mqty(", "\\mqty[", "\\mqty|", "\\alpha_\\mqty(",
    "\\alpha\\ifmmode ", "\\bf ", "{\\bf ", "\\emph{", "\\alpha_{", "\\sqrt[", "\\alpha_\\sqrt[", "\\Spec[",
    "\\alpha_\\Spec[", "\\xymatrix{", "\\begin{tikzcd}a\\arrow[r]\\end{tikzcd}", "\\item[", "\\hyperref[", "\\caption[",
    "\\left(", "\\alpha_\\left(", "\\includegraphics[", "\\begin{figure}\\caption[", "\\'{", "\\text{", "\\over ",
    "\\frac", "\\alpha\\@ifstar", "$x_$",
]  # fmt: skip
"""What is shown in a way of its own, or was once shown in quadratic time."""
REPETITIONS = 60
NESTED = 40
"""How deep two constructs are nested in each other at first."""
BRACKETS = {
    "\\iftrue ": "\\fi ", "\\iffalse ": "\\else\\fi ", "\\ifx\\a\\b ": "\\else \\fi ",
    "\\ifthenelse{\\boolean{a}}{": "}{}", "{": "}", "[": "]", "$": "$", "\\[": "\\]", "\\(": "\\)",
    "\\begin{theorem}[": "]\\end{theorem}", "\\begin{theorem}": "\\end{theorem}", "\\begin{proof}": "\\end{proof}",
    "\\begin{enumerate}\\item ": "\\end{enumerate}", "\\begin{equation}": "\\end{equation}",
    "\\begin{tabular}{c}": "&\\\\\\end{tabular}", "\\begin{comment}": "\\end{comment}",
    "\\begin{verbatim}": "\\end{verbatim}", "\\begin{a}": "\\end{a}", "\\section{": "}", "\\footnote{": "}",
    "\\emph{": "}", "\\foreach\\x in {1,...,9}{": "}", "\\def\\x{": "}", "\\newcommand{\\x}[1]{": "}",
    "\\expandafter\\def\\csname ": "\\endcsname{}", "\\newenvironment{x}{": "}{}", "\\tref{": "}", "\\input{": "}",
    "\\ref{": "}", "\\cite[": "]{a}", "\\textbf{Proof. ": "}", "\\frac{": "}{2}", "x_{": "}", "\\sqrt[": "]{2}",
    "\\left(": "\\right)", "\\text{": "}", "%": "\n", "\\verb|": "|", "\\xymatrix{": "}",
    "\\begingroup ": "\\endgroup ", "\\makeatletter ": "\\makeatother ", "\\edef\\x{": "}",
    "\\tl_set:Nn\\l_a_tl{": "}", "\\newtheorem{x}{": "}", "\\loop ": "\\repeat ",
}  # fmt: skip
"""What opens and closes in the grammar."""
MACROS = macros_of([r"\newcommand{\opt}[2][x]{#1 #2}\newcommand{\line}{\\[}"])
IN_MEMORY: dict[str, Callable[[str], object]] = {
    "html": lambda text: render_latex(text, MACROS),
    "text": lambda text: plain_text(text, MACROS),
    "pasted": parse_theorem,
}


def work_at(pieces: str, repetitions: int, action) -> int:
    with tempfile.TemporaryDirectory() as folder, counting_patterns("naturalproofs.sources.latex") as work:
        Path(folder, "main.tex").write_text(PREAMBLE + pieces * repetitions)

        def run() -> None:
            with contextlib.suppress(NaturalProofsError):
                action(Path(folder))

        return counted(work, run)


def work_on_text(pieces: str, repetitions: int, action: Callable[[str], object]) -> int:
    with counting_patterns("naturalproofs") as work:
        return counted(work, lambda: action(pieces * repetitions))


def check_linear(pieces: str, action, measure=work_at, repetitions: int = REPETITIONS) -> None:
    measure(pieces, 2, action)  # What is computed once for all texts is not counted.
    once, twice, four_times = (measure(pieces, repetitions * factor, action) for factor in (1, 2, 4))
    # Without the constant part: linear work doubles here, and quadratic work is four times as much.
    assert four_times - twice <= 2.7 * max(twice - once, 500), (pieces, once, twice, four_times)


def answers(folder: Path) -> None:
    """What is computed from a project that was read: findings of all rules, a path, and what was not understood."""
    workspace = Workspace.open(folder, cache=False)
    workspace.check(Selection(select=frozenset(RULES)))
    workspace.path("b", inferred=True)
    audit_extraction(workspace.home)


def in_a_proof(pieces: str, repetitions: int, action) -> int:
    proof = f"\\begin{{proof}}{pieces * repetitions}\\end{{proof}}"
    text = f"\\begin{{theorem}}\\label{{b}}B.\\end{{theorem}}{proof}\\end{{document}}"
    with tempfile.TemporaryDirectory() as folder, counting_patterns("naturalproofs") as work:
        Path(folder, "main.tex").write_text(PREAMBLE + text)

        def run() -> None:
            with contextlib.suppress(NaturalProofsError):
                action(Path(folder))

        return counted(work, run)


@pytest.mark.parametrize("piece", PIECES)
def test_every_construct_repeated(piece):
    check_linear(piece, read_project)
    check_linear(piece, plan_reading)


def nested_work(outer: str, inner: str, depth: int) -> int:
    """The work on two constructs nested in each other: in the preamble, in the text, and shown."""
    text = f"{outer}{inner}" * depth + "x" + f"{BRACKETS[inner]}{BRACKETS[outer]}" * depth
    preamble, document = PREAMBLE.split("\\begin{document}")
    with tempfile.TemporaryDirectory() as folder, counting_patterns("naturalproofs") as work:
        Path(folder, "main.tex").write_text(f"{preamble}{text}\\begin{{document}}{document}{text}\\end{{document}}")

        def run() -> None:
            with contextlib.suppress(NaturalProofsError):
                read_project(Path(folder))
            render_latex(text, MACROS)

        return counted(work, run)


@pytest.mark.parametrize("inner", ["", "{", "\\begin{a}", "$", "%\n"])
def test_nested_conditionals_are_scanned_once(inner):
    def work_of(depth: int) -> int:
        text = f"\\iftrue {inner}" * depth + "x" + f"{BRACKETS.get(inner, '')}\\fi " * depth
        with counting_patterns("naturalproofs.sources.latex") as work:
            return counted(work, lambda: scanner.scan(text, counting_vocabulary(work)))

    def counting_vocabulary(work: Work) -> object:
        return SimpleNamespace(
            **{name: getattr(STRUCTURE, name) for name in ("actions", "facts", "verbatim_environments")},
            pattern=CountingPattern(STRUCTURE.pattern, work),
        )

    work_of(2)  # What is computed once for all texts is not counted.
    once, twice, four_times = (work_of(200 * factor) for factor in (1, 2, 4))
    assert four_times - twice <= 2.7 * (twice - once), (once, twice, four_times)


def grows_faster_than_the_text(outer: str, inner: str, depth: int) -> list[int]:
    """The work at a depth, at twice and at four times the depth, if it is more than linear; otherwise nothing."""
    nested_work(outer, inner, 2)  # What is computed once for all texts is not counted.
    once, twice, four_times = work = [nested_work(outer, inner, depth * factor) for factor in (1, 2, 4)]
    return work if four_times - twice > 2.7 * max(twice - once, 50_000) else []


@pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="takes long; set NATURALPROOFS_LARGE=1")
@pytest.mark.parametrize("outer", BRACKETS)
def test_constructs_nested_in_each_other(outer, monkeypatch):
    # Within these reaches, conditionals are looked for again and again: without small ones, only long texts show it.
    monkeypatch.setattr(engine, "_REACH", 100)
    monkeypatch.setattr(cursor, "_LONGEST_CONDITIONAL", 100)
    # What is looked for within a reach grows with the square of the depth until the text is longer than the reach.
    found = {
        inner: work
        for inner in BRACKETS
        if grows_faster_than_the_text(outer, inner, NESTED)
        and (work := grows_faster_than_the_text(outer, inner, 4 * NESTED))
    }
    assert not found


@pytest.mark.parametrize("test", ["\\iftrue ", "\\ifx\\a\\b "])
def test_definitions_that_contain_one_another_are_not_expanded_again_and_again(test):
    assert nested_work("\\edef\\x{", test, 4) < 3 * nested_work("\\edef\\x{", test, 2)


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=4).map("".join))
@settings(max_examples=40)
def test_constructs_together_repeated(pieces):
    check_linear(pieces, read_project)


@pytest.mark.parametrize("action", IN_MEMORY)
@pytest.mark.parametrize("piece", SHOWN)
def test_every_construct_shown(piece, action):
    check_linear(piece, IN_MEMORY[action], work_on_text)


@given(st.lists(st.sampled_from(SHOWN), min_size=2, max_size=4).map("".join), st.sampled_from(sorted(IN_MEMORY)))
@settings(max_examples=40)
def test_constructs_together_shown(pieces, action):
    check_linear(pieces, IN_MEMORY[action], work_on_text)


@pytest.mark.parametrize(
    "piece", ["a ", "\\(", "\\[", "$", "${$", "\\ref{", "\\begin{comment}", "%", "theorem of ", "\\emph{a}"]
)
def test_answers_about_a_proof(piece):
    check_linear(piece, answers, in_a_proof)


def test_quadratic_work_is_seen(monkeypatch):
    def searching(folder):
        text = Path(folder, "main.tex").read_text()
        for at in range(0, len(text), 5):
            scanner.missing.search(text, at)

    monkeypatch.setattr(scanner, "missing", re.compile("@@@"), raising=False)
    with pytest.raises(AssertionError):
        check_linear("abcde", searching)
