"""Conditionals of the author: what is left out is not read."""

import pytest

from naturalproofs.latex.flags import Flags
from naturalproofs.latex.project import LATEX


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
    ],
)
def test_values(texts, flags):
    found = Flags()
    for text in texts:
        found.add(text)
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
