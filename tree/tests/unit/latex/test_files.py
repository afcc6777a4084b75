"""Files of a project: encodings, and braces and dollars that do not match."""

import pytest

from naturalproofs.sources.latex.project.tree import check_balance
from naturalproofs.sources.reading.text_files import declared_encoding, decode


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
        ("shift_jis", "\\documentclass[a4paper]{ujbook} すべての数はよい。"),
        ("iso2022_jp", "\\begin{theorem} すべての数はよい。 \\end{theorem}"),
        ("euc_kr", "\\begin{theorem} 모든 소수는 무한히 많다. 이것은 정리이다. \\end{theorem}"),
        ("big5", "\\begin{theorem} 每個連續函數在閉區間上都有最大值，所以定理成立。 \\end{theorem}"),
        ("big5", "\\begin{CJK}{Bg5}{song} 定理"),
        ("gb18030", "\\begin{CJK*}{GBK}{song} 定理"),
    ],
)
def test_chinese_japanese_and_korean_are_recognised(encoding, text):
    assert decode(text.encode(encoding)) == (text, [])


def test_a_declared_encoding_is_believed():
    source = "\\usepackage[cp1251]{inputenc}\nТеорема"
    found = decode(source.encode("cp1251"))
    assert found.text == source
    assert found.problems == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("latin1", "Théorème"), ("latin2", "Věta"), ("latin5", "Tanım ve ispat ğış"), ("latin9", "Théorème œ"),
        ("ansinew", "Définition"), ("applemac", "Définition"), ("cp1250", "Důkaz"), ("cp1251", "Определение"),
        ("cp1252", "Lemme é"), ("cp1253", "Ορισμός"), ("cp1254", "Önerme ğ"), ("cp852", "Důkaz"), ("cp866", "Лемма"),
        ("koi8-r", "Лемма"), ("koi8-u", "Доведення її"), ("iso88595", "Лемма"), ("iso-8859-7", "Ορισμός"),
    ],
)  # fmt: skip
def test_encodings_by_their_names_in_latex(name, text):
    python = {
        "latin1": "latin-1", "latin2": "iso8859-2", "latin5": "iso8859-9", "latin9": "iso8859-15", "ansinew": "cp1252",
        "applemac": "mac-roman", "iso88595": "iso8859-5", "iso-8859-7": "iso8859-7",
    }.get(name, name)  # fmt: skip
    source = f"\\usepackage[{name}]{{inputenc}}\n{text}"
    assert decode(source.encode(python)) == (source, [])


@pytest.mark.parametrize(
    "declaration",
    [
        "%\\usepackage[utf8]{inputenc}\n\\usepackage[cp1251]{inputenc}",
        "% \\usepackage[koi8-r]{inputenc}\n50\\% \\usepackage [cp1251] {inputenc}",
        "\\usepackage[cp1251]{inputenc,mathtext}",
        "\\usepackage[T2A,cp1251]{fontenc, inputenc}",
        "\\RequirePackage[cp1251]{inputenx}",
        "\\inputencoding{cp1251}",
    ],
)
def test_how_an_encoding_is_declared(declaration):
    source = f"{declaration}\nТеорема"
    assert decode(source.encode("cp1251")) == (source, [])
    assert declared_encoding(declaration.encode()) == "cp1251"


def test_the_encoding_of_the_project_is_for_files_that_declare_none():
    assert decode("Лемма".encode("cp1251"), "cp1251") == ("Лемма", [])
    assert decode("Лемма".encode(), "cp1251") == ("Лемма", [])
    own = "\\usepackage[koi8-r]{inputenc} Лемма"
    assert decode(own.encode("koi8-r"), "cp1251") == (own, [])
    damaged = decode("Лемма и теорема \n".encode() + b"\xff", "cp1251")
    assert damaged.text == "Лемма и теорема \n\ufffd"
    japanese = declared_encoding(b"\\documentclass{jsbook}\\input{a}")
    assert decode("定理".encode("shift_jis"), japanese) == ("定理", [])
    assert decode("定理".encode("euc_jp"), japanese) == ("定理", [])


@pytest.mark.parametrize(
    "source", ["\\usepackage[utf8]{inputenc}", "\\usepackage[T1]{fontenc} é", "%\\inputencoding{latin1}"]
)
def test_files_that_declare_no_other_encoding(source):
    assert declared_encoding(source.encode()) == ""


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
