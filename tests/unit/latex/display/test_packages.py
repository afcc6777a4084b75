"""Commands of widespread packages: shown as the package prints them, or as their source, in all three outputs."""

import re

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import Formulas, plain_unicode

LOADED = r"\usepackage{amsmath, %s}"


def shown(package, formula):
    return plain_unicode(f"${formula}$", macros_of([LOADED % package]))


@pytest.mark.parametrize(
    ("package", "formula", "text"),
    [
        ("physics", r"\dv{f}{x}", "(df)/(dx)"),
        ("physics", r"\dv[2]{f}{x}", "(d²f)/(dx²)"),
        ("physics", r"\dv{x}", "d/(dx)"),
        ("physics", r"\pdv{f}{x}{y}", "(∂²f)/(∂x ∂y)"),
        ("physics", r"\int f \dd{x}", "∫ f dx"),
        ("physics", r"\dd[3]{x}", "d³x"),
        ("physics", r"\braket{a}{b}", "⟨a|b⟩"),
        ("physics", r"\ketbra{a}{b}", "|a⟩⟨b|"),
        ("physics", r"\expval{A}{\psi}", "⟨ψ|A|ψ⟩"),
        ("physics", r"\qty{x}", "{x}"),
        ("physics", r"\qty(\frac{a}{b})", "(a/b)"),
        ("physics", r"\grad f", "∇f"),
        ("physics", r"\div v", "∇ ⋅ v"),
        ("physics", r"\comm{A}{B}", "[A, B]"),
        ("physics", r"\eval{f}_0^1", "f|₀¹"),
        ("physics", r"\vb{a}\vb*{a}", "𝐚𝒂"),
        ("physics", r"\bra{a}\ket{b}+\bra{a}", "⟨a|b⟩ + ⟨a|"),
        ("physics", r"\sin[2](x)+\sin[x]+\sin^2 x", "sin²(x) + sin[x] + sin² x"),
        ("physics", r"\mqty(a & b \\ c & (d)) + \mqty{a & b}", "(a b; c (d)) + a b"),
        ("physics", r"\mqty(a & b", r"\mqty(a & b"),
        ("physics", r"\Re{z}+\Re z", "Re {z} + Re z"),
        ("physics", r"\eval[x|_0", r"\eval[x|₀"),
        ("physics", r"\mel**{a}{B}{c}+\expval**{A}{b}", "⟨a|B|c⟩ + ⟨b|A|b⟩"),
        ("physics", r"x\qq*{for}y\qif*z\qc u", "x for\u2003y if\u2003z,\u2003u"),
        ("physics", r"\pqty{a}\bqty{b}\vqty{c}\vev{A}\tr(A)", "(a)[b]|c|⟨0|A|0⟩ tr(A)"),
        ("braket", r"\braket{a|b}", "⟨a|b⟩"),
        ("commath", r"\od[2]{f}{x}", "(d²f)/(dx²)"),
        ("commath", r"\pd{f}{x}", "(∂f)/(∂x)"),
        ("diffcoeff", r"\diff[n]{y}{x}", "(dⁿ y)/(d xⁿ)"),
        ("diffcoeff", r"\diffp{f}{x,y}", "(∂²f)/(∂x ∂y)"),
        ("derivative", r"\pdv[order={2,1}]{f}{x,y}", "(∂³f)/(∂x² ∂y)"),
        ("tensor", r"\tensor{T}{^a_b}", "Tᵃ_b"),
        ("siunitx", r"\num{1.5e3}", "1.5 × 10³"),
        ("tensor", r"\tensor*{T}{^a_b^c}", "T_bᵃᶜ"),
        ("tensor", r"\tensor[^a]{T}{^b}", r"\tensor[^a]{T}{^b}"),
        ("siunitx", r"\num{1,5}+\ang{1;2;3}+\ang{30}", "1.5 + 1°2′3″ + 30°"),
        ("siunitx", r"\num{1.5 \pm 2}", r"\num{1.5 \pm 2}"),
        ("siunitx", r"\SI{3}{\meter}", r"\SI{3}{\meter}"),
        ("mathpartir", r"\inferrule{A \and B}{C}", "(A\u2003B)/C"),
        ("mathpartir", r"\inferrule*[right=x]{A}{C}", r"\inferrule*[right=x]{A}{C}"),
        ("proof", r"\infer{A}{B & C}", "(B C)/A"),
        ("proof", r"\infer=[x]{A}{B}+\infer*{A}{B}", r"(B/A) x + \infer*{A}{B}"),
        ("complexity", r"\P \ne \NP", "𝖯 ≠ NP"),
        ("cancel", r"\cancel{x}", r"\cancel{x}"),
        ("ytableau", r"\ydiagram{3,2}", r"\ydiagram{3,2}"),
    ],
)
def test_commands_of_packages(package, formula, text):
    assert shown(package, formula) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\div", "÷"),
        (r"\pdv[2]{f}{x}", "(∂²f)/(∂x²)"),
        (r"\pdv[a=b]{f}{x}", r"\pdv[a=b]{f}{x}"),
        (r"\abs*{x}+\norm[\big]{y}", "|x| + ‖y‖"),
        (r"\tensor*{T}{^a}", r"\tensor*{T}{^a}"),
        (r"{n\brace k}", "{n; k}"),
        (r"1+{n\atop k}", "1 + (n; k)"),
        (r"\genfrac{[}{]}{0pt}{}{n}{k}", "[n; k]"),
        (r"\genfrac{}{}{}{}{a}{b}", "a/b"),
        (r"\boldsymbol{\alpha}\alpha\mathbf{\Gamma}\boldsymbol{\nabla}\bm{\varphi}", "𝜶α𝚪𝜵𝝋"),
        (r"\Mapsto\Vvert x\Vvert", "⤇ ⦀x⦀"),
        (r"\Ydown", r"\Ydown"),
        (r"\begin{pmatrix*}[r] a & b\end{pmatrix*}", "(a b)"),
        (r"\begin{pNiceMatrix} a & b\end{pNiceMatrix}", "(a b)"),
        (r"\xlongrightarrow{a}", "⟶ᵃ"),
        (r"\centernot\in", "∉"),
    ],
)
def test_commands_without_their_package(formula, text):
    assert plain_unicode(f"${formula}$", {}) == text


@pytest.mark.parametrize(
    ("preamble", "text"),
    [
        ("\\usepackage[english,ngerman]{babel}", "Für „alle“ Übungen, groß, Schifffahrt, a-b"),
        ("\\documentclass[ngerman]{scrartcl}\\usepackage{babel}", "Für „alle“ Übungen, groß, Schifffahrt, a-b"),
        ("\\usepackage{german}", "Für „alle“ Übungen, groß, Schifffahrt, a-b"),
        ("\\documentclass[german]{article}", 'F"ur "‘alle"’ "Ubungen, gro"s, Schiff"-fahrt, a-b'),
        ("%\\usepackage[german]{babel}", 'F"ur "‘alle"’ "Ubungen, gro"s, Schiff"-fahrt, a-b'),
    ],
)
def test_shorthands_of_german(preamble, text):
    source = 'F"ur "`alle"\' "Ubungen, gro"s, Schiff"-fahrt, a"=b'
    assert plain_unicode(source, macros_of([preamble])) == text


@pytest.mark.parametrize(
    ("preamble", "text"),
    [
        ("\\usepackage[T2A]{fontenc}\\usepackage[russian]{babel}", "«да» — „нет“"),
        ("\\usepackage[T1]{fontenc}", '«да» "— "‘нет"’'),
        ("", '<<да>> "— "‘нет"’'),
    ],
)
def test_quotes_and_dashes_of_russian(preamble, text):
    assert plain_unicode('<<да>> "--- "`нет"\'', macros_of([preamble])) == text


def test_quotes_of_polish():
    macros = macros_of(["\\usepackage[T1]{fontenc}\\usepackage[polish]{babel}"])
    assert plain_unicode(",,tak'', $a,,b$, a<b", macros) == "„tak”, a, , b, a<b"
    assert plain_unicode(",,tak''", {}) == ",,tak”"


def test_the_author_wins_over_the_package():
    macros = macros_of([r"\usepackage{physics}", r"\renewcommand{\div}{\mathrm{div}}\newcommand{\dv}{v'}"])
    assert plain_unicode(r"$\div + \dv$", macros) == "div + v′"


def test_a_package_in_a_comment_is_not_loaded():
    assert plain_unicode(r"$\div$", macros_of([r"%\usepackage{physics}"])) == "÷"


def test_mathml_says_the_same():
    written = Formulas(macros_of([LOADED % "physics"])).render(r"\pdv{f}{x}{y}")
    assert re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", written) == "∂2f∂x∂y"
