"""Titles that are citations, and results of works that are open too."""

from pathlib import Path

import pytest

from naturalproofs.apps.web.render import Renderer
from naturalproofs.apps.web.site import Site
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import Selection
from naturalproofs.workspace.outside import is_numbered_result
from naturalproofs.workspace.render import full_name
from support.lint_projects import write_project

BIBLIOGRAPHY = r"""
    \begin{thebibliography}{9}
    \bibitem{groups} A. Brown, \emph{Groups}, 1999.
    \end{thebibliography}
"""
PAPER = (
    r"""
    \begin{theorem}[{\cite[Theorem 13]{groups}}]\label{thm:a} Every group is nice. \end{theorem}
    \begin{lemma}\label{lem:b} Every subgroup is nice. \end{lemma}
    \begin{proof} By \cite[Theorem 1]{groups} and \cite[Theorem 2]{groups}; see
    \cite[Chapter 9]{groups}. \end{proof}
    """
    + BIBLIOGRAPHY
)
BOOK = r"""
    \begin{theorem}\label{thm:first} Every cyclic group is abelian. \end{theorem}
    \begin{lemma}\label{lem:second} Every subgroup of a cyclic group is cyclic. \end{lemma}
"""


@pytest.fixture
def both(tmp_path: Path) -> Workspace:
    """A paper, and a book that it cites."""
    paper, book = tmp_path / "paper", tmp_path / "groups"
    for folder, body in ((paper, PAPER), (book, BOOK)):
        folder.mkdir()
        write_project(folder, body)
    return Workspace.open([paper, book], cache=False)


def test_a_title_that_is_a_citation_is_the_work_and_its_result(both: Workspace) -> None:
    statement = both.find("thm:a").statement
    assert statement.title == ""
    (work,) = both.outside("thm:a")
    assert [(one.place, one.uses[0].part) for one in work.results] == [("Theorem 13", "title")]


def test_names_say_the_work_and_its_result(both: Workspace) -> None:
    statement = both.find("thm:a").statement
    assert full_name(statement, both.home.macros) == "Theorem 1 ([groups, Theorem 13])"


def test_citations_lead_to_the_open_work_or_to_the_entry(both: Workspace) -> None:
    renderer = Site.of(both).renderer(both.home)
    title = renderer.title(both.find("thm:a").statement, linked=True)
    there = '<a href="/corpus/paper/outside#groups" title="A. Brown, Groups, 1999."><span class="cite">groups</span>'
    assert title == f"[{there}, Theorem 13</a>]"
    assert "<a" not in renderer.title(both.find("thm:a").statement)
    statement = both.find("lem:b").statement
    proof = renderer.proof(statement, statement.proofs[0])
    found = '<a href="/statement/groups:thm:first" data-preview="/corpus/groups/preview/0">'
    assert f'By [{found}<span class="cite">groups</span>, Theorem 1</a>]' in proof
    assert f"[{there}, Theorem 2</a>]" in proof
    assert f"[{there}, Chapter 9</a>]" in proof


def test_without_pages_of_other_works_a_citation_says_what_it_stands_for(both: Workspace) -> None:
    statement = both.find("thm:a").statement
    assert Renderer(both.home, both.home.macros).title(statement) == ('[<span class="cite">groups</span>, Theorem 13]')
    linked = Renderer(both.home, both.home.macros).title(statement, linked=True)
    assert linked.startswith('[<span title="A. Brown, Groups, 1999.">')


def test_a_number_is_meant_before_a_title(tmp_path: Path) -> None:
    body = r"""
        \begin{theorem}[Theorem 2]\label{thm:a} A. \end{theorem}
        \begin{theorem}\label{thm:b} B. \end{theorem}
        \begin{lemma}[Theorem 9]\label{lem:c} C. \end{lemma}
    """
    workspace = Workspace.open(write_project(tmp_path, body), cache=False)
    found = {name: workspace.find(name).statement.label for name in ("Theorem 2", "Theorem 9", "theorem 1")}
    assert found == {"Theorem 2": "thm:b", "Theorem 9": "lem:c", "theorem 1": "thm:a"}


def test_results_of_a_work_that_is_open_are_found_there(both: Workspace) -> None:
    (work,) = both.outside("lem:b")
    assert {one.place: one.meant for one in work.results} == {
        "Theorem 1": "groups:thm:first",
        "Theorem 2": "",
        "Chapter 9": "",
    }


def test_results_that_the_work_does_not_have_are_reported(both: Workspace) -> None:
    found = both.check(Selection(select=["missing-result"])).findings
    assert [(one.severity, one.message) for one in found] == [
        ("warning", "groups has no Theorem 13"),
        ("warning", "groups has no Theorem 2; 2 is lemma 2 (lem:second)"),
    ]
    assert not Workspace.of(both.corpora[:1]).check(Selection(select=["missing-result"])).findings


@pytest.mark.parametrize(
    ("place", "numbered"),
    [
        ("Theorem 3", True),
        ("Lemma 2.1.4", True),
        ("Theorem A.3", False),
        ("Chapter 2", False),
        ("p. 7", False),
        ("", False),
    ],
)
def test_only_numbered_statements_are_looked_up(place: str, numbered: bool) -> None:
    assert is_numbered_result(place) is numbered
