"""Theorems that are declared by loops and by macros of the author."""

import pytest

from naturalproofs.sources.latex.project.project import LATEX

BODY = """
\\section{Rings}
\\begin{thm}\\label{a} Every ring has a unit. \\end{thm}
\\begin{lemma}\\label{b} Units divide. \\end{lemma}
\\begin{claim}\\label{c} Products of units are units. \\end{claim}
"""


def numbers(tmp_path, preamble, body=BODY):
    main = tmp_path / "main.tex"
    theorem = "\\newtheorem{thm}{Theorem}[section]"
    main.write_text(f"\\documentclass{{article}}\n{theorem}{preamble}\n\\begin{{document}}{body}\\end{{document}}\n")
    return [(one.form, one.number) for one in LATEX.read(main, name="x", rules="fixed").statements]


@pytest.mark.parametrize(
    "preamble",
    [
        "\\newcommand{\\mk}[1]{\\newtheorem{#1}[thm]{#1}}\\forcsvlist{\\mk}{lemma, claim}",
        "\\newcommand{\\mk}[1]{\\newtheorem{#1}[thm]{#1}}\\forcsvlist\\mk{lemma,claim}",
        "\\newcommand{\\names}{lemma, claim}\\makeatletter"
        "\\@for\\one:=\\names\\do{\\expandafter\\newtheorem\\expandafter{\\one}[thm]{\\one}}\\makeatother",
        "\\renewcommand*{\\do}[1]{\\newtheorem{#1}[thm]{#1}}\\docsvlist{lemma,claim}",
        "\\foreach \\name/\\word in {lemma/Lemma, claim/Claim} {\\newtheorem{\\name}[thm]{\\word}}",
        "\\ExplSyntaxOn\\clist_map_inline:nn { lemma, claim } { \\newtheorem {#1} [thm] {#1} }\\ExplSyntaxOff",
        "\\newcommand{\\mk}[2]{\\newtheorem{#1}[thm]{#2}}\\newcommand{\\pair}[1]{\\mk#1}"
        "\\forcsvlist{\\pair}{{lemma}{Lemma},{claim}{Claim}}",
        "\\newcommand{\\mk}[1]{\\newtheorem{#1}[thm]{#1}}\\newcommand{\\all}[1]{\\forcsvlist{\\mk}{#1}}"
        "\\all{lemma,claim}",
        "\\newcommand{\\mk}[2]{\\newtheorem{#1}[thm]{#2}}\\newcommand{\\two}[4]{\\mk{#1}{#2}\\mk{#3}{#4}}"
        "\\two{lemma}{Lemma}{claim}{Claim}",
    ],
)
def test_theorems_of_loops(tmp_path, preamble):
    assert numbers(tmp_path, preamble) == [("theorem", "1.1"), ("lemma", "1.2"), ("claim", "1.3")]


def test_endless_declarations_end(tmp_path):
    preamble = (
        "\\newcommand{\\mk}[1]{\\mk{#1}\\mk{#1}\\newtheorem{#1}{#1}}"
        "\\forcsvlist{\\mk}{" + ",".join(f"x{one}" for one in range(500)) + "}"
        "\\@for\\one:=" + "a," * 10_000 + "\\do{}"
    )
    assert numbers(tmp_path, preamble)[0] == ("theorem", "1.1")
