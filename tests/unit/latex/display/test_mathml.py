"""Formulas: what each construct becomes, and what is refused."""

import pytest

from naturalproofs.latex.display import Formulas, read_macros

FORMULAS = Formulas(
    read_macros(
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
    assert Formulas(read_macros([definitions])).render(r"\a{x}") is None


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
    macros = read_macros(
        [r"\newcommand{\odd}[1]{\expandafter\csname #1\endcsname}\def\half@way{\catcode`x}\def\all{\half@way}"]
    )
    assert Formulas(macros).render(r"\odd{abc}") == r'<math><mtext class="tex">\odd{abc}</mtext></math>'
    assert Formulas(macros).render(r"\all") == r'<math><mtext class="tex">\all</mtext></math>'


def test_a_loop_over_the_arguments_that_follow() -> None:
    macros = read_macros(
        [r"\newcommand{\sm}[1]{\@ifnextchar\bgroup{\@sm{#1}\sm}{\@sm{#1}}}\newcommand{\@sm}[1]{\sum_{#1}}"]
    )
    once = '<munder><mo movablelimits="true">∑</mo><mi>{}</mi></munder>'
    assert Formulas(macros).render(r"\sm{x}{y}") == f"<math><mrow>{once.format('x')}{once.format('y')}</mrow></math>"


def test_an_old_meaning_kept_under_another_name() -> None:
    macros = read_macros([r"\let\oldphi\phi\renewcommand\phi{{\symup\oldphi}}\newcommand\cat\mathcal"])
    assert Formulas(macros).render(r"\phi") == "<math><mi>ϕ</mi></math>"
    assert Formulas(macros).render(r"\cat C") == "<math><mi>𝒞</mi></math>"


def test_one_formula_above_another_is_stacked():
    macros = read_macros([r"\newcommand{\eqto}{\vbox{\offinterlineskip\ialign{\hfil##\hfil\cr$=$\cr$\to$\cr}}}"])
    assert "<mover" in (Formulas(macros).render(r"a \eqto b", display=False) or "")


def test_whether_an_argument_is_a_number_is_decided():
    macros = read_macros([r"\newcommand{\bn}[1]{\if!\ifnum9<1#1!\else_\fi\mathbb{#1}\else\mathbf{#1}\fi}"])
    made = Formulas(macros).render(r"\bn{2} \bn{n}", display=False) or ""
    assert "𝟚" in made
    assert "𝐧" in made


def test_characters_by_code():
    assert "⊥" in (Formulas({}).render(r'\symbol{"022A5}', display=False) or "")


def test_a_command_that_was_defined_anew_keeps_its_old_name():
    macros = read_macros([r"\let\old\equiv \renewcommand{\equiv}{\simeq}"])
    assert "<mo>≡</mo>" in (Formulas(macros).render(r"a \old b") or "")
    assert "<mo>≃</mo>" in (Formulas(macros).render(r"a \equiv b") or "")


def test_lengths_of_spaces():
    made = Formulas(read_macros([r"\newcommand{\op}[1]{\mathop{\kern\z@ #1}}"])).render(
        r"\op{\mathrm{Sub}} \hspace{2em} x"
    )
    assert made is not None
    assert "<mi>Sub</mi>" in made
    assert 'width="2em"' in made
    assert 'width="1em"' not in made


def test_a_sign_drawn_over_another():
    assert "<mover><mo>→</mo><mo>∸</mo></mover>" in (
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
    macros = read_macros([r"\newcommand\Rf{\mathfrak{R}}"])
    assert "<mi>ℜ</mi>" in (Formulas(macros).render(r"\bar\Rf_2") or "")


def test_a_package_whose_program_is_too_long():
    program = r"\ExplSyntaxOn\NewDocumentCommand\odif{som}{\keys_set:nn{k}{#2} d#3}\ExplSyntaxOff"
    for macros in (read_macros([program]), {}):
        made = Formulas(macros).render(r"\odif{x,y} f") or ""
        assert made.count(">d</mi>") == 2
        assert "," not in made
        assert "odif" in (Formulas(macros).render(r"\odif[2]{x}") or "")
