"""The cursor: what is not closed is noticed once, and everything else is found as if nothing had been noted."""

import pytest

from naturalproofs.latex.display import macros_of
from naturalproofs.latex.display.cursor import CannotRender, Cursor
from naturalproofs.latex.display.display_macros import DisplayMacros


def cursor(text: str, at: int = 0, macros: str = "") -> Cursor:
    return Cursor(text, DisplayMacros(macros_of([macros])), at=at)


def test_an_option_may_hold_brackets_in_braces():
    found = cursor("[a{]}b] c")
    assert found.option() == "a{]}b"
    assert found.text[found.at :] == " c"


def test_options_that_are_never_closed_are_noted_together():
    found = cursor("[a [b {[c]} [d")
    assert found.option() is None
    assert {at for kind, at in found.unclosed if kind == "option"} == {14, 11, 2}
    found.at = found.text.index("[c")
    assert found.option() == "c", "it is in a group of its own"
    found.at = found.text.index("[d")
    assert found.option() is None


def test_an_outer_bracket_that_is_not_closed_does_not_hide_an_inner_one():
    found = cursor("(0, 1] + (x) + (y")
    assert found.bracketed() is None
    found.at = found.text.index("(x")
    assert found.bracketed() == "x"
    found.at = found.text.index("(y")
    assert found.bracketed() is None


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


def test_what_does_not_occur_is_searched_once():
    found = cursor("a b c ab")
    assert found.find("x", 4) == -1
    assert found.absent == {"x": 4}
    assert (found.find("b", 0), found.find("b", 3), found.find("ab", 0)) == (2, 7, 6)
    found.text = "x b c ab"
    assert (found.find("x", 0), found.find("x", 1), found.find("x", 6)) == (0, -1, -1)
    assert found.absent == {"x": 7}


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
