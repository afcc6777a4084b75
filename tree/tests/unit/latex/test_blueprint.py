"""Metadata of blueprints: kept beside a statement, never a part of its text."""

from pathlib import Path

from naturalproofs.apps.report.listings import statement_text
from naturalproofs.records import Note, formal_names
from naturalproofs.sources.latex.display import plain_unicode
from support.project_listing import read_project

PROJECT = Path(__file__).parents[2] / "golden" / "projects" / "blueprint_metadata"
LINK = "\\href{https://example.org/docs/find/\\#doc/%s}{%s}"


def test_text_has_no_metadata():
    statements = read_project(PROJECT).statements
    assert [statement.lines for statement in statements] == [("A holds.",), ("B holds.",), ("T holds.",)]
    assert statements[1].proofs[0].lines == ("By Lemma \\ref{a}.",)


def test_formal_names_are_links():
    first, *others = read_project(PROJECT).statements
    assert first.notes == (Note("lean", (LINK % ("Foo.a_b", "Foo.a_b"), LINK % ("Foo.c", "Foo.c"))),)
    assert not any(statement.notes for statement in others)
    assert "Foo.a_b" in plain_unicode(first.notes[0].lines[0], {})


def test_formal_names_as_they_are_shown():
    corpus = read_project(PROJECT)
    assert formal_names(corpus.statements[0]) == [
        ("Foo.a_b", "https://example.org/docs/find/#doc/Foo.a_b"),
        ("Foo.c", "https://example.org/docs/find/#doc/Foo.c"),
    ]
    assert "Lean: Foo.c https://example.org/docs/find/#doc/Foo.c" in statement_text(corpus, corpus.statements[0])


def test_formal_names_without_documentation(tmp_path):
    source = (
        "\\newtheorem{theorem}{Theorem}\\begin{document}\\begin{theorem}\\lean{A.b} T.\\end{theorem}\\end{document}"
    )
    (tmp_path / "main.tex").write_text("\\documentclass{article}" + source)
    (statement,) = read_project(tmp_path).statements
    assert statement.notes == (Note("lean", ("A.b",)),)
    assert formal_names(statement) == [("A.b", "")]


def test_a_project_may_use_the_names_for_itself():
    statements = read_project(PROJECT.with_name("logic_symbols")).statements
    assert statements[0].lines == ("$\\Gamma \\proves {A}$, checked in \\lean{} at $\\zref$.",)
    assert [proof.lines for proof in statements[1].proofs] == [("$\\Gamma \\proves {B}$ by \\ref{a}.",)]
