"""Paths as text and back, whatever bytes they hold."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.listing import lies_in, name_of, path_of, resolved, written_paths

NAMES = st.binary(min_size=1).filter(lambda data: b"\0" not in data)
LIKE_ESCAPES = st.lists(st.sampled_from([b"\\", b"x", b"e9", b"5c", b"\xe9", b"\xc3", b"\xa9", b"/"]), min_size=1)


@given(NAMES | LIKE_ESCAPES.map(b"".join))
@example(b"\\xe9")
@example(b"\\\xe9")
@example(b"\\\\xe9\\x5c\xe9\x5cx")
def test_every_path_has_a_name_that_leads_back(data):
    path = Path(os.fsdecode(data))
    name = name_of(path)
    assert name.encode("utf-8")
    assert os.fsencode(path_of(name)) == os.fsencode(path)


@given(NAMES, NAMES)
def test_different_paths_have_different_names(one, other):
    first, second = Path(os.fsdecode(one)), Path(os.fsdecode(other))
    assert (name_of(first) == name_of(second)) == (first == second)


@pytest.mark.parametrize("text", ["main.tex", "é/ß.tex", "a\\b.tex", "\\xi.tex", "\\x41", "100%.tex", "../a b.tex"])
def test_usual_names_stay_as_they_are(text):
    assert (name_of(text), path_of(text)) == (text, Path(text))


def test_bytes_that_are_not_utf_8_are_shown():
    assert name_of(Path(os.fsdecode(b"d\xe9/caf\xe9.tex"))) == r"d\xe9/caf\xe9.tex"
    message = str(SourceNotFound(f"{os.fsdecode(bytes([0xE9]))}: no such file"))
    assert message == r"\xe9: no such file"


@pytest.mark.parametrize("name", [r"\x2e\x2e/a", r"\x2fetc", r"a\x00b"])
def test_a_name_cannot_hide_a_folder_or_a_nul(name):
    assert str(path_of(name)) == name


def test_a_name_in_a_text_may_be_written_in_its_encoding():
    assert [os.fsencode(path) for path in written_paths("é", "cp437")] == ["é".encode(), b"\x82", b"\xe9"]
    assert [os.fsencode(path) for path in written_paths("é", "no-such")] == ["é".encode(), b"\xe9"]
    assert list(written_paths("e", "cp437")) == [Path("e")]


def test_a_link_to_itself_leads_nowhere(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert not resolved(loop / "a").exists()
    assert not resolved(loop).exists()
    assert not lies_in(loop, tmp_path)
