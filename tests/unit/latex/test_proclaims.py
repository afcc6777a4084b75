"""Statements of plain TeX and AMS-TeX, and documents of LaTeX 2.09."""

from naturalproofs.latex.project import LATEX

PLAIN = """\\magnification=1200
\\proclaim Theorem 1.2 (Euclid). There are many primes.\\par
\\noindent{\\it Proof.} By counting.

\\proclaim Lemma 2. Zero is good.

\\noindent{\\bf Proof.} By Theorem 1.2.
\\bye
"""
AMSTEX = """\\input amstex
\\documentstyle{amsppt}
\\document
\\proclaim{Theorem 1.1} There are many primes. \\endproclaim
\\demo{Proof} By counting. \\qed\\enddemo
\\proclaim{Lemma A.2 (Zero)} Zero is good.

It is. \\endproclaim
\\definition{Definition 3} A number. \\enddefinition
\\demo{Proof of Lemma A.2} By Theorem 1.1. \\enddemo
\\enddocument
"""


def read(tmp_path, text, **files):
    (tmp_path / "main.tex").write_text(text)
    for name, source in files.items():
        (tmp_path / f"{name}.sty").write_text(source)
    return LATEX.read(tmp_path, name="x", rules="fixed").statements


def test_plain_tex(tmp_path):
    theorem, lemma = read(tmp_path, PLAIN)
    assert (theorem.form, theorem.number, theorem.title) == ("theorem", "1.2", "Euclid")
    assert [line.strip() for line in theorem.lines if line.strip()] == ["There are many primes."]
    assert (lemma.form, lemma.number, lemma.lines) == ("lemma", "2", ("Zero is good.",))
    assert len(theorem.proofs) == 1
    assert [mention.target for mention in lemma.proofs[0].mentions] == [theorem.label]


def test_amstex(tmp_path):
    theorem, lemma, definition = read(tmp_path, AMSTEX)
    assert [(one.form, one.kind, one.number) for one in (theorem, lemma, definition)] == [
        ("theorem", "theorem", "1.1"),
        ("lemma", "theorem", "A.2"),
        ("definition", "definition", "3"),
    ]
    assert lemma.title == "Zero"
    assert "It is." in lemma.lines
    assert [len(one.proofs) for one in (theorem, lemma, definition)] == [1, 1, 0]
    assert theorem.label in [mention.target for mention in lemma.proofs[0].mentions]


def test_a_macro_of_the_author_is_no_statement(tmp_path):
    text = (
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\newcommand{\\proclaim}[1]{#1}\\begin{document}"
        "\\proclaim{Theorem 7} Text.\\begin{thm}A.\\end{thm}\\end{document}"
    )
    assert [one.number for one in read(tmp_path, text)] == ["1"]


def test_options_of_latex_209_are_packages(tmp_path):
    text = "\\documentstyle[12pt,own]{article}\\begin{document}\\begin{satz}A.\\end{satz}\\end{document}"
    found = read(tmp_path, text, own="\\newtheorem{satz}{Proposition}")
    assert [(one.form, one.number) for one in found] == [("proposition", "1")]
