"""Labels for statements that have none."""

from pathlib import Path

import pytest

from naturalproofs.workspace import Workspace
from support.lint_projects import write_project


def opened(folder: Path, body: str, **files: str) -> Workspace:
    return Workspace.open(write_project(folder, body, **files), cache=False)


def new_labels(workspace: Workspace) -> list[str]:
    home = workspace.home
    found = (home.new_labels.of(one) for one in home.statements)
    return [one.label for one in found if one is not None]


def lemma(title: str = "", text: str = "A finite group.") -> str:
    return f"\\begin{{lemma}}{f'[{title}]' if title else ''}\n{text}\n\\end{{lemma}}\n"


@pytest.mark.parametrize(
    ("existing", "expected"),
    [
        ("", "lem:lagrange-theorem"),
        (r"\begin{lemma}\label{lm:small_set} A. \end{lemma}", "lm:lagrange_theorem"),
        (r"\begin{lemma}\label{lemma-small-set} A. \end{lemma}", "lemma-lagrange-theorem"),
        (r"\begin{lemma}\label{lemSmallSet} A. \end{lemma}", "lemLagrangeTheorem"),
        (r"\begin{lemma}\label{Lem:SmallSet} A. \end{lemma}", "Lem:LagrangeTheorem"),
        (r"\begin{lemma}\label{small-set} A. \end{lemma}", "lagrange-theorem"),
        (r"\begin{theorem}\label{thm:a} A. \end{theorem}", "lem:lagrange-theorem"),
        (r"\begin{theorem}\label{theorem-small-set} A. \end{theorem}", "lemma-lagrange-theorem"),
        (r"\begin{theorem}\label{thmSmallSet} A. \end{theorem}", "lemLagrangeTheorem"),
        (r"\begin{theorem}\label{small-set} A. \end{theorem}", "lagrange-theorem"),
    ],
)
def test_the_name_follows_the_labels_of_the_project(tmp_path, existing, expected):
    assert new_labels(opened(tmp_path, existing + "\n" + lemma("Lagrange's theorem"))) == [expected]


def test_without_a_title_the_first_words_count(tmp_path):
    text = r"Let $x^2$ be \emph{a} Größe of \cref{a}. Every \textbf{compact} space is one."
    assert new_labels(opened(tmp_path, lemma(text=text) + lemma(text="$x = 1$"))) == [
        "lem:grosse-compact-space",
        "lem:lemma",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sei die Gruppe auflösbar und jede Untergruppe normal.", "lem:gruppe-auflosbar-untergruppe"),
        ("Soit un espace compact dans lequel toute suite converge.", "lem:espace-compact-lequel"),
        ("Ogni estensione che è finita è anche algebrica.", "lem:estensione-finita-algebrica"),
        ("Sea un grupo finito con un subgrupo normal.", "lem:grupo-finito-subgrupo"),
        ("Пусть группа конечна.", "lem:lemma"),
    ],
)
def test_function_words_of_the_language_are_no_words_of_a_label(tmp_path, text, expected):
    assert new_labels(opened(tmp_path, lemma(text=text))) == [expected]


def test_names_are_unique(tmp_path):
    body = "\\begin{equation}\\label{lem:zorn} x \\end{equation}\n"
    body += "".join(lemma("Zorn", f"Number {number} of them.") for number in range(3))
    assert new_labels(opened(tmp_path, body)) == ["lem:zorn-2", "lem:zorn-3", "lem:zorn-4"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\\begin{lemma}\n  A group.\n\\end{lemma}", "\\begin{lemma}@\n  A group."),
        (
            "\\begin{lemma}[A [b] {]}] % why\n\n  A group.\n\\end{lemma}",
            "\\begin{lemma}[A [b] {]}]@ % why\n\n  A group.",
        ),
        ("\\begin{lemma} A group. \\end{lemma}", "\\begin{lemma}@ A group. \\end{lemma}"),
        ("\\begin{center}\\begin{lemma}A group.\\end{lemma}\\end{center}", "\\begin{center}\\begin{lemma}@A group."),
    ],
)
def test_the_label_is_written_after_the_beginning(tmp_path, source, expected):
    home = opened(tmp_path, source).home
    (statement,) = home.statements
    new = home.new_labels.of(statement)
    text = home.texts["main.tex"]
    assert expected.replace("@", new.source) in text[: new.edit.start] + new.edit.text + text[new.edit.end :]
    assert home.new_labels.at("main.tex", statement.origin.line) == (statement, new)


def test_the_label_is_read_back(tmp_path):
    workspace = opened(tmp_path, lemma("Zorn") + lemma("Lagrange"))
    for statement in workspace.home.statements:
        new = workspace.home.new_labels.of(statement)
        text = workspace.home.texts["main.tex"]
        edited = text[: new.edit.start] + new.edit.text + text[new.edit.end :]
        after = workspace.refresh({(tmp_path / "main.tex").resolve(): edited.encode()})
        assert after.find(new.label).statement.title == statement.title


def test_labelled_and_unnumbered_statements_get_none(tmp_path):
    body = (
        "\\newtheorem*{fact}{Fact}\n\\begin{fact} A group. \\end{fact}\n\\begin{lemma}\\label{a} A ring. \\end{lemma}"
    )
    assert new_labels(opened(tmp_path, body)) == []


def test_what_its_author_numbers_is_cited_by_its_number(tmp_path):
    body = "{\\bf Lemma 4.} The order of a subgroup divides that of the group.\n\n\\textbf{5. Theorem.} It is cyclic.\n"
    (tmp_path / "main.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}\n{body}\\end{{document}}")
    workspace = Workspace.open(tmp_path, cache=False)
    assert new_labels(workspace) == []
    first = workspace.suggest(workspace.home.statements[1].label, k=1)[0]
    assert (first.citation, first.new_label) == ("Lemma 4", None)
    assert not any("label" in why for why in first.why)


def test_the_beginning_by_a_macro_is_not_edited(tmp_path):
    body = "\\newcommand{\\blem}{\\begin{lemma}}\\newcommand{\\elem}{\\end{lemma}}\n\\blem A group. \\elem"
    home = opened(tmp_path, body).home
    for statement in home.statements:
        assert home.new_labels.of(statement).edit is None


def test_suggestions_tell_the_label_and_its_place(tmp_path):
    body = lemma("Lagrange", "The order of a subgroup divides the order of the group.")
    body += r"""
\begin{theorem}\label{thm:prime} A group of prime order is cyclic. \end{theorem}
\begin{proof} The order of a subgroup divides the prime. \end{proof}
"""
    workspace = opened(tmp_path, body)
    first = workspace.suggest("thm:prime", k=1)[0]
    assert first.new_label.label == "lem:lagrange"
    line = first.statement.origin.line
    assert first.why[0] == f"has no label yet: write \\label{{lem:lagrange}} at main.tex:{line} to cite it"
    assert first.citation == "Lemma 1"
    assert first.citation_by_new_label == r"\cref{lem:lagrange}"


def test_pretext_elements_get_an_id(tmp_path):
    lemma = "<lemma><statement><p>A finite group.</p></statement></lemma>"
    text = f"<pretext><article><section>{lemma}</section></article></pretext>"
    (tmp_path / "main.ptx").write_text(text)
    home = Workspace.open(tmp_path, cache=False).home
    (statement,) = home.statements
    new = home.new_labels.of(statement)
    assert text[: new.edit.start] + new.edit.text + text[new.edit.end :] == text.replace(
        "<lemma>", '<lemma xml:id="lem-finite-group">'
    )
