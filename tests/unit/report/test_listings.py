"""Suggestions as text on narrow and wide terminals, and as data."""

import pytest

from naturalproofs.apps.report.listings import found_text, statement_text, suggestions_data, suggestions_text
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.ranking.contract import Reason
from naturalproofs.records import Mention, Origin, Place, Proof, Statement
from naturalproofs.sources.latex import macros_of
from naturalproofs.workspace.search import Found, Hit
from naturalproofs.workspace.suggest import Suggestion, Suggestions

ITEM = Suggestion(
    Statement(
        "p:a", "theorem", "lem:a", "A title", ("Words " * 40,), form="lemma", number="1", origin=Origin("a.tex", 3)
    ),
    "p",
    1.0,
    0.25,
    (Reason("words", "shares words"), Reason("place", "stated just above")),
)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Suggestions((ITEM,)), "How many of these are enough is not known: no probabilities are stated."),
        (
            Suggestions((ITEM,), 1.0, 1, 0.9, 0.62),
            "The first one is probably all that the proof cites (probability 62%; about 1.0 citation).",
        ),
        (
            Suggestions((ITEM,) * 4, 2.04, 3, 0.9, 0.5, cited=("x",)),
            "The first 3 are probably all that the rest of the proof cites (probability 50%; about 2.0 citations).",
        ),
        (
            Suggestions((ITEM,), 0.3, 0, 0.9, 0.81),
            "The proof probably cites nothing (probability 81%).",
        ),
        (
            Suggestions((ITEM,), 0.3, 0, 0.9, 0.81, cited=("x",)),
            "The proof probably cites nothing more (probability 81%).",
        ),
        (
            Suggestions((ITEM,), 0.3, 0, 0.9, 0.8, anything=0.5),
            "The proof probably cites nothing (probability 90%).",
        ),
        (
            Suggestions((ITEM,), 1.0, 1, 0.9, 0.62, anything=0.56),
            "The proof cites something with probability 56%. If so: the first one is probably all that the proof cites "
            "(probability 62%; about 1.0 citation).",
        ),
        (
            Suggestions((ITEM,) * 3, 1.0, None, 0.71, finished=True),
            "The proof is written; this is what else it could cite. If it lacks a citation, these 3 hold it with "
            "probability 71%.",
        ),
        (
            Suggestions((ITEM,) * 2, 12.3, None, 0.416),
            "These 2 hold 42% of what is expected (about 12 citations).",
        ),
    ],
)
def test_the_last_line(found, expected):
    assert found.verdict == expected


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_the_screen(width):
    text = suggestions_text(Suggestions((ITEM,), 1.0, 1, 0.9, 0.6), width=width, several=True)
    head, says, cite, why = text.split("\n")[:4]
    assert all(len(line) <= min(width, 110) for line in (head, says))
    assert head.endswith("25%")
    assert " · p" in head
    assert cite.strip() == r"\cref{lem:a}   a.tex:3"
    assert why.strip() == "shares words · stated just above"


def test_an_empty_list_says_so():
    assert suggestions_text(Suggestions(())).startswith("Nothing is suggested")


def test_data_is_plain():
    found = suggestions_data(Suggestions((ITEM,), 1.0, 1, 0.9, 0.6, "q"))
    assert found["suggestions"][0]["reasons"][0] == {"kind": "words", "text": "shares words", "statements": []}
    assert found["enough"] == 1


def test_titles_and_headings_are_shown_with_the_macros_of_the_project():
    macros = macros_of([r"\newcommand{\Zed}{\mathbb{Z}}"])
    place = Place("a.tex", r"Rings like $\Zed$", "", 0)
    one = Statement("p:a", "theorem", "lem:a", r"On $\Zed$", (r"$\Zed$ is a ring.",), form="lemma", place=place)
    lines = statement_text(Corpus("p", (one,), Provenance("latex", "fixed")), one, macros=macros).splitlines()
    assert lines[:2] == ["Lemma (On ℤ) [lem:a]", "  Rings like ℤ"]
    assert lines[-1] == "ℤ is a ring."
    written = statement_text(Corpus("p", (one,), Provenance("latex", "fixed")), one, macros=macros, as_written=True)
    assert written.splitlines()[-1] == r"$\Zed$ is a ring."


def test_a_statement_names_what_it_cites():
    """An equation or an item has no number here: its key stands in brackets, never the number of its statement."""
    mentions = tuple(Mention(key, "ref", 1, "p:b" if key != "sec:x" else None) for key in ("lem:b", "eq:b", "sec:x"))
    proof = Proof(
        (r"By Lemma~\ref{lem:b}, \eqref{eq:b}, \cref{lem:b} and \hyperref[lem:b]{this}, see \ref{sec:x}.",), mentions
    )
    one = Statement("p:a", "theorem", "thm:a", "", ("$x$.",), proofs=(proof,))
    other = Statement("p:b", "theorem", "lem:b", "", ("$y$.",), form="lemma", number="3.2")
    shown = statement_text(Corpus("p", (one, other), Provenance("latex", "fixed")), one)
    assert "By Lemma 3.2, [eq:b], Lemma 3.2 and this, see [sec:x]." in shown


def test_an_excerpt_that_ends_inside_a_list_shows_no_commands():
    source = r"A \emph{quandle} has an operation such that \begin{enumerate} \item $x x = x$; \item it is"
    place = Place("p", "", "", 0)
    statement = Statement("p:q", "definition", "def:q", "", (source,), form="definition", number="1", place=place)
    hit = Hit(statement, "p", 1.0, "text", "", (), source, ((8, 15),), cut=(False, True))
    shown = " ".join(found_text(Found((hit,), 1, True, "quandle")).split())
    assert "A quandle has an operation such that (1) xx = x; (2) it is …" in shown
    assert "\\" not in shown
