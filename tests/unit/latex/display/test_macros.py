"""Macros: which definitions are read, and how."""

import pytest

from naturalproofs.latex.display import Formulas, Macro, plain_unicode, read_macros


@pytest.mark.parametrize(
    ("source", "name", "macro"),
    [
        (r"\newcommand{\RR}{\mathbb{R}}", "RR", Macro(0, r"\mathbb{R}")),
        (r"\newcommand\RR{\mathbb{R}}", "RR", Macro(0, r"\mathbb{R}")),
        (r"\renewcommand*{\abs}[1]{|#1|}", "abs", Macro(1, "|#1|")),
        (r"\newcommand{\opt}[2][n]{#1#2}", "opt", Macro(2, "#1#2", "n")),
        (r"\DeclareMathOperator{\Hom}{Hom}", "Hom", Macro(0, r"\operatorname{Hom}")),
        (r"\DeclareMathOperator*{\colim}{colim}", "colim", Macro(0, r"\operatorname*{colim}")),
        (r"\def\pair#1#2{(#1,#2)}", "pair", Macro(2, "(#1,#2)")),
        (r"\let\eps=\varepsilon", "eps", Macro(0, r"\varepsilon")),
        (r"\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}", "norm", Macro(1, r"\left\lVert #1\right\rVert ")),
        (r"\NewDocumentCommand{\two}{m m}{#1/#2}", "two", Macro(2, "#1/#2")),
    ],
)
def test_definitions(source: str, name: str, macro: Macro) -> None:
    assert read_macros([source]) == {name: macro}


@pytest.mark.parametrize(
    "source",
    [
        r"% \newcommand{\a}{b}",
        r"\newcommand{\a}",
        r"\newcommand{\a}{x\a}",
        r"\NewDocumentCommand{\a}{s o m}{x}",
        r"\def\a#1.{x}",
    ],
)
def test_what_is_not_a_plain_definition_is_left_alone(source: str) -> None:
    assert read_macros([source]) == {}


def test_the_last_definition_wins() -> None:
    assert read_macros([r"\newcommand{\a}{1}", r"\renewcommand{\a}{2}"])["a"].body == "2"


def test_a_macro_for_a_group_is_one_argument() -> None:
    macros = read_macros([r"\newcommand{\etale}{{\acute{e}tale}}"])
    assert plain_unicode(r"$S_\etale$", macros) == "S_e\u0301tale"
    assert "msub" in (Formulas(macros).render(r"S_\etale") or "")
