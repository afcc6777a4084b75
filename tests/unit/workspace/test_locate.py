"""From a label or a line to the theorem that is being proved."""

from pathlib import Path

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.locate import locate
from support.lint_projects import PREAMBLE, write_project

START = PREAMBLE.strip().count("\n") + 2
BODY = r"""
    Words before anything.

    \begin{lemma}\label{lem:a} One. \end{lemma}
    \begin{theorem}\label{thm:main}
      Two.
    \end{theorem}
    \begin{proof}
      First \cref{lem:a}.

      Then \cref{lem:b}.
    \end{proof}

    \begin{lemma}\label{lem:b} Three. \end{lemma}
"""


@pytest.fixture
def project(tmp_path):
    main = write_project(tmp_path, BODY)
    return Workspace.open(main, cache=False).home, main


def test_a_label(project):
    corpus, main = project
    location = locate(corpus, "thm:main", main)
    assert location.statement.label == "thm:main"
    assert location.cited == ("main:lem:a", "main:lem:b")
    assert "First" in location.written


def test_a_line_of_a_proof_knows_what_stands_before_it(project):
    corpus, main = project
    line = START + 9
    for at in (str(line), f"main.tex:{line}", f"{main}:{line}"):
        location = locate(corpus, at, main)
        assert location.statement.label == "thm:main"
        assert location.cited == ("main:lem:a",)
        assert "First" in location.written
        assert "Then" not in location.written


def test_a_line_of_a_theorem_means_the_theorem(project):
    corpus, main = project
    assert locate(corpus, str(START + 5), main).cited == ("main:lem:a", "main:lem:b")


def test_a_line_outside_names_the_nearest_theorem(project):
    corpus, main = project
    with pytest.raises(UnknownName, match=rf"main.tex:{START + 1} is in no statement or proof; .*Lemma 1 \(lem:a\)"):
        locate(corpus, str(START + 1), main)
    with pytest.raises(UnknownName, match="is in no statement"):
        locate(corpus, "99999", main)


def test_a_label_that_is_not_there_brings_its_neighbours(project):
    corpus, main = project
    with pytest.raises(UnknownName, match="perhaps thm:main"):
        locate(corpus, "thm:mian", main)
    with pytest.raises(UnknownName, match="is not a file of main that contains statements"):
        locate(corpus, "mein.tex:3", main)


def test_a_line_needs_a_file_where_there_are_several(tmp_path):
    main = write_project(tmp_path, "\\input{one}\n\\input{two}", one=r"\begin{lemma} A. \end{lemma}", two="B.")
    corpus = Workspace.open(main, cache=False).home
    with pytest.raises(UnknownName, match="say which one: --at FILE:LINE"):
        locate(corpus, "3", Path(tmp_path))
    assert locate(corpus, "one.tex:1", Path(tmp_path)).statement.form == "lemma"


def test_a_proof_that_a_macro_begins_and_an_environment_with_a_digit(tmp_path):
    body = r"""
        \newcommand{\bpf}{\begin{proof}}\newcommand{\epf}{\end{proof}}\begin{lemma}\label{lem:a} One. \end{lemma}
        \begin{thm2}\label{thm:first}
          Some 5\% more.
        \end{thm2}
        \bpf
          By \cref{lem:a}.
          And on.
        \epf
    """
    main = write_project(tmp_path, body)
    main.write_text(main.read_text().replace("{corollary}", "{thm2}"))
    corpus = Workspace.open(main, cache=False).home
    assert locate(corpus, str(START + 3), main).statement.label == "thm:first"
    location = locate(corpus, str(START + 6), main)
    assert location.proof is not None
    assert location.written.strip() == r"By \cref{lem:a}."
    assert location.cited == ("main:lem:a",)
