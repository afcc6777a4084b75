"""Small reproductions of LaTeX that was read wrongly once, each with what LaTeX itself makes of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from naturalproofs import Workspace
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.records import Mention
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.workspace import render
from naturalproofs.workspace.check import Selection


@pytest.fixture(scope="module")
def case(real_source: Callable[[str], Path]) -> Callable[[str], Path]:
    folder = real_source("../cases/latex")
    return lambda name: folder / name


def read(path: Path) -> Corpus:
    return build(LATEX, path, name="p")


def numbers(built: Corpus) -> dict[str, str]:
    return {one.label: one.number for one in built.statements}


def cited(mentions: tuple[Mention, ...]) -> list[str]:
    return [(one.reference or "").removeprefix("p:") for one in mentions]


def proofs(built: Corpus) -> dict[str, list[list[str]]]:
    return {one.label: [cited(proof.mentions) for proof in one.proofs] for one in built.statements if one.proofs}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aliascnt.tex", {"a": "1.1", "b": "1.2", "c": "1.3", "d": "1.4"}),
        ("labelmacro.tex", {"fol:cmp:compact": "1", "fol:ls:skolem": "2", "fol:ls:up": "3"}),
        ("made/1.tex", {"a": "1", "b": "2"}),
        ("made/2.tex", {"a": "1"}),
        ("made/3.tex", {"a": "1", "c": "2", "b": "1"}),
        ("includeonly", {"x": "1", "y": "2"}),
        ("inputpath", {"t": "1"}),
        ("redefinedpath.tex", {"t": "1"}),
        ("wrapper", {"t": "1"}),
    ],
)
def test_statements_and_numbers(case, name, expected):
    assert numbers(read(case(name))) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bothbranches.tex", {"thm:t": [["lem:a"]]}),
        ("discarded.tex", {"thm:two": [["thm:one"]]}),
        ("ifbeginwith.tex", {"thm:b": [["thm:a"]]}),
        ("includeonly", {"x": [[]], "y": [["x"]]}),
        ("labelmacro.tex", {"fol:ls:skolem": [["fol:cmp:compact"]], "fol:ls:up": [["fol:ls:skolem"]]}),
        ("made/4.tex", {"lem:b": [["lem:a"]]}),
        ("nested.tex", {"thm:t": [["lem:a", "lem:b"]]}),
        ("printed.tex", {"thm:t": [["lem:a"]]}),
        ("suffix.tex", {"thm:t": [["p"]]}),
        ("uses.tex", {"thm:t": [["lem:a", "lem:b"]]}),
        ("wrapperproof.tex", {"thm:t": [["lem:b"]]}),
    ],
)
def test_citations_of_proofs(case, name, expected):
    found = proofs(read(case(name)))
    assert {label: [list(dict.fromkeys(one)) for one in own] for label, own in found.items()} == expected


def test_calls_nested_in_their_own_arguments(case):
    built = read(case("nestedcalls.tex"))
    assert numbers(built) == {"a": "1", "b": "2"}
    assert [len(one.proofs) for one in built.statements] == [1, 1]
    assert "a" in proofs(built)["b"][0]


def test_a_section_that_is_about_proofs_is_none(case):
    statements = read(case("sectionproof.tex")).statements
    assert [(one.label, [proof.text for proof in one.proofs]) for one in statements] == [
        ("a", ["Obvious."]),
        ("b", ["Obvious."]),
    ]


def test_kinds_as_printed(case):
    forms = {one.label: one.form for one in read(case("aliascnt.tex")).statements}
    assert forms["c"] == "exercise"


@pytest.mark.parametrize(("folder", "count"), [("foreach", 2), ("printweb/blueprint/src", 1), ("outside/course", 1)])
def test_files_that_are_found(case, folder, count):
    assert len(read(case(folder)).statements) == count


def test_keys_of_thmtools(case):
    titles = {one.label: one.title for one in read(case("thmtools.tex")).statements}
    expected = {"lem:b": "Bee", "lem:c": "Universal Property", "lem:d": "Dee, with comma", "lem:e": "Long Eee"}
    assert titles.items() >= expected.items()


@pytest.mark.parametrize(
    ("name", "label", "words"),
    [
        ("mathpalette.tex", "a", ["A ⊂ U"]),
        ("xparse.tex", "a", ["𝔐", "|𝔐|"]),
        ("made/1.tex", "a", ["Gal(K)"]),
        ("made/2.tex", "a", ["Gal(K)"]),
        ("shown.tex", "b", ["that is 3.4.4", "p • q", "overline(A ∪ B ∪ C)"]),
    ],
)
def test_macros_in_what_is_shown(case, name, label, words):
    workspace = Workspace.open(case(name))
    shown = workspace.render(workspace.find(label).statement, "line")
    assert all(word in shown for word in words), shown
    assert "\\StrBehind" not in shown
    assert "\\lens" not in shown


def test_all_of_a_statement_is_shown(case):
    workspace = Workspace.open(case("shown.tex"))
    first, second = (workspace.find(name).statement for name in ("a", "b"))
    assert first.section == "The 100\\% version"
    text = workspace.render(first)
    assert "one of these: the falsum, and" in text
    assert "a variable, \\ie a letter" in text
    assert "aₙ = {1, if n is even; 0, if n is odd} where n ≥ 1." in text
    line = " ".join(workspace.render(second).split("\n"))
    assert "aₖ xᵏ\u2003" in line
    assert "(f; g)" in line
    assert "(w = w′)" in line
    assert "100" not in line
    html = workspace.render(second, "html")
    assert 'class="wide-over"' in html
    assert "penalty" not in html
    assert html.count('display="block"') == 2
    proof = render.readable_text(workspace.home, second.proofs[0], workspace.home.macros)
    assert proof == "By (1), Section [sec:nowhere] and Theorem 1."


def test_what_a_macro_discards_is_not_cited(case):
    findings = Workspace.open(case("discarded.tex")).check(Selection()).findings
    assert [one for one in findings if one.severity == "error"] == []


def test_documents_with_one_name_have_their_own_bibliographies(case):
    assert Workspace.open(case("twodocuments")).check(Selection()).findings == ()
