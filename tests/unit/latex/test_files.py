"""Files of a project: encodings, and braces and dollars that do not match."""

import pytest

from naturalproofs.latex.files import check_balance, decode


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_in_any_dress(encoding):
    text = "Let $x \\in \\mathbb{R}$ be given, déjà vu.\n" * 5
    assert decode(text.encode(encoding)).text == text


def test_latin_1_is_read_and_said():
    found = decode("déjà".encode("latin-1"))
    assert found.text == "déjà"
    assert [problem.rule for problem in found.problems] == ["encoding"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "\\begin{theorem} 每个数都是好的，所以成立。 \\end{theorem}"),
        ("euc_jp", "すべての数はよい。これは定理である。"),
        ("shift_jis", "\\documentclass{jsarticle} すべての数はよい。"),
    ],
)
def test_chinese_and_japanese_are_recognised(encoding, text):
    assert decode(text.encode(encoding)) == (text, [])


def test_a_declared_encoding_is_believed():
    source = "\\usepackage[cp1251]{inputenc}\nТеорема"
    found = decode(source.encode("cp1251"))
    assert found.text == source
    assert found.problems == []


def test_binary_is_refused():
    found = decode(bytes(range(256)) * 40)
    assert found.text is None
    assert [problem.rule for problem in found.problems] == ["not-text"]


def test_a_stray_nul_is_dropped_and_said():
    found = decode(b"\\begin{lemma}\0" + b"a" * 500)
    assert found.text is not None
    assert "\0" not in found.text
    assert [problem.rule for problem in found.problems] == ["nul-byte"]


def test_line_endings_become_line_feeds():
    assert decode(b"a\r\nb\rc\n").text == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("text", "rule", "offset"),
    [
        ("a { b", "unbalanced-brace", 2),
        ("a } b", "unbalanced-brace", 2),
        ("{{}", "unbalanced-brace", 0),
        ("{}}", "unbalanced-brace", 2),
        ("a $ b", "unbalanced-dollar", 2),
        ("$a$ $b\n\nc$ d$", "unbalanced-dollar", 4),
    ],
)
def test_unbalanced(text, rule, offset):
    assert [(c.rule, c.offset) for c in check_balance(text)] == [(rule, offset)]


@pytest.mark.parametrize("text", ["", "{a}", "\\{", "\\{ $a$ \\$", "% {\n", "\\verb|{|", "$$a$$"])
def test_balanced(text):
    assert check_balance(text) == []
