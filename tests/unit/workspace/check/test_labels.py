"""Labels that other commands may define, files that could not be read, bibliographies, equations."""

from pathlib import Path
from textwrap import dedent

import pytest

from support.lint_projects import found, write_project

LEMMA = r"\begin{lemma}\label{lem:b} B. \end{lemma} \begin{proof} Clear. \end{proof}"


def project(folder: Path, body: str, **files: str) -> Path:
    """A project with one statement at its end, since there must be one."""
    return write_project(folder, f"{dedent(body)}\n\\begin{{definition}} D. \\end{{definition}}", **files)


def subjects(main: Path, rule: str) -> list[str]:
    return [one.subject for one in found(main, rule)]


@pytest.mark.parametrize(
    "written",
    [
        r"\customlabel{key}{(*)}",
        r"\begin{sidecaption}{A figure.}[key] x \end{sidecaption}",
        r"\begin{mybox}[label=key] x \end{mybox}",
        r"\inputleannode{key}",
    ],
)
def test_keys_that_another_command_may_define(tmp_path: Path, written: str) -> None:
    assert subjects(project(tmp_path, rf"{written} See \ref{{key}} and \ref{{gone}}."), "undefined-reference") == [
        "gone"
    ]


def test_keys_with_a_prefix_that_an_environment_adds(tmp_path: Path) -> None:
    body = r"\begin{teor}{A title}{artin} X. \end{teor} See \ref{th:artin} and \ref{th:gone}."
    assert subjects(project(tmp_path, body), "undefined-reference") == ["th:gone"]


def test_a_key_that_only_citing_commands_and_lean_name_is_undefined(tmp_path: Path) -> None:
    body = r"\begin{lemma}\label{a}\lean{name}\uses{name} A. \end{lemma}"
    assert subjects(project(tmp_path, body), "undefined-reference") == ["name"]


def test_a_missing_file_does_not_lower_what_latex_reports(tmp_path: Path) -> None:
    main = project(tmp_path, r"\input{chapters/two} See \ref{a} and \ref{b} and again \ref{b}.")
    findings = found(main, "undefined-reference")
    assert {one.severity for one in findings} == {"error"}
    assert all("chapters/two, which could not be read, may define it" in one.message for one in findings)
    figure = project(tmp_path, r"\input{images/two.pdf_tex} \input{paper.bbl} See \ref{a}.")
    assert [one.message for one in found(figure, "undefined-reference")] == ["no label a is defined"]


def test_many_labels_that_a_missing_file_may_define_are_one_finding(tmp_path: Path) -> None:
    keys = " ".join(rf"\ref{{two-{name}}}" for name in ("alpha", "beta", "gamma", "delta"))
    body = rf"\input{{chapters/two}} {keys} and \ref{{thm:coset}}. \section{{C}}\label{{thm:cosets}}"
    typo, rest = sorted(found(project(tmp_path, body), "undefined-reference"), key=lambda one: len(one.message))
    assert typo.message == "no label thm:coset is defined"
    assert "two-alpha, two-beta, two-delta, …; chapters/two could not be read" in rest.message
    assert (typo.severity, rest.severity) == ("error", "error")


def test_a_macro_most_of_whose_keys_fail_is_named_once(tmp_path: Path) -> None:
    macro = r"\newcommand{\tref}[1]{Theorem~\ref{t:#1}} \tref{a} \tref{b} \tref{c}"
    (finding,) = found(project(tmp_path, macro), "undefined-reference")
    assert finding.severity == "warning"
    assert "3 of 3 keys of \\tref have no label (t:a, t:b, t:c)" in finding.message
    labelled = rf"{macro} \section{{X}}\label{{t:x}} \section{{Y}}\label{{t:y}} \section{{Z}}\label{{t:z}}"
    of_the_class = r"\fullref{Lemma}{lem:a} \fullref{Lemma}{lem:b} \fullref{Theorem}{thm:a}"
    assert [one.severity for one in found(project(tmp_path, of_the_class), "undefined-reference")] == ["warning"]
    three = project(tmp_path, r"\ref{a} \ref{b} \ref{c}")
    assert [one.severity for one in found(three, "undefined-reference")] == ["error"] * 3
    several = project(tmp_path, rf"{labelled} \tref{{x}} \tref{{y}} \tref{{z}}")
    assert [one.severity for one in found(several, "undefined-reference")] == ["error"] * 3


def test_documents_in_several_folders_have_their_own_bibliographies(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "works.bib").write_text(f"@book{{{name}, title={{T}}}}", "utf-8")
        lemmas = "\n".join([LEMMA.replace("lem:b", f"{name}{at}") for at in range(4)])
        body = rf"See \cite{{{name}}} and \cite{{none-{name}}}. \bibliography{{works}}"
        main = project(tmp_path / name, f"{lemmas}\n{body}")
        main.rename(main.with_name("paper.tex"))
    assert subjects(tmp_path, "undefined-citation") == ["none-one", "none-two"]


def test_missing_files_that_latex_makes(tmp_path: Path) -> None:
    body = (
        r"\Opensolutionfile{answers}[made] \input{made} \input{paper.ind} \input xy \input{chapters/two}"
        r"\Opensolutionfile{ans} \input{ans} \immediate\openout\hints=hints.tex \input{hints}"
    )
    (finding,) = found(project(tmp_path, body), "missing-file")
    assert "chapters/two" in finding.message


def test_a_missing_file_whose_name_a_macro_makes(tmp_path: Path) -> None:
    body = r"""
        \newcommand{\notesOf}[1]{\input{notes}}
        \notesOf{x}
        \input{remarks}
    """
    (finding,) = found(project(tmp_path, body), "missing-file")
    assert "remarks" in finding.message


def test_labels_in_one_branch_are_duplicates(tmp_path: Path) -> None:
    twice = r"\section{A}\label{a}" "\n" r"\section{B}\label{a}"
    assert subjects(project(tmp_path, rf"\newif\ifpaper \ifpaper {twice} \else X \fi"), "duplicate-label")
    assert not subjects(project(tmp_path, twice.replace("\n", "\n\\iflong ") + r"\fi"), "duplicate-label")


def test_labels_in_branches_are_not_duplicates(tmp_path: Path) -> None:
    body = r"""
        \newif\ifpaper
        \ifpaper \section{A}\label{s} \fi
        \ifthesis
        \section{B}\label{s}
        \fi
        \ifbool{long}{\section{E}\label{u}}{\section{F}
        \label{u}} \ifblank{x}{a}{b}
        \section{C}\label{t}
        \section{D}\label{t}
    """
    assert [("label t" in one.message) for one in found(project(tmp_path, body), "duplicate-label")] == [True]


def test_labels_of_a_package_that_redefines_them(tmp_path: Path) -> None:
    (tmp_path / "steps.sty").write_text(r"\newenvironment{steps}{\let\label\steplabel}{}")
    body = "\\usepackage{steps}\n\\section{C}\\label{t}\n\\section{D}\\label{t}"
    assert found(project(tmp_path, body), "duplicate-label") == []


def test_numbered_equations_in_one_finding_for_each_file(tmp_path: Path) -> None:
    body = r"""
        \begin{equation} a \end{equation}
        \begin{equation}\label{eq:b} b \end{equation} \eqref{eq:b}
        \begin{align} c \end{align}
        \begin{align*} d \end{align*}
    """
    (finding,) = found(project(tmp_path, body), "uncited-equation")
    assert finding.message.startswith("numbered equations that are never cited: 2")


BOOKS = "@book{Lang, title = {Algebra}}\n@comment{Old, x}\n@article{Other, ids = {Alias, Second}}\n"


def test_citations_against_the_files_of_the_bibliography(tmp_path: Path) -> None:
    (tmp_path / "books.bib").write_text(BOOKS)
    body = (
        r"\cite{Lang}, \cite[Theorem 3]{Alias,Gone}, \textcite{Old}, \nocite{*} % \cite{Comment}"
        "\n"
        r"\bibliography{books}"
    )
    main = project(tmp_path, body)
    findings = found(main, "undefined-citation")
    assert [(one.subject, one.severity) for one in findings] == [("Gone", "error"), ("Old", "error")]


@pytest.mark.parametrize("bibliography", ["", r"\bibliography{nowhere}", r"\addbibresource{\jobname.bib}"])
def test_without_a_bibliography_citations_are_not_checked(tmp_path: Path, bibliography: str) -> None:
    assert found(project(tmp_path, rf"\cite{{Lang}} {bibliography}"), "undefined-citation") == []


def test_a_bibliography_outside_of_the_project_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "books.bib").write_text(BOOKS)
    assert found(project(folder, r"\cite{Gone} \bibliography{../books}"), "undefined-citation") == []


def test_entries_that_nothing_cites(tmp_path: Path) -> None:
    body = r"""
        \cite{Lang}
        \begin{thebibliography}{9}
        \bibitem{Lang} S. Lang. \bibitem[Se]{Serre} J.-P. Serre.
        \end{thebibliography}
    """
    assert subjects(project(tmp_path, body), "unused-citation") == ["Serre"]
    assert subjects(project(tmp_path, body.replace(r"\cite{Lang}", r"\nocite{*}")), "unused-citation") == []
    assert subjects(project(tmp_path, body), "undefined-citation") == []


XR = r"\externaldocument[log-]{journal} % \externaldocument{comment}"


def test_labels_of_a_missing_document_with_a_prefix_are_assumed(tmp_path: Path) -> None:
    body = rf"""
        {XR}
        \begin{{lemma}}\label{{a}} By \ref{{log-one}} and \ref{{lost}}. \end{{lemma}}
        \begin{{proof}} By \ref{{log-two}}. \end{{proof}}
        See \ref{{log-three}} and Theorem~\ref{{gone}}.
    """
    assert subjects(project(tmp_path, body), "undefined-reference") == ["lost", "gone"]


@pytest.mark.parametrize("command", [r"\externaldocument", r"\zexternaldocument*", r"\myexternaldocument"])
def test_one_note_if_a_document_without_a_prefix_is_missing(tmp_path: Path, command: str) -> None:
    body = rf"""
        {command}{{journal}}
        \begin{{lemma}}\label{{a}} By \ref{{one}}. \end{{lemma}}
        \begin{{proof}} By \ref{{two}}. \end{{proof}} See \ref{{three}} and \ref{{a}}.
    """
    (finding,) = found(project(tmp_path, body), "undefined-reference")
    assert (finding.severity, finding.subject) == ("note", "not read: journal")
    assert (
        found(project(tmp_path, rf"{command}{{journal}} \section{{A}}\label{{b}} \ref{{b}}"), "undefined-reference")
        == []
    )


def test_labels_of_a_document_that_is_not_read_are_known_in_the_text(tmp_path: Path) -> None:
    journal = r"\documentclass{article}\begin{document}\section{J}\label{one}\end{document}"
    body = r"\externaldocument{journal} See \ref{one} and \ref{two}."
    assert subjects(project(tmp_path, body, journal=journal), "undefined-reference") == ["two"]


def test_a_key_that_is_cited_twice_on_one_line_is_one_finding(tmp_path: Path) -> None:
    body = r"""
        See \ref{gone} and \ref{gone}, \cite{Lost} and \cite{Lost}.
        \begin{lemma}\label{a} A. \end{lemma}
        \begin{proof} By \ref{lost} and again \ref{lost}. \end{proof}
        \begin{thebibliography}{9} \bibitem{Lang} Algebra. \end{thebibliography}
    """
    main = project(tmp_path, body)
    assert subjects(main, "undefined-reference") == ["gone", "lost"]
    assert subjects(main, "undefined-citation") == ["Lost"]


@pytest.mark.parametrize(
    ("label", "made", "other"),
    [
        (r"\thesection.\Alph{par}", "1.A", "gone"),
        (r"par:\thesection-\roman{par}", "par:2.1-iv", "par:gone"),
        (r"\thechapter-intro", "3-intro", "3-outro"),
        (r"#1:\arabic{par}", "rule:12", "rule:gone"),
        (r"\jobname:intro", "main:intro", "main:gone"),
        (r"\detokenize{#1}", "s", "any"),
    ],
)
def test_labels_that_are_made_at_run_time_are_not_undefined(tmp_path: Path, label: str, made: str, other: str) -> None:
    body = rf"""
        \newcommand{{\newpar}}[1]{{\refstepcounter{{par}}\label{{{label}}}}}
        \section{{A}}\label{{s}} \newpar{{}} See \ref{{{made}}} and \ref{{{other}}}.
    """
    assert subjects(project(tmp_path, body), "undefined-reference") == [other]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (r"See \refifdef{a}{\cref}{x} and \apply{\ref*}{y}.", 0),
        (r"\newtheoremstyle{named}{3pt}{3pt}{}{}{}{.}{1em}{\thmname{#1}\label{\detokenize{#3}}} See \ref .", 1),
        (r"See \cref and {x \ref}.", 2),
    ],
)
def test_a_reference_command_that_is_passed_on_or_stands_in_a_style_has_no_key(
    tmp_path: Path, body: str, count: int
) -> None:
    assert len(found(project(tmp_path, rf"\input{{one}} {body}", one=body), "malformed-key")) == 2 * count
