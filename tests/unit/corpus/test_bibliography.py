"""Which statement uses which result of another work, in a project and in the corpus that is built from it."""

import json

import pytest

from naturalproofs.benchmark.make import extract, load_folder, merge
from naturalproofs.corpus.bibliography import outside_counts, outside_uses
from naturalproofs.corpus.load import load_corpus
from naturalproofs.corpus.store import BIBLIOGRAPHY, load_manifest
from naturalproofs.workspace import Workspace
from support.command_line import call

MAIN = r"""\documentclass{article}
\newtheorem{theorem}{Theorem}
\newtheorem{lemma}[theorem]{Lemma}
\begin{document}
\begin{theorem}[Cohn {\cite[Exercise~8.1]{AM}}]\label{thm:a} See \textcite{EGA}. \end{theorem}
\begin{proof} By \cite[Thm.~3]{EGA} and Lemma 4 of \cite{EGA}. \end{proof}
\begin{lemma}\label{lem:b} It holds. \end{lemma}
\begin{proof} Use \cite[Theorem 3]{EGA}. \end{proof}
\bibliography{refs}
\end{document}
"""
BIB = (
    "@book{EGA, author = {A. G.}, title = {Elements}, year = 1960}\n@book{AM, title = {Algebra}}\n@book{no, title={X}}"
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


def works(path, name=""):
    return [
        (str(work.entry), [(result.place, result.statements) for result in work.results])
        for work in Workspace.open(path).outside(name)
    ]


def test_a_project_and_its_corpus_say_the_same(project, tmp_path):
    found = works(project)
    assert found == [
        (
            "A. G., Elements (1960)",
            [("Theorem 3", ("p:thm:a", "p:lem:b")), ("Lemma 4", ("p:thm:a",)), ("", ("p:thm:a",))],
        ),
        ("Algebra", [("Exercise 8.1", ("p:thm:a",))]),
    ]
    code, _, err = call("build", "latex", project, "-o", tmp_path / "built", "--name", "p")
    assert code == 0, err
    assert works(tmp_path / "built") == found
    stored = [json.loads(line)["key"] for line in (tmp_path / "built" / BIBLIOGRAPHY).read_text().splitlines()]
    assert stored == ["EGA", "AM"]


def test_the_title_keeps_no_citation(project):
    statement = load_corpus(project).find("thm:a")
    assert statement.title == "Cohn"
    assert [(use.part, use.cited.key) for use in outside_uses(statement)] == [
        ("title", "AM"),
        ("statement", "EGA"),
        ("proof", "EGA"),
        ("proof", "EGA"),
    ]


def test_counts(project):
    corpus = load_corpus(project)
    counts = outside_counts(use for one in corpus.statements for use in outside_uses(one))
    assert (counts.works, counts.results, counts.uses, counts.statements) == (2, 3, 5, 2)


def test_one_statement(project):
    assert works(project, "lem:b") == [("A. G., Elements (1960)", [("Theorem 3", ("p:lem:b",))])]
    code, out, _ = call("show", project, "lem:b")
    assert code == 0
    assert "Uses of other works:\n  Theorem 3, A. G., Elements (1960) (proof)" in out
    assert json.loads(call("show", project, "lem:b", "--format", "json")[1])["outside"][0]["key"] == "EGA"


def test_the_command(project):
    code, out, _ = call("outside", project)
    assert code == 0
    assert "A. G., Elements (1960) [EGA]\n  Theorem 3: Theorem 1 [thm:a], Lemma 2 [lem:b]\n" in out
    assert json.loads(call("outside", project, "--format", "json")[1])[1]["title"] == "Algebra"


def test_a_corpus_without_citations_has_no_such_file(project, tmp_path):
    (project / "main.tex").write_text(MAIN.replace("cite", "textbf"))
    call("build", "latex", project, "-o", tmp_path / "built")
    assert BIBLIOGRAPHY not in load_manifest(tmp_path / "built").files
    assert call("outside", tmp_path / "built")[1] == "No statement and no proof cites another work.\n"


def test_merged_corpora_keep_their_works(project, tmp_path):
    call("build", "latex", project, "-o", tmp_path / "one")
    call("build", "latex", project, "-o", tmp_path / "two")
    one, two = (load_folder(tmp_path / name) for name in ("one", "two"))
    merged = merge([one, two], "both")
    assert len(merged[0].works) == 4
    assert extract(*merged, "two") == two


def test_entries_outside_of_the_project_are_not_read(project):
    (project.parent / "secret.bib").write_text("@book{EGA, title = {Secret}}")
    (project / "main.tex").write_text(MAIN.replace("{refs}", "{../secret}"))
    assert works(project)[0][0] == "EGA"
