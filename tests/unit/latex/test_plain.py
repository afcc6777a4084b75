"""Titles as plain text."""

import pytest

from naturalproofs.latex.plain import plain_letters, plain_title


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("Lagrange", "Lagrange"),
        ("\\href{http://a/b}\n{Archimedean} Property", "Archimedean Property"),
        ("B\\'ezout and Schr\\\"oder--Bernstein", "Bézout and Schröder--Bernstein"),
        ("Zorn's lemma \\cite[p.~3]{Zorn}", "Zorn's lemma"),
        ("\\label{x}The \\emph{big} $p$-group\\index{p}", "The big $p$-group"),
        ("The Ring of Integers Modulo {\\em n}", "The Ring of Integers Modulo {n}"),
        ("\\texorpdfstring{$\\ell$}{l}-adic", "$\\ell$-adic"),
    ],
)
def test_titles(source, title):
    assert plain_title(source) == title


def test_letters():
    assert plain_letters("Th\\'eor\\`eme, \\\"Ubung, Cwiczenie \\'C, \\c{c}, \\v s, \\o, \\ss{} \\emph{x}") == (
        "Théorème, Übung, Cwiczenie Ć, ç, š, ø, ß \\emph{x}"
    )
