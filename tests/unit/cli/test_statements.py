"""The command ``search``."""

import json

import pytest

from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.cache import Cache
from support.command_line import call


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))


def test_search_prints_what_it_found():
    code, out, err = call("search", primer_folder(), "finite", "cyclic", "group", "-k", "2")
    assert code == 0, err
    assert out.startswith("  1. Theorem 3.2.8 (Subgroups of a finite cyclic group)   thm:cyclic-subgroups\n")
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
