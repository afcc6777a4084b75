"""Labels where they are written, and renaming them everywhere."""

import pytest

from naturalproofs.errors import BadLabel, UnknownName
from naturalproofs.workspace import Workspace
from support.lint_projects import write_project

PREAMBLE = r"""
\newcommand{\lemref}[1]{Lemma~\ref{lem:#1}}
\newcommand{\central}{\cref{lem:a}}
"""
BODY = r"""
\begin{lemma}\label{lem:a} One. \end{lemma}
\begin{theorem}[label=thm:b, name=Two] Two. \end{theorem}
\begin{proof} By \lemref{a}, \cref{thm:b,lem:a} and \central{}. % \ref{lem:a}
\hyperref[lem:a]{Lemma~\ref*{lem:a}}, \pageref{lem:a}, \xyzref{lem:a}. \verb|\ref{lem:a}| \end{proof}
\input{more}
"""
MORE = r"See \cref{lem:a}, \uses{lem:a, thm:b}, not \cref{lem:ab}, \href{lem:a}{x} or lem:a."


@pytest.fixture
def workspace(tmp_path):
    write_project(tmp_path, PREAMBLE + BODY, more=MORE)
    return Workspace.open(tmp_path)


def applied(workspace, edits):
    texts = dict(workspace.home.texts)
    for edit in sorted(edits, key=lambda edit: -edit.start):
        texts[edit.path] = texts[edit.path][: edit.start] + edit.text + texts[edit.path][edit.end :]
    return texts


def test_a_label_is_renamed_wherever_it_is_cited(workspace):
    texts = applied(workspace, workspace.rename("lem:a", "lem:zorn"))
    assert r"\label{lem:zorn}" in texts["main.tex"]
    assert r"By \lemref{zorn}, \cref{thm:b,lem:zorn} and \central{}. % \ref{lem:a}" in texts["main.tex"]
    assert r"\newcommand{\central}{\cref{lem:zorn}}" in texts["main.tex"]
    assert r"\hyperref[lem:zorn]{Lemma~\ref*{lem:zorn}}, \pageref{lem:zorn}, \xyzref{lem:zorn}." in texts["main.tex"]
    assert r"\verb|\ref{lem:a}|" in texts["main.tex"]
    assert texts["more.tex"].strip() == (
        r"See \cref{lem:zorn}, \uses{lem:zorn, thm:b}, not \cref{lem:ab}, \href{lem:a}{x} or lem:a."
    )


def test_a_label_that_is_an_option_is_renamed(workspace):
    texts = applied(workspace, workspace.rename("thm:b", "thm:two"))
    assert r"\begin{theorem}[label=thm:two, name=Two]" in texts["main.tex"]
    assert r"\cref{thm:two,lem:a}" in texts["main.tex"]
    assert r"\uses{lem:a, thm:two}" in texts["more.tex"]


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("thm:b", "exists already"),
        ("lem:a ", "is no label"),
        ("", "is no label"),
        ("a}", "is no label"),
        ("a,b", "is no label"),
        ("a\0b", "is no label"),
        ("a\x1bb", "is no label"),
        ("a\x85b", "is no label"),
        ("zorn", r"by \\lemref"),
    ],
)
def test_a_name_that_would_break_the_project_is_refused(workspace, new, told):
    with pytest.raises(BadLabel, match=told):
        workspace.rename("lem:a", new)


def test_an_unknown_label_is_told(workspace):
    with pytest.raises(UnknownName, match="no label lem:zzz"):
        workspace.rename("lem:zzz", "lem:b")


def test_several_documents_write_a_label_with_and_without_the_name_of_its_file(tmp_path):
    document = "\\documentclass{{article}}\\newtheorem{{lemma}}{{Lemma}}\n\\begin{{document}}\n{}\n\\end{{document}}\n"
    first = r"\begin{lemma}\label{lemma-a} A. \end{lemma} \ref{lemma-a}"
    second = r"\begin{lemma}\label{lemma-a} B. \end{lemma} \begin{proof} By \ref{sets-lemma-a}. \end{proof}"
    (tmp_path / "sets.tex").write_text(document.format(first))
    preamble = r"\usepackage{xr-hyper}\externaldocument[sets-]{sets}"
    (tmp_path / "rings.tex").write_text(document.format(second).replace(r"\newtheorem", preamble + r"\newtheorem"))
    workspace = Workspace.open(tmp_path)
    texts = applied(workspace, workspace.rename("sets-lemma-a", "sets-lemma-new"))
    assert r"\label{lemma-new} A. \end{lemma} \ref{lemma-new}" in texts["sets.tex"]
    assert r"\label{lemma-a} B. \end{lemma} \begin{proof} By \ref{sets-lemma-new}." in texts["rings.tex"]
    with pytest.raises(BadLabel, match="must begin with sets-"):
        workspace.rename("sets-lemma-a", "lemma-new")


def test_statements_are_found_by_every_name(workspace):
    def labels(query):
        return [match.statement.label for match in workspace.matching(query)]

    assert labels("lem:") == ["lem:a"]
    assert labels("two") == ["thm:b"]
    assert labels("Theorem 2") == labels("theorem tw") == ["thm:b"]
    assert labels("1") == ["lem:a"]
    assert labels("") == ["lem:a", "thm:b"]
    assert labels("nothing") == []
