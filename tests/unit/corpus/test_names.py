"""Statements by what people call them."""

import pytest

from naturalproofs.corpus.names import Names
from naturalproofs.errors import UnknownName
from naturalproofs.records import Statement

HELD = [
    Statement("c:thm:a", "theorem", "thm:a", "", ("One.",), number="1", form="theorem"),
    Statement("c:lem:b", "theorem", "lem:b", "", ("Two.",), number="1.2", form="lemma"),
    Statement("c:def:c", "definition", "def:c", "", ("Three.",), number="1", form="definition"),
]


@pytest.mark.parametrize(
    ("name", "label"),
    [("Theorem 1", "thm:a"), ("Thm. 1", "thm:a"), ("Теорема 1", "thm:a"), ("Théorème 1", "thm:a"),
     ("Лемма 1.2", "lem:b"), ("Lem. 1.2", "lem:b"), ("Définition 1", "def:c"), ("1.2", "lem:b")],
)  # fmt: skip
def test_a_number_is_found_with_the_word_in_any_language(name: str, label: str) -> None:
    assert Names("c", HELD).find(name).label == label


@pytest.mark.parametrize("name", ["Лемма 1", "Lemma 1", "Theorem 1.2", "Word 1"])
def test_the_word_must_be_what_the_statement_is(name: str) -> None:
    with pytest.raises(UnknownName):
        Names("c", HELD).find(name)
