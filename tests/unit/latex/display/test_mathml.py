"""Formulas: what each construct becomes, and what is refused."""

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import Formulas, plain_unicode

FORMULAS = Formulas(
    macros_of(
        [
            r"\newcommand{\abs}[1]{\left\lvert #1 \right\rvert}",
            r"\DeclareMathOperator{\Hom}{Hom}\DeclareMathOperator*{\colim}{colim}",
            r"\newcommand{\RR}{\mathbb{R}}\newcommand\pow[2][2]{#2^{#1}}\def\half{\frac12}",
            r"\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}\let\eps\varepsilon",
        ]
    )
)


def inner(source: str) -> str | None:
    made = FORMULAS.render(source)
    return None if made is None else made.removeprefix("<math>").removesuffix("</math>")


@pytest.mark.parametrize(
    ("source", "markup"),
    [
        ("x", "<mi>x</mi>"),
        ("12.5", "<mn>12.5</mn>"),
        ("a-b", "<mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow>"),
        ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        ("x^2_1", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        ("f''", "<mrow><mi>f</mi><mo>″</mo></mrow>"),
        ("f'_1", "<msubsup><mi>f</mi><mn>1</mn><mo>′</mo></msubsup>"),
        ("f'^2", "<msup><mi>f</mi><mrow><mo>′</mo><mn>2</mn></mrow></msup>"),
        (
            "x_{i+1}+1",
            '<mrow><msub><mi>x</mi><mrow><mi>i</mi><mo lspace="0" rspace="0">+</mo><mn>1</mn></mrow></msub>'
            "<mo>+</mo><mn>1</mn></mrow>",
        ),
        (
            r"\abs{\frac12}",
            '<mrow><mo fence="true" form="prefix" stretchy="true">|</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>'
            '<mo fence="true" form="postfix" stretchy="true">|</mo></mrow>',
        ),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"{a \over b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"\mathbb{N}\mathcal F\mathfrak p", "<mrow><mi>ℕ</mi><mi>ℱ</mi><mi>𝔭</mi></mrow>"),
        (r"\mathrm{Spec}", "<mi>Spec</mi>"),
        (r"\not\subset", "<mo>⊄</mo>"),
        (r"\RR", "<mi>ℝ</mi>"),
        (r"\pow{x}", "<msup><mi>x</mi><mn>2</mn></msup>"),
        (r"\pow[3]{x}", "<msup><mi>x</mi><mn>3</mn></msup>"),
        (r"\half", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\eps", "<mi>ε</mi>"),
        (r"\Hom(A)", '<mrow><mi>Hom</mi><mo stretchy="false">(</mo><mi>A</mi><mo stretchy="false">)</mo></mrow>'),
        (r"\sin x", '<mrow><mi>sin</mi><mspace width="0.17em"></mspace><mi>x</mi></mrow>'),
        (
            r"\abs{x}",
            '<mrow><mo fence="true" form="prefix" stretchy="false">|</mo><mi>x</mi>'
            '<mo fence="true" form="postfix" stretchy="false">|</mo></mrow>',
        ),
        (r"\text{if $x<0$ then}", "<mrow><mtext>if\u00a0</mtext><mrow><mi>x</mi><mo>&lt;</mo><mn>0</mn></mrow>"
         "<mtext>\u00a0then</mtext></mrow>"),
        (r"\sum\limits_i", "<munder><mo>∑</mo><mi>i</mi></munder>"),
        (r"\sum_i", '<munder><mo movablelimits="true">∑</mo><mi>i</mi></munder>'),
        (r"\colim_i", '<munder><mo movablelimits="true" lspace="0" rspace="0">colim</mo><mi>i</mi></munder>'),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", '<mrow><mo fence="true" form="prefix" stretchy="true">(</mo>'
         '<mtable class="mx"><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd>'
         '<mtd><mn>4</mn></mtd></mtr></mtable><mo fence="true" form="postfix" stretchy="true">)</mo></mrow>'),
        (r"\text{<b>}", "<mtext>&lt;b&gt;</mtext>"),
        (r"3{,}594", "<mrow><mn>3</mn><mi>,</mi><mn>594</mn></mrow>"),
    ],
)  # fmt: skip
def test_constructs(source: str, markup: str) -> None:
    assert inner(source) == markup


@pytest.mark.parametrize(
    "source",
    [
        "x^{",
        r"\left( x",
        r"\frac{1}",
        "a & b",
        "x}",
        r"\begin{cases} 1",
    ],
)
def test_what_is_not_understood_is_refused(source: str) -> None:
    assert FORMULAS.render(source) is None


@pytest.mark.parametrize(
    "definitions",
    [
        r"\def\a{\b}\def\b{\a x}",
        r"\newcommand{\a}{" + r"\b\b}" + r"\newcommand{\b}{\a\a}",
        r"\newcommand\a[1]{\b{#1#1}}\newcommand\b[1]{\a{#1#1}}",
    ],
)
def test_macros_without_end_are_refused(definitions: str) -> None:
    assert Formulas(macros_of([definitions])).render(r"\a{x}") is None


def test_a_display_with_line_breaks_is_a_column() -> None:
    made = FORMULAS.render("a &= b \\\\ c &= d", display=True)
    assert made is not None
    assert made.startswith('<math display="block"><mtable class="al" displaystyle="true">')
    assert made.count("<mtr>") == 2


def test_a_very_long_formula_is_refused() -> None:
    assert FORMULAS.render("x+" * 10_000) is None


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"a + \nosuchcommand", r"\nosuchcommand"),
        (r"\nosuchcommand*{some words}[12pt]{} = 1", r"\nosuchcommand*{some words}["),
        (r"\nosuchcommand{\left(} = 1", r"\nosuchcommand{\left(}"),
        (r"\begin{nosuch} A \end{nosuch}", r"\begin{nosuch} A \end{nosuch}"),
        (r"\not\nosuchcommand", r"\not\nosuchcommand"),
    ],
)
def test_what_is_not_understood_is_shown_as_source(source: str, shown: str) -> None:
    made = inner(source)
    assert made is not None
    assert f'<mtext class="tex">{shown}</mtext>' in made


def test_arguments_of_an_unknown_command_are_set() -> None:
    assert inner(r"\closed{\mathbb{Q}}^2") == (
        r'<msup><mrow><mtext class="tex">\closed{</mtext><mi>ℚ</mi><mtext class="tex">}</mtext></mrow><mn>2</mn></msup>'
    )
    assert inner(r"\closed {x}^n") == (
        r'<msup><mrow><mtext class="tex">\closed{</mtext><mi>x</mi><mtext class="tex">}</mtext></mrow><mi>n</mi></msup>'
    )
    assert inner(r"\field[x]{y}") == (
        r'<mrow><mtext class="tex">\field[</mtext><mi>x</mi><mtext class="tex">]{</mtext><mi>y</mi>'
        r'<mtext class="tex">}</mtext></mrow>'
    )


def test_a_macro_that_only_tex_can_run_is_not_half_expanded() -> None:
    macros = macros_of(
        [r"\newcommand{\odd}[1]{\expandafter\csname #1\endcsname}\def\half@way{\catcode`x}\def\all{\half@way}"]
    )
    assert Formulas(macros).render(r"\odd{abc}") == r'<math><mtext class="tex">\odd{abc}</mtext></math>'
    assert Formulas(macros).render(r"\all") == r'<math><mtext class="tex">\all</mtext></math>'


def test_a_loop_over_the_arguments_that_follow() -> None:
    macros = macros_of(
        [r"\newcommand{\sm}[1]{\@ifnextchar\bgroup{\@sm{#1}\sm}{\@sm{#1}}}\newcommand{\@sm}[1]{\sum_{#1}}"]
    )
    once = '<munder><mo movablelimits="true">∑</mo><mi>{}</mi></munder>'
    assert Formulas(macros).render(r"\sm{x}{y}") == f"<math><mrow>{once.format('x')}{once.format('y')}</mrow></math>"


def test_an_old_meaning_kept_under_another_name() -> None:
    macros = macros_of([r"\let\oldphi\phi\renewcommand\phi{{\symup\oldphi}}\newcommand\cat\mathcal"])
    assert Formulas(macros).render(r"\phi") == "<math><mi>ϕ</mi></math>"
    assert Formulas(macros).render(r"\cat C") == "<math><mi>𝒞</mi></math>"


def test_one_formula_above_another_is_stacked():
    macros = macros_of([r"\newcommand{\eqto}{\vbox{\offinterlineskip\ialign{\hfil##\hfil\cr$=$\cr$\to$\cr}}}"])
    assert "<mover" in (Formulas(macros).render(r"a \eqto b", display=False) or "")


def test_characters_by_code():
    assert "⊥" in (Formulas({}).render(r'\symbol{"022A5}', display=False) or "")


def test_a_command_that_was_defined_anew_keeps_its_old_name():
    macros = macros_of([r"\let\old\equiv \renewcommand{\equiv}{\simeq}"])
    assert "<mo>≡</mo>" in (Formulas(macros).render(r"a \old b") or "")
    assert "<mo>≃</mo>" in (Formulas(macros).render(r"a \equiv b") or "")


def test_lengths_of_spaces():
    made = Formulas(macros_of([r"\newcommand{\op}[1]{\mathop{\kern\z@ #1}}"])).render(
        r"\op{\mathrm{Sub}} \hspace{2em} x"
    )
    assert made is not None
    assert "<mi>Sub</mi>" in made
    assert 'width="2em"' in made
    assert 'width="1em"' not in made


def test_a_sign_drawn_over_another():
    assert '<mover><mo>→</mo><mo lspace="0" rspace="0">∸</mo></mover>' in (
        Formulas({}).render(r"a \mathclap{\to}\mathclap{\dotminus} b") or ""
    )
    dotted = Formulas({}).render(r"\mathclap{\forall}\mathclap{\dot{\phantom{x}}}") or ""
    assert "∀" in dotted
    assert "mphantom" not in dotted
    assert "≤</mo>" in (Formulas({}).render(r"\sum_{\mathclap{i \le n}} i") or "")


def test_a_raised_box_with_its_height():
    made = Formulas({}).render(r"\overline{\raisebox{0pt}[0.85\height][1pt]{$A$}}") or ""
    assert "A" in made
    assert "height" not in made


def test_a_command_without_arguments_is_one_argument():
    macros = macros_of([r"\newcommand\Rf{\mathfrak{R}}"])
    assert "<mi>ℜ</mi>" in (Formulas(macros).render(r"\bar\Rf_2") or "")


def test_a_package_whose_program_is_too_long():
    program = r"\ExplSyntaxOn\NewDocumentCommand\odif{som}{\keys_set:nn{k}{#2} d#3}\ExplSyntaxOff"
    for macros in (macros_of([program]), {}):
        made = Formulas(macros).render(r"\odif{x,y} f") or ""
        assert made.count(">d</mi>") == 2
        assert "," not in made
        assert "odif" in (Formulas(macros).render(r"\odif[2]{x}") or "")


def test_limits_are_those_of_the_declaration():
    macros = macros_of([r"\DeclareMathOperator{\PP}{\mathbb{P}}\DeclareMathOperator*{\EE}{\mathbb{E}}"])
    assert "<msup><mi>ℙ</mi><mi>n</mi></msup>" in (Formulas(macros).render(r"\PP^n", display=True) or "")
    assert "<munder><mi>𝔼</mi><mi>x</mi></munder>" in (Formulas(macros).render(r"\EE_x", display=True) or "")
    assert "<msub><mi>𝔼</mi><mi>x</mi></msub>" in (Formulas(macros).render(r"\EE_x") or "")
    in_text = (
        Formulas(macros).render(r"\frac{\mathop{A}_x}{2}\begin{pmatrix}\mathop{B}_y\end{pmatrix}", display=True) or ""
    )
    assert "munder" not in in_text


def test_a_script_is_one_digit():
    assert inner(r"\int_0^12x") == "<mrow><msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mn>2</mn><mi>x</mi></mrow>"
    assert inner("2^1.5") == '<mrow><msup><mn>2</mn><mn>1</mn></msup><mo lspace="0" rspace="0">.</mo><mn>5</mn></mrow>'


@pytest.mark.parametrize(
    ("source", "made"),
    [
        (r"\widehat{f*g}", '<mrow class="wide-hat"><mrow><mi>f</mi><mo>∗</mo><mi>g</mi></mrow></mrow>'),
        (r"\widetilde{A}", '<mrow class="wide-tilde"><mi>A</mi></mrow>'),
        (r"\overline{x}", '<mrow class="wide-over"><mi>x</mi></mrow>'),
        (r"\underline{x}", '<mrow class="wide-under"><mi>x</mi></mrow>'),
        (r"\overrightarrow{a}", '<mrow class="wide-over-right"><mi>a</mi></mrow>'),
        (r"\overbracket[1pt][2pt]{a}", '<mrow class="wide-bracket"><mi>a</mi></mrow>'),
        (r"\reflectbox{$R$}", '<mrow class="wide-mirror"><mi>R</mi></mrow>'),
        (r"\overbrace{a}", '<mrow class="wide-brace"><mi>a</mi></mrow>'),
        (r"\Tilde{C}", '<mover accent="true"><mi>C</mi><mo stretchy="false">~</mo></mover>'),
    ],
)
def test_wide_accents_are_drawn_by_the_style_sheet(source, made):
    assert inner(source) == made


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\operatorname{D_{KL}}(p)", "D_(KL)(p)"),
        (r"\operatorname{Aut_k}(L)", "Autₖ(L)"),
        (r"\operatorname{\textit{Hom}}(A)", "Hom(A)"),
        (r"\operatorname{\textbf{E}}(A)", "E(A)"),
        (r"a \mathbin{\scalebox{0.7}{$\oplus$}} b", "a ⊕ b"),
        (r"x \overset{\makebox[0pt]{\tiny def}}{=} y", "x =ᵈᵉᶠ y"),
        (r"\resizebox{2em}{!}{$x$}\parbox[t]{3cm}{y}\colorbox{red}{z}", "x y z"),
        (r"\reflectbox{$R$}", "reflectbox(R)"),
        (r"\rotatebox[origin=c]{180}{$\Pi$}", r"\rotatebox[origin=c]{180}{$\Pi$}"),
        (r"\rotatebox{0}{$\Pi$}", "Π"),
        (r"\scalebox{-1}[1]{$R$}", r"\scalebox{-1}[1]{$R$}"),
        (r"G/\lower.7ex\hbox{$H$}\raise -2pt\hbox to 1em{$K$}", "G/H K"),
        (r"a\mspace{2mu}b\rule{0pt}{2ex}", "a b"),
        (r"\rule{1pt}{2ex}", r"\rule{1pt}{2ex}"),
        (r"\arraycolsep=1pt \thickmuskip 5mu plus 5mu x", "x"),
        (r"f\mleft(\frac12\mright)", "f(1/2)"),
        (r"a \mathrel{\vcenter{\baselineskip0.5ex\hbox{\tiny.}\hbox{\tiny.}}}= b", "a := b"),
        (r"\vcenter{\hbox{$a$}\hbox{$b$}}", r"\vcenter{\hbox{$a$}\hbox{$b$}}"),
        (r"\hyperref[eq:a]{=}\hypertarget{b}{x}", "= x"),
        (r"a \stackrel{\eqref{eq:a}}{=} b", "a =^… b"),
        (r"a \stackrel{\cite[2]{Lang}}{=} b", "a =^([Lang, 2]) b"),
        (r"\tag{$\star$} z=2", "z = 2\u2003(⋆)"),
        (
            r"\begin{aligned} \tag{1} a&=b \\[-2pt] c&=d \\*[.5\baselineskip] e&=f\end{aligned}",
            "a = b\u2003(1); c = d; e = f",
        ),
        (r"\begin{matrix} a \\ [x] \end{matrix}", "a; [x]"),
    ],
)
def test_layout_and_references_in_formulas(source, shown):
    assert plain_unicode(f"${source}$", {}) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\bm{\mathcal{A}}\boldsymbol{\mathfrak{p}}\mathbf{\mathcal{A}}", "𝓐𝖕𝒜"),
        (r"\big{(}x\big{)}", "(x)"),
        (r"\Updelta_t+\upmu+\varGamma", "Δₜ + μ + 𝛤"),
        (r"\faktor{A+B}{H}", "(A + B)/H"),
        (r"\smashoperator[r]{\sum_{i<j}} a", "∑_(i<j) a"),
        (r"\overbracket[1pt][2pt]{a+b}", "overbracket(a + b)"),
        (r"\root 3\of x + a\buildrel f\over\to b", "³√x + a →ᶠ b"),
        (r"\pmatrix{a & b\cr c & d}", "(a b; c d)"),
        (r"\cases{a & if $x$\cr c & else}", "{a, if x; c, else}"),
        (r"\begin{dcases*} a & if $x$\\ c & else\end{dcases*}", "{a, if x; c, else}"),
        (r"\begin{array}{|c*{2}{c}|c} a&b&c&d\end{array}", "a b c | d"),
    ],
)
def test_further_constructs(source, shown):
    assert plain_unicode(f"${source}$", {}) == shown


def test_bars_and_lines_of_arrays():
    made = inner(r"\begin{array}{c|c|} \hline 1&2\\ 3&4\\ \hline\end{array}") or ""
    assert '<mtr class="above"><mtd><mn>1</mn></mtd><mtd class="bar bar-after"><mn>2</mn></mtd></mtr>' in made
    assert '<mtr class="below"><mtd><mn>3</mn></mtd>' in made


def test_a_slanted_fraction_shows_what_it_divides():
    assert "<msup><mrow></mrow><mrow><mi>a</mi><mo" in (inner(r"\nicefrac{a+b}{c}") or "")
    assert inner(r"\nicefrac{a}{b}") == '<mrow><mi>a</mi><mo lspace="0" rspace="0">/</mo><mi>b</mi></mrow>'


def test_macros_for_environments_and_cells():
    macros = macros_of([r"\def\bpm{\begin{pmatrix}}\def\epm{\end{pmatrix}}\newcommand{\aeq}{&=}\def\nl{\\\\}"])
    assert plain_unicode(r"$A=\bpm a & b\\ c & d\epm$", macros) == "A = (a b; c d)"
    assert plain_unicode(r"\begin{align*} A \aeq b\nl C \aeq d\end{align*}", macros) == "A = b; C = d"


@pytest.mark.parametrize(
    "assignment",
    [
        r"\postdisplaypenalty=100",
        r"\predisplaypenalty 10000 ",
        r"\abovedisplayskip 3pt plus 1pt",
        r"\jot=2\jot ",
        r"\penalty900\relax ",
    ],
)
def test_an_assignment_to_a_parameter_of_tex_prints_nothing(assignment: str) -> None:
    assert inner(f"x {assignment}y") == "<mrow><mi>x</mi><mi>y</mi></mrow>"


def test_text_between_rows_is_a_row() -> None:
    source = r"\begin{align*} a &= b\\ \intertext{and then} c &= d \shortintertext{so} e &= f \end{align*}"
    made = inner(source) or ""
    assert made.count("<mtr>") == 5
    assert '<mtr><mtd class="line" columnspan="2"><mtext>and then</mtext></mtd></mtr>' in made
    assert plain_unicode(source, {}) == "a = b and then c = d so e = f"


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        (r"\cline{2-3}", '<mtd>d</mtd><mtd class="above">e</mtd><mtd class="above">f</mtd>'),
        (r"\cmidrule(lr){1-1}", '<mtd class="above">d</mtd><mtd>e</mtd><mtd>f</mtd>'),
    ],
)
def test_a_line_above_some_columns_is_kept(rule: str, cells: str) -> None:
    made = inner(rf"\begin{{array}}{{ccc}} a & b & c\\ {rule} d & e & f \end{{array}}") or ""
    assert cells in made.replace("<mi>", "").replace("</mi>", "")


def test_a_line_of_an_inner_array_stays_there() -> None:
    made = inner(r"\begin{array}{c} \begin{array}{c} a\\ \hline b \end{array} \\ c \end{array}") or ""
    assert made.count('<mtr class="above"><mtd><mi>b</mi>') == made.count("above") == 1


def test_a_line_below_some_columns_is_kept() -> None:
    made = inner(r"\begin{array}{cc} a & b\\ \cline{1-1} \end{array}") or ""
    assert '<mtd class="below"><mi>a</mi></mtd><mtd><mi>b</mi></mtd>' in made


def test_a_command_with_its_old_meaning_inside_its_new_one() -> None:
    macros = macros_of([r"\let\oldul\ul \renewcommand{\ul}[1]{\text{\oldul{$#1$}}}"])
    assert Formulas(macros).render(r"\ul{A}") == "<math><mtext><u><math><mi>A</mi></math></u></mtext></math>"


BAR = (
    r"\newcommand*\widebar[1]{\@ifnextchar^{{\wide@bar{#1}{0}}}{\wide@bar{#1}{1}}}"
    r"\newcommand*\wide@bar[2]{\if@single{#1}{\wide@bar@{#1}}{\wide@bar@{#1#2}}}\def\wide@bar@#1{\setbox\z@\hbox{$#1$}}"
)


def test_a_common_accent_whose_program_measures_boxes_is_the_common_accent():
    assert Formulas(macros_of([BAR])).render(r"\widebar{z}^2") == Formulas({}).render(r"\widebar{z}^2")


def test_a_line_break_and_a_rule_in_a_formula_are_no_source():
    assert 'class="tex"' not in (Formulas({}).render(r"a\\ b\vrule height 6pt depth0.5pt width0pt c") or "tex")


def test_a_macro_that_only_defines_prints_nothing():
    macros = macros_of([r"\newcommand{\law}[2]{%" "\n" r"  \expandafter\gdef\csname law#1\endcsname{\ensuremath{#2}}}"])
    assert plain_unicode(r"so \law{3}{x = y} it is \markright{here}\reflectbox{$\Vdash$}", macros) == "so it is ⫣"
