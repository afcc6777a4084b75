"""The cursor: what is not closed is noticed once, and everything else is found as if nothing had been noted."""

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import plain_unicode
from naturalproofs.sources.latex.display.cursor import CannotRender, Cursor, DisplayMacros


def cursor(text: str, at: int = 0, macros: str = "") -> Cursor:
    return Cursor(text, DisplayMacros(macros_of([macros])), at=at)


def test_an_option_may_hold_brackets_in_braces():
    found = cursor("[a{]}b] c")
    assert found.option() == "a{]}b"
    assert found.text[found.at :] == " c"


def test_an_option_that_is_never_closed_does_not_hide_others():
    found = cursor("[a [b {[c]} [d")
    assert found.option() is None
    found.at = found.text.index("[c")
    assert found.option() == "c", "it is in a group of its own"
    found.at = found.text.index("[d")
    assert found.option() is None


@pytest.mark.parametrize(
    ("text", "letters", "given", "rest"),
    [
        ("*[a]{b}c", "som", ["*", "a", "b"], "c"),
        (" {b}{c} d", "somgg", [None, None, "b", "c", None], " d"),
        ("12", "mm", ["1", "2"], ""),
    ],
)
def test_arguments_are_read_by_their_letters(text, letters, given, rest):
    found = cursor(text)
    assert [found.given(letter) for letter in letters] == given
    assert found.text[found.at :] == rest


def test_the_next_character_decides_between_two_branches():
    macros = r"\makeatletter\newcommand{\ie}{i.e\@ifnextchar.{}{.\ }}\makeatother"
    assert plain_unicode(r"so, \ie x; \ie. y", macros_of([macros])) == "so, i.e. x; i.e. y"


def test_an_outer_environment_that_is_not_closed_does_not_hide_an_inner_one():
    found = cursor(r"\begin{a}x\begin{a}y\end{a}", at=9)
    with pytest.raises(CannotRender, match="not closed"):
        found.environment("a")
    with pytest.raises(CannotRender, match="not closed"):
        found.environment("a")
    found.at = found.text.index("y")
    assert found.environment("a") == "y"


def test_an_outer_condition_that_is_not_closed_does_not_hide_an_inner_one():
    found = cursor(r"\ifnum a \ifmmode b\else c\fi, d")
    assert found.next() == r"\ifnum"
    assert [found.next() for _ in range(3)] == ["a", "b", ","]


def test_what_was_noted_holds_after_an_expansion():
    found = cursor(r"\two[ {]}", macros=r"\newcommand{\two}{x\\[y]}")
    assert cursor("[ {]}").option() is None
    assert found.peek() == "x"
    found.at = found.text.index("[")
    assert found.option() == "y"
    assert found.option() is None
    assert found.option() is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("  -1.5 pt plus 2fil a", " a"),
        ("1\\baselineskip a", " a"),
        ("+ .5em minus1emb", "b"),
        ("1 2pt", "1 2pt"),
        ("x", "x"),
    ],
)
def test_lengths_are_skipped(text, rest):
    found = cursor(text)
    found.length()
    assert found.text[found.at :] == rest


def test_a_command_may_be_expanded_before_the_one_in_front_of_it():
    macros = macros_of([r"\newcommand{\first}[2]{{\expandafter#1#2}}\newcommand{\kit}{K_1}"])
    assert plain_unicode(r"$\first{\mathcal}{\kit}$, $\first{\mathcal}{L}$", macros) == "𝒦₁, ℒ"


BINDERS = r"""\makeatletter
\def\prd#1{\@ifnextchar\bgroup{\prd@parens{#1}}{\@ifnextchar\sm{\prd@parens{#1}\@eatsm}{\prod_{#1}}}}
\def\prd@parens#1{\@ifnextchar\bgroup{\prod_{(#1)}\prd@parens}{\@ifnextchar\sm{\prod_{(#1)}\@eatsm}{\prod_{(#1)}}}}
\def\sm#1{\@ifnextchar\bgroup{\sm@parens{#1}}{\@ifnextchar\prd{\sm@parens{#1}\@eatprd}{\sum_{#1}}}}
\def\sm@parens#1{\@ifnextchar\bgroup{\sum_{(#1)}\sm@parens}{\@ifnextchar\prd{\sum_{(#1)}\@eatprd}{\sum_{(#1)}}}}
\def\@eatsm\sm{\sm@parens}\def\@eatprd\prd{\prd@parens}
\def\lam#1{\lambda\@lam#1:\@endlam}
\def\@lam#1:#2\@endlam{\if\relax\detokenize{#2}\relax #1\else(#1:\@uncolon#2)\fi.}\def\@uncolon#1:{#1}
\makeatother"""


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\prd{x}{y} C", "∏₍ₓ₎ ∏_((y)) C"),
        (r"\sm{x}\prd{y} C", "∑₍ₓ₎ ∏_((y)) C"),
        (r"\prd{x} C", "∏ₓ C"),
        (r"\lam{x} f \lam{y:A} g", "λx. fλ(y : A). g"),
    ],
)
def test_macros_that_look_ahead_may_lead_back_to_each_other(formula, text):
    assert plain_unicode(f"${formula}$", macros_of([BINDERS])) == text


def test_what_is_defined_by_itself_is_what_it_was_before():
    macros = macros_of([r"\def\overline{\overline}\edef\footnote{\expandafter\noexpand\footnote}\def\own{\own x}"])
    assert plain_unicode(r"a\footnote{b} $\overline{N} = \own$", macros) == r"a N̄ = \own"
