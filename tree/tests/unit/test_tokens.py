"""Formulas are found by their delimiters, and what stands between two of them is no formula."""

import pytest

from naturalproofs.tokens import formulas


@pytest.mark.parametrize("formula", ["$a b$", "$$a b$$", r"\(a b\)", r"\[a b\]"])
def test_neighbouring_signs_of_a_formula_are_one_token(formula):
    assert "a b" in formulas(f"Let {formula} be.")


def test_words_between_displays_are_not_a_formula():
    found = formulas("$$x y$$ whose kernel vanishes $$u v$$ and $s t$")
    assert {"x y", "u v", "s t"} <= set(found)
    assert "whose kernel" not in found
    assert "kernel vanishes" not in found


def test_an_open_formula_does_no_harm():
    assert "a b" not in formulas("costs $5 and a b")
