"""Conditionals: which branch TeX takes, and what is left of a text."""

import pytest

from naturalproofs.sources.latex.macros.expansion import fill
from naturalproofs.sources.latex.macros.macro import GROUP, Macro, Parameter
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.latex.scan.arguments import NO_VALUE, Argument
from naturalproofs.sources.latex.scan.conditionals import (
    ARGUMENTS,
    CHAPTERS,
    NO_FACTS,
    OPTION,
    PACKAGE,
    TOGGLE,
    Facts,
    decided,
    find_conditionals,
)

FLAGS = {
    "iflong": True,
    "ifshort": False,
    f"{TOGGLE}old": True,
    CHAPTERS: True,
    f"{PACKAGE}a": True,
    f"{OPTION}b": True,
}
KNOWN = Facts(FLAGS, macros_of([r"\def\full{1}\def\none{}\def\word{abc}\let\same\full"]), is_complete=True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"a\iflong b\else c\fi d", "a b d"),
        (r"a\ifshort b\fi d", "a d"),
        (r"\ifshort a\else b\iflong c\fi\fi", " b c"),
        (r"\unless\iflong a\else b\fi", " b"),
        (r"\ifbool{long}{a}{b}\notbool{long}{a}{b}", "ab"),
        (r"\iftoggle{old}{a}{b}\nottoggle{old}{a}{b}", "ab"),
        (r"\ifnum\full=1 a\else b\fi\ifnum 3<2 a\else b\fi", "a b"),
        (r"\ifnum\pdf@strcmp{\detokenize{x}}{}=0\relax a\else b\fi\ifnum 0=\strcmp{ab}{a{}b}c\fi", " b"),
        (r"\ifnum\pdfstrcmp{}{x}<0 a\else b\fi\ifnum\pdf@strcmp{\detokenize{}}{}=0\relax c\fi", "a c"),
        (r"\ifx\none\empty a\fi\ifx\full\empty b\else c\fi", " a c"),
        (r"\ifx\same\full a\else b\fi", " a"),
        (r"\ifthenelse{\equal{\word}{abc}}{a}{b}\ifthenelse{\NOT\equal{x}{y}\AND\boolean{long}}{c}{d}", "ac"),
        (r"\@ifundefined{chapter}{a}{b}\ifdefined\full c\fi\ifdefined\other d\fi", "b c"),
        (r"\@ifpackageloaded{a}{x}{y}\@ifpackageloaded{z}{x}{y}", "xy"),
        (r"\IfBeginWith{thm:a}{thm:}{a}{b}\IfSubStr{abc}{d}{a}{b}", "ab"),
        (r"\ifcase2 a\or b\or c\else d\fi", " c"),
        (r"$\iff$ \iflong a\fi", r"$\iff$  a"),
        (r"\verb|\iflong| \iflong a\fi", r"\verb|\iflong|  a"),
    ],
)
def test_what_is_decided(text, left):
    assert decided(text, KNOWN) == left


@pytest.mark.parametrize(
    "text",
    [
        r"\ifdraft a\else b\fi",
        r"\ifdim\textwidth>3pt a\else b\fi",
        r"\ifthenelse{\lengthtest{1pt<2pt}}{a}{b}",
        r"\newif\iflong",
        r"\let\ifa\iftrue",
        r"{\iflong}{\fi}",
    ],
)
def test_what_is_kept(text):
    assert decided(text, KNOWN) == text


def test_without_facts_only_constants_are_decided():
    assert decided(r"\iffalse a\fi\if01 b\else c\fi\ifnum 1<2 d\fi", NO_FACTS) == " cd"
    assert decided(r"\ifx\a\relax b\else c\fi", NO_FACTS) == r"\ifx\a\relax b\else c\fi"


def test_one_branch_is_taken_where_that_is_asked_for():
    assert decided(r"\ifdraft a\else b\fi", ARGUMENTS, first=True) == " a"


@pytest.mark.parametrize(
    ("body", "argument", "left"),
    [
        (r"\ifx&#1&empty\else #1\fi", "", "empty"),
        (r"\ifx&#1&empty\else #1\fi", "x", " x"),
        (r"\ifx\relax#1\relax a\else#1\fi", "long", " long"),
        (r"\if\relax\detokenize{#1}\relax a\else b\fi", "", " a"),
        (r"\def\next{#1}\ifx\next\empty a\else b\fi", "", r"\def\next{} a"),
        (r"\IfNoValueTF{#1}{a}{b#1}", NO_VALUE, "a"),
        (r"\ifstrequal{#1}{x}{a}{b}\ifblank{#1}{c}{d}", "x", "ad"),
        (r"\clist_map_inline:nn{#1}{\ref{##1}}", "a, b", "\\ref{a}\n\\ref{b}"),
        (r"\StrBehind{#1}{.}", "II.3.4", "3.4"),
        (r"\csname ref\endcsname{#1}", "a", r"\csname ref\endcsname{a}"),
    ],
)
def test_arguments_decide(body, argument, left):
    assert fill(Macro("m", (GROUP,), body), [Argument(argument, 0, 0)])[0] == left


def test_an_undecided_conditional_of_a_macro_takes_its_first_branch():
    macro = Macro("m", (Parameter("star"), GROUP), r"\ifdraft\ref{#2}\else\eqref{#2}\fi")
    assert fill(macro, [Argument("FALSE", -1, 0), Argument("a", 0, 0)])[0] == r"\ref{a}"


@pytest.mark.parametrize(
    "piece", [r"\iftrue ", r"\iftrue a\fi ", r"\ifbool{a}{", r"\ifx\a", r"\else ", r"\begin{verbatim}"]
)
def test_nested_conditionals_take_linear_time(piece):
    text = piece * 30_000
    assert len(find_conditionals(text + r"\fi" * 30_000)) <= 60_000


def test_a_conditional_of_expl3_that_is_not_known_has_one_branch_at_both_ends(tmp_path):
    (tmp_path / "main.tex").write_text(
        r"""\documentclass{article}\newtheorem{thm}{Theorem}
\ExplSyntaxOn
\NewDocumentEnvironment { formula } { o } {
  \bool_if:NTF \l_own_numbered { \begin{equation} \begin{aligned} } { \begin{equation*} }
} {
  \bool_if:NTF \l_own_numbered { \end{aligned} \end{equation} } { \end{equation*} }
}
\ExplSyntaxOff
\begin{document}
\begin{thm}\begin{formula} a \label{a} \end{formula}\end{thm}
\end{document}
"""
    )
    draft = LATEX.read(tmp_path, name="x", rules="fixed")
    assert not draft.diagnostics
    assert draft.anchors["a"].kind == "equation"
