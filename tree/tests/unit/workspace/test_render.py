"""The beginning of a statement, cut where nothing is left open."""

import pytest

from naturalproofs.records import Statement
from naturalproofs.workspace.render import close_groups, excerpt, preview, wiki_as_latex


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
