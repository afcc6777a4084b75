"""Statements as HTML."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from naturalproofs.apps.web.render import Renderer, render_latex, statement_values, unbroken
from naturalproofs.apps.web.site import CorpusPages
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import SourceNotFound
from naturalproofs.records import Mention, Place, Statement
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import read_macro_files
from support.lint_projects import write_project


def statement(*lines: str, place: bool = False, mentions: tuple[Mention, ...] = ()) -> Statement:
    where = Place("d", "c", "s", 0) if place else None
    return Statement("c:x", "theorem", "x", "", lines, mentions, form="lemma", number="2", place=where)


def test_usual_macros_are_known_and_files_bring_others(tmp_path: Path) -> None:
    assert "<math" in render_latex("$\\Spec(R) \\to \\R$", {})
    assert 'class="tex"' in render_latex("$\\mine{x}$", {})
    file = tmp_path / "macros.tex"
    file.write_text("\\newcommand{\\mine}[1]{#1^2}", "utf-8")
    assert "<msup>" in render_latex("$\\mine{x}$", read_macro_files([file]))
    with pytest.raises(SourceNotFound):
        read_macro_files([tmp_path / "none"])


def test_a_wiki_is_read_line_by_line(primer: Corpus) -> None:
    made = Renderer(primer, {}).statement(
        statement("Let [[Definition:Group|a group]] be", "* one $\\paren x$", "* two", ":$x$", "{{:Definition:A/B}}")
    )
    assert made.count("<p") == 5
    assert '<p class="indent"><math>' in made
    assert made.endswith("<p>A/B</p>")
    assert made.count('<p class="item">') == 2
    assert "a group" in made
    assert "[[" not in made
    assert "<math" in made


def test_only_what_was_found_is_marked(primer: Corpus) -> None:
    made = Renderer(primer, {}).excerpt(statement("x"), "a \ue000b\ue001 c & d", [(6, 7)])
    assert made == "a \ufffdb\ufffd <mark>c</mark> &amp; d"


def test_a_matrix_inside_a_formula_of_a_wiki_stays_in_it(primer: Corpus) -> None:
    html = Renderer(primer, {}).statement(statement(r"Let $x = \begin{bmatrix} 1 \\ 2 \end{bmatrix} \in y$."))
    assert html.count("<math") == 1
    assert "$" not in html


def test_an_excerpt_shows_where_it_is_cut(primer: Corpus) -> None:
    renderer, statement = Renderer(primer, {}), primer.statements[0]
    text = r"such that \begin{enumerate} \item the set is"
    assert "is …</li>" in str(renderer.excerpt(statement, text, cut=(False, True))).replace("</p>", "")
    assert str(renderer.excerpt(statement, text, cut=(True, False))).lstrip("<p>").startswith("… such that")
    assert "…" not in str(renderer.excerpt(statement, text))


def test_environments_of_a_wiki_are_shown_whole(primer: Corpus) -> None:
    lines = (
        r"One \begin{align} a \\",
        r"b \end{align} two",
        r"$\begin{a}$ \begin{b} \begin{enumerate}",
        r"\item c \end{enumerate}",
    )
    html = Renderer(primer, {}).statement(statement(*lines))
    assert html.count("<mtable") == 1
    assert html.count("<li>") == 1
    assert "two" in html


def test_excerpts_of_a_wiki_show_no_markup(primer: Corpus) -> None:
    renderer = Renderer(primer, {})
    page = Statement("w:a", "definition", "Definition:Bounded", "Definition:Bounded", ("x",), form="definition")
    text = "Compact Subsets|compact]] '''set''' in [[Ball|a ball]] of a [[Definition:Metric Space|metric"
    shown = str(renderer.excerpt(page, text, ((16, 23),)))
    assert "<mark>compact</mark> <b>set</b> in a ball of a metric" in shown.replace("strong>", "b>")
    assert (renderer.title(page), renderer.plain_title(page)) == ("Bounded", "Bounded")
    assert renderer.excerpt(page, page.title, ((0, 10), (11, 18))) == "<mark>Bounded</mark>"
    assert "[a, b]" in str(renderer.excerpt(page, "the box [a, b]"))
    assert " ".join(str(renderer.excerpt(page, "iff:\n:one\n* two")).split()) == "iff: one • two"


def test_a_summary_is_one_line_with_formulas(primer: Corpus) -> None:
    text = statement(
        "Let $G$ be a group.",
        "\\begin{enumerate}",
        "\\item \\[x^2 = 1.\\]",
        "\\item[(b)] no",
        "\\end{enumerate}",
        place=True,
    )
    shown = str(Renderer(primer, {}).summary(text))
    assert "be a group. (1) <span" in shown.replace("<math", "<span")
    assert shown.endswith("(b) no")
    assert not re.search("<(ol|div|p|li)|block", shown)


def test_references_are_named_in_what_is_plain(primer: Corpus) -> None:
    cited = (Mention("thm:lagrange", "cref", 1, "primer:thm:lagrange"),)
    made = Renderer(primer, {})
    text = statement("By \\cref{thm:lagrange} and Theorem~\\ref{thm:lagrange}.", place=True, mentions=cited)
    assert made.plain_summary(text) == "By Theorem 3.3.5 and Theorem 3.3.5."
    assert made.statement(text).count('href="/statement/primer:thm:lagrange"') == 2


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python and in C."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "source",
    [
        "{",
        "$",
        "$x^",
        "\\begin{enumerate}\\item ",
        "\\frac{",
        "\\left(",
        "\\textbf{",
        "\\def\\a{\\a\\a}\\a",
        "\\cref{a",
        "% \n",
    ],
)
def test_work_grows_no_faster_than_the_text(source: str) -> None:
    small, large = (calls(lambda n=n: render_latex(source * n, {})) for n in (200, 400))
    assert large <= 2.2 * small + 500


def test_punctuation_stays_with_the_formula_before_it() -> None:
    inner = "<math><mtext><math>y</math></mtext></math>"
    assert unbroken(f"of {inner}.) Let") == f'of <span class="unbroken">{inner}.)</span> Let'
    for unchanged in ("no formula.", "<math>x</math> and", '<math display="block">x</math>.', "</math>.", "<math>x"):
        assert unbroken(unchanged) == unchanged
    assert unbroken("<math>x</math>, <math>y</math>.").count("unbroken") == 2


def test_commands_that_nobody_defined_read_the_same_everywhere(tmp_path: Path) -> None:
    text = r"over $\FF_p$ and $\eps > 0$ in $\RR$ with $\Hom(A, \colim_i B)$ and $\Im f$"
    main = write_project(tmp_path, rf"\begin{{lemma}}\label{{a}} {text} \end{{lemma}}")
    workspace = Workspace.open(main, cache=False)
    said = "over 𝔽ₚ and ε > 0 in ℝ with Hom(A, colimᵢ B) and ℑf"
    assert workspace.render(text) == workspace.render(workspace.find("a").statement) == said
    served = CorpusPages(workspace.home, {})
    assert served.renderer.plain_text(text) == said
    page = render_latex(text, served.renderer.macros)
    assert page == workspace.render(text, "html")
    assert 'class="tex"' not in page


def test_what_the_text_says_is_shown_on_both_pages(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(
        r"\documentclass{article}\newtheorem{theorem}{Theorem}\begin{document}\section{One}"
        "\n\\begin{theorem}[Rolle]\\label{rolle} A.\\end{theorem}\n\\begin{theorem}\\label{mean} B.\\end{theorem}\n"
        "The theorem follows from Rolle's theorem.\n\\begin{proof}Clear.\\end{proof}\n\\end{document}\n"
    )
    opened = Workspace.open([tmp_path], cache=False).home
    renderer = CorpusPages(opened, {}).renderer
    rolle, mean = (opened.labelled(label) for label in ("rolle", "mean"))
    note = "the text says: The theorem follows from Rolle’s theorem."
    assert statement_values(opened, renderer, mean)["inferred"] == [(rolle, note)]
    assert statement_values(opened, renderer, rolle)["said_by"] == [(mean, note)]
    assert statement_values(opened, renderer, rolle)["used_by"] == []
