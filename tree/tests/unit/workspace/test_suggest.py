"""Pasted theorems and merged lists."""

from dataclasses import replace

import pytest

from naturalproofs.apps.report.listings import suggestions_text
from naturalproofs.records import Statement
from naturalproofs.workspace.citations import Citing
from naturalproofs.workspace.suggest import (
    Suggestion,
    Suggestions,
    cited_keys,
    merge,
    parse_theorem,
    with_proof,
)


def test_a_theorem_with_the_beginning_of_its_proof():
    asked = parse_theorem(
        r"\begin{theorem}[Fermat \emph{little}]\label{thm:f} If $p$ is prime. \end{theorem}"
        r"\begin{proof} By \cref{lem:a, lem:b} and Lemma~\ref{lem:a}."
    )
    assert asked.title == "Fermat little"
    assert asked.text == "If $p$ is prime."
    assert asked.proof.startswith("By")
    assert asked.keys == ("lem:a", "lem:b")


def test_a_theorem_of_a_blueprint():
    asked = parse_theorem(
        r"\begin{theorem}\label{t}\lean{A.b}\leanok\uses{d} True. \end{theorem} \begin{proof}\uses{a, b} Clear."
    )
    assert (asked.text, asked.proof, asked.keys) == ("True.", "Clear.", ("a", "b"))


def test_any_name_of_an_environment_and_signs_that_are_no_comments():
    asked = parse_theorem(
        "% My lemma\n\\begin{lem:2}[Zorn] At least 5\\% of them. \\end{lem:2}\n% \\begin{proof} not yet\n"
        r"\begin{proof} By \ref{a} we have \begin{itemize} \item one \end{itemize}"
    )
    assert asked.title == "Zorn"
    assert asked.text.startswith(r"At least 5\% of them.")
    assert asked.proof == r"By \ref{a} we have \begin{itemize} \item one \end{itemize}"
    assert asked.keys == ("a",)


def test_bare_text_stays_as_it_is():
    asked = parse_theorem("  Every $[a, b]$ is compact.\n")
    assert (asked.text, asked.title, asked.proof, asked.keys) == ("Every $[a, b]$ is compact.", "", "", ())


def test_labels_do_not_speak_for_the_proof():
    assert "coset" not in with_proof("Theorem.", r"By \cref{lem:coset-size} we are done.")
    assert with_proof("Theorem.", " ") == "Theorem."
    assert cited_keys(r"\eqref{e} \autoref{a}\Cref{b,c}") == ("e", "a", "b", "c")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("\\begin{theorem}[", "["),
        ("\\begin{proof}", ""),
        ("{" * 5000, "{" * 5000),
        ("\\cref{" * 2000, "\\cref{" * 2000),
        ("\x00\ud800", "\x00\ud800"),
    ],
)
def test_nonsense_is_text(source, text):
    asked = parse_theorem(source)
    assert (asked.text, asked.title, asked.proof, asked.keys) == (text, "", "", ())


def item(name, probability, score=0.0):
    return Suggestion(Statement(name, "theorem", name, "", ()), name[0], score, probability, ())


def test_what_a_blueprint_lists():
    suggested = [replace(item(f"a{i}", 0.9), citing=Citing("uses")) for i in range(3)]
    assert Suggestions(tuple(suggested), enough=2).uses == "\\uses{a0, a1}"
    assert Suggestions((replace(suggested[0], citing=Citing("cref")),)).uses == ""
    assert "To list them: \\uses{a0, a1, a2}" in suggestions_text(Suggestions(tuple(suggested)))


def names(items):
    return [one.statement.id for one in items]


def test_one_distribution_where_all_have_probabilities():
    """A proof does not cite more because more works are open; the user's own work keeps its probabilities."""
    lists = [[item("a1", 0.9), item("a2", 0.1)], [item("b1", 0.5), item("b2", 0.2)], [item("c1", 0.3)]]
    merged = merge(lists, "", own=True)
    assert names(merged)[0] == "a1"
    said = {one.statement.id: one.probability for one in merged}
    assert (said["a1"], said["a2"]) == (0.9, 0.1)
    assert said["b1"] > said["c1"] > said["b2"]
    assert sum(said.values()) == pytest.approx(1.25)


def test_another_work_is_heard_where_the_own_has_nothing():
    merged = merge([[item("a1", 0.1)], [item("b1", 0.9), item("b2", 0.6)]], "", own=False)
    assert names(merged) == ["b1", "b2", "a1"]
    assert sum(one.probability for one in merged) == pytest.approx(1.5)


def test_a_work_on_another_subject_counts_less():
    def about(name, probability, text):
        return replace(item(name, probability), statement=Statement(name, "theorem", name, "", (text,)))

    lists = [[about("a1", 0.6, "Paths in a type.")], [about("b1", 0.4, "A flat module over a ring.")]]
    theorem = "Let $M$ be a flat module over a ring. A type of rings."
    assert names(merge(lists, theorem, own=False)) == ["b1", "a1"]
    assert names(merge(lists, theorem, own=True)) == ["a1", "b1"]


def test_in_turn_where_one_has_none():
    lists = [[item("a1", None), item("a2", None), item("a3", None)], [item("b1", 0.9)]]
    assert names(merge(lists, "", own=False)) == ["a1", "b1", "a2", "a3"]
