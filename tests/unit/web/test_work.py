"""A work to be read: chapters with all their text, numbers of equations, previews."""

import re
from pathlib import Path

import pytest

from naturalproofs.apps.web.site import CorpusPages
from naturalproofs.apps.web.work import Work
from naturalproofs.workspace import Workspace

BOOK = r"""
\documentclass{book}
\newtheorem{theorem}{Theorem}[chapter]
\newtheorem{exercise}{Exercise}
\begin{document}
\chapter{One}\label{ch:one}
Before it all stands
\begin{equation}\label{eq:first} a = b. \end{equation}
\section{Begin}\label{sec:begin}
\begin{theorem}[Main]\label{thm:main}
We have \begin{align} x &= y \label{eq:x}\\ z &= w \nonumber \\ u &= v \label{eq:u} \end{align}
\end{theorem}
It follows from Rolle and \eqref{eq:first}.
\begin{proof} By \eqref{eq:u}. \end{proof}
\begin{exercise} Show \cref{eq:x} and \ref{sec:begin}. \end{exercise}
\chapter{Two}
Only text, with \unknowncommand{words} and Theorem~\ref{thm:main}.
\end{document}
"""


@pytest.fixture
def work(tmp_path: Path) -> Work:
    (tmp_path / "book.tex").write_text(BOOK)
    return CorpusPages(Workspace.open([tmp_path / "book.tex"]).home, {}).work


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_chapter_has_all_its_text_in_order(work: Work) -> None:
    one, two = work.chapters
    assert [(one.number, one.title), (two.number, two.title)] == [("1", "One"), ("2", "Two")]
    pieces = work.pieces(one)
    kinds = ["title", "text", "heading", "statement", "text", "proof", "statement"]
    assert [piece.kind for piece in pieces] == kinds
    assert [(piece.anchor, piece.number) for piece in work.contents(pieces)] == [("s1.1", "1.1")]
    assert pieces[-1].folded
    assert words(pieces[4].html) == "It follows from Rolle and ( 1.1 )."
    assert "words" in work.pieces(two)[1].html
    assert work.around(one) == (None, two)


def test_equations_have_their_numbers_and_are_shown_in_place(work: Work) -> None:
    text, theorem, proof, exercise = (work.pieces(work.chapters[0])[place] for place in (1, 3, 5, 6))
    assert "(1.1)" in words(text.html).replace(" ", "")
    assert [number in words(theorem.html).replace(" ", "") for number in ("(1.2)", "(1.3)", "(1.4)")] == [
        True,
        True,
        False,
    ]
    assert words(proof.html) == "By ( 1.3 )."
    assert words(exercise.html).startswith("Show equation (1.2) and 1.1")
    shown = [words(work.preview(len(work.opened.statements) + place) or "") for place in range(3)]
    assert ["(1.1)" in shown[0].replace(" ", ""), "(1.3)" in shown[2].replace(" ", "")] == [True, True]
    assert "Main" in (work.preview(0) or "")
    assert work.preview(99) is None


def test_authors_licence_and_main_theorems_are_found_in_the_source(tmp_path: Path) -> None:
    stated = r"\author{Ada L.\ Example\\\texttt{a@example.org} \and Bo Sample}"
    (tmp_path / "book.tex").write_text(BOOK.replace(r"\begin{document}", stated + r"\begin{document}"))
    (tmp_path / "LICENSE").write_text("Creative Commons\n\nAttribution-Share Alike 4.0 International\n")
    book = CorpusPages(Workspace.open([tmp_path]).home, {}).work
    assert book.authors.endswith("Bo Sample")
    assert "@" not in book.authors
    assert book.licence == "CC BY-SA 4.0"
    assert [one.label for one in book.main_theorems] == ["thm:main"]
    (name, entry), (command, cited) = book.citations("", book.main_theorems[0])
    assert (name, command, cited) == ("BibTeX", "LaTeX", r"Theorem~\ref{thm:main}")
    assert "note = {Theorem 1.1 Main}" in entry


def test_an_environment_around_a_statement_does_not_turn_the_text_beside_it_into_source(tmp_path: Path) -> None:
    (tmp_path / "slides.tex").write_text(
        r"\documentclass{article}\newtheorem{theorem}{Theorem}\begin{document}\section{One}"
        "\n\\begin{columns} Let $x = 1$.\n\\begin{theorem} A. \\end{theorem}\nSo \\emph{it} is. \\end{columns}\n"
        "\\begin{columns} More.\n\\begin{theorem} B. \\end{theorem}\n\\end{columns}\n\\end{document}\n"
    )
    work = CorpusPages(Workspace.open([tmp_path / "slides.tex"]).home, {}).work
    texts = [str(piece.html) for piece in work.pieces(work.chapters[0]) if piece.kind == "text"]
    assert [words(text) for text in texts] == ["Let x = 1 .", "So it is. More."]
    assert not any("<pre" in text or "\\" in text for text in texts)
