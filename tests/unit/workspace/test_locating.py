"""From a label or a line to the theorem that is being proved."""

from pathlib import Path

import pytest

from naturalproofs.corpus.load import load_path
from naturalproofs.errors import UnknownName
from naturalproofs.workspace.locating import locate
from naturalproofs.workspace.shelf import Shelf
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
    return Shelf(load_path(main)), main


def test_a_label(project):
    shelf, main = project
    spot = locate(shelf, "thm:main", main)
    assert spot.statement.label == "thm:main"
    assert spot.cited == ("main:lem:a", "main:lem:b")
    assert "First" in spot.written


def test_a_line_of_a_proof_knows_what_stands_before_it(project):
    shelf, main = project
    line = START + 9
    for at in (str(line), f"main.tex:{line}", f"{main}:{line}"):
        spot = locate(shelf, at, main)
        assert spot.statement.label == "thm:main"
        assert spot.cited == ("main:lem:a",)
        assert "First" in spot.written
        assert "Then" not in spot.written


def test_a_line_of_a_theorem_means_the_theorem(project):
    shelf, main = project
    assert locate(shelf, str(START + 5), main).cited == ("main:lem:a", "main:lem:b")


def test_a_line_outside_names_the_nearest_theorem(project):
    shelf, main = project
    with pytest.raises(UnknownName, match=rf"main.tex:{START + 1} lies in no statement or proof; .*Lemma 1 \(lem:a\)"):
        locate(shelf, str(START + 1), main)
    with pytest.raises(UnknownName, match="lies in no statement"):
        locate(shelf, "99999", main)


def test_a_label_that_is_not_there_brings_its_neighbours(project):
    shelf, main = project
    with pytest.raises(UnknownName, match="perhaps thm:main"):
        locate(shelf, "thm:mian", main)
    with pytest.raises(UnknownName, match="is no file of main that holds statements"):
        locate(shelf, "mein.tex:3", main)


def test_a_line_needs_a_file_where_there_are_several(tmp_path):
    main = write_project(tmp_path, "\\input{one}\n\\input{two}", one=r"\begin{lemma} A. \end{lemma}", two="B.")
    shelf = Shelf(load_path(main))
    with pytest.raises(UnknownName, match="say which one: --at FILE:LINE"):
        locate(shelf, "3", Path(tmp_path))
    assert locate(shelf, "one.tex:1", Path(tmp_path)).statement.form == "lemma"
