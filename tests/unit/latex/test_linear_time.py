"""Hostile files of megabytes: with more than linear time these tests would not end."""

import pytest

from naturalproofs.latex import FULL, STRUCTURE, scan
from naturalproofs.latex.books import STACKS_DIALECT
from naturalproofs.latex.builders import Reading
from naturalproofs.latex.files import check_balance, load
from naturalproofs.latex.reader import Reader

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
    loaded = load(tmp_path / "x.tex", tmp_path, STACKS_DIALECT.vocabulary)
    assert loaded.file is not None
    reading = Reading()
    Reader(STACKS_DIALECT, reading).read(loaded.file)
    assert len(reading.diagnostics) <= 1000


@pytest.mark.parametrize("piece", ["{", "}", "$", "\\", "{}"])
def test_full_scan(piece):
    text = piece * (SIZE // len(piece))
    assert scan(text, FULL).tokens[-1].end == scan(text, STRUCTURE).tokens[-1].end == len(text)
    check_balance(text + "{")
