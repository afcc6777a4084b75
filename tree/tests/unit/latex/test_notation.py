"""Notation that definitions introduce, by words and by commands."""

import pytest

from naturalproofs.workspace.notation import find_notation


def symbols(text, in_definition=True):
    return [one.symbol for one in find_notation(text, in_definition=in_definition)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The index of $H$ in $G$, denoted by $[G:H]$, is a number.", ["[G:H]"]),
        ("This number is denoted $\\dim X$.", ["\\dim X"]),
        ("We denote it by $V_f(s)$.", ["V_f(s)"]),
        ("We denote by $S_\\sigma$ the set of countable unions.", ["S_\\sigma"]),
        ("We write $\\Spec(R)$ for the set of primes.", ["\\Spec(R)"]),
        ("Write \\( a \\mid b \\) if $b$ is a multiple of $a$.", ["a \\mid b"]),
        ("Here $\\Aut(K/F)$ denotes the group of automorphisms.", ["\\Aut(K/F)"]),
        ("We write $\\LS(L) := \\{a\\}$ for the litter set.", ["\\LS(L)"]),
        ("Cet ensemble est noté $Q(E)$.", ["Q(E)"]),
        ("全体右陪集构成的集合记作 $H \\backslash G$.", ["H \\backslash G"]),
        ("A coset of $H$. Notation: $a + H$.", ["a + H"]),
        ("\\textbf{Notation:} $G/H$.", ["G/H"]),
        ("Notation~: $\\Hom(A, B)$.", ["\\Hom(A, B)"]),
        ("Bezeichnung: $\\Hom(A, B)$.", ["\\Hom(A, B)"]),
        ("Notazione: $\\Hom(A, B)$.", ["\\Hom(A, B)"]),
        ("Notación: $\\Hom(A, B)$.", ["\\Hom(A, B)"]),
        ("Обозначение: $\\Hom(A, B)$.", ["\\Hom(A, B)"]),
        ("Множество обозначается $\\spec \\phi$.", ["\\spec \\phi"]),
    ],
)
def test_words_introduce_notation(text, found):
    assert symbols(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Denote by $x_0$ a zero of $f$.",
        "We write $x = y + z$ and go on.",
        "Let $G$ be a group.",
        "With this notation $a + H$ is a set.",
        "Notation: $x$.",
        "Denoted by $f : X \\to Y$.",
        "We write $1_{A}$ and continue.",
        "By $$denoted$$ by",
        "Let $e_j$, $1 \\leq j \\leq m$ denote the vectors.",
    ],
)
def test_letters_and_equations_are_no_notation(text):
    assert symbols(text) == []


def test_only_definitions_introduce_by_words():
    assert symbols("denoted by $[G:H]$", in_definition=False) == []


def test_lists_of_symbols():
    text = "\\nomenclature[D]{$\\LoP$}{Poincaré group} \\glossary(x){$\\protect\\Sub_G$}{subsets} \\nomenclature{a}{b}"
    assert [(one.symbol, one.meaning, one.is_listed) for one in find_notation(text, in_definition=False)] == [
        ("\\LoP", "Poincaré group", True),
        ("\\Sub_G", "subsets", True),
    ]
    assert symbols("\\index{Spec@{$\\Spec A$}} and \\index{k-map@{$k$-map}} \\index{a!b@{$\\B$}}") == ["\\Spec A"]


def test_the_meaning_is_the_sentence():
    text = "It is a set. The rank of $A$ is written $\\rk(A. B)$. Next."
    assert [one.meaning for one in find_notation(text, in_definition=True)] == [
        "The rank of $A$ is written $\\rk(A. B)$."
    ]
