"""Files nobody wants to meet: each gives a diagnostic or a plain result, never a traceback."""

import os

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.sources.registry import source

LEMMA = "\\begin{lemma}\\label{lemma-é}\nÉtale.\n\\end{lemma}\n"

NASTY = {
    "binary": (bytes(range(256)) * 100, "not-text"),
    "latin-1": (LEMMA.encode("latin-1"), "encoding"),
    "utf-16": (LEMMA.encode("utf-16"), None),
    "utf-16 without a mark": ((LEMMA * 3).encode("utf-16-le"), "duplicate-label"),
    "bom": (LEMMA.encode("utf-8-sig"), None),
    "nul bytes": (LEMMA.encode() + b"a\0b" + b"text " * 100, "nul-byte"),
    "crlf": (LEMMA.replace("\n", "\r\n").encode(), None),
    "cr": (LEMMA.replace("\n", "\r").encode(), None),
    "one very long line": (LEMMA.replace("\n", " ").encode() + b"x" * 3_000_000, None),
    "unbalanced braces": (LEMMA.encode() + b"}}}{{", "unbalanced-brace"),
    "unclosed everything": (LEMMA.encode() + b"\\begin{lemma}\\begin{proof}$\\iffalse", "unclosed-environment"),
    "truncated utf-8": (LEMMA.encode() + b"\xc3", "encoding"),
    "empty": (b"", None),
    "only comments": (b"% \\begin{lemma}\n" * 1000, None),
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty(tmp_path, name):
    data, rule = NASTY[name]
    (tmp_path / "a.tex").write_bytes(b"\\begin{lemma}\\label{lemma-good}Good.\\end{lemma}")
    (tmp_path / "z.tex").write_bytes(data)
    built = build(source("stacks"), tmp_path, name="s")
    assert built.statements[0].id == "s:a-lemma-good"
    rules = [diagnostic.rule for diagnostic in built.diagnostics]
    assert (rule in rules) if rule else (rules == [])
    if "Étale".encode() in data:
        assert built.find("z-lemma-é").lines == ("Étale.",)
    paper = build(source("stacks"), tmp_path, name="s", rules="paper")
    assert paper.statements


def test_pipes_and_unreadable_files(tmp_path):
    (tmp_path / "a.tex").write_text(LEMMA)
    os.mkfifo(tmp_path / "b.tex")
    (tmp_path / "c.tex").mkdir()
    (tmp_path / "d.tex").symlink_to(tmp_path / "nowhere.tex")
    built = build(source("stacks"), tmp_path, name="s")
    assert [(d.path, d.rule) for d in built.diagnostics] == [(f"{name}.tex", "unreadable") for name in "bcd"]


def test_a_sparse_giant_is_left_out(tmp_path):
    (tmp_path / "a.tex").write_text(LEMMA)
    with (tmp_path / "b.tex").open("wb") as stream:
        stream.truncate(2 << 30)
    built = build(source("stacks"), tmp_path, name="s")
    assert [d.rule for d in built.diagnostics] == ["too-large"]
