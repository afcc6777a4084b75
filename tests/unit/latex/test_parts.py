"""Declarations, definitions, expansions and counters, each by itself."""

import re

import pytest

from naturalproofs.latex.declarations import key_values, printed_name, read_declaration
from naturalproofs.latex.expansion import expand
from naturalproofs.latex.macros import Macro, Parameter, read_definition
from naturalproofs.latex.numbering import Counters, numbered_rows, roman
from naturalproofs.latex.plain import plain_letters
from naturalproofs.latex.scanner import Positions


def definition(text: str):
    command = re.match(r"\\([a-zA-Z]+)", text)[1]
    return read_definition(text, command, 1 + len(command))


def test_definitions():
    group = Parameter("group")
    assert definition("\\newcommand{\\a}{x}").macro == Macro("a", (), "x")
    assert definition("\\newcommand\\a[2]{x#1}").macro == Macro("a", (group, group), "x#1")
    assert definition("\\newcommand{\\a}[2][d]{x}").macro == Macro("a", (Parameter("option", "d"), group), "x")
    assert read_definition("\\def\\a#1#2{x}", "def", 4).macro == Macro("a", (group, group), "x")
    environment = definition("\\newenvironment{e}[1]{b#1}{c}")
    assert environment.macro == Macro("e", (group,), "b#1", "c")
    assert environment.end == len("\\newenvironment{e}[1]{b#1}{c}")
    spec = definition("\\NewDocumentCommand{\\a}{s o O{d} m +m}{x}").macro
    assert [one.kind for one in spec.parameters] == ["star", "option", "option", "group", "group"]


@pytest.mark.parametrize(
    "text",
    [
        "\\def\\a#1;{x}",
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


def expansion(macro: Macro, text: str):
    return expand(macro, text, 0, len(macro.name) + 1, Positions(text))


def test_an_expansion_knows_where_its_arguments_stand():
    macro = Macro("a", (Parameter("group"),), "one\ntwo #1 three")
    found = expansion(macro, "\\a{x\ny \\ref{z}} after")
    assert found.text == "one\ntwo x\ny \\ref{z} three"
    assert found.positions.line_column(found.text.index("\\ref")) == (2, 3)
    assert found.positions.line_column(found.text.index("three")) == (1, 1)
    assert found.end == len("\\a{x\ny \\ref{z}}")


def test_expansions():
    option = Macro("a", (Parameter("option", "d"), Parameter("group")), "#1-#2-##")
    assert expansion(option, "\\a{x}").text == "d-x-#"
    assert expansion(option, "\\a[o]{x}").text == "o-x-#"
    assert expansion(option, "\\a\\alpha y").text == "d-\\alpha-#"
    assert expansion(option, "\\a") is None
    opens = Macro("a", (), "\\begin{theorem}%\n")
    assert expansion(opens, "\\a [T]x").text.endswith("[T]")
    long = Macro("a", (Parameter("group"),), "#1" * 10_000)
    assert expansion(long, "\\a{" + "x" * 100 + "}") is None


def test_branches():
    body = "\\IfNoValueTF{#1}{no}{yes #1}\\IfBooleanT{#2}{star}\\IfValueF{#1}{F}\\IfNoValueTF{#9}{a}{b}"
    macro = Macro("a", (Parameter("option", "-NoValue-"), Parameter("star")), body)
    assert expansion(macro, "\\a*").text == "nostarF\\IfNoValueTF{#}{a}{b}"
    assert expansion(macro, "\\a[o]").text == "yes o\\IfNoValueTF{#}{a}{b}"


def test_declarations():
    text = "[keys]{name}[like]{\\bf Th\\'eor\\`eme}[section]"
    (one,) = read_declaration(text, "newtheorem", 0, starred=False).environments
    assert (one.name, one.printed, one.like, one.within, one.numbered) == ("name", "Théorème", "like", "section", True)
    assert read_declaration("{#1}{X}", "newtheorem", 0, starred=False).environments == []
    assert read_declaration("{x", "newtcbtheorem", 0, starred=False).environments == []
    assert [one.name for one in read_declaration("{a}{A}", "newtheoremrep", 0, starred=False).environments] == [
        "a",
        "arep",
    ]


def test_keys_and_names():
    assert key_values("a=1, b={x, y}, c, number within=section") == {
        "a": "1",
        "b": "x, y",
        "c": "",
        "number within": "section",
    }
    assert printed_name("\\protect\\theoremname") == "theorem"
    assert printed_name("{\\sc Main~Lemma.}") == "Main Lemma"


def test_letters():
    assert plain_letters("Th\\'eor\\`eme, \\\"Ubung, Cwiczenie \\'C, \\c{c}, \\v s, \\o, \\ss{} \\emph{x}") == (
        "Théorème, Übung, Cwiczenie Ć, ç, š, ø, ß \\emph{x}"
    )


def test_counters():
    counters = Counters()
    counters.define("section")
    counters.define("theorem", "section")
    counters.define("remark", "theorem")
    counters.step("section")
    counters.step("theorem")
    counters.step("remark")
    assert counters.printed("remark") == "1.1.1"
    counters.step("section")
    counters.step("remark")
    assert counters.printed("remark") == "2.0.1"
    counters.formats["theorem"] = "\\Alph{section}-\\roman{theorem}"
    counters.step("theorem")
    assert counters.printed("theorem") == "B-i"
    counters.formats["theorem"] = "\\thechapter.\\arabic{theorem}"
    assert counters.printed("theorem") == ""
    assert [roman(n) for n in (4, 9, 1994, 0, 5000)] == ["IV", "IX", "MCMXCIV", "0", "5000"]


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("x", 1),
        ("x \\\\ y", 2),
        ("x \\\\ y \\\\", 3),
        ("x \\nonumber \\\\ y", 1),
        ("{a \\\\ b}", 1),
        ("x\\tag{1}", 0),
        ("\\begin{matrix} 1 \\\\ 2 \\end{matrix} \\\\ y", 2),
        ("x % \\\\ \n", 1),
    ],
)
def test_rows_with_numbers(body, rows):
    assert numbered_rows(body) == rows
