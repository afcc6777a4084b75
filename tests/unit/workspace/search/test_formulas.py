import pytest

from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.workspace.search.formulas import expanded, grams, symbols


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac{1}{n}", "1/n"),
        (r"\tfrac 1n", "1/n"),
        (r"\mathbb{Z}", "Z"),
        ("ℤ", r"\mathbf Z"),
        ("a²+b²=c²", "a^2 + b^2 = c^2"),
        ("x ≤ y", r"x \leqslant y"),
        (r"\varphi", r"\phi"),
        ("gcd(a,b)", r"\operatorname{gcd}(a,b)"),
        ("√2", r"\sqrt{2}"),
        (r"\left| x \right|", r"\lvert x \rvert"),
    ],
)
def test_one_notation(one, other):
    assert symbols(one) == symbols(other)


def test_the_limits_of_a_sum_are_set_apart():
    assert symbols(r"\sum_{n=1}^\infty \frac{1}{n}")[:4] == symbols(r"\sum 1/n")
    assert grams(r"\sum 1/n") <= grams(r"\sum_{n=1}^\infty \frac1n")


def test_letters_may_differ():
    assert len(grams("a^2+b^2=c^2") & grams("x^2+y^2=z^2")) >= 10


def test_macros_are_expanded():
    macros = macros_of(
        [r"\newcommand{\abs}[1]{\lvert #1\rvert}\newcommand{\ZZ}{\mathbb{Z}}\newcommand{\loop}{\loop x}"]
    )
    assert symbols(expanded(r"\abs{x + \abs{y}} \in \ZZ", macros)) == symbols(r"|x + |y|| \in Z")
    assert r"\loop" in expanded(r"\loop", macros), "a macro made from itself ends"


@pytest.mark.parametrize("formula", ["{" * 3000, r"\frac" * 500, "}" * 500, r"\sum_" * 300, "$", "", "^" * 2000])
def test_strange_formulas_are_read(formula):
    assert isinstance(grams(formula), frozenset)
