"""What the prose of a blueprint cites, and what it lists."""

from pathlib import Path

from support.lint_projects import found, write_project

BLUEPRINT = r"""
    \begin{definition}\label{d} D. \end{definition}
    \begin{lemma}\label{a}\uses{d} A. \end{lemma}
    \begin{proof} By \cref{d}. \end{proof}
    \begin{lemma}\label{b} B, with \cref{d}. \end{lemma}
    \begin{proof}\leanok\uses{a} Clear. \end{proof}
    \begin{theorem}\label{t} T. \end{theorem}
    \begin{proof}\uses{a} By \cref{a} and \cref{b}. \end{proof}
    \begin{theorem}\label{u} U. \end{theorem}
    \begin{proof}\leanok\uses{a} \end{proof}
"""


def test_what_is_cited_and_not_listed(tmp_path: Path) -> None:
    findings = found(write_project(tmp_path, BLUEPRINT), "unlisted-use")
    assert [one.subject for one in findings] == ["lemma 3 (b) -> d", "the proof of theorem 4 (t) -> b"]
    assert findings[1].message == "the proof of theorem 4 (t) cites lemma 3 (b), which its \\uses does not list"
    assert {one.severity for one in findings} == {"note"}


def test_what_is_listed_and_not_cited(tmp_path: Path) -> None:
    findings = found(write_project(tmp_path, BLUEPRINT), "uncited-use")
    assert [one.subject for one in findings] == ["the proof of lemma 3 (b) -> a"]


def test_other_projects_have_neither(tmp_path: Path) -> None:
    main = write_project(tmp_path, BLUEPRINT.replace("\\uses{d}", "").replace("\\uses{a}", ""))
    assert found(main, "unlisted-use") == found(main, "uncited-use") == []
