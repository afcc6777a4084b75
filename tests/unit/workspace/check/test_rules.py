"""Each rule on a project that breaks it, and on one that does not."""

from pathlib import Path

import pytest

from conftest import ROOT
from naturalproofs.workspace.check import RULES
from support.lint_projects import PREAMBLE, check, found, write_project

START = PREAMBLE.strip().count("\n") + 3
"""The line of the file on which the body starts."""

CLEAN = r"""
    \section{One}\label{sec:one} See \cref{thm:main} and Section~\ref{sec:one}.
    \begin{definition}\label{def:a} A thing. \end{definition}
    \begin{lemma}\label{lem:a} By \cref{def:a}. \end{lemma}
    \begin{proof} Clear. \end{proof}
    \begin{theorem}\label{thm:main} True. \end{theorem}
    \begin{proof} By \cref{lem:a}. \end{proof}
"""


def test_a_clean_project_has_no_findings_at_all(tmp_path: Path) -> None:
    report = check(write_project(tmp_path, CLEAN), notes=True)
    assert report.findings == ()


def test_a_statement_is_named_by_its_number_where_it_has_one(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"\begin{lemma} A. \end{lemma} \begin{lemma*} B. \end{lemma*}")
    main.write_text(main.read_text().replace(r"\begin{document}", r"\newtheorem*{lemma*}{Lemma} \begin{document}"))
    messages = [one.message for one in check(main, notes=True).findings if one.rule == "statement-without-proof"]
    assert sorted(messages) == ["lemma 1 has no proof", "this lemma has no proof"]


def test_undefined_reference_in_a_proof_and_in_the_text_around(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        Before, see \cref{nowhere}.
        \begin{theorem}\label{t} True. \end{theorem}
        \begin{proof} By \cref{t, gone}, and
          \ref{gone}. \end{proof}
    """)  # fmt: skip
    findings = found(main, "undefined-reference")
    assert [(one.path, one.line, one.column, one.subject) for one in findings] == [
        ("main.tex", START, 13, "nowhere"),
        ("main.tex", START + 2, 18, "gone"),
        ("main.tex", START + 3, 3, "gone"),
    ]
    assert {one.severity for one in findings} == {"error"}


def test_macros_that_make_keys_are_not_undefined(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \newcommand{\lref}[1]{Lemma~\ref{lem:#1}}
        \begin{lemma}\label{lem:a} True. \end{lemma}
        \begin{proof} Clear. \end{proof}
        \begin{theorem}\label{t} True. \end{theorem}
        \begin{proof} By \lref{a}. \end{proof}
    """)  # fmt: skip
    assert found(main, "undefined-reference") == []
    assert found(main, "unused-statement") == []


def test_macros_are_followed_in_running_text(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \newcommand{\tref}[1]{Theorem~\ref{thm:#1}}
        \def\see#1.{see \tref{#1}.}
        \newcommand{\maybe}[1]{\ifdraft\ref{#1}\else\ref{thm:#1}\fi}
        \newcommand{\lbl}[1]{\label{thm:#1}}
        In \tref{a} and \tref{gone}, \see b. But \maybe{c}.
        \begin{theorem}\label{thm:a} A. \end{theorem}
        \begin{theorem}\lbl{b} B. \end{theorem}
        \begin{theorem}\label{thm:c} C. \end{theorem}
        \begin{theorem}\label{thm:d} D. \end{theorem}
    """)  # fmt: skip
    assert [(one.line, one.column, one.subject) for one in found(main, "undefined-reference")] == [
        (START + 4, 17, "thm:gone")
    ]
    assert [one.subject for one in found(main, "unused-label")] == ["thm:d"]


def test_duplicate_label(tmp_path: Path) -> None:
    body = r"\begin{lemma}\label{a} X. \end{lemma}" "\n" r"\begin{lemma}\label{a} Y. \end{lemma}"
    (finding,) = found(write_project(tmp_path, body), "duplicate-label")
    assert (finding.line, finding.severity) == (START + 1, "error")
    assert str(START) not in finding.subject


def test_circular_argument_shows_the_circle(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{lemma}\label{a} A. \end{lemma}
        \begin{proof} By \cref{b}. \end{proof}
        \begin{lemma}\label{b} B. \end{lemma}
        \begin{proof} By \cref{c}. \end{proof}
        \begin{lemma}\label{c} C. \end{lemma}
        \begin{proof} By \cref{a}. \end{proof}
    """)  # fmt: skip
    (finding,) = found(main, "circular-argument")
    assert finding.severity == "error"
    assert finding.line == START + 1
    places = [finding.message.index(f"({name})") for name in "abc"]
    assert places == sorted(places)
    assert finding.message.endswith("(a)")


def test_statements_that_mention_each_other_are_no_circle(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{lemma}\label{a} A, see \cref{b}. \end{lemma}
        \begin{proof} Clear. \end{proof}
        \begin{lemma}\label{b} B. \end{lemma}
        \begin{proof} By \cref{a}. \end{proof}
    """)  # fmt: skip
    assert found(main, "circular-argument") == []


def test_forward_reference(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{theorem}\label{t} T. \end{theorem}
        \begin{proof} By \cref{l} and again \cref{l}. \end{proof}
        \begin{lemma}\label{l} L. \end{lemma}
        \begin{proof} Clear. \end{proof}
    """)  # fmt: skip
    (finding,) = found(main, "forward-reference")
    assert (finding.line, finding.column, finding.severity, finding.subject) == (START + 1, 18, "note", "t -> l")


def test_a_deferred_proof_may_use_what_comes_before_it(tmp_path: Path) -> None:
    main = write_project(
        tmp_path,
        r"""
        \begin{theorem}\label{t} T. \end{theorem}
        \begin{lemma}\label{l} L. \end{lemma}
        \begin{proof} Clear. \end{proof}
        \input{appendix}
        """,
        appendix=r"\begin{proof}[Proof of \cref{t}] By \cref{l}. \end{proof}",
    )
    assert found(main, "forward-reference") == []
    assert found(main, "statement-without-proof") == []


def test_statement_without_proof(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{theorem}\label{bare} T. \end{theorem}
        \begin{corollary}\label{c} T. \end{corollary}
        \begin{conjecture}\label{open} T. \end{conjecture}
        \begin{theorem}\label{known} T, see \cite{Lang}. \end{theorem}
        \begin{definition}\label{d} D. \end{definition}
        \begingroup\def\thetheorem{\ref{c}}\begin{theorem} Again. \end{theorem}\endgroup
    """)  # fmt: skip
    findings = found(main, "statement-without-proof")
    assert [(one.subject, one.severity) for one in findings] == [("bare", "note")]


def test_proof_without_statement(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{proof} Of nothing. \end{proof}
        \begin{lemma}\label{a} A. \end{lemma}
    """)  # fmt: skip
    (finding,) = found(main, "proof-without-statement")
    assert (finding.line, finding.severity) == (START, "note")


def test_a_proof_of_running_text_is_no_finding(tmp_path: Path) -> None:
    body = r"""
        We have $a = b$ for all $a$.
        \begin{proof} Clear. \end{proof}
        \begin{riddle} Is $a = b$? \end{riddle}
        \begin{proof} It is. \end{proof}
        \begin{lemma}\label{a} A. \end{lemma}
    """
    (finding,) = found(write_project(tmp_path, body), "proof-without-statement")
    assert finding.message.endswith("the environment riddle before it is not read as a statement")


def test_unused_label_and_unused_statement(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \section{S}\label{sec:s}
        \begin{lemma}\label{unused} A. \end{lemma}
        \begin{lemma}\label{used} A. \begin{equation}\label{eq} x \end{equation} \end{lemma}
        \begin{lemma}\label{by-equation} A. \begin{equation}\label{eq2} x \end{equation} \end{lemma}
        \begin{theorem}\label{main} By \cref{used} and \eqref{eq2}. \end{theorem}
        % \ref{sec:s} in a comment does not count
    """)  # fmt: skip
    assert [one.subject for one in found(main, "unused-label")] == ["sec:s", "eq", "main"]
    assert [one.subject for one in found(main, "unused-statement")] == ["unused"]


def test_unlabelled_theorem(tmp_path: Path) -> None:
    body = r"\begin{lemma} A. \end{lemma}" "\n" r"\begin{definition} D. \end{definition}"
    (finding,) = found(write_project(tmp_path, body), "unlabelled-theorem")
    assert (finding.line, finding.message) == (START, "lemma has no label")


def test_the_sources_own_complaints_are_findings(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"\input{missing} \begin{lemma}\label{a} A. \end{lemma}")
    findings = [one for one in check(main).findings if one.rule == "missing-file"]
    assert len(findings) == 1


def test_classes_and_submodules_that_are_missing(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"\begin{lemma}\label{a} A. \end{lemma}")
    main.write_text(main.read_text("utf-8").replace("{article}", "{./styles/notes}", 1), "utf-8")
    (tmp_path / ".gitmodules").write_text('[submodule "s"]\n\tpath = styles\n\turl = x\n', "utf-8")
    messages = [one.message.partition(":")[0] for one in found(main, "missing-file")]
    assert messages == ["the submodule styles is not checked out", "the class ./styles/notes is missing"]
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "notes.cls").write_text("", "utf-8")
    assert not found(main, "missing-file")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_every_rule_has_a_paragraph_in_the_docs(rule: object) -> None:
    page = ROOT / "docs" / "reference" / "check-rules.md"
    assert f"## {rule.name}\n" in page.read_text("utf-8")
