"""Hostile files of megabytes: with more than linear time these tests would not end."""

from dataclasses import replace

import pytest

from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.project.choice import folder_documents
from naturalproofs.sources.latex.project.tree import check_balance, load
from naturalproofs.sources.latex.read.citations import find_keys, keyed_macros
from naturalproofs.sources.latex.read.reader import Reader
from naturalproofs.sources.latex.scan.scanner import FULL, STRUCTURE, scan
from naturalproofs.sources.reading.builders import Reading
from naturalproofs.sources.textbooks import STACKS
from support.project_listing import read_project

SIZE = 1_000_000
LARGE = {"{": 5_000_000, "\\begin{a}": 5_000_000}
HOSTILE = [
    "{", "}", "\\begin{a}", "\\end{a}", "\\begin{a}\\label{b}", "\\begin{lemma}", "\\begin{proof}[", "\\begin{lemma}[",
    "\\begin{verbatim}", "\\iffalse", "\\verb|", "\\verb+", "\\ref{", "\\ref[", "\\label", "\\begin\n", "\\ref ",
    "\\cref{%\n", "\\section{", "%", "\\", "$", "[", "\n",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_scanner_and_reader(tmp_path, piece):
    text = piece * (LARGE.get(piece, SIZE) // len(piece))
    assert "".join(text[t.start : t.end] for t in scan(text[:100_000], FULL).tokens) == text[:100_000]
    (tmp_path / "x.tex").write_text(text)
    loaded = load(tmp_path / "x.tex", tmp_path, STACKS.dialect.vocabulary)
    assert loaded.file is not None
    reading = Reading()
    Reader(STACKS.dialect, reading).read(loaded.file)
    assert len(reading.diagnostics) <= 1000


class Counted(str):
    """A text that counts the characters that are copied out of it."""

    __slots__ = ("copied",)

    def __getitem__(self, at):
        """A part of the text."""
        found = super().__getitem__(at)
        self.copied = getattr(self, "copied", 0) + len(found)
        return found


@pytest.mark.parametrize("piece", [*HOSTILE, "\\part{a} x ", "\\part a ", "\\section{a} x "])
def test_the_reader_copies_a_bounded_part_for_every_command(tmp_path, piece):
    copied = []
    for size in (20_000, 80_000):
        (tmp_path / "x.tex").write_text("\\begin{lemma}\\label{a} x\\end{lemma} " + piece * (size // len(piece)))
        file = load(tmp_path / "x.tex", tmp_path, STACKS.dialect.vocabulary).file
        text = Counted(file.text)
        Reader(STACKS.dialect, Reading()).read(replace(file, text=text))
        copied.append(getattr(text, "copied", 0))
    assert copied[1] <= 5 * copied[0] + size


@pytest.mark.parametrize("piece", ["{", "}", "$", "\\", "{}"])
def test_full_scan(piece):
    text = piece * (SIZE // len(piece))
    assert scan(text, FULL).tokens[-1].end == scan(text, STRUCTURE).tokens[-1].end == len(text)
    check_balance(text + "{")


PREAMBLE = (
    "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\newcommand{\\tref}[1]{Theorem~\\ref{#1}}\\def\\by#1.{\\ref{#1}}"
    "\\newcommand{\\lref}{\\ref}\\newcommand{\\opt}[2][]{\\ifx&#1&\\ref{#2}\\else\\ref{#1}\\fi}\\WithSuffix\\newcommand\\tref*[1]{\\ref{#1}}"
    "\\begin{document}\\begin{theorem}A.\\end{theorem}"
)  # fmt: skip
HOSTILE_IN_A_PROJECT = [
    "{\\bf Proof", "{\\bf Proof.}", "\n\\textbf{Proof", "\n\\textbf{Proof of \\ref{a}}", "\\emph{",
    "\n{\\bf Proof.} $\\Box$", "\\Box", "\\qed", "\\uses{", "\\uses{a,", "\\lean{", "\\lean{a}", "\\proves{",
    "\\tref", "\\tref{", "\\tref*", "\\by ", "\\by a", "\\lref", "\\opt[", "\\opt{a}", "\\begin{theorem}[label=",
    "\\begin{theorem}[{name=", "\\paragraph{Proof}", "\\begin{proof}", "\\begin{proof}\\begin{theorem}",
    "\\begin{lemma}{a}{b}", "\\newcommand{\\tref}", "\\WithSuffix", "\\NewEnviron{a}", "\\def\\a#1",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE_IN_A_PROJECT)
def test_project(tmp_path, piece):
    (tmp_path / "main.tex").write_text(PREAMBLE + piece * (300_000 // len(piece)))
    assert read_project(tmp_path).statements


HEADINGS_IN_LINES = [
    "\n\\textbf{Theorem 1.} a", "\n\n\\textbf{Theorem 1.} a", "\n{\\bf Lemma", "\n{\\bf Lemma. ",
    "\n\\textbf{Lemma 2.} {\\em ", "\n\n\\textbf{Lemma 2.} a:\n\n(a) b;\n\n(c) d", "\n\\paragraph{Theorem 1.}",
    "\n\\textbf{Claim 1.} \\begin{a}", "\n\\section{", "\n\\head{Lemma} a",
    "\n\n\\head{Lemma} a", "\n\\head{a", "\n\\head{Lemma",
]  # fmt: skip


@pytest.mark.parametrize("piece", HEADINGS_IN_LINES)
def test_headings_in_lines(tmp_path, piece):
    text = f"\\textbf{{Theorem 7.}} A.\n\n{piece * (300_000 // len(piece))}"
    preamble = (
        "\\documentclass{article}\\newcounter{n}\\newcommand{\\head}[1]{\\textbf{#1 \\stepcounter{n}\\arabic{n}.}}"
    )
    (tmp_path / "main.tex").write_text(f"{preamble}\\begin{{document}}\n{text}")
    assert read_project(tmp_path).statements


@pytest.mark.parametrize("piece", ["\\tref", "\\tref{", "\\tref*", "\\by ", "\\lref[", "\\newcommand{\\tref}"])
def test_keys_of_macros(piece):
    macros = keyed_macros(macros_of([PREAMBLE]))
    assert find_keys(PREAMBLE + piece * (300_000 // len(piece)), macros=macros)


OUTLINES = [
    "\\input ", "\\input{a} ", "\\input", "\\documentclass[", "\\documentclass[a]", "\\begin{", "\\import{a", "\\a",
    "\\newtheorem[", "\\usepackage[", "\\inputinputinput", "a", " ", "%", "\\label{", "\\end{document}",
]  # fmt: skip


@pytest.mark.parametrize("piece", OUTLINES)
def test_the_search_for_the_main_file(tmp_path, piece):
    (tmp_path / "x.tex").write_text("\\input" + piece * (SIZE // len(piece)))
    (tmp_path / "y.tex").write_text("\\documentclass{article}\\begin{document}" + piece * (SIZE // len(piece)))
    assert [one.files for one in folder_documents(tmp_path).choose()] == [("y.tex",)]


def test_many_documents_that_read_the_same_files(tmp_path):
    inputs = "".join(f"\\input{{part{number}}}" for number in range(400))
    for number in range(400):
        (tmp_path / f"part{number}.tex").write_text("\\input{part0}" + inputs)
        (tmp_path / f"main{number}.tex").write_text("\\documentclass{article}\\begin{document}" + inputs)
    assert len(folder_documents(tmp_path).choose()) == 1


HOSTILE_INPUTS = [
    "\\foreach \\n in {1,...,999}{\\input{a\\n}}", "\\input{\\x a\\x a\\x a\\x a\\x a\\x a}", "\\loop\\input{a\\n}",
    "\\input{\\long}", "\\rd{a}", "\\foreach ", "\\foreach \\n in {", "\\input{a\\n", "\\ourimport[",
    "\\ourimport[a]{b}",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE_INPUTS)
def test_inputs_of_a_project(tmp_path, piece):
    macros = (
        f"\\newcommand{{\\long}}{{{'a' * 10_000}}}\\newcommand{{\\rd}}[1]{{\\input{{#1}}\\input{{\\x#1}}}}"
        "\\newcommand{\\ourimport}[2][]{\\ifx#1\\input{#2}\\fi}"
    )
    body = "\\begin{theorem}A.\\end{theorem}" + piece * (100_000 // len(piece))
    (tmp_path / "main.tex").write_text(f"\\documentclass{{article}}{macros}\\begin{{document}}{body}")
    for number in range(200):
        (tmp_path / f"{'a' * number}{number}.tex").touch()
    assert read_project(tmp_path / "main.tex").statements
