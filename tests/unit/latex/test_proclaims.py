"""Statements whose headings their authors write, and documents of LaTeX 2.09."""

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


SLIDES = r"""\documentclass{beamer}
\begin{document}
\begin{frame}{Groups}
\begin{block}{Definition: Group}A set with a law.\end{block}
\begin{block}<2->{Theorem 4.1 (Cauchy)}\label{thm:c}It has elements of order $p$.\end{block}
\begin{block}{Proof sketch}By \ref{thm:c} for smaller groups.\end{block}
\end{frame}
\begin{frame}
\begin{alertblock}{Satz von Rolle}Sei $f$ stetig.\end{alertblock}
\begin{block}{定理 2}设 $x$ 为实数。\end{block}
\begin{theorem}[Lagrange]The order divides.\end{theorem}
\begin{block}{Theorem proving}Programs do it.\end{block}
\begin{block}{Proof assistants}Programs as well.\end{block}
\begin{block}{}Nothing at all.\end{block}
\end{frame}
\end{document}
"""
BOXES = r"""\documentclass{article}
\begin{document}
\begin{tcolorbox}[colback=red!5,title=Theorem 1 (Bolzano)]\label{b}Some points cluster.\end{tcolorbox}
\begin{tcolorbox}[title={Proof of Theorem 1}]Bisect, as for \ref{b}.\end{tcolorbox}
\begin{mdframed}[frametitle={Lemma},linewidth=1pt]It is small.\end{mdframed}
\begin{tcolorbox}[colback=white]Only a box.\end{tcolorbox}
\[\begin{blockarray}{cc}\begin{block}{(cc)}1&2\\ \end{block}\end{blockarray}\]
\end{document}
"""


def headings(statements):
    return [(one.kind, one.form, one.number, one.title) for one in statements]


def test_blocks_of_slides_are_read_by_their_titles(tmp_path):
    statements = read(tmp_path, SLIDES)
    assert headings(statements) == [
        ("definition", "definition", "", "Group"),
        ("theorem", "theorem", "4.1", "Cauchy"),
        ("theorem", "satz", "", "Satz von Rolle"),
        ("theorem", "theorem", "2", ""),
        ("theorem", "theorem", "1", "Lagrange"),
    ]
    assert statements[1].label == "thm:c"
    assert statements[1].text == "It has elements of order $p$."
    assert [mention.target for mention in statements[1].proofs[0].mentions] == ["thm:c"]
    assert not any(one.proofs for one in statements if one.label != "thm:c")


def test_boxes_are_read_by_their_titles(tmp_path):
    theorem, lemma = read(tmp_path, BOXES)
    assert headings([theorem, lemma]) == [("theorem", "theorem", "1", "Bolzano"), ("theorem", "lemma", "", "")]
    assert len(theorem.proofs) == 1
    assert lemma.text == "It is small."


def test_slides_of_a_series_are_all_read(tmp_path):
    for number, word in enumerate(("group", "ring", "field"), 1):
        text = (
            f"\\begin{{block}}{{Definition}}A {word} is a set.\\end{{block}}"
            f"\\begin{{block}}{{Theorem}}\\label{{thm:{word}}}No {word} is large.\\end{{block}}"
        )
        (tmp_path / f"lecture{number}.tex").write_text(
            f"\\documentclass{{beamer}}\\begin{{document}}{text}\\end{{document}}"
        )
    statements = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert [one.label for one in statements if one.kind == "theorem"] == ["thm:group", "thm:ring", "thm:field"]
