"""Definitions of macros: which are read, and how."""

import re

import pytest

from naturalproofs.latex.display import Formulas, plain_unicode
from naturalproofs.latex.macros import NO_VALUE, Macro, Parameter, read_definition, read_macros

GROUP = Parameter("group")


def definition(text: str):
    command = re.match(r"\\([a-zA-Z]+)", text)[1]
    return read_definition(text, command, 1 + len(command))


def test_definitions():
    assert definition("\\newcommand{\\a}{x}").macro == Macro("a", (), "x")
    assert definition("\\newcommand\\a[2]{x#1}").macro == Macro("a", (GROUP, GROUP), "x#1")
    assert definition("\\newcommand{\\a}[2][d]{x}").macro == Macro("a", (Parameter("option", "d"), GROUP), "x")
    assert read_definition("\\def\\a#1#2{x}", "def", 4).macro == Macro("a", (GROUP, GROUP), "x")
    environment = definition("\\newenvironment{e}[1]{b#1}{c}")
    assert environment.macro == Macro("e", (GROUP,), "b#1", "c")
    assert environment.end == len("\\newenvironment{e}[1]{b#1}{c}")
    spec = definition("\\NewDocumentCommand{\\a}{s o O{d} m +m}{x}").macro
    assert [one.kind for one in spec.parameters] == ["star", "option", "option", "group", "group"]


@pytest.mark.parametrize(
    "text",
    [
        "\\def\\a#2;{x}",
        "\\NewDocumentCommand{\\a}{d()}{x}",
        "\\newcommand{\\a}[x]{y}",
        "\\newcommand{\\a}{x",
        "\\newcommand",
        "\\def\\a",
    ],
)
def test_definitions_that_are_not_followed(text):
    found = definition(text)
    assert found.macro is None
    assert found.end <= len(text)


@pytest.mark.parametrize(
    ("source", "macro"),
    [
        (r"\newcommand{\RR}{\mathbb{R}}", Macro.of("RR", 0, r"\mathbb{R}")),
        (r"\newcommand\RR{\mathbb{R}}", Macro.of("RR", 0, r"\mathbb{R}")),
        (r"\renewcommand*{\abs}[1]{|#1|}", Macro.of("abs", 1, "|#1|")),
        (r"\newcommand{\opt}[2][n]{#1#2}", Macro("opt", (Parameter("option", "n"), GROUP), "#1#2")),
        (r"\newrobustcmd{\x}{y}", Macro.of("x", 0, "y")),
        (r"\DeclareMathOperator{\Hom}{Hom}", Macro.of("Hom", 0, r"\operatorname{Hom}")),
        (r"\DeclareMathOperator*{\colim}{colim}", Macro.of("colim", 0, r"\operatorname*{colim}")),
        (r"\def\pair#1#2{(#1,#2)}", Macro.of("pair", 2, "(#1,#2)")),
        (r"\def\|{\Vert}", Macro.of("|", 0, r"\Vert")),
        (r"\let\eps=\varepsilon", Macro.of("eps", 0, r"\varepsilon")),
        (
            r"\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}",
            Macro("norm", (Parameter("star"), Parameter("option", NO_VALUE), GROUP), r"\left\lVert #3\right\rVert "),
        ),
        (r"\NewDocumentCommand{\two}{m m}{#1/#2}", Macro.of("two", 2, "#1/#2")),
        (r"\NewDocumentCommand{\a}{s m}{#2}", Macro("a", (Parameter("star"), GROUP), "#2")),
    ],
)
def test_macros_of_a_text(source: str, macro: Macro) -> None:
    assert read_macros([source]) == {macro.name: macro}


@pytest.mark.parametrize(
    "source",
    [
        r"% \newcommand{\a}{b}",
        r"\newcommand{\a}",
        r"\newcommand{\a}{x\a}",
        r"\NewDocumentCommand{\a}{d() m}{x}",
        r"\newenvironment{a}{b}{c}",
        r"\def\a#1.{x}",
    ],
)
def test_other_definitions_are_left_out(source: str) -> None:
    assert read_macros([source]) == {}


def test_the_last_definition_wins() -> None:
    assert read_macros([r"\newcommand{\a}{1}", r"\renewcommand{\a}{2}"])["a"].body == "2"
    assert read_macros([r"\newcommand{\a}{1}", r"\providecommand{\a}{2}"])["a"].body == "1"


def test_a_macro_for_a_group_is_one_argument() -> None:
    macros = read_macros([r"\newcommand{\etale}{{\acute{e}tale}}"])
    assert plain_unicode(r"$S_\etale$", macros) == "S_(e\u0301tale)"
    assert "msub" in (Formulas(macros).render(r"S_\etale") or "")


def test_formulas_expand_stars_and_options() -> None:
    definition = r"\NewDocumentCommand{\a}{s o m}{\IfBooleanTF{#1}{x}{y}_{#3}\IfNoValueF{#2}{^{#2}}}"
    formulas = Formulas(read_macros([definition, r"\DeclarePairedDelimiter{\abs}{|}{|}"]))
    plain = Formulas({})
    assert formulas.render(r"\a*{z}") == plain.render("x_{z}")
    assert formulas.render(r"\a[2]{z}") == plain.render("y_{z}^{2}")
    assert formulas.render(r"\abs*{z}") == formulas.render(r"\abs{z}") == plain.render(r"\left| z\right|")


@pytest.mark.parametrize(
    "source",
    [
        r"\providecommand{\a}{b}",
        r"\providecommand{\a}[1]{b#1}",
        r"\providecommand{\a}[2][c]{b#1}",
        r"\ProvideDocumentCommand{\a}{s o O{d} m}{b#4}",
    ],
)
def test_a_macro_writes_its_definition(source: str) -> None:
    assert read_macros([source])["a"].definition() == source


def test_paired_delimiters_with_signs_and_with_an_inside():
    text = (
        r"\DeclarePairedDelimiter\sem\llbracket\rrbracket \DeclarePairedDelimiter\ord[]"
        r"\DeclarePairedDelimiterX\setof[2]\lbrace\rbrace{#1 \,\delimsize\vert\, #2}"
    )
    found = read_macros([text])
    assert found["sem"].body == r"\left\llbracket #3\right\rrbracket "
    assert found["ord"].body == r"\left[ #3\right] "
    assert found["setof"].body == r"\left\lbrace #3 \,\middle\vert\, #4\right\rbrace "
    assert len(found["setof"].parameters) == 4


def test_an_alias_keeps_the_meaning_from_before():
    found = read_macros([r"\let\oldequiv\equiv \renewcommand{\equiv}{\simeq} \newcommand{\jdeq}{\oldequiv}"])
    assert found["oldequiv"].body == r"\primitive{equiv}"
    swapped = read_macros([r"\let\temp\phi \let\phi\varphi \let\varphi\temp"])
    assert swapped["phi"].body == r"\primitive{varphi}"
    assert swapped["temp"].body == r"\primitive{phi}"
    copied = read_macros([r"\newcommand{\a}{1}\let\b\a\renewcommand{\a}{2}"])
    assert (copied["a"].body, copied["b"].body) == ("2", "1")


def test_classes_of_the_package_complexity():
    assert read_macros([r"\newclass{\para}{para}"])["para"].body == r"\mathsf{para}"
