"""The text of Markdown as LaTeX."""

import pytest

from naturalproofs.sources.markdown.inline import mentions, to_latex


def latex(text: str, *labels: str) -> str:
    return to_latex(text.split("\n"), set(labels).__contains__)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**a** *b* _c_ `d_e`", "\\textbf{a} \\emph{b} \\emph{c} \\texttt{d\\_e}"),
        ("**a *b* c**", "\\textbf{a \\emph{b} c}"),
        ("a_b_c and 2 * 3 * 4", "a\\_b\\_c and 2 * 3 * 4"),
        ("$a_1 * b_2 * c$ 5% \\% \\* #", "$a_1 * b_2 * c$ 5\\% \\% * \\#"),
        ("$$\na_1 \\label{x}\n$$ {#eq-a}", "$$\na_1 \n$$ "),
        ("{math}`x^2` {term}`group`", "$x^2$ group"),
        ("@thm-a, @Lem-b. [-@def-c] @knuth", "\\cref{thm-a}, \\cref{lem-b}. \\cref{def-c} \\cite{knuth}"),
        ("[see @thm-a; @lem-b] [@knuth, p. 3]", "\\cref{thm-a,lem-b} \\cite{knuth}"),
        ("mail me@example.org", "mail me@example.org"),
        ("@own and [@own]", "\\cref{own} and \\cref{own}"),
        ("\\@ref(thm:a) {prf:ref}`b` {numref}`Figure <c>`", "\\ref{thm:a} \\cref{b} \\hyperref[c]{Figure}"),
        ("[text](#own) [*page*](https://example.org#x)", "\\hyperref[own]{text} \\emph{page}"),
        (
            "![A *map* $f$](img/a.png){width=50%}.",
            "\\begin{figure}\\includegraphics{img/a.png}\\caption{A \\emph{map} $f$}\\end{figure}.",
        ),
        ('![]( <a b.png> "t")', "\\begin{figure}\\end{figure}"),
        ('<img alt="x" src="a.svg"/>', "\\begin{figure}\\includegraphics{a.svg}\\caption{x}\\end{figure}"),
        ("![c](a{b}.png)", "\\begin{figure}\\caption{c}\\end{figure}"),
        ("a<br/>b<!-- c -->d ^[note] [^1]", "abd \\footnote{note} "),
        ("$$\na &= b \\\\\n&= c\n$$", "$$\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}$$"),
        ("a < b and c > d", "a < b and c > d"),
        ("costs $5 and $6, or $x$", "costs \\$5 and \\$6, or $x$"),
        ("open $a\n\nb$ c", "open \\$a\n\nb\\$ c"),
    ],
)
def test_inline(markdown: str, expected: str):
    assert latex(markdown, "own") == expected


def test_lists_stay_on_their_lines():
    text = "Both:\n\n1. one\n   more\n2. two\n   - inner\n\nafter"
    lines = latex(text).split("\n")
    assert len(lines) == len(text.split("\n"))
    assert lines[2] == "\\begin{enumerate}\\item one"
    assert lines[5] == "\\begin{itemize}\\item inner\\end{itemize}\\end{enumerate}"


def test_mentions_have_lines():
    found = mentions("a \\cref{x,y}\n\n\\hyperref[z]{words \\ref{z}}", 10)
    assert [(one.target, one.surface, one.line) for one in found] == [
        ("x", "cref", 10),
        ("y", "cref", 10),
        ("z", "hyperref", 12),
    ]


@pytest.mark.parametrize(
    "unit", ["[", "![", "**", "*a", "_a", "$", "$$", "\\(", "{ref}`", "`", "<!--", "@", "[@", "^["]
)
def test_unclosed_signs_do_not_fail(unit: str):
    assert isinstance(latex(unit * 2_000), str)
