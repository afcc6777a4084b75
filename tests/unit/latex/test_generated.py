"""Macros whose names are put together by other macros."""

from naturalproofs.latex.defined_macros import read_macros

DOUBLED = r"""
\newcommand*{\newBcommand}{\@dblarg\@newBcommand}
\def\@newBcommand[#1]#2{%
  \expandafter\newcommand\csname #2\endcsname{\casop{#1}}%
  \expandafter\newcommand\csname B#2\endcsname{\casop{B#1}}%
}
\newBcommand{Aut}
\newBcommand[F]{FG} % free group
"""


def bodies(*texts):
    return {name: macro.body for name, macro in read_macros(texts).items()}


def test_a_name_between_csname_and_endcsname():
    assert bodies(r"\expandafter\newcommand\csname Foo\endcsname{x}\expandafter\def\csname Bar\endcsname{y}") == {
        "Foo": "x",
        "Bar": "y",
    }
    assert bodies(r"\@namedef{Foo}{x}\csdef{Bar}{y}") == {"Foo": "x", "Bar": "y"}


def test_calls_of_a_defining_macro_define():
    found = bodies(
        r"\newcommand{\newto}[2]{\expandafter\newcommand\csname #1to\endcsname[1]{\to_{#2}##1}}"
        r"\newto{eq}{=}\newto{iso}{\cong}"
    )
    assert found["eqto"] == r"\to_{=}#1"
    assert found["isoto"] == r"\to_{\cong}#1"


def test_the_option_equals_the_argument_if_it_is_left_out():
    found = bodies(DOUBLED)
    assert {name: found[name] for name in ("Aut", "BAut", "FG", "BFG")} == {
        "Aut": r"\casop{Aut}",
        "BAut": r"\casop{BAut}",
        "FG": r"\casop{F}",
        "BFG": r"\casop{BF}",
    }


def test_calls_without_arguments_define_nothing():
    assert "xto" not in bodies(r"\newcommand{\n}[1]{\expandafter\def\csname x#1\endcsname{}}\n{#1}\n")


def test_a_defining_macro_of_a_package_is_called_in_the_document():
    package = r"\newcommand*{\DefineCategory}[1]{\expandafter\gdef\csname #1\endcsname{\mathrm{#1}}}"
    assert bodies(r"\DefineCategory{hTop}", package)["hTop"] == r"\mathrm{hTop}"


def test_a_defining_macro_with_a_star():
    package = (
        r"\newcommand*{\@Plain}[1]{\expandafter\DeclareMathOperator\csname #1\endcsname{#1}}"
        r"\newcommand*{\@Limits}[1]{\expandafter\DeclareMathOperator*\csname #1\endcsname{#1}}"
        r"\newcommand{\Named}{\@ifstar{\@Limits}{\@Plain}}"
    )
    found = bodies(package, r"\Named{hofib}\Named*{colim}")
    assert found["hofib"] == r"\operatorname{hofib}"
    assert found["colim"] == r"\operatorname*{colim}"
