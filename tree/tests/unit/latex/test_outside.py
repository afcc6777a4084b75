"""Citations of other works: which result of which work is meant."""

import pytest

from naturalproofs.sources.latex.read.works import find_outside, plain_place, titled_sources, without_citations


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (r"By \cite[Theorem 3]{EGA}.", [("EGA", "Theorem 3", "")]),
        (r"\cite[Prop.~2.1]{a}", [("a", "Proposition 2.1", "")]),
        (r"\autocite[see][Thm 3]{a, b}", [("a", "Theorem 3", "see"), ("b", "Theorem 3", "see")]),
        (r"\cites[see][12]{a}[Lem. 3]{b}", [("a", "p. 12", "see"), ("b", "Lemma 3", "")]),
        (r"\citep[e.g.][]{a}", [("a", "", "e.g")]),
        (r"\parencite[12--15]{a} \textcite*[Exercise~8.1]{b}", [("a", "pp. 12–15", ""), ("b", "Exercise 8.1", "")]),
        (r"Lemma~4.3 of \cite{a}", [("a", "Lemma 4.3", "")]),
        (r"\cite{a}, Theorem 3.1. Then", [("a", "Theorem 3.1", "")]),
        (r"\cite{a}*{Theorem 2}", [("a", "Theorem 2", "")]),
        (r"\mcite[\S V.]{a}", [("a", "§V", "")]),
        (r"\cite[Chapter~II, \S 3, Corollary 5]{a}", [("a", "Chapter II, §3, Corollary 5", "")]),
        (r"\cite[\href{https://x.org/1}{Tag 01}]{a}", [("a", "Tag 01", "")]),
        (r"\nocite{*} \implicite{a} \citeauthor{b} \cite \cite{#1}", []),
    ],
)
def test_notes_are_read(source, found):
    assert list(find_outside(source)) == found


def test_titles_lose_their_citations():
    title = r"Cohn--Elkies {\cite[Theorem~1]{a}}"
    assert titled_sources(title) == (r"\cite[Theorem~1]{a}",)
    assert without_citations(title) == "Cohn--Elkies"
    assert titled_sources(r"Lemma 4.7 from \cite{a}") == (r"\cite[Lemma 4.7]{a}",)
    assert without_citations(r"Lemma 4.7 from \cite{a}") == ""
    assert without_citations(r"Stone, see \autocite[p.~2]{a}") == "Stone"
    assert without_citations(r"see {\cite[p.~2]{a}}, Lemma 3") == ""
    assert without_citations(r"Stone; {\cite[p.~2]{a}} or {\cite{b}}") == "Stone"
    assert without_citations("Lagrange") == "Lagrange"


def test_places_are_plain():
    assert plain_place(r"\emph{Th\'eor\`eme} 3") == "Théorème 3"
    assert plain_place("I, Prop. 3 (ii)") == "I, Proposition 3 (ii)"
