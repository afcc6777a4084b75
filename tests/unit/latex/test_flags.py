"""Conditionals of the author: what is left out is not read."""

import pytest
from naturalproofs.latex.macros.flags import Flags

from naturalproofs.latex.project.project import LATEX
from naturalproofs.workspace import Workspace


@pytest.mark.parametrize(
    ("texts", "flags"),
    [
        (["\\newif\\iflong"], {"iflong": False}),
        (["\\newif\\iflong\\longtrue"], {"iflong": True}),
        (["\\newif\\iflong % \\longtrue"], {"iflong": False}),
        (["\\newif\\iflong\\longtrue\\longfalse"], {"iflong": False}),
        (["\\newif\\iflong\\longtrue", "\\longfalse"], {}),
        (["\\newif\\iflong", "\\longtrue"], {"iflong": True}),
        (["\\newif\\iflong\\ifdefined\\x\\longtrue\\fi"], {}),
        (["\\newif\\iflong\\newcommand{\\all}{\\longtrue}"], {}),
        (["\\newif\\iflong\\begin{document}\\longtrue"], {}),
        (["\\let\\iffull=\\iftrue \\let\\ifdraft\\iffalse"], {"iffull": True, "ifdraft": False}),
        (["\\newif\\if@internal\\@internaltrue"], {}),
        (["a \\iff b \\quotetrue"], {}),
        (["\\newif\\iflong\\let\\iflong\\ifother"], {}),
        (["\\newif\\iflong\\def\\iflong{x}"], {}),
        (["\\newif\\iflong", "\\ifx\\iflong\\undefined x\\fi"], {}),
        (["\\ifdefined\\iflong\\else\\newif\\iflong\\fi"], {}),
        (["\\newif\\iflong\\csname longtrue\\endcsname"], {}),
        (["\\newif\\iflong\\pgfkeys{long/.is if=long}"], {}),
        (["\\newif\\iflong\\setboolean{long}{true}"], {"iflong": True}),
        (["\\newif\\iflong\\DeclareOption{long}{\\longtrue}"], {}),
        (["\\newtoggle{x y}\\toggletrue{x y}\\newbool{b}"], {"toggle x y": True, "ifb": False}),
        (["\\newtoggle{x}\\settoggle{x}{#1}"], {}),
    ],
)
def test_values(texts, flags):
    found = Flags()
    for text in texts:
        found.add(text, in_document=False)
    assert found.values() == flags


BODY = (
    "\\iflong \\begin{theorem}\\label{a}Long. \\ifdefined\\x x\\else y\\fi\\end{theorem}\n"
    "\\else \\begin{theorem}\\label{b}Short.\\end{theorem}\\fi\n"
    "\\begin{theorem}\\label{c}Always.\\end{theorem}\n"
)


@pytest.mark.parametrize(
    ("setting", "labels"),
    [
        ("\\newif\\iflong\\longtrue", ["a", "c"]),
        ("\\newif\\iflong\n\\longfalse", ["b", "c"]),
        ("\\let\\iflong\\iffalse", ["b", "c"]),
        ("\\newif\\iflong\\ifx\\x\\y\\longtrue\\fi", ["a", "b", "c"]),
        ("\\newcommand{\\open}{\\iflong}\\newcommand{\\close}{\\fi}\\newif\\iflong", ["b", "c"]),
    ],
)
def test_branches(tmp_path, setting, labels):
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}{setting}\\begin{{document}}{BODY}\\end{{document}}"
    )
    draft = LATEX.read(main, name="x", rules="fixed")
    assert [(one.label, one.number) for one in draft.statements] == [
        (label, str(number)) for number, label in enumerate(labels, start=1)
    ]
    assert not draft.diagnostics
    if labels[0] == "a" and len(labels) == 2:
        assert "\\else y" in draft.statements[0].lines[0]


def test_a_branch_that_ends_in_another_file(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\newif\\iflong\\longtrue\\begin{document}"
        "\\iflong\\input{end}\\begin{theorem}A.\\end{theorem}\\end{document}"
    )
    (tmp_path / "end.tex").write_text("Text. \\fi")
    assert len(LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements) == 1


@pytest.mark.parametrize(
    ("setting", "test", "labels"),
    [
        ("\\newtoggle{long}\\toggletrue{long}", "\\iftoggle{long}", "a"),
        ("\\newtoggle{long}", "\\iftoggle{long}", "b"),
        ("\\newtoggle{long}", "\\nottoggle{long}", "a"),
        ("\\newbool{long}\\booltrue{long}", "\\ifbool{long}", "a"),
        ("\\newboolean{long}\\setboolean{long}{false}", "\\ifthenelse{\\boolean{long}}", "b"),
        ("\\newboolean{long}", "\\ifthenelse{\\not\\boolean{long}}", "a"),
        ("\\newboolean{long}", "\\ifthenelse{\\equal{\\x}{y}}", "ab"),
        ("\\newcommand{\\version}{full}", "\\ifthenelse{\\equal{\\version}{full}}", "a"),
        ("\\newcommand{\\version}{full}", "\\ifthenelse{\\NOT\\equal{\\version}{ full }}", "b"),
        ("\\def\\pages{12}", "\\ifthenelse{\\pages<10}", "b"),
        ("\\def\\pages{many}", "\\ifthenelse{\\pages<10}", "ab"),
        ("\\newtoggle{long}", "\\iftoggle{other}", "ab"),
    ],
)
def test_branches_in_groups(tmp_path, setting, test, labels):
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}{setting}\\begin{{document}}{test}"
        "{\\begin{theorem}\\label{a}A.\\end{theorem}}{\\begin{theorem}\\label{b}B.\\end{theorem}}\\end{document}"
    )
    draft = LATEX.read(main, name="x", rules="fixed")
    assert [one.label for one in draft.statements] == list(labels)


@pytest.mark.parametrize(
    ("setting", "test", "labels"),
    [
        ("", "\\if0\n", "b"),
        ("", "\\if00 ", "a"),
        ("", "\\if 01 ", "b"),
        ("", "\\ifnum0=1 ", "b"),
        ("", "\\ifnum 2>1 ", "a"),
        ("\\def\\full{1}", "\\if\\full1", "a"),
        ("\\def\\full{1}", "\\if0\\full ", "b"),
        ("\\def\\full{0}", "\\ifnum\\full=1 ", "b"),
        ("\\def\\full{0}", "\\ifnum\\other=1 ", "ab"),
        ("\\def\\full{0}\\def\\full{1}", "\\ifnum\\full=1 ", "ab"),
        ("", "\\if{0}", "ab"),
    ],
)
def test_comparisons_of_constants(tmp_path, setting, test, labels):
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}{setting}\\begin{{document}}{test}"
        "\\begin{theorem}\\label{a}A.\\end{theorem}\\else\\begin{theorem}\\label{b}B.\\end{theorem}\\fi\\end{document}"
    )
    draft = LATEX.read(main, name="x", rules="fixed")
    assert [one.label for one in draft.statements] == list(labels)


def test_theorems_declared_in_branches(tmp_path):
    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\\newif\\iflong\\iflong\\newtheorem{thm}{Theorem}[section]\\else\\newtheorem{thm}{Satz}\\fi"
        "\\iftrue\\newtheorem{lem}[thm]{Lemma}\\else\\newtheorem{lem}{Lemma}[section]\\fi"
        "\\begin{document}\\section{A}\\begin{thm}A.\\end{thm}\\begin{lem}B.\\end{lem}\\end{document}"
    )
    draft = LATEX.read(main, name="x", rules="fixed")
    assert [one.number for one in draft.statements] == ["1", "2"]


def test_a_flag_that_a_chapter_sets(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\newif\\iflong\\begin{document}"
        "\\iflong\\begin{theorem}A.\\end{theorem}\\fi\\input{two}\\end{document}"
    )
    (tmp_path / "two.tex").write_text("\\longtrue\\iflong\\begin{theorem}B.\\end{theorem}\\fi")
    assert len(LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements) == 2


@pytest.mark.parametrize(
    ("definition", "call", "labels"),
    [
        ("\\newcommand{\\ignore}[1]{}", "\\ignore{%s}", "b"),
        ("\\long\\def\\ignore#1{\\relax}", "\\ignore{%s}", "b"),
        ("\\newif\\iflong\\newcommand{\\full}[1]{\\iflong #1\\fi}", "\\full{%s}", "b"),
        ("\\newif\\iflong\\longtrue\\newcommand{\\full}[1]{\\iflong #1\\fi}", "\\full{%s}", "ab"),
        ("\\newcommand{\\either}[2]{#2}", "\\either{%s}{Text.}", "b"),
        ("\\newcommand{\\either}[2]{#1}", "\\either{%s}{Text.}", "ab"),
        ("\\newcommand{\\full}[1]{}\\renewcommand{\\full}[1]{#1}", "\\full{%s}", "ab"),
    ],
)
def test_arguments_that_a_macro_leaves_out(tmp_path, definition, call, labels):
    main = tmp_path / "main.tex"
    inside = call % "\\begin{theorem}\\label{a}A.\\end{theorem}"
    main.write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}{definition}\\begin{{document}}{inside}"
        "\\begin{theorem}\\label{b}B.\\end{theorem}\\end{document}"
    )
    assert [one.label for one in LATEX.read(main, name="x", rules="fixed").statements] == list(labels)


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("\\newcommand{\\ignore}[1]{}", "\\ignore{ B \\ref{b}}"),
        ("\\newcommand{\\ignore}[2][]{\\ignorespaces}", "\\ignore[x]{ B \\ref{b}}"),
        ("\\newcommand{\\ignore}[1]{\\iffalse #1\\fi}", "\\ignore { B \\ref{b}}"),
        ("\\long\\def\\ignore#1#2{}", "\\ignore{ B}{\\ref{b}}"),
    ],
)
def test_a_call_that_prints_nothing_is_left_out(tmp_path, definition, call):
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}{definition}\\begin{{document}}{call}"
        f"\\begin{{theorem}}\\label{{a}}A{call}.\\end{{theorem}}\\end{{document}}"
    )
    (theorem,) = LATEX.read(main, name="x", rules="fixed").statements
    assert (theorem.text, theorem.mentions) == ("A.", ())
    assert "undefined-reference" not in {finding.rule for finding in Workspace.open([main]).check().findings}
