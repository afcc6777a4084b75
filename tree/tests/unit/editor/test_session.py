"""A project as the server sees it, with texts that are not saved."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from naturalproofs.apps.editor.answers import SOURCE, actions, anchor_markdown, diagnostic, escaped, plain
from naturalproofs.apps.editor.completion import completions, suggestions
from naturalproofs.apps.editor.positions import Positions, Typing
from naturalproofs.apps.editor.session import read_state
from naturalproofs.errors import NaturalProofsError
from naturalproofs.ranking.hybrid import candidates
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import Selection
from support.lint_projects import write_project

BODY = r"""
\begin{theorem}[On $x_1$]\label{thm:a}
  Let $x$ be \emph{small}.
  \begin{enumerate}\item\label{it:one} One. \item Two.\end{enumerate}
\end{theorem}
\begin{proof} Clear from \cref{thm:a}. \end{proof}
\section{On}\label{sec:on}
"""

PIECES = r"""
\begin{theorem} \end{theorem} \label{a} \cref{a } { $ \input{main} % x \begin{proof} \end{proof} \end{document}
""".split()


@pytest.fixture
def main(tmp_path: Path) -> Path:
    return write_project(tmp_path, BODY)


def state_of(main, texts=None):
    return read_state(main, texts or {}, Selection())


def project_of(main, texts=None):
    return state_of(main, texts).project


def test_what_is_typed_counts_not_what_is_saved(main):
    typed = main.read_text().replace("thm:a", "thm:new")
    project = project_of(main, {main.resolve(): typed.encode()})
    assert "thm:new" in project.anchors
    assert "thm:a" not in project.anchors
    assert "thm:a" in project_of(main).anchors
    assert project.texts["main.tex"] == typed


def test_hovers_are_readable_markdown(main):
    project = project_of(main)
    shown = anchor_markdown(project, "thm:a", project.anchors["thm:a"])
    assert shown.startswith("**Theorem 1 (On x₁)**")
    assert "(1) One" in shown
    assert "\\emph" not in shown
    assert anchor_markdown(project, "it:one", project.anchors["it:one"]).startswith("Item it:one in:")
    assert "Section" in anchor_markdown(project, "sec:on", project.anchors["sec:on"])
    assert "**" not in plain(shown)


@given(st.text(max_size=40))
def test_plain_takes_back_what_escaped_put_in(text):
    assert plain(escaped(text)) == text


def offered(state, before, typed="", keys=(), command="cref"):
    text = state.project.texts["main.tex"]
    offset = text.index(before) + len(before)
    typing = Typing(command, typed, offset, keys)
    return [one.key for one in completions(state.workspace, "main.tex", text, offset, typing)]


def test_completions_leave_out_the_theorem_itself_and_used_keys(main):
    state = state_of(main)
    assert offered(state, "Clear") == ["it:one", "sec:on"]
    assert offered(state, "Clear", keys=("it:one",)) == ["sec:on"]
    assert offered(state, "Clear", "ONE") == ["it:one"]
    assert offered(state, "Clear", "zzz") == []
    assert offered(state, r"\section{On}\label{sec:on}", "x_1") == ["thm:a"], "found by its title"
    assert offered(state, "Clear", command="eqref")[0] == "it:one"


def test_positions_of_commands_words_and_lines():
    places = Positions(PositionCodec(), {"a.tex": "x \\cref{one,two} 𝔄b\n   word\n"})
    thing = places.thing("a.tex", 1, 3)
    assert (thing.start.character, thing.end.character) == (2, 16)
    inner = places.thing("a.tex", 1, 3, "two")
    assert (inner.start.character, inner.end.character) == (12, 15)
    assert places.position("a.tex", 1, 19).character == 19
    line = places.whole_line("a.tex", 2)
    assert (line.start.character, line.end.character) == (3, 7)
    assert places.whole_line("a.tex", 99) == places.whole_line("no.tex", 99)


NAMED = r"""
\begin{lemma}[Zorn's lemma]\label{lem:zorn} Maximal elements exist. \end{lemma}
\begin{theorem}\label{thm:main} Something else. \end{theorem}
\begin{proof} By Zorn's lemma, clear. \end{proof}
"""


def test_what_a_proof_names_without_citing_it_is_underlined_and_can_be_cited(tmp_path):
    main = write_project(tmp_path, NAMED)
    state = read_state(main, {}, Selection(select={"missing-reference"}))
    (finding,) = state.findings
    told = diagnostic(finding, Positions(PositionCodec(), state.project.texts))
    line = state.project.texts["main.tex"].split("\n")[told.range.start.line]
    assert line[told.range.start.character : told.range.end.character] == "Zorn's lemma"
    (action,) = actions(state.project, "main.tex", "file:///m.tex", types.CodeActionContext([told]))
    (edit,) = action.edit.changes["file:///m.tex"]
    assert (edit.range.start, edit.new_text) == (told.range.end, r" (\cref{lem:zorn})")


def test_a_missing_citation_can_be_put_in(main):
    project = project_of(main)
    where = types.Range(types.Position(3, 1), types.Position(3, 9))
    data = {"subject": "thm:b -> thm:a"}
    told = types.Diagnostic(where, "names Lagrange", code="missing-reference", source=SOURCE, data=data)
    (action,) = actions(project, "main.tex", "file:///m.tex", types.CodeActionContext([told]))
    (edit,) = action.edit.changes["file:///m.tex"]
    assert (edit.range.start, edit.new_text) == (where.end, r" (\cref{thm:a})")
    other = types.Diagnostic(where, told.message, code="missing-reference", source="another", data=data)
    assert actions(project, "main.tex", "file:///m.tex", types.CodeActionContext([other])) == []


def test_a_chapter_without_its_main_file_gets_one_message(tmp_path):
    chapter = tmp_path / "chapter.tex"
    chapter.write_text(BODY.replace(r"\cref{thm:a}", r"\cref{lem:x}, \cref{lem:y} and \ref{lem:z}"))
    state = state_of(chapter)
    (finding,) = state.findings
    assert (finding.rule, finding.line, finding.severity) == ("no-main-file", 1, "warning")
    assert "TEX root" in finding.message
    chapter.write_text(BODY)
    assert all(one.rule != "no-main-file" for one in state_of(chapter).findings), "nothing is missed"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_whatever_is_typed_can_be_read_or_is_an_error_of_ours(main, pieces):
    text = main.read_text().replace("Clear from", "".join(pieces))
    try:
        state = state_of(main, {main.resolve(): text.encode()})
    except NaturalProofsError:
        return
    completions(state.workspace, "main.tex", text, len(text) // 2, Typing("cref", "", 0))
    for finding in state.findings:
        Positions(PositionCodec(), state.project.texts).finding(finding)


def test_only_new_texts_are_tokenised_after_an_edit(main, monkeypatch):
    _ = Workspace.open(main).home.suggester
    cut: list[str] = []
    extract = lambda title, text: cut.append(text) or extract_terms(title, text)  # noqa: E731
    monkeypatch.setattr(candidates, "extract_terms", extract)
    first = state_of(main)
    assert isinstance(first.project.suggester, HybridScorer)
    assert cut == []
    lemma = "\\begin{lemma}\\label{lem:z} Zebras. \\end{lemma}"
    typed = {main.resolve(): main.read_text().replace("\\section{On}", f"{lemma}\n\\section{{On}}").encode()}
    second = read_state(main, typed, Selection(), first)
    assert isinstance(second.project.suggester, HybridScorer)
    assert [text.strip() for text in cut] == ["Zebras."]
    assert read_state(main, typed, Selection(), second) is second


def test_what_a_proof_cites_is_known_however_it_begins(tmp_path):
    lemmas = "".join(rf"\begin{{lemma}}\label{{lem:{i}}} Number {i}. \end{{lemma}}" "\n" for i in range(3))
    macro = r"\newcommand{\bpf}{\begin{proof}}\newcommand{\epf}{\end{proof}}" "\n"
    for begin, end in ((r"\begin{proof}", r"\end{proof}"), (r"\bpf", r"\epf")):
        proof = f"{begin}\nSome 5\\% by \\cref{{lem:1}}.\nThen\n{end}\n"
        main = write_project(tmp_path, macro + lemmas + "\\begin{theorem} All. \\end{theorem}\n" + proof)
        text = main.read_text()
        found = suggestions(Workspace.open(main, cache=False), "main.tex", text, text.index("Then"), in_proof=True)
        assert found is not None
        assert found.cited == ("main:lem:1",)
