"""Phrases: words in one form, and where they cannot go on."""

import pytest

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.terms import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Normal~Subgroups", ["normal", "subgroup"]),
        (r"a \emph{left coset} of $H$ here", ["a", "left", "coset", "of", "", "here"]),
        (r"if \(x\) and \[y \\[2pt] z\] hold", ["if", "", "and", "", "hold"]),
        ("one $$x$$ two $y$ three", ["one", "", "two", "", "three"]),
        (r"by \cref[a]{b}, done", ["by", "", "", "done"]),
        (r"not closed \( here", ["not", "closed", "", "here"]),
        ("Zorn's lemmata", ["zorn", "lemmata"]),
    ],
)
def test_words(text, found):
    assert words(text) == found


def test_the_uses_of_terms_belong_to_the_open_corpus(tmp_path):
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\\newtheorem{definition}{Definition}\\newtheorem{theorem}{Theorem}\\begin{document}"
        "\\begin{definition}\\label{d} A group is \\emph{amicable} if it is small.\\end{definition}"
        "\\begin{theorem}\\label{t} Each amicable group is finite.\\end{theorem}\\end{document}"
    )
    workspace = Workspace.open(tmp_path, cache=False)
    home = workspace.home
    assert home.term_uses is home.term_uses
    assert [step.id.partition(":")[2] for step in workspace.path("t", inferred=True).steps] == ["d", "t"]
    assert Workspace.open(tmp_path, cache=False).home.term_uses is not home.term_uses
