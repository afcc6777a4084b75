"""Notation that is used before it is defined."""

from support.lint_projects import found, write_project

BODY = r"""
    \newcommand{\frob}{\operatorname{frob}}\newcommand{\Hom}{\operatorname{Hom}}
    \begin{remark} Later $\frob(x)$ matters. \end{remark}
    \begin{lemma}\label{lem:a} A. \end{lemma}
    \begin{proof} We have $\frob(x) = \Hom(x)$. \end{proof}
    \begin{lemma}\label{lem:b} Again $\frob(y)$. \end{lemma}
    \begin{definition}\label{def:f} The frob of $x$ is denoted by $\frob(x)$, and maps by $\Hom(x)$. \end{definition}
"""


def test_the_first_use_before_the_definition_is_told(tmp_path):
    (note,) = found(write_project(tmp_path, BODY), "early-notation")
    assert note.severity == "note"
    assert note.message.startswith(r"the proof of lemma")
    assert r"uses \frob, which definition" in note.message


def test_a_citation_of_the_definition_silences_it(tmp_path):
    assert not found(write_project(tmp_path, BODY.replace("We have", r"By \cref{def:f} we have")), "early-notation")


def test_notation_that_is_defined_first_is_fine(tmp_path):
    lines = BODY.strip().split("\n")
    assert not found(write_project(tmp_path, "\n".join([lines[0], lines[-1], *lines[1:-1]])), "early-notation")


def test_a_first_use_that_explains_the_operator_is_silent(tmp_path):
    assert not found(write_project(tmp_path, BODY.replace("We have", "We write")), "early-notation")
    definition = BODY.replace(r"\begin{lemma}\label{lem:a}", r"\begin{definition}\label{lem:a} $\frob(z)$ is new.")
    assert not found(
        write_project(tmp_path, definition.replace(r"A. \end{lemma}", r"\end{definition}")), "early-notation"
    )
