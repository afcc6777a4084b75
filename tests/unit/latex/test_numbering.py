"""Counters and the numbers that are printed."""

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.latex.read.numbering import Counters, numbered_rows, roman


def test_counters():
    counters = Counters()
    counters.define("section")
    counters.define("theorem", "section")
    counters.define("remark", "theorem")
    counters.step("section")
    counters.step("theorem")
    counters.step("remark")
    assert counters.printed("remark") == "1.1.1"
    counters.step("section")
    counters.step("remark")
    assert counters.printed("remark") == "2.0.1"
    counters.formats["theorem"] = "\\Alph{section}-\\roman{theorem}"
    counters.step("theorem")
    assert counters.printed("theorem") == "B-i"
    counters.formats["theorem"] = "\\thechapter.\\arabic{theorem}"
    assert counters.printed("theorem") == ""
    assert [roman(n) for n in (4, 9, 1994, 0, 5000)] == ["IV", "IX", "MCMXCIV", "0", "5000"]


def test_formats_with_tests():
    counters = Counters()
    counters.define("section")
    counters.define("theorem", "section")
    counters.formats["theorem"] = "\\ifnum\\c@section>0 \\thesection.\\else\\Alph{section}\\fi\\@arabic\\c@theorem"
    counters.step("theorem")
    assert counters.printed("theorem") == "01"
    counters.step("section")
    counters.step("theorem")
    assert counters.printed("theorem") == "1.1"
    counters.formats["theorem"] = "\\ifx\\a\\b\\thesection\\fi.\\arabic{theorem}"
    assert counters.printed("theorem") == ""


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("x", 1),
        ("x \\\\ y", 2),
        ("x \\\\ y \\\\", 3),
        ("x \\nonumber \\\\ y", 1),
        ("{a \\\\ b}", 1),
        ("x\\tag{1}", 0),
        ("\\begin{matrix} 1 \\\\ 2 \\end{matrix} \\\\ y", 2),
        ("x % \\\\ \n", 1),
    ],
)
def test_rows_with_numbers(body, rows):
    assert len(numbered_rows("align", body)) == rows


@pytest.mark.parametrize(
    "named", [r"{\let\chapter\section \tableofcontents}", r"The command \texttt{\chapter}.", r"\let\x=\chapter"]
)
def test_a_command_of_headings_that_is_only_named_counts_nothing(tmp_path, named):
    text = f"{named}\n\\chapter{{A}}\\begin{{lemma}}x\\end{{lemma}}"
    preamble = "\\documentclass{report}\\newtheorem{lemma}{Lemma}[chapter]"
    (tmp_path / "main.tex").write_text(f"{preamble}\\begin{{document}}{text}\\end{{document}}")
    (lemma,) = build(LATEX, tmp_path, name="s").statements
    assert lemma.number == "1.1"
