"""Conditionals on the arguments of a macro take one branch."""

import pytest
from naturalproofs.latex.macros.conditions import decide

from naturalproofs.latex.macros.macro import NO_VALUE


@pytest.mark.parametrize(
    ("body", "arguments", "decided"),
    [
        ("\\ifx&#1&none\\else one\\fi", [""], "none"),
        ("\\ifx&#1&none\\else one\\fi", ["x"], " one"),
        ("\\ifx\\\\#1\\\\none\\else one\\fi!", ["x"], " one!"),
        ("\\if\\relax\\detokenize{#1}\\relax a\\else b\\fi", [""], " a"),
        ("\\ifx#1\\empty a\\else b\\fi", [""], " a"),
        ("\\ifx\\relax#1 a\\else b\\fi", ["x"], " b"),
        ("\\if#1s plural\\else one\\fi", ["s"], " plural"),
        ("\\ifnum#1<3 a\\else b\\fi", ["2"], " a"),
        ("\\ifnum#1=3 a\\else b\\fi", ["2"], " b"),
        ("\\ifnum#1>3 a\\fi", ["2"], ""),
        ("\\ifnum\\pdf@strcmp{\\detokenize{#1}}{}=0\\relax a\\else b\\fi", [""], " a"),
        ("\\ifnum\\pdfstrcmp{#1}{x}=0 a\\else b\\fi", ["y"], " b"),
        ("\\ifx#1\\empty a\\else b\\fi", ["\\empty"], " a"),
        ("\\ifx&#1&\\ifdraft a\\else b\\fi\\else c\\fi", [""], "\\ifdraft a\\else b\\fi "),
        ("\\ifx&#1&\\foo\\fi bar", [""], "\\foo  bar"),
        ("\\ifthenelse{\\equal{#1}{x}}{a}{b}", ["x"], "a"),
        ("\\ifthenelse{\\NOT\\equal{#1}{x}}{a}{b}", ["x"], "b"),
        ("\\ifthenelse{\\isempty{#1}}{a}{b}", [""], "a"),
        ("\\ifstrempty{#1}{a}{b}", ["y"], "b"),
        ("\\ifblank{#1}{a}{b}", [" "], "a"),
        ("\\notblank{#1}{a}{b}", ["y"], "a"),
        ("\\ifstrequal{#1}{#2}{a}{b}", ["y", "y"], "a"),
        ("\\IfNoValueTF{#1}{a}{b}", [NO_VALUE], "a"),
        ("\\IfValueT{#1}{a}", [NO_VALUE], ""),
        ("\\IfBooleanTF{#1}{a}{b}", ["TRUE"], "a"),
        ("\\IfBooleanTF {#1} - \\foo x", ["FALSE"], "\\foo x"),
        ("\\tl_if_empty:nTF {#1}{a}{b}", ["y"], "b"),
    ],
)
def test_one_branch_is_taken(body, arguments, decided):
    assert decide(body, arguments) == decided


@pytest.mark.parametrize(
    "body",
    [
        "\\ifdraft a\\else b\\fi #1",
        "\\ifx&#2&a\\else b\\fi",
        "\\ifx&#1&a\\else b",
        "\\ifthenelse{\\value{page}=1}{a}{b}#1",
        "\\ifthenelse{\\isodd{#1}}{a}{b}",
        "\\IfNoValueTF{#3}{a}{b}",
        "\\ifnum#1=0 a\\else b\\fi",
    ],
)
def test_what_is_not_known_is_left_alone(body):
    assert decide(body, ["x"]) == body


def test_time_is_bounded():
    body = "\\ifx&#1&" * 2_000 + "\\fi" * 2_000
    assert decide(body, [""]).count("\\fi") == 1_950
