"""Definitions of macros: which are read, and how."""

import re

import pytest

from naturalproofs.sources.latex.display import Formulas, plain_unicode
from naturalproofs.sources.latex.display.constructs import CONSTRUCTS
from naturalproofs.sources.latex.macros.macro import Macro, Parameter, read_definition
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.scan.arguments import NO_VALUE
from naturalproofs.sources.latex.scan.symbols import BUILT_IN

GROUP = Parameter("group")


def definition(text: str):
    command = re.match(r"\\([a-zA-Z]+)", text)[1]
    return read_definition(text, command, 1 + len(command))


def test_definitions():
    assert definition("\\newcommand{\\a}{x}").macro == Macro("a", (), "x")
    assert definition("\\newcommand\\a[2]{x#1}").macro == Macro("a", (GROUP, GROUP), "x#1")
    assert definition("\\newcommand{\\a}[2][d]{x}").macro == Macro("a", (Parameter("option", "d"), GROUP), "x")
    defaults = definition("\\newcommandx\\a[3][1=k, 3={n,m}]{(#2_#1,#3)}").macro
    assert defaults == Macro("a", (Parameter("option", "k"), GROUP, Parameter("option", "n,m")), "(#2_#1,#3)")
    assert definition("\\newcommandx{\\a}[1][1=]{x}").macro == Macro("a", (Parameter("option"),), "x")
    assert definition("\\renewcommandx\\a[2]{x#1}").macro == Macro("a", (GROUP, GROUP), "x#1")
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
        "\\NewDocumentCommand{\\a}{l m}{x}",
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
    assert macros_of([source]) == {macro.name: macro}


@pytest.mark.parametrize(
    "source",
    [
        r"% \newcommand{\a}{b}",
        r"\newcommand{\a}",
        r"\newenvironment{a}{b}{c}",
    ],
)
def test_other_definitions_are_left_out(source: str) -> None:
    assert macros_of([source]) == {}


@pytest.mark.parametrize(
    "source",
    [
        r"\NewDocumentCommand{\a}{l m}{x}",
        r"\NewDocumentCommand{\a}{>{\SplitList{;}}m}{x}",
        r"\def\a#2{x}",
    ],
)
def test_a_command_with_unknown_parameters_is_undecided(source: str) -> None:
    assert not macros_of([source])["a"].is_certain


@pytest.mark.parametrize(
    ("definition", "call", "shown"),
    [
        (r"\NewDocumentCommand{\a}{m g}{\{#1\IfValueT{#2}{\mid #2}\}}", r"\a{x}{x>0}, \a{y}", "{x | x > 0}, {y}"),
        (r"\NewDocumentCommand{\a}{G{n}}{F_{#1}}", r"\a{k}+\a", "Fₖ + Fₙ"),
        (r"\NewDocumentCommand{\a}{e{_} m}{E\IfValueT{#1}{_{#1}}[#2]}", r"\a_{t}{X}+\a{X}", "Eₜ[X] + E[X]"),
        (r"\NewDocumentCommand{\a}{O{r} D(){0}}{B_{#1}[#2]}", r"\a[s](y)+\a", "Bₛ[y] + Bᵣ[0]"),
        (r"\NewDocumentCommand{\a}{r<> m}{#2_{#1}}", r"\a<k>{x}", "xₖ"),
        (r"\NewDocumentCommand{\a}{u{;}}{[#1]}", r"\a x+y;z", "[x + y]z"),
        (r"\NewDocumentCommand{\a}{>{\SplitArgument{1}{,}}m}{\b#1}\newcommand{\b}[2]{#1|#2}", r"\a{x,y}", "x|y"),
        (r"\def\a|#1|{\left\|#1\right\|}", r"\a|x+y|", "‖x + y‖"),
        (r"\def\a<#1,#2>{(#1,#2)}", r"\a<x,y>+\a(x", r"(x, y) + \a(x"),
        (r"\newcommand{\a}[1]{P(#1)}\WithSuffix\newcommand\a*[1]{Q(#1)}", r"\a*{x}+\a{x}", "Q(x) + P(x)"),
        (r"\newcommand{\a}{\@ifstar\a@s\a@n}\def\a@s#1{#1^*}\def\a@n#1{#1'}", r"\a{x}+\a*{x}", "x′ + x*"),
        (r"\def\a{\@ifnextchar[\a@i{\a@i[n]}}\def\a@i[#1]#2{#2_{#1}}", r"\a{x}+\a[k]{x}", "xₙ + xₖ"),
        (r"\DeclarePairedDelimiterXPP{\a}[1]{P}(){^2}{#1}", r"\a{x}+\a*{y}", "P(x)² + P(y)²"),
        (
            r"\DeclarePairedDelimiterX\a[1]\{\}{\renewcommand\given{\;\delimsize\vert\;}#1}\newcommand\given{}",
            r"\a{x\given y}",
            "{x | y}",
        ),
        (r"\DeclareMathAlphabet{\a}{OT1}{pzc}{m}{it}", r"\a{F}", "ℱ"),
        (r"\DeclareMathAlphabet{\a}{OT1}{cmss}{m}{sl}", r"\a{X}+\mathsfit{X}", "𝘟 + 𝘟"),
        (r"\DeclareMathAlphabet{\a}{U}{nobody}{m}{n}", r"\a{F}", r"\a{F}"),
        (r"\newcommand{\a}{x}", r"\renewcommand{\a}[1]{#1^2}\a{y}", "y²"),
        (r"\def\Odd#1{\setbox0=\hbox{#1}\box0}", r"\Odd x", r"\Odd x"),
    ],
)
def test_arguments_of_commands_are_read_as_declared(definition: str, call: str, shown: str) -> None:
    macros = macros_of([definition])
    assert plain_unicode(f"${call}$", macros) == shown
    again = macros_of(["".join(macro.definition() for macro in macros.values())])
    assert plain_unicode(f"${call}$", again) == shown


@pytest.mark.parametrize(
    ("definitions", "formula", "shown"),
    [
        (r"\let\olddim\dim\renewcommand*{\dim}[1]{\olddim(#1)}", r"\dim{V}", "dim(V)"),
        (r"\let\oldvec\vec\renewcommand{\vec}[1]{\oldvec{\mathbf{#1}}}", r"\vec{x}", "𝐱\u20d7"),
        (r"\let\oldleft\left\renewcommand{\left}{\mathopen{}\mathclose\bgroup\oldleft}", r"\left(x\right)", "(x)"),
        (r"\let\oldfoo\foo\renewcommand{\foo}[1]{\oldfoo{#1}+1}", r"\foo{x}", r"\foo{x} + 1"),
    ],
)
def test_a_command_in_terms_of_its_old_meaning(definitions: str, formula: str, shown: str) -> None:
    assert plain_unicode(f"${formula}$", macros_of([definitions])) == shown


def test_a_text_command_in_terms_of_its_old_meaning() -> None:
    macros = macros_of([r"\let\oldemph\emph\renewcommand{\emph}[1]{\oldemph{very #1}}"])
    assert plain_unicode(r"an \emph{odd} number", macros) == "an very odd number"


def test_a_macro_in_terms_of_itself_is_shown_as_its_source() -> None:
    assert plain_unicode(r"$\a$", macros_of([r"\newcommand{\a}{x\a}"])) == r"\a"
    assert macros_of([r"\newcommand{\a}{y}\renewcommand{\a}{x\a}"])["a"].body == "y"


def test_a_package_that_is_not_loaded() -> None:
    asks = r"\@ifpackageloaded{unicode-math}{\newcommand{\a}{1}}{\newcommand{\a}{2}}"
    assert macros_of([r"\documentclass{book}", asks])["a"].body == "2"
    assert macros_of([r"\documentclass{book}\usepackage{a,unicode-math}", asks])["a"].body == "1"
    assert not macros_of([asks])["a"].is_certain


def test_the_last_definition_wins() -> None:
    assert macros_of([r"\newcommand{\a}{1}", r"\renewcommand{\a}{2}"])["a"].body == "2"
    assert macros_of([r"\newcommand{\a}{1}", r"\providecommand{\a}{2}"])["a"].body == "1"


def test_a_macro_for_a_group_is_one_argument() -> None:
    macros = macros_of([r"\newcommand{\etale}{{\acute{e}tale}}"])
    assert plain_unicode(r"$S_\etale$", macros) == "S_(e\u0301tale)"
    assert "msub" in (Formulas(macros).render(r"S_\etale") or "")


def test_formulas_expand_stars_and_options() -> None:
    definition = r"\NewDocumentCommand{\a}{s o m}{\IfBooleanTF{#1}{x}{y}_{#3}\IfNoValueF{#2}{^{#2}}}"
    formulas = Formulas(macros_of([definition, r"\DeclarePairedDelimiter{\abs}{|}{|}"]))
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
    assert macros_of([source])["a"].definition() == source


def test_paired_delimiters_with_signs_and_with_an_inside():
    text = (
        r"\DeclarePairedDelimiter\sem\llbracket\rrbracket \DeclarePairedDelimiter\ord[]"
        r"\DeclarePairedDelimiterX\setof[2]\lbrace\rbrace{#1 \,\delimsize\vert\, #2}"
    )
    found = macros_of([text])
    assert found["sem"].body == r"\left\llbracket #3\right\rrbracket "
    assert found["ord"].body == r"\left[ #3\right] "
    assert found["setof"].body == r"\left\lbrace #3 \,\middle\vert\, #4\right\rbrace "
    assert len(found["setof"].parameters) == 4


def test_an_alias_keeps_the_meaning_from_before():
    found = macros_of([r"\let\oldequiv\equiv \renewcommand{\equiv}{\simeq} \newcommand{\jdeq}{\oldequiv}"])
    assert found["oldequiv"].body == r"\primitive{equiv}"
    swapped = macros_of([r"\let\temp\phi \let\phi\varphi \let\varphi\temp"])
    assert swapped["phi"].body == r"\primitive{varphi}"
    assert swapped["temp"].body == r"\primitive{phi}"
    copied = macros_of([r"\newcommand{\a}{1}\let\b\a\renewcommand{\a}{2}"])
    assert (copied["a"].body, copied["b"].body) == ("2", "1")


def test_classes_of_the_package_complexity():
    assert macros_of([r"\newclass{\para}{para}"])["para"].body == r"\mathsf{para}"


@pytest.mark.parametrize(
    ("preamble", "shown"),
    [
        (r"\ifdraft\newcommand\X{a}\else\newcommand\X{b}\fi", r"\X = 1"),
        (r"\ifdraft\newcommand\X{a}\else\newcommand\X{a}\fi", "a = 1"),
        (r"\newcommand\X{a}\ifdraft\renewcommand\X{b}\fi", r"\X = 1"),
        (r"\newcommand\X{a}\ifdraft\renewcommand\X{b}\fi\def\X{c}", "c = 1"),
        (r"\ifdraft\newcommand\X{a}\fi", "a = 1"),
        (r"\iffalse\newcommand\X{a}\else\newcommand\X{b}\fi", "b = 1"),
        (r"\newcommand\X{a}\ifdefined\X\else\newcommand\X{b}\fi", "a = 1"),
        (r"\newcommand\X{a}\ifx\X\undefined\newcommand\X{b}\fi", "a = 1"),
        (r"\newcommand\X{a}\@ifundefined{X}{\newcommand\X{b}}{}", "a = 1"),
        (r"\@ifpackageloaded{p}{\newcommand\X{b}}{\newcommand\X{c}}", r"\X = 1"),
        (r"\ifthenelse{\boolean{p}}{\newcommand\X{b}}{\newcommand\X{c}}", r"\X = 1"),
        (r"\ifxetex\newcommand\X{a}\else\newcommand\X{b}\fi", "b = 1"),
        (r"\ifcase\n\def\X{1}\or\def\X{2}\fi", r"\X = 1"),
        (r"\ifa\ifb\def\X{1}\else\def\X{2}\fi\else\def\X{1}\fi", r"\X = 1"),
        (r"\ifa\ifb\def\X{1}\else\def\X{1}\fi\else\def\X{1}\fi", "1 = 1"),
        (r"\newif\ifa\atrue\ifa\def\X{1}\else\def\X{2}\fi", "1 = 1"),
        (r"\newif\ifa\ifa\def\X{1}\else\def\X{2}\fi", "2 = 1"),
        (r"\newif\ifa\DeclareOption{a}{\atrue}\ifa\def\X{1}\else\def\X{2}\fi", r"\X = 1"),
        (r"\newif\ifa\ifb\atrue\fi\ifa\def\X{1}\else\def\X{2}\fi", r"\X = 1"),
        (r"\ifdraft\def\Z{1}\else\def\Z{2}\fi\let\X\Z", r"\X = 1"),
        (r"\def\Y{\ifmmode a\else b\fi}\def\X{q}", "q = 1"),
        (r"\ifnot@one \def\X{q}", "q = 1"),
    ],
)
def test_a_command_whose_branches_differ_is_shown_as_its_source(preamble, shown):
    assert plain_unicode(r"$\X=1$", macros_of([preamble])) == shown


def test_an_undecided_command_hides_the_one_of_latex_and_keeps_its_arguments():
    macros = macros_of([r"\ifdraft\renewcommand\phi{a}\fi\ifdraft\newcommand\X[1]{a#1}\else\newcommand\X[1]{b#1}\fi"])
    assert plain_unicode(r"$\phi+\X{y}+1$ and \X{$x^2$}", macros) == r"\phi + \X{y} + 1 and \X{x²}"
    assert r'<mtext class="tex">\X{</mtext><mi>y</mi>' in Formulas(macros).render(r"\X{y}+1")
    again = macros_of([macro.definition() for macro in macros.values()])
    assert plain_unicode(r"$\X{y}$", again) == r"\X{y}"


@pytest.mark.parametrize(
    ("preamble", "shown"),
    [
        (r"\ifdraft\def\phi{a}\fi", r"\phi = 1"),
        (r"\ifdraft\newcommand{\phi}{a}\fi", r"\phi = 1"),
        (r"\ifdraft\iffoo\def\phi{a}\fi\fi", r"\phi = 1"),
        (r"\ifdraft\def\phi{a}\else\def\phi{a}\fi", "a = 1"),
        (r"\iffalse\def\phi{a}\fi", "ϕ = 1"),
        (r"\iftrue\def\phi{a}\fi", "a = 1"),
        (r"\iffalse\renewcommand{\phi}{a}\fi", "ϕ = 1"),
        (r"\ifx\phi\undefined\def\phi{a}\fi", "ϕ = 1"),
    ],
)
def test_a_sign_of_latex_that_one_branch_defines_is_shown_as_its_source(preamble, shown):
    assert plain_unicode(r"$\phi=1$", macros_of([preamble])) == shown


def test_what_is_built_in_is_what_the_renderer_knows():
    assert {"phi", "vec", "frac", "sum", "xrightarrow", "mathbb", "lim", "int", "underbrace"} <= BUILT_IN
    assert set(CONSTRUCTS) >= BUILT_IN


def test_layout_that_depends_on_a_conditional_is_still_layout():
    macros = macros_of([r"\ifdraft\def\\{x}\def\displaystyle{y}\else\def\\{z}\def\displaystyle{u}\fi"])
    assert plain_unicode(r"$\displaystyle a$", macros) == "a"


def test_flags_of_one_file_decide_in_another():
    main, preamble = r"\newif\ifpaper \papertrue", r"\ifpaper\newcommand\X{p}\else\newcommand\X{q}\fi"
    assert plain_unicode(r"$\X$", macros_of([main, preamble])) == "p"


def test_definitions_in_the_code_of_others_hold_only_if_there_is_no_other():
    macros = macros_of([r"\newcommand\unit{1}\newcommand\local{\def\unit{x}\renewcommand\phi{y}\def\own{o}}"])
    assert plain_unicode(r"$\unit\phi\own$", macros) == "1ϕo"
    environment = r"\newenvironment{e}{\renewcommand\phi{y}}{}"
    assert plain_unicode(r"$\phi$", macros_of([environment])) == "ϕ"


def test_the_same_let_in_a_second_preamble_keeps_the_old_meaning():
    preamble = r"\let\accent@H\H\let\old\phi\renewcommand\phi{\old_1}"
    assert plain_unicode(r"$\phi$", macros_of([preamble, preamble])) == "ϕ₁"


def test_let_undefined_makes_room_for_another_definition():
    macros = macros_of([r"\newcommand{\sh}{a}\begin{document}\let\sh\undefined\newcommand*{\sh}{\shape}\end{document}"])
    assert macros["sh"].body == r"\shape"


def test_characters_by_their_codes():
    macros = macros_of([r'\mathchardef\dash="2D \chardef\at="40 \mathchardef\arrow="3221'])
    assert plain_unicode(r"$\mathsf{a\dash{}b\at{}}$", macros) == "𝖺-𝖻@"
    assert "arrow" not in macros
