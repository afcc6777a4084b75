"""The commands about statements."""

import json

import pytest

from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.object_cache import Cache
from support.command_line import call


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))


def test_search_prints_what_it_found():
    code, out, err = call("search", primer_folder(), "finite", "cyclic", "group", "-k", "2")
    assert code == 0, err
    assert out.startswith("  1. Theorem 4.4.13 (Finite groups of units)   thm:finite-units-cyclic\n")
    assert "\n  2. Theorem 3.2.8 (Subgroups of a finite cyclic group)   thm:cyclic-subgroups\n" in out
    assert "more; ask for them with -k" in out
    assert "\x1b" not in out


def test_search_for_programs_has_marks_as_offsets():
    code, out, _ = call("search", primer_folder(), "$x^2$ kind:definition prime", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert all(hit["kind"] == "definition" for hit in found["hits"])
    assert any(hit["snippet"][a:b].startswith("prime") for hit in found["hits"] for a, b in hit["marks"])


def test_search_says_what_was_meant_and_what_to_try():
    _, out, _ = call("search", primer_folder(), "homomorphsm")
    assert "Looked for homomorphism (not homomorphsm)." in out
    _, out, _ = call("search", primer_folder(), "lagrange", "--kind", "corollary")
    assert "Nothing was found." in out or "Corollary" in out


def test_the_search_index_is_cached_and_a_damaged_one_is_built_again(tmp_path):
    code, _, err = call("build", "latex", primer_folder(), "-o", tmp_path / "primer")
    assert code == 0, err
    first = Workspace.open(tmp_path / "primer").search("group")
    folder = Cache.of(tmp_path / "primer").folder / "search"
    files = sorted(folder.iterdir())
    times = [file.stat().st_mtime_ns for file in files]
    assert Workspace.open(tmp_path / "primer").search("group") == first
    assert [file.stat().st_mtime_ns for file in files] == times
    for file in files:
        file.write_bytes(file.read_bytes()[:40])
    assert Workspace.open(tmp_path / "primer").search("group") == first


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("show", "lem:shift", "Used by 1:"),
        ("path", "thm:bound", "1.  layer 0   Lemma 1 [lem:shift]"),
        ("impact", "lem:shift", "1  Theorem 2 [thm:bound]"),
        ("outside", "thm:bound", "Theorem 3: Theorem 2 [thm:bound]"),
    ],
)
def test_a_statement_of_the_second_document_is_shown_from_its_own_document(tmp_path, command, name, said):
    declared = r"\documentclass{article}\newtheorem{theorem}{Theorem}\newtheorem{lemma}[theorem]{Lemma}\begin{document}"
    (tmp_path / "first.tex").write_text(rf"{declared}\begin{{lemma}}\label{{lem:a}} A.\end{{lemma}}\end{{document}}")
    body = (
        r"\begin{lemma}\label{lem:shift} S.\end{lemma}\begin{theorem}\label{thm:bound} B.\end{theorem}"
        r"\begin{proof}By \ref{lem:shift} and \cite[Theorem 3]{Book}.\end{proof}\end{document}"
    )
    (tmp_path / "second.tex").write_text(declared + body)
    code, out, err = call(command, tmp_path, name, "--main", "first.tex", "--main", "second.tex")
    assert code == 0, err
    assert said in out


def test_show_prints_the_source_if_asked():
    _, shown, _ = call("show", primer_folder(), "thm:lagrange")
    _, written, _ = call("show", primer_folder(), "thm:lagrange", "--as-written")
    assert "$" not in shown
    assert "$H$" in written
