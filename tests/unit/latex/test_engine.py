"""Macros whose names are put together by other macros."""

from naturalproofs.sources.latex.macros.table import macros_of

DOUBLED = r"""
\newcommand*{\newBcommand}{\@dblarg\@newBcommand}
\def\@newBcommand[#1]#2{%
  \expandafter\newcommand\csname #2\endcsname{\casop{#1}}%
  \expandafter\newcommand\csname B#2\endcsname{\casop{B#1}}%
}
\newBcommand{Aut}
\newBcommand[F]{FG} % free group
"""


def bodies(*texts):
    return {name: macro.body for name, macro in macros_of(texts).items()}


def test_a_name_between_csname_and_endcsname():
    assert bodies(r"\expandafter\newcommand\csname Foo\endcsname{x}\expandafter\def\csname Bar\endcsname{y}") == {
        "Foo": "x",
        "Bar": "y",
    }
    assert bodies(r"\@namedef{Foo}{x}\csdef{Bar}{y}") == {"Foo": "x", "Bar": "y"}


def test_calls_of_a_defining_macro_define():
    found = bodies(
        r"\newcommand{\newto}[2]{\expandafter\newcommand\csname #1to\endcsname[1]{\to_{#2}##1}}"
        r"\newto{eq}{=}\newto{iso}{\cong}"
    )
    assert found["eqto"] == r"\to_{=}#1"
    assert found["isoto"] == r"\to_{\cong}#1"


def test_calls_without_arguments_define_nothing():
    assert "xto" not in bodies(r"\newcommand{\n}[1]{\expandafter\def\csname x#1\endcsname{}}\n{#1}\n")


def test_a_defining_macro_of_a_package_is_called_in_the_document():
    package = r"\newcommand*{\DefineCategory}[1]{\expandafter\gdef\csname #1\endcsname{\mathrm{#1}}}"
    assert bodies(package, r"\DefineCategory{hTop}")["hTop"] == r"\mathrm{hTop}"


def test_a_defining_macro_with_a_star():
    package = (
        r"\newcommand*{\@Plain}[1]{\expandafter\DeclareMathOperator\csname #1\endcsname{#1}}"
        r"\newcommand*{\@Limits}[1]{\expandafter\DeclareMathOperator\expandafter*\csname #1\endcsname{#1}}"
        r"\newcommand{\Named}{\@ifstar{\@Limits}{\@Plain}}"
    )
    found = bodies(package, r"\Named{hofib}\Named*{colim}")
    assert found["hofib"] == r"\operatorname{hofib}"
    assert found["colim"] == r"\operatorname*{colim}"


def test_a_defining_macro_whose_option_defaults_to_its_argument():
    found = bodies(DOUBLED)
    assert (found["Aut"], found["BAut"]) == (r"\casop{{Aut}}", r"\casop{B{Aut}}")
    assert (found["FG"], found["BFG"]) == (r"\casop{F}", r"\casop{BF}")


def test_other_names_of_defining_commands():
    found = bodies(
        r"\newcommand\nc{\newcommand}\nc{\C}{\mathcal{C}}\def\rc{\renewcommand}\rc\P{\mathbf{P}}"
        r"\let\op=\DeclareMathOperator \op{\tr}{tr}"
    )
    assert found.items() >= {"C": r"\mathcal{C}", "P": r"\mathbf{P}", "tr": r"\operatorname{tr}"}.items()
    assert bodies(r"\newcommand*{\nc}{\newcommand}", r"\nc{\C}[1]{#1^2}")["C"] == "#1^2"


def test_macros_that_define_their_argument():
    found = bodies(r"\newcommand*{\Symbol}[2]{\newcommand*{#1}{#2}}\Symbol{\Sus}{\Sigma}\Symbol\Loop{\Omega}")
    assert (found["Sus"], found["Loop"]) == (r"\Sigma", r"\Omega")


def test_families_of_macros_made_in_loops():
    found = bodies(
        r"\foreach \x in {A,...,C}{\expandafter\xdef\csname c\x\endcsname{\noexpand\mathcal{\x}}}"
        r"\def\defbf#1{\expandafter\newcommand\csname b#1\endcsname{\mathbf{#1}}}\forcsvlist{\defbf}{A,B}"
        r"\@for\n:=P,Q\do{\expandafter\edef\csname s\n\endcsname{\noexpand\mathsf{\n}}}"
        r"\@tfor\n:=XY\do{\expandafter\edef\csname t\n\endcsname{\noexpand\mathtt{\n}}}"
    )
    made = {name: found[name] for name in ("cA", "cB", "cC", "bA", "bB", "sP", "sQ", "tX", "tY")}
    fonts = {"c": "mathcal", "b": "mathbf", "s": "mathsf", "t": "mathtt"}
    assert made == {name: f"\\{fonts[name[0]]}{{{name[1]}}}" for name in made}


def test_a_loop_that_calls_itself_takes_the_macro_of_its_time():
    found = bodies(
        r"\def\loopy#1{\ifx\loopy#1\else\one{#1}\expandafter\loopy\fi}"
        r"\def\one#1{\expandafter\def\csname bb#1\endcsname{\mathbb{#1}}}\loopy AB\loopy"
        r"\def\one#1{\expandafter\def\csname v#1\endcsname{\vec{\csname #1\endcsname}}}\loopy {alpha}{beta}\loopy"
    )
    assert (found["bbA"], found["bbB"], found["valpha"]) == (r"\mathbb{A}", r"\mathbb{B}", r"\vec{\alpha }")


def test_a_macro_of_the_text_whose_code_goes_through_a_list_of_toggles(tmp_path):
    from naturalproofs.sources.latex.project.project import LATEX

    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\\newtheorem{lemma}{Lemma}\\usepackage{etoolbox}"
        "\\newcommand{\\on}[1]{\\def\\do##1{\\providetoggle{##1}\\toggletrue{##1}}\\docsvlist{#1}}"
        "\\newcommand{\\off}[1]{\\def\\do##1{\\providetoggle{##1}\\togglefalse{##1}}\\docsvlist{#1}}"
        "\\newcommand{\\chosen}{}\\newcommand{\\iftag}[3]{\\def\\chosen{#3}"
        "\\def\\do##1{\\iftoggle{##1}{\\def\\chosen{#2}}{}}\\docsvlist{#1}\\chosen}"
        "\\on{long,exact}\\newcommand{\\part@id}{}\\newcommand{\\file}[1]{\\renewcommand{\\thefile}{#1}}"
        "\\newcommand{\\thefile}{}\\newcommand{\\mark}[1]{\\label{\\thefile:#1}}\n\\begin{document}\n"
        "\\iftag{long}{\\file{a}}{\\file{b}}\\begin{lemma}\\mark{one} One. \\end{lemma}\n\\off{long}\n"
        "\\iftag{long}{\\file{a}}{\\file{b}}\\begin{lemma}\\mark{two} "
        "\\iftag{exact}{It is\n\\iftag{long}{much}{more}.}{} \\end{lemma}\n"
        "\\end{document}\n"
    )
    first, second = LATEX.read(main, name="x", rules="fixed").statements
    assert (first.label, second.label) == ("a:one", "b:two")
    assert "more" in second.text
    assert "much" not in second.text


LETTERS = (
    r"\makeatletter\let\ea\expandafter\newcount\n"
    r"\def\each#1#2#3{\n=#1 \ea\loop\ea\ea\ea#3\@Alph\n\advance\n by 1 \ifnum\n<#2\repeat}"
    r"\def\script#1{\ea\gdef\csname s#1\endcsname{\mathscr{#1}}}\each{2}{5}{\script}"
)


def test_a_loop_with_a_counter_defines_its_letters():
    found = bodies(LETTERS)
    assert {name: found[name] for name in found if len(name) == 2 and name[0] == "s"} == {
        "sB": r"\mathscr{B}",
        "sC": r"\mathscr{C}",
        "sD": r"\mathscr{D}",
    }


def test_a_loop_that_does_not_end_defines_nothing():
    found = bodies(LETTERS.replace(r"\advance\n by 1 ", ""))
    assert "sB" not in found
    assert "script" in found


def test_names_are_made_of_the_letters_of_commands():
    found = bodies(
        r"\makeatletter\let\ea\expandafter\def\font@b#1\font@end{\mathbf{#1}}\def\drop#1{}"
        r"\def\auto#1{\ea\ea\ea\@auto\ea\ea\ea#1\ea\drop\string#1\auto@end}"
        r"\def\@auto#1#2#3\auto@end{\ea\def\ea#1\ea{\ea\ensuremath\ea{\csname font@#2\endcsname#3\font@end}}}"
        r"\def\autos@end{!}\def\autos#1{\@autos#1\autos@end}"
        r"\def\@autos#1{\ifx#1\autos@end\def\next{}\else\def\next{\auto#1\@autos}\fi\next}"
        r"\autos{\bSet\bCat}"
    )
    assert found["bSet"].replace(" ", "") == r"\ensuremath{\font@bSet\font@end}"
    assert found["bCat"].replace(" ", "") == r"\ensuremath{\font@bCat\font@end}"


def test_names_of_latex_3_in_what_is_shown():
    found = bodies(
        r"\ExplSyntaxOn\cs_new_eq:NN \old_sum \sum \cs_new:Nn \own_line:nn { \overline { #1 #2 } }"
        r"\int_step_inline:nnn {`x} {`z} { \cs_new:cpx { syn \char_generate:nn {#1} {11} } { \dot {"
        r"\char_generate:nn {#1} {11} } } } \ExplSyntaxOff"
        r"\renewcommand{\sum}{\big{\old_sum}}\newcommand{\line}[1]{\mathpalette\own_line:nn{#1}\sub_i}"
    )
    assert found["sum"] == r"\big{\old@sum}"
    assert found["line"] == r"\mathpalette\own@line@nn{#1}\sub_i"
    assert (found["own@line@nn"], found["old@sum"]) == (r"\overline{#1#2}", r"\primitive{sum}")
    assert found["synx"].replace(" ", "") == r"\dot{x}"


def test_the_commands_of_environments_are_not_redefined():
    assert bodies(r"\newcommand\begin{lemma}{\begin{lem}}\newcommand{\own}{x}") == {"own": "x"}


def test_variables_of_latex_3_keep_their_names():
    found = bodies(
        r"\ExplSyntaxOn\NewDocumentCommand\of{om}{\tl_set:Nn \l_own_tl { \IfValueTF{#1}{\hyperref[#1]{#2}}{\ref{#2}} }"
        r"\tl_use:N \l_own_tl }\ExplSyntaxOff"
    )
    assert r"\tl_use:N \l_own_tl" in found["of"]
