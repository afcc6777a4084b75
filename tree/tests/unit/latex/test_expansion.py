"""Expansions of macro calls, and where their parts come from."""

from naturalproofs.sources.latex.macros.expansion import expand, fill
from naturalproofs.sources.latex.macros.macro import Macro, Parameter
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.latex.scan.arguments import Argument
from naturalproofs.sources.latex.scan.conditionals import Facts
from naturalproofs.sources.reading.text_files import Positions


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
    through = {"b": Macro("b", (), "\\begin{theorem}"), "c": Macro("c", (), "\\c")}
    assert expand(Macro("a", (), "\\b"), "\\a[T]x", 0, 2, Positions("\\a[T]x"), Facts(macros=through)).text == "\\b[T]"
    assert expand(Macro("a", (), "\\c"), "\\a[T]x", 0, 2, Positions("\\a[T]x"), Facts(macros=through)).text == "\\c"
    long = Macro("a", (Parameter("group"),), "#1" * 10_000)
    assert expansion(long, "\\a{" + "x" * 100 + "}") is None


def test_branches():
    body = "\\IfNoValueTF{#1}{no}{yes #1}\\IfBooleanT{#2}{star}\\IfValueF{#1}{F}\\IfNoValueTF{#9}{a}{b}"
    macro = Macro("a", (Parameter("option", "-NoValue-"), Parameter("star")), body)
    assert expansion(macro, "\\a*").text == "nostarFb"
    assert expansion(macro, "\\a[o]").text == "yes ob"


def test_an_argument_does_not_join_the_name_of_a_command():
    def filled(body, *arguments):
        return fill(Macro.of("m", len(arguments), body), [Argument(text, -1, -1) for text in arguments])[0]

    assert filled("\\quot#1", "x") == "\\quot x"
    assert filled("#1#2", "\\alpha", "x") == "\\alpha x"
    assert filled("#1x", "\\alpha") == "\\alpha x"
    assert filled("#1#2", "a", "b") == "ab"


def test_an_environment_that_stands_for_a_list_leaves_nothing_of_itself(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}"
        "\\newenvironment{parts}{\\begin{enumerate}}{\\end{enumerate}}\\newenvironment{eq}{\\begin{equation}}{\\end{equation}}"
        "\\begin{document}"
        "\\begin{thm} A: \\begin{parts} \\item a \\end{parts} and \\begin{eq} x=y \\end{eq} too. \\end{thm}"
        "\\end{document}"
    )
    (theorem,) = LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements
    assert (
        theorem.text == "A: \\begin{enumerate} \\item a \\end{enumerate} and \\begin{equation} x=y \\end{equation} too."
    )


def test_a_macro_in_an_option_adds_nothing_to_the_text(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\newcommand{\\thmref}[1]{Theorem~\\ref{#1}}"
        "\\begin{document}\\begin{thm}\\label{a} A. \\end{thm}"
        "\\begin{thm}[after \\thmref{a}, sharp]\\label{b} B. \\end{thm}"
        "\\begin{proof}[Proof of \\thmref{a}] P. \\end{proof}\\end{document}"
    )
    first, second = LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements
    assert (second.text, [mention.target for mention in second.mentions]) == ("B.", ["a"])
    assert [proof.text for proof in first.proofs] == ["P."]
