"""The rules that suggest: they speak only when asked, and only of what can be shown."""

from dataclasses import replace

from naturalproofs.records import Statement
from naturalproofs.workspace.check import RULES, Selection
from naturalproofs.workspace.check.arguments import dictionary, mentioned
from naturalproofs.workspace.terms import names_of, terms_of, words
from support.lint_projects import check, found, write_project

NAMED = r"""
    \begin{theorem}[Lagrange]\label{thm:lagrange} The order divides. \end{theorem}
    \begin{proof} Clear. \end{proof}
    \begin{lemma}[Zorn's lemma]\label{lem:zorn} Maximal elements exist. \end{lemma}
    \begin{proof} Clear. \end{proof}
    \begin{theorem}\label{thm:main} Something else. \end{theorem}
    \begin{proof}
      We count.
      By the theorem of Lagrange and Zorn's lemma we are done.
    \end{proof}
"""


def test_a_proof_that_names_theorems_without_citing_them(tmp_path):
    main = write_project(tmp_path, NAMED)
    notes = found(main, "missing-reference")
    assert {note.subject for note in notes} == {"theorem of lagrange -> thm:lagrange", "zorn lemma -> lem:zorn"}
    assert all(note.severity == "note" for note in notes)
    line = main.read_text().split("\n").index("  By the theorem of Lagrange and Zorn's lemma we are done.") + 1
    assert {note.line for note in notes} == {line}
    assert any(note.message.endswith(r"\cref{thm:lagrange}") for note in notes)


def test_a_citation_silences_it(tmp_path):
    assert not found(
        write_project(tmp_path, NAMED.replace("We count.", r"\cref{thm:lagrange,lem:zorn}")), "missing-reference"
    )


def test_a_name_that_is_followed_by_a_reference_is_that_of_what_is_cited(tmp_path):
    other = NAMED.replace("theorem of Lagrange", r"theorem of Lagrange \cref{thm:other}")
    notes = found(write_project(tmp_path, other), "missing-reference")
    assert {note.subject for note in notes} == {"zorn lemma -> lem:zorn"}


def test_what_comes_later_is_not_suggested(tmp_path):
    early = r"""
        \begin{lemma}\label{lem:a} A. \end{lemma}
        \begin{proof} By the theorem of Lagrange. \end{proof}
        \begin{theorem}[Lagrange]\label{thm:lagrange} The order divides. \end{theorem}
        \begin{proof} Clear. \end{proof}
    """
    assert not found(write_project(tmp_path, early), "missing-reference")


def habit(citing, silent):
    """A definition whose term so many proofs use with a citation, and so many without."""
    proofs = [r"By \cref{def:c} the coset is closed."] * citing + ["The cosets are closed."] * silent
    lemmas = (
        rf"\begin{{lemma}}\label{{lem:{i}}} Number {'i' * (i + 2)}. \end{{lemma}}\begin{{proof}} {text} \end{{proof}}"
        for i, text in enumerate(proofs)
    )
    return r"\begin{definition}\label{def:c} A \emph{coset} is a set. \end{definition} " + "\n".join(lemmas)


def test_a_term_is_told_only_where_its_definition_is_usually_cited(tmp_path):
    (note,) = found(write_project(tmp_path, habit(6, 1)), "missing-reference")
    assert note.subject == "coset -> def:c"
    assert "the proof of lemma 8 (lem:6) uses “cosets” without citing" in note.message
    (note,) = found(write_project(tmp_path, habit(12, 3)), "missing-reference")
    assert "(and so do 2 more proofs)" in note.message
    assert not found(write_project(tmp_path, habit(3, 6)), "missing-reference")
    assert not found(write_project(tmp_path, habit(3, 1)), "missing-reference")


def test_statements_that_repeat_others(tmp_path):
    text = "Let $X$ be a compact Hausdorff space, and let $f$ be a continuous map to the real line, which we fix."
    body = rf"""
        \begin{{lemma}}\label{{lem:a}} {text} Then $f$ is bounded. \end{{lemma}}
        \begin{{lemma}}\label{{lem:b}} {text} Then $f$ is bounded. \end{{lemma}}
        \begin{{lemma}}\label{{lem:c}} Nothing of the kind is meant by this lemma about rings and ideals. \end{{lemma}}
    """
    (note,) = found(write_project(tmp_path, body), "near-duplicate")
    assert note.subject == "lem:b = lem:a"
    assert "main.tex:" in note.message


def test_suggestions_are_made_only_when_asked_for(tmp_path):
    main = write_project(tmp_path, NAMED)
    quiet = check(main)
    assert not [one for one in quiet.everything if one.rule in RULES and RULES[one.rule].when != "always"]
    assert "missing-reference" in {one.rule for one in check(main, notes=True).findings}
    assert "missing-reference" not in {
        one.rule for one in check(main, notes=True, ignore={"missing-reference"}).findings
    }
    assert not check(main, notes=True).failed
    assert Selection().notes is False


def test_all_notes_are_shown_but_those_of_rules_on_request(tmp_path, monkeypatch):
    monkeypatch.setitem(RULES, "near-duplicate", replace(RULES["near-duplicate"], check=lambda _context: 1 / 0))
    assert "missing-reference" in {one.rule for one in check(write_project(tmp_path, NAMED), notes=True).findings}


def test_phrases():
    assert words(r"The \emph{left cosets} of $H$ in~groups.") == ["the", "left", "coset", "of", "", "in", "group", ""]
    theorem = Statement("t", "theorem", "t", "Lagrange's theorem", ())
    assert names_of(theorem) == {("lagrange", "theorem")}
    named = Statement("c", "theorem", "c", "Cayley", (), form="proposition")
    assert ("proposition", "of", "cayley") in names_of(named)
    definition = Statement("d", "definition", "d", "", (r"A {\it normal subgroup} is \emph{nice} or \emph{$x$-nice}.",))
    assert terms_of(definition) == {("normal", "subgroup"), ("nice",)}
    known = dictionary([theorem, definition, Statement("e", "definition", "e", "Nice", ())])
    assert ("nice",) not in known
    assert [key for key, _ in mentioned("By Lagrange’s theorem, normal subgroups exist", known)] == ["t", "d"]
