import pytest

from naturalproofs.latex.files import check_balance
from naturalproofs.latex.plain import plain_title


@pytest.mark.parametrize(
    ("text", "rule", "offset"),
    [
        ("a { b", "unbalanced-brace", 2),
        ("a } b", "unbalanced-brace", 2),
        ("{{}", "unbalanced-brace", 0),
        ("{}}", "unbalanced-brace", 2),
        ("a $ b", "unbalanced-dollar", 2),
        ("$a$ $b\n\nc$ d$", "unbalanced-dollar", 4),
    ],
)
def test_complaints(text, rule, offset):
    assert [(c.rule, c.offset) for c in check_balance(text)] == [(rule, offset)]


@pytest.mark.parametrize("text", ["", "{a}", "\\{", "\\{ $a$ \\$", "% {\n", "\\verb|{|", "$$a$$"])
def test_no_complaint(text):
    assert check_balance(text) == []


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
