"""The beginning of a statement, cut where nothing is left open."""

from dataclasses import fields
from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Place, Statement
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import cited_name, close_groups, excerpt, named_citations, preview, wiki_as_latex
from support.lint_projects import write_project


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two"),
        ("a $x + y + z$ b", 9, "a"),
        ("a \\emph{b c d e} f", 13, "a"),
        ("a \\{ b \\} c d", 11, "a \\{ b \\}"),
        ("abcdefgh\\alpha", 9, "abcdefgh"),
        ("$x + y + z$", 6, "$x + y"),
        ("a $$ x y $$ b c", 9, "a"),
        ("a \\[ x y \\] b c", 14, "a \\[ x y \\] b"),
        ("a \\begin{align*} x y \\end{align*} b", 20, "a"),
        ("\\begin{subexenum} \\item b c", 26, "\\begin{subexenum} \\item b"),
        ("a \\begin{enumerate} \\item b c", 28, "a \\begin{enumerate} \\item b"),
    ],
)
def test_it_is_cut_between_words_and_outside_formulas(text: str, most: int, expected: str) -> None:
    assert excerpt(text.split("\n"), most) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("\\begin{a}x", "\\begin{a}x\\end{a}"),
        ("\\begin{a}\\begin{b}x", "\\begin{a}\\begin{b}x\\end{b}\\end{a}"),
        ("x\\end{a} y", "x y"),
        ("a {\\it b \\{ c", "a {\\it b \\{ c}"),
        ("a} b", "a b"),
        ("\\begin{a} {x", "\\begin{a} {x}\\end{a}"),
        ("\\begin{a}x\\end{a}", "\\begin{a}x\\end{a}"),
        ("\\begin{a}\\begin{b}x\\end{a} y", "\\begin{a}\\begin{b}x\\end{b}\\end{a} y"),
    ],
)
def test_what_is_opened_is_closed(text: str, expected: str) -> None:
    assert close_groups(text) == expected


def test_previews_of_wikitext():
    text = (
        r"Let $T = \struct {S, \tau}$ be a [[Definition:Space|space]] with '''basis''' $\BB$.",
        r":$D_n = n! \paren {1 - \dfrac 1 {2!} }$ {{iff}} [[Definition:Open]]",
        "[[File:A.png|400px]]",
    )
    statement = Statement("wiki:1", "definition", "Definition:T", "T", text)
    shown = "Let T = (S, τ) be a space with basis ℬ. Dₙ = n!(1 − 1/(2!)) if and only if Open [figure]"
    assert preview(statement, {}, 200) == shown
    quoted = Statement("book:1", "definition", "T", "T", (r"We write ``$\set{x}$'' for \index{a} \map{f}{x}.",))
    assert preview(quoted, {}, 200) == "We write “{x}” for \\map{f}{x}."


def test_wikitext_is_found_by_its_lines_and_links():
    assert wiki_as_latex(r":$\map f x = \O$") == r"$f \left( x \right) = \varnothing$"
    assert wiki_as_latex(r"$\index G H$ of [[Definition:Group|group]]") == r"$\left[ G : H \right]$ of group"
    assert wiki_as_latex(r"see [[1, 2], [3]] \label{a}") == r"see [[1, 2], [3]] \label{a}"


LABELLED = r"""
    \newtheorem*{fact}{Fact}
    \section*{Why one counts}\label{sec:why}
    \section{One}\label{sec:one}
    \begin{theorem}\label{thm:a} These hold:
    \begin{enumerate}
    \item\label{it:first} one,
    \item\label{it:second} two \begin{enumerate} \item\label{it:deep} deep \end{enumerate}
    \item[x] an item with a mark \label{it:mark}
    \end{enumerate}
    \begin{equation*} z \label{eq:none} \end{equation*}
    \begin{enumerate}[label=\textup{(\roman*)}, start=3] \item\label{it:iii} three \end{enumerate}
    \begin{enumerate}[(a)] \item a \item\label{it:b} b \end{enumerate}
    \begin{equation}\label{eq:a} x = y \end{equation}
    \begin{subequations}\label{eq:all} \begin{align} a &= b \\ c &= d \label{eq:part} \end{align} \end{subequations}
    \end{theorem}
    \begin{figure} x \caption{C}\label{fig:a} \end{figure}
    \begin{table} x \caption*{C} \caption{D}\label{tab:a} \end{table}
    \begin{figure} x \caption{E}\label{fig:b} \end{figure}
    \begin{align*} a &= b \label{eq:c}\tag{RE} \\ c &= d \label{eq:d}\tag{S$_1$} \end{align*}
    \begin{marginfigure} x \caption{\label{fig:c} F} \end{marginfigure}
    \begin{center} x \captionof{figure}{G}\label{fig:of} \end{center}
    A word.\footnote{\label{fn:a} See $\{a\}$.} Another.\footnote{Short.}
    \subsection{Two}\label{sec:two}
    \begin{fact}\label{fact:a} A fact. \end{fact}
    \begin{equation*} z \label{eq:out} \end{equation*}
    \begin{lemma}\label{lem:b} CITES \end{lemma}
"""


@pytest.mark.parametrize(
    ("cites", "printed"),
    [
        (r"By Theorem~\ref{thm:a}", "By Theorem 1"),
        (r"By \cref{thm:a}", "By Theorem 1"),
        (r"By (\ref{eq:a})", "By (1)"),
        (r"By \eqref{eq:a}", "By (1)"),
        (r"By \cref{eq:a}", "By equation (1)"),
        (r"By \eqref{eq:all} and \eqref{eq:part}", "By (2) and (2b)"),
        (r"By \eqref{eq:c} and \ref{eq:d}", "By (RE) and S_1"),
        (r"See Figure~\ref{fig:c}", "See Figure 3"),
        (r"In Section~\ref{sec:one}", "In Section 1"),
        (r"In \Cref{sec:two}", "In Section 1.1"),
        (r"See note~\ref{fn:a}", "See note in section 1"),
        (r"In \cref{sec:why}", "In “Why one counts”"),
        (r"See Figure~\ref{fig:b}", "See Figure 2"),
        (r"See \autoref{tab:a}", "See Table 1"),
        (r"By \ref{it:second} and \ref{it:deep}", "By 2 and 2a"),
        (r"By \ref{it:iii} and \ref{it:b}", "By (iii) and (b)"),
        (r"By \cref{it:b}", "By item (b)"),
        (r"See Figure~\ref{fig:of}", "See Figure 4"),
        (r"By Fact \ref{fact:a} and \ref{eq:out}", "By Fact 1.1 and 1.1"),
        (r"By \cref{fact:a} and \eqref{eq:none}", "By section 1.1 and (1)"),
        (r"By \ref{it:mark}", "By item in Theorem 1"),
        (r"By \cref{fig:a,sec:one}", "By figure 1, section 1"),
        (r"By \cref{gone}", "By [gone]"),
    ],
)
def test_references_print_names_and_not_keys(tmp_path: Path, cites: str, printed: str) -> None:
    workspace = Workspace.open(write_project(tmp_path, LABELLED.replace("CITES", f"{cites}.")), cache=False)
    lemma = workspace.find("lem:b").statement
    assert workspace.render(lemma) == f"{printed}."
    if "[" not in printed:
        assert workspace.render(lemma, "line") == f"{printed}."


def test_places_are_said_of_a_corpus_that_is_not_open(tmp_path: Path) -> None:
    opened = Workspace.open(
        write_project(tmp_path, LABELLED.replace("CITES", r"See note~\ref{fn:a}.")), cache=False
    ).home
    stored = Corpus(**{one.name: getattr(opened, one.name) for one in fields(Corpus)})
    lemma = stored.find("lem:b")
    assert named_citations(stored, lemma.text, lemma.mentions) == "See note~in section 1."


@pytest.mark.parametrize(
    ("label", "printed"),
    [("thmtype:2.1.4", "Theorem 2.1.4"), ("thm:a1-2.3", "Theorem in “Limits”"), ("thm:7", "Theorem in “Limits”")],
)
def test_a_label_that_ends_in_a_number_says_it_where_none_is_known(label: str, printed: str) -> None:
    statement = Statement("b:1", "theorem", label, "", ("Text.",), form="theorem", place=Place("b", "", "Limits", 0))
    assert cited_name(statement) == printed
