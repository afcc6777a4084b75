"""How statements are named, previewed and cited."""

from dataclasses import replace
from pathlib import Path

import pytest

from naturalproofs.records import Origin, Statement
from naturalproofs.sources.latex import Macro
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.citations import Citing, citing_command, label_prefixes
from naturalproofs.workspace.labels import LabelIndex
from naturalproofs.workspace.render import preview, printed_name
from support.lint_projects import write_project

LEMMA = Statement(
    "p:lem:a", "theorem", "lem:a", "", ("Let $G$ be a group.",), form="lemma", number="2.1", origin=Origin("a.tex", 7)
)


def test_names_and_places():
    assert printed_name(LEMMA) == "Lemma 2.1"
    assert printed_name(replace(LEMMA, number="", form="")) == "Theorem"
    assert Citing(root=Path("thesis")).where(LEMMA) == "thesis/a.tex:7"
    assert Citing().where(replace(LEMMA, origin=None)) == ""


def test_what_to_paste():
    assert Citing("cref").citation(LEMMA) == r"\cref{lem:a}"
    assert Citing("uses").citation(LEMMA) == r"\uses{lem:a}"
    assert Citing("ref").citation(LEMMA) == r"Lemma~\ref{lem:a}"
    assert Citing("cref").citation(replace(LEMMA, label="lemma-0123456789")) == "Lemma 2.1"
    assert Citing(work="The Stacks project").citation(replace(LEMMA, tag="00NX")) == "The Stacks project, tag 00NX"
    assert Citing(work="Notes").citation(LEMMA) == "Notes, Lemma 2.1"
    assert Citing(work="ProofWiki").citation(replace(LEMMA, number="", title="Cayley")) == "ProofWiki, Cayley"


def test_what_a_blueprint_lists_is_cited():
    index = LabelIndex({}, {"a.tex": "\\label{a}\n\\uses{a, b} \\cref{a}"})
    assert [(one.key, one.line, one.is_label) for one in index.occurrences] == [
        ("a", 1, True), ("a", 2, False), ("b", 2, False), ("a", 2, False),
    ]  # fmt: skip
    symbol = {"uses": Macro.of("uses", 0, "\\vdash")}
    assert len(LabelIndex({}, {"a.tex": "$x \\uses{y}$"}, symbol).occurrences) == 0


def test_labels_are_local_in_their_own_file():
    lemma = replace(LEMMA, label="algebra-lemma-x", origin=Origin("algebra.tex", 1))
    local = {"algebra.tex": "algebra-"}
    assert Citing("ref", prefixes=local, file="algebra.tex").citation(lemma) == r"Lemma~\ref{lemma-x}"
    assert Citing("ref", prefixes=local, file="sets.tex").citation(lemma) == r"Lemma~\ref{algebra-lemma-x}"


def test_habits_and_prefixes(primer):
    assert citing_command(primer) == "cref"
    assert label_prefixes(primer) == {}


LEMREF = r"\newcommand{\lemref}[1]{Lemma~\ref{lem:#1}}"


def habits_of(folder, body):
    write_project(folder, f"{LEMREF}\n{body}")
    home = Workspace.open(folder).home
    return {s.label: home.citing("main.tex").citation(s) for s in home.statements}


STATED = r"""
\begin{lemma}\label{lem:a} One. \end{lemma}
\begin{lemma}\label{lem:b} Two. \end{lemma}
\begin{theorem}[Zorn]\label{thm:c} Three. \end{theorem}
"""


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        (r"By Lemma \ref{lem:a} and Lemma \ref{lem:b}.", r"Lemma \ref{lem:a}"),
        (r"By Lem.~\ref{lem:a}.", r"Lem.~\ref{lem:a}"),
        (r"By \lemref{a}.", r"\lemref{a}"),
        (r"By \autoref{lem:a}.", r"\autoref{lem:a}"),
        (r"By \hyperref[lem:b]{Lemma~\ref*{lem:b}}.", r"\hyperref[lem:a]{Lemma~\ref*{lem:a}}"),
        (r"By \hyperref[lem:b]{the second lemma}.", r"\hyperref[lem:a]{Lemma 1}"),
        (r"By (\ref{lem:b}).", r"Lemma~\ref{lem:a}"),
        (r"Das folgt nach \ref{lem:b}, und nach \ref{lem:a}.", r"Lemma~\ref{lem:a}"),
        (r"By \ref{lem:a} and Lemma \ref{lem:b}, and by Lemma \ref{lem:a}.", r"Lemma \ref{lem:a}"),
    ],
)
def test_statements_are_cited_as_the_author_does(tmp_path, written, cited):
    assert habits_of(tmp_path, f"{STATED}\n{written}\n")["lem:a"] == cited


def test_a_macro_that_puts_a_prefix_before_the_key_cites_only_labels_with_it(tmp_path):
    body = STATED.replace("lem:b", "other") + r"By \lemref{a}, \lemref{a} and \cref{other}."
    cited = habits_of(tmp_path, body)
    assert (cited["lem:a"], cited["other"]) == (r"\lemref{a}", r"\cref{other}")


def test_a_preview_is_one_readable_line():
    text = r"\begin{enumerate}\item $\frac{a}{b} \equiv 1 \pmod{p}$\label{x} \item[(b)] $\ZZ$ \end{enumerate}"
    shown = preview(replace(LEMMA, lines=tuple(text.split(" "))), {"ZZ": Macro.of("ZZ", 0, "\\mathbb{Z}")})
    assert shown == "(1) a/b ≡ 1 (mod p) (b) ℤ"
    assert len(preview(replace(LEMMA, lines=("word " * 200,)), {})) <= 100
