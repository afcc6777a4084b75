"""Twice the text is twice the work, whatever is repeated. The work is counted, so that no clock decides.

Counted are calls, and the characters that searches pass over: a search that starts over at every position would show.
"""

import contextlib
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalproofs.errors import NaturalProofsError
from naturalproofs.latex import scanner
from naturalproofs.latex.main_file import choose_documents
from support.counted_work import counted, counting_patterns
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
REPETITIONS = 60


def work_at(pieces: str, repetitions: int, action) -> int:
    with tempfile.TemporaryDirectory() as folder, counting_patterns("naturalproofs.latex") as work:
        Path(folder, "main.tex").write_text(PREAMBLE + pieces * repetitions)

        def run() -> None:
            with contextlib.suppress(NaturalProofsError):
                action(Path(folder))

        return counted(work, run)


def check_linear(pieces: str, action) -> None:
    work_at(pieces, 2, action)  # What is computed once for all texts is not counted.
    once, twice, four_times = (work_at(pieces, REPETITIONS * factor, action) for factor in (1, 2, 4))
    # Without the constant part: linear work doubles here, and quadratic work is four times as much.
    assert four_times - twice <= 2.7 * max(twice - once, 500), (pieces, once, twice, four_times)


@pytest.mark.parametrize("piece", PIECES)
def test_every_construct_repeated(piece):
    check_linear(piece, read_project)
    check_linear(piece, choose_documents)


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=4).map("".join))
@settings(max_examples=40)
def test_constructs_together_repeated(pieces):
    check_linear(pieces, read_project)


def test_quadratic_work_is_seen(monkeypatch):
    def searching(folder):
        text = Path(folder, "main.tex").read_text()
        for at in range(0, len(text), 5):
            scanner.missing.search(text, at)

    monkeypatch.setattr(scanner, "missing", re.compile("@@@"), raising=False)
    with pytest.raises(AssertionError):
        check_linear("abcde", searching)
