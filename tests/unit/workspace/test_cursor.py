"""What is suggested at a cursor: by the proof so far, what it cites, and the words before it."""

import pytest

from naturalproofs.apps.editor.completion import completions
from naturalproofs.apps.editor.positions import typing_at
from naturalproofs.sources.latex import citations
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.citations import wanted_at
from naturalproofs.workspace.cursor import CitedClasses, said_by
from support.lint_projects import write_project

BODY = r"""
\newcommand{\lemmaref}[1]{Lemma~\ref{#1}}
\begin{lemma}\label{lem:compact} A closed subset of a compact space is compact. \end{lemma}
\begin{lemma}\label{lem:ideal} Every proper ideal of a ring is contained in a maximal ideal. \end{lemma}
\begin{definition}\label{def:sheaf} A sheaf is a presheaf with gluing. \end{definition}
\begin{proposition}\label{prop:graph} A tree with $n$ vertices has $n-1$ edges. \end{proposition}
\begin{definition}\label{def:tree} A tree is a connected graph without cycles. \end{definition}
\begin{equation}\label{eq:sum} a + b = c \end{equation}
\begin{theorem}\label{thm:main} The following hold.
  \begin{enumerate} \item\label{it:first} One holds. \item\label{it:second} Two holds. \end{enumerate}
\end{theorem}
\begin{proof}
  HERE
\end{proof}
"""


@pytest.fixture
def offered(tmp_path):
    main = write_project(tmp_path, BODY)
    workspace = Workspace.open(main, cache=False)

    def ask(written):
        text = workspace.home.texts["main.tex"].replace("HERE", written)
        offset = text.index(written) + len(written)
        typing = typing_at(text, offset, "main.tex", workspace.home.labels.syntax)
        return [one.key for one in completions(workspace, "main.tex", text, offset, typing)]

    return ask


def test_the_text_of_the_proof_counts(offered):
    compact = offered(r"Let $A$ be a closed subset of the compact space $X$. By Lemma~\ref{")
    ideal = offered(r"Let $I$ be a proper ideal of the ring; it lies in a maximal ideal by Lemma~\ref{")
    assert (compact[0], ideal[0]) == ("lem:compact", "lem:ideal")


def test_the_last_sentence_counts_more_than_the_proof(offered):
    both = "The tree $T$ has $n$ vertices, without cycles. A proper ideal of the ring is given. "
    ideal = offered(both + r"The ideal is contained in a maximal ideal by \ref{")
    edges = offered(both + r"The number of edges of a tree is $n-1$, as we know for $n$ vertices, by \ref{")
    assert ideal.index("lem:ideal") < ideal.index("prop:graph")
    assert edges.index("prop:graph") < edges.index("lem:ideal")


def test_keys_are_no_words(tmp_path):
    workspace = Workspace.open(write_project(tmp_path, BODY), cache=False)
    suggested = workspace.suggest("A closed subset.", k=10)
    assert len(suggested)
    assert not any(said_by(workspace.home, r"See \cref{lem:tree} and \cref{def:ideal", suggested).values())
    said = said_by(workspace.home, r"An ideal. It is a closed subset by \cref{lem:", suggested)
    assert max(said, key=said.get) == workspace.home.find("lem:compact").id


def test_what_is_cited_already_may_be_cited_again(offered):
    again = offered(
        r"The tree has $n-1$ edges by Proposition~\ref{prop:graph}. We count the edges of the tree again by \ref{"
    )
    assert again.index("prop:graph") < min(again.index("lem:ideal"), again.index("lem:compact"))


@pytest.mark.parametrize(
    ("before", "kinds"),
    [
        (r"as in Lemma~\ref{", {"lem"}),
        (r"as in Lemmas~\ref{lem:ideal} and~\ref{", {"lem"}),
        (r"nach Definition \ref{", {"def"}),
        (r"voir la proposition~\ref{", {"prop"}),
        (r"as in \lemmaref{", {"lem"}),
        (r"by \eqref{", {"eq", "it"}),
        (r"from (\ref{", {"eq", "it"}),
        (r"from equation~\ref{", {"eq", "it"}),
    ],
)
def test_the_words_and_the_command_before_the_cursor_ask_for_a_kind(offered, before, kinds):
    assert offered(before)[0].partition(":")[0] in kinds


def test_parts_of_the_theorem_that_is_proved_are_near(offered):
    assert {"it:first", "it:second"} <= set(offered(r"To show \ref{")[:3])
    assert offered(r"Suppose \ref{it:first}. Then \ref{")[0] == "it:second"


def test_words_that_ask_for_nothing():
    for before in (r"by \cref{", r"see \autoref{", "we have", r"Theorem~\ref{a}. Hence, as \thref{"):
        assert wanted_at(before, citations.KeySyntax()) not in {"lemma", "theorem", "equation", "section"}
    assert wanted_at(r"Sections \ref{a}, \ref{b} and \ref{", citations.KeySyntax()) == "section"
    assert wanted_at(r"this follows from (\ref{", citations.KeySyntax()) == "equation"
    assert wanted_at(r"this follows from (\cref{", citations.KeySyntax()) == ""
    assert wanted_at("由引理~\\ref{", citations.KeySyntax()) == "lemma"


def test_a_line_of_a_proof_is_a_cursor_too(tmp_path):
    written = r"""Every edge lies in the tree, see Proposition~\ref{prop:graph}.
  The closed subset is compact by Lemma"""
    main = write_project(tmp_path, BODY.replace("HERE", written))
    workspace = Workspace.open(main, cache=False)
    line = workspace.home.texts["main.tex"].split("\n").index("  The closed subset is compact by Lemma") + 1
    here = workspace.locate(f"main.tex:{line}")
    assert (here.cited, here.wanted) == (("main:prop:graph",), "lemma")
    found = workspace.suggest(here)
    forms = [one.statement.form.casefold() for one in found]
    assert forms[:2] == ["lemma", "lemma"]
    assert found[0].statement.label == "lem:compact"
    assert "prop:graph" in [one.statement.label for one in found]
    # The whole theorem is asked about without what its proof cites.
    assert "prop:graph" not in [one.statement.label for one in workspace.suggest(workspace.locate("thm:main"))]


def test_suggestions_at_a_line_have_the_order_of_completion(tmp_path):
    both = "The tree $T$ has $n$ vertices, without cycles. A proper ideal of the ring is given."
    for last, first in {
        "The ideal is contained in a maximal ideal by": "lem:ideal",
        "The number of edges of a tree is $n-1$, as we know for $n$ vertices, by": "prop:graph",
    }.items():
        main = write_project(tmp_path, BODY.replace("HERE", f"{both}\n{last}"))
        workspace = Workspace.open(main, cache=False)
        text = workspace.home.texts["main.tex"]
        offset = text.index(last) + len(last)
        found = workspace.suggest(workspace.locate(f"main.tex:{text.count(chr(10), 0, offset) + 1}"), k=4)
        suggested = [one.statement.label for one in found]
        assert suggested[0] == first
        assert all(one.reasons and one.probability is None for one in found)
        typed = text[:offset] + r" \ref{"
        typing = typing_at(typed, len(typed), "main.tex", workspace.home.labels.syntax)
        keys = [one.key for one in completions(workspace, "main.tex", typed, len(typed), typing)]
        assert [key for key in keys if key in suggested] == suggested


def test_what_the_author_cites_by_a_command_counts(tmp_path):
    earlier = r"By \ref{lem:compact} and \ref{lem:ideal} and \cref{def:sheaf}, \cref{def:tree}."
    main = write_project(tmp_path, BODY.replace("HERE", f"{earlier}\n  HERE\n  By \\ref{{def:tree}}."))
    workspace = Workspace.open(main, cache=False)
    text = workspace.home.texts["main.tex"]
    line = text.count("\n", 0, text.index("HERE")) + 1
    found = CitedClasses.of(workspace.home)
    by_ref, by_cref = (found.lifts(command, "main.tex", line) for command in ("ref", "cref"))
    assert by_ref["lemma"] > 0 > by_ref["definition"]
    assert by_cref["definition"] > 0 > by_cref["lemma"]
    # What stands from the cursor on, this citation included, does not count.
    later = found.lifts("ref", "main.tex", 10_000)
    assert later["definition"] > by_ref["definition"]
    assert max(map(abs, found.lifts("thref", "main.tex", line).values())) < 1e-9
