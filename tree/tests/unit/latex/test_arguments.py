import pytest

from naturalproofs.sources.latex.scan.arguments import (
    REACH,
    plain_letters,
    plain_title,
    read_group,
    read_groups,
    read_option,
)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("{a}", "a"),
        ("  {a}b", "a"),
        ("\n{a{b}c}", "a{b}c"),
        ("{a\\}b}", "a\\}b"),
        ("%x\n{a}", "a"),
        ("{a%}\nb}", "a%}\nb"),
        ("{}", ""),
    ],
)
def test_groups(text, inside):
    found = read_group(text, 0)
    assert found is not None
    assert found.text == inside
    assert text[: found.end].endswith("}")


@pytest.mark.parametrize("text", ["", "a", "{a", "[a]", "{a\\}"])
def test_no_group(text):
    assert read_group(text, 0) is None


@pytest.mark.parametrize(
    ("text", "inside"),
    [("[a]", "a"), ("[a[b]c]", "a[b]c"), ("[a{]}b]", "a{]}b"), ("\n[\\href{u}{A} B]", "\\href{u}{A} B")],
)
def test_options(text, inside):
    found = read_option(text, 0)
    assert found is not None
    assert found.text == inside


@pytest.mark.parametrize("text", ["x[a]", "[a", "[a}b]", "\n\n[a]", "[a\n\nb]"])
def test_no_option(text):
    assert read_option(text, 0) is None


def test_an_endless_argument_is_given_up():
    assert read_group("{" + "a" * (REACH + 10) + "}", 0) is None


def test_several_groups():
    assert [group.text for group in read_groups("{1}{The Numbers} {Sets}x", 0, 3)] == ["1", "The Numbers", "Sets"]
    assert len(read_groups("{1}", 0, 3)) == 1


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("Lagrange", "Lagrange"),
        ("\\href{http://a/b}\n{Archimedean} Property", "Archimedean Property"),
        ("B\\'ezout and Schr\\\"oder--Bernstein", "Bézout and Schröder--Bernstein"),
        ("Zorn's lemma \\cite[p.~3]{Zorn}", "Zorn's lemma"),
        ("\\label{x}The \\emph{big} $p$-group\\index{p}", "The big $p$-group"),
        ("The Ring of Integers Modulo {\\em n}", "The Ring of Integers Modulo {n}"),
        ("\\texorpdfstring{$\\ell$}{l}-adic", "$\\ell$-adic"),
    ],
)
def test_titles(source, title):
    assert plain_title(source) == title


def test_letters():
    assert plain_letters("Th\\'eor\\`eme, \\\"Ubung, Cwiczenie \\'C, \\c{c}, \\v s, \\o, \\ss{} \\emph{x}") == (
        "Théorème, Übung, Cwiczenie Ć, ç, š, ø, ß \\emph{x}"
    )


def test_a_letter_with_an_accent_in_braces():
    assert plain_title('S{\\"a}tze, {\\`E}tude') == "Sätze, Ètude"
    assert plain_letters("\\textbf{\\'e} x^{\\'e} \\cmd[a]{\\'e}") == "\\textbf{é} x^{é} \\cmd[a]{é}"
