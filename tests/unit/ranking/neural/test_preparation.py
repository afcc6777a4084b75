"""From LaTeX to the text that an encoder reads."""

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.neural.preparation import preparation
from naturalproofs.records import Passage

LEMMA = Passage(
    "x:1", "theorem", "lemma-flat_base",
    "Let $f : X \\to \\mathop{\\mathrm{Spec}}(A)$ be \\emph{flat}.\n\\label{a} Then $H^i(X, \\mathcal{F})$ is finite,"
    " see [[Finite Group|finite groups]] and \\ref{b}.\n\\begin{enumerate}\n\\item $M \\otimes N$\n\\end{enumerate}",
)  # fmt: skip


def test_markup_is_removed():
    assert preparation("prose")(LEMMA) == "flat base. Spec flat. finite, see finite groups . otimes"


def test_the_papers_text_is_title_separator_contents():
    text = preparation("paper")(LEMMA)
    assert text.startswith("lemma-flat_base[SEP]Let $f : X")
    assert "see finite groups and \\ref{b}. \\begin" in text


def test_an_unknown_preparation_names_the_known():
    with pytest.raises(UnknownName, match="there are: prose, paper"):
        preparation("nothing")
