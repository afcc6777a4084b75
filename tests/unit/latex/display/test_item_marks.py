"""The marks of numbered lists."""

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import plain_text
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import preview

ITEMS = r"\item x \item y"


def shown(options: str, items: str = ITEMS, preamble: str = "") -> str:
    source = rf"\begin{{enumerate}}{options} {items}\end{{enumerate}}"
    return plain_text(source, macros_of([preamble]) if preamble else {}).replace("\n", " | ")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", "(1) x | (2) y"),
        (r"[label=(\alph*)]", "(a) x | (b) y"),
        (r"[leftmargin=*, label={\textbf{Step \arabic*.}}]", "Step 1. x | Step 2. y"),
        (r"[label=\Roman*]", "I x | II y"),
        (r"[label=(\asbuk*)]", "(а) x | (б) y"),
        ("[(i)]", "(i) x | (ii) y"),
        ("[a.]", "a. x | b. y"),
        ("[(TR1)]", "(TR1) x | (TR2) y"),
        (r"[\bfseries {CO}.1]", "CO.1 x | CO.2 y"),
        ("[nosep]", "(1) x | (2) y"),
        ("[start=0]", "(0) x | (1) y"),
        (r"\setcounter{enumi}{3}", "(4) x | (5) y"),
        ("[resume]", "• x | • y"),
        ("[Claim 1]", "• x | • y"),
    ],
)
def test_labels_of_a_list(options, text):
    assert shown(options) == text


def test_an_item_with_a_mark_of_its_own_does_not_count():
    assert shown("", r"\item x \item[z] u \item y") == "(1) x | z u | (2) y"


def test_inner_lists():
    inner = rf"\begin{{enumerate}}{ITEMS}\end{{enumerate}}"
    assert shown("", rf"\item u {inner} \item v") == "(1) u | (a) x | (b) y | (2) v"
    appended = rf"\begin{{enumerate}}[label*=\arabic*.]{ITEMS}\end{{enumerate}}"
    assert shown(r"[label=\arabic*.]", rf"\item u {appended}") == "1. u | 1.1. x | 1.2. y"


def test_a_list_goes_on_with_the_numbers_of_the_one_before():
    text = r"\begin{enumerate}\item x\end{enumerate} then \begin{enumerate}[resume]\item y\end{enumerate}"
    assert plain_text(text, {}) == "(1) x then\n(2) y"


@pytest.mark.parametrize(
    ("preamble", "text"),
    [
        (r"\setlist[enumerate,1]{label={(\roman*)}}", "(i) x | (ii) y"),
        (r"\setenumerate{label=(\alph*)}", "(a) x | (b) y"),
        (r"\renewcommand{\theenumi}{\alph{enumi}}\renewcommand{\labelenumi}{\theenumi)}", "a) x | b) y"),
        (r"\def\labelenumi{[\roman{enumi}]}", "[i] x | [ii] y"),
        (r"\setlist[itemize]{label=--}", "(1) x | (2) y"),
        (r"\setlist{nosep}", "(1) x | (2) y"),
        (r"\begin{enumerate}\renewcommand{\labelenumi}{a}\item x\end{enumerate}", "(1) x | (2) y"),
        (r"\begin{document}\renewcommand{\labelenumi}{a}", "(1) x | (2) y"),
    ],
)
def test_labels_that_the_preamble_sets(preamble, text):
    assert shown("", preamble=preamble) == text


def test_lists_of_the_author():
    macros = macros_of([r"\newlist{cases}{enumerate}{1}\setlist[colloq]{label=\textbf{\arabic*.}}"])
    assert plain_text(rf"\begin{{colloq}}{ITEMS}\end{{colloq}}", macros) == "1. x\n2. y"
    assert plain_text(rf"\begin{{strange}}{{Title}} {ITEMS}\end{{strange}}", {}) == "Title\n• x\n• y"
    again = macros_of([macro.definition() for macro in macros.values()])
    assert plain_text(rf"\begin{{colloq}}{ITEMS}\end{{colloq}}", again) == "1. x\n2. y"


def test_another_document_in_the_folder_labels_its_own_lists(tmp_path):
    setting = r"\usepackage{enumitem}\setlist[enumerate]{label=(\alph*)}"
    text = r"\documentclass{article}%s\begin{document}\newtheorem{theorem}{T}\begin{theorem}\begin{enumerate}\item x"
    ending = r"\end{enumerate}\end{theorem}\end{document}"
    (tmp_path / "main.tex").write_text(text % "" + ending)
    (tmp_path / "talk.tex").write_text(r"\documentclass{beamer}" + setting + r"\begin{document}x\end{document}")
    home = Workspace.open(tmp_path / "main.tex").home
    assert [preview(one, home.macros) for one in home.statements] == ["(1) x"]
    (tmp_path / "main.tex").write_text(text % setting + ending)
    home = Workspace.open(tmp_path / "main.tex").home
    assert [preview(one, home.macros) for one in home.statements] == ["(a) x"]
