r"""Macros that are made by programs in expl3, and macros that are such programs."""

import pytest
from naturalproofs.latex.macros.defined_macros import read_macros
from naturalproofs.latex.macros.expl3.machine import NotUnderstood
from naturalproofs.latex.macros.expl3.programs import run_program

from naturalproofs.latex.display import plain_unicode


def macros(program, after=""):
    return read_macros([f"\\ExplSyntaxOn\n{program}\n\\ExplSyntaxOff\n{after}"])


def shown(program, formula, after=""):
    return plain_unicode(f"${formula}$", macros(program, after))


@pytest.mark.parametrize(
    ("program", "formula", "text"),
    [
        (
            r"\clist_map_inline:nn { Gal , Frob } { \exp_args:Nc \DeclareMathOperator {#1} {#1} }",
            r"\Gal\Frob",
            "Gal Frob",
        ),
        (
            r"\clist_const:Nn \c_k_clist {A,B} \clist_map_inline:Nn \c_k_clist { "
            r"\cs_new:cpn {d#1} {\mathbb{#1}} }",
            r"\dA\dB",
            "𝔸𝔹",
        ),
        (r"\tl_map_inline:nn {AB{CD}} { \cs_new:cpn {s#1} { \mathbb{#1} } }", r"\sA=\sCD", "𝔸 = ℂ𝔻"),
        (
            r"\cs_new:Npn \k_make:n #1 { \cs_new:cpn {h#1} { \overline{#1} } } "
            r"\tl_map_function:nN {xy} \k_make:n",
            r"\hx\hy",
            "x\u0304y\u0304",
        ),
        (
            r"\int_step_inline:nnn {`P} {`R} { "
            r"\cs_new:cpx {f\char_generate:nn{#1}{11}} {\exp_not:N\mathfrak{\char_generate:nn{#1}{11}}} }",
            r"\fQ",
            "𝔔",
        ),
        (
            r"\int_step_inline:nn {3} { "
            r"\cs_new:cpx {p\int_to_alph:n{#1}} { x\c_math_subscript_token{\int_eval:n{2*#1-1}} } }",
            r"\pa+\pc",
            "x₁ + x₅",
        ),
        (
            r"\prop_const_from_keyval:Nn \c_k_prop { up = \uparrow, down = \downarrow } "
            r"\prop_map_inline:Nn \c_k_prop { \cs_new:cpn {go#1} {#2} }",
            r"\goup\godown",
            "↑↓",
        ),
        (
            r"\seq_new:N \l_k_seq \seq_set_split:Nnn \l_k_seq {;} { a ; b } \seq_put_right:Nn "
            r"\l_k_seq {c} \seq_map_inline:Nn \l_k_seq { \cs_new:cpn {v#1} {\vec{#1}} }",
            r"\va\vc",
            "a⃗c⃗",
        ),
        (r"\keyval_parse:NNn \use_none:n \k_pair:nn { one = \alpha, two = \beta }", r"x", "x"),
        (
            r"\cs_new:Npn \k_pair:nn #1#2 { \cs_new:cpn {g#1} {#2} } \keyval_parse:NNn \use_none:n "
            r"\k_pair:nn { one = \alpha }",
            r"\gone",
            "α",
        ),
        (r"\cs_set_eq:NN \iso \cong", r"a\iso b", "a ≅ b"),
        (r"\cs_new:Nn \k_twice:n { #1 #1 } \cs_new:Npn \dbl #1 { \k_twice:n {#1} }", r"\dbl{ab}", "abab"),
        (r"\bool_if:nTF { \sys_if_engine_luatex_p: } { \newcommand\e{L} } { \newcommand\e{P} }", r"\e", "P"),
        (r"\tl_set:Nn \l_k_tl {n} \tl_put_right:Nn \l_k_tl {m} \exp_args:NcV \newcommand {nm} \l_k_tl", r"\nm", "nm"),
        (r"\edef\k{\int_eval:n{6*7}}", r"\k", "42"),
        (r"\cs_generate_from_arg_count:NNnn \q \cs_set:Npn {2} { [#1;#2] }", r"\q{x}{y}", "[x; y]"),
    ],
)
def test_a_program_defines(program, formula, text):
    assert shown(program, formula) == text


@pytest.mark.parametrize(
    ("program", "formula", "text"),
    [
        (
            r"\seq_new:N \l_k_seq \NewDocumentCommand \vc {m} { \seq_set_split:Nnn "
            r"\l_k_seq {;} {#1} (\seq_use:Nn \l_k_seq {,}) }",
            r"\vc{a; b ;c}",
            "(a, b, c)",
        ),
        (r"\NewDocumentCommand \ls {m} { \clist_use:nnnn {#1} {~\wedge~} {,} {,~\ldots,~} }", r"\ls{p,q}", "p ∧ q"),
        (
            r"\NewDocumentCommand \fn {m m} { \tl_if_empty:nTF {#2} { #1 } { #1(#2) } }",
            r"\fn{f}{}+\fn{g}{x}",
            "f + g(x)",
        ),
        (
            r"\NewDocumentCommand \kind {m} { \str_case:nnF {#1} { {a}{\alpha} {b}{\beta} } {?} }",
            r"\kind{b}\kind{z}",
            "β?",
        ),
        (
            r"\NewDocumentCommand \ent {m} { \int_compare:nNnTF {#1} > {9} {\infty} {#1} }",
            r"\ent{3}\,\ent{12}",
            "3 ∞",
        ),
        (r"\NewDocumentCommand \mat {m} { \int_step_inline:nn {#1} { a\sb{##1} } }", r"\mat{3}", "a₁a₂a₃"),
        (
            r"\cs_new:Nn \k_each:n { \clist_map_inline:nn {#1} { [##1] } } \NewDocumentCommand "
            r"\br {m} { \k_each:n {#1} }",
            r"\br{u,v}",
            "[u][v]",
        ),
        (
            r"\cs_new:Nn \k_in:n { \clist_map_inline:nn {x,y} { #1 ##1 } } \NewDocumentCommand "
            r"\nest {m} { \clist_map_inline:nn {#1} { \k_in:n {##1} } }",
            r"\nest{1,2}",
            "1x1y2x2y",
        ),
        (
            r"\prg_new_conditional:Npnn \k_if:n #1 {TF,T} { "
            r"\str_if_eq:nnTF {#1}{o} {\prg_return_true:}{\prg_return_false:} } "
            r"\NewDocumentCommand \z {m} { \k_if:nTF {#1} {0} {1} }",
            r"\z{o}\z{i}",
            "01",
        ),
        (r"\tl_const:Nn \c_k_tl {\oplus} \NewDocumentCommand \pl {mm} { #1 \c_k_tl #2 }", r"\pl ab", "a ⊕ b"),
        (
            r"\cs_new_protected:Nn \k_bar:nn { \overline{ #1 #2 } } \NewDocumentCommand \ol {m} { "
            r"\mathpalette \k_bar:nn {#1} }",
            r"\ol{z}",
            "z̄",
        ),
        (
            r"\dim_new:N \l_k_dim \NewDocumentCommand \gap {m} { \dim_set:Nn "
            r"\l_k_dim {3pt} x\hspace{\l_k_dim}#1 }",
            r"\gap{y}",
            "xy",
        ),
        (
            r"\NewDocumentCommand \bar@ {m} { \seq_set_from_clist:Nn \l_tmpa_seq {#1} "
            r"\seq_map_indexed_inline:Nn \l_tmpa_seq { ##2\sp{##1} } } \cs_set_eq:NN \pw \bar@",
            r"\pw{a,b}",
            "a¹b²",
        ),
    ],
)
def test_a_macro_is_run_when_it_is_called(program, formula, text):
    assert shown(program, formula) == text


ALPHABET = r"""
\NewDocumentCommand{\alphabet}{ m m }
 {% the prefix and the font
  \clist_map_inline:nn { A, B, C } { \cs_new:cpn { #1 ##1 } { #2 { ##1 } } }
 }
"""


def test_calls_of_a_defining_command_outside_of_programs_define():
    assert shown(ALPHABET, r"\bbA\frC", r"\alphabet{bb}{\mathbb}\alphabet{fr}{\mathfrak}") == "𝔸ℭ"


def test_programs_use_what_another_file_defines():
    first = f"\\ProvidesExplPackage{{k}}{{2020-01-01}}{{1}}{{}}\n{ALPHABET}"
    found = read_macros([first, r"\alphabet{s}{\mathcal} % \alphabet{t}{\mathcal}"])
    assert found["sB"].body == r"\mathcal{B}"
    assert "tB" not in found


@pytest.mark.parametrize(
    ("program", "formula"),
    [
        (r"\NewDocumentCommand \m {m} { \regex_match:nnTF {a} {#1} {x} {y} }", r"\m{ab}"),
        (r"\NewDocumentCommand \m {m} { \keys_set:nn {k} {#1} \l_k_tl }", r"\m{a = b}"),
        (
            r"\cs_new:Nn \k_a:n { \k_b:n {#1} } \cs_new:Nn \k_b:n { \k_a:n {#1} } "
            r"\NewDocumentCommand \m {m} { \k_a:n {#1} }",
            r"\m{x}",
        ),
        (r"\int_new:N \g_k_int \NewDocumentCommand \m {} { \int_gincr:N \g_k_int \int_use:N \g_k_int }", r"\m"),
        (
            r"\seq_new:N \l_k_seq \NewDocumentCommand \m {m} { \seq_put_right:Nn \l_k_seq {#1} "
            r"\seq_use:Nn \l_k_seq {,} }",
            r"\m{x}",
        ),
        (
            r"\tl_new:N \l_k_tl \NewDocumentCommand \setup {m} {\tl_set:Nn \l_k_tl {#1}} "
            r"\NewDocumentCommand \m {} {\l_k_tl}",
            r"\m",
        ),
        (r"\NewDocumentCommand \m {m} { \mode_if_math:TF {#1} {\text{#1}} }", r"\m{x}"),
    ],
)
def test_what_is_not_understood_is_shown_as_source(program, formula):
    """The command in place, its arguments set."""
    assert shown(program, f"a+{formula}=b") == f"a + {formula} = b"


def test_a_variable_that_a_macro_empties_again_is_known():
    program = r"""
        \seq_new:N \l_k_seq
        \NewDocumentCommand \m {m}
          {
            \clist_map_inline:nn {#1} { \seq_put_right:Nn \l_k_seq {(##1)} }
            \seq_use:Nn \l_k_seq {+} \seq_clear:N \l_k_seq
          }
    """
    assert shown(program, r"\m{x,y}") == "(x) + (y)"


def test_in_a_program_spaces_count_for_nothing_and_a_tilde_is_one():
    assert macros(r"\newcommand \k { \text { if ~ and ~ only ~ if } }")["k"].body == r"\text{if and only if}"


def test_definitions_around_programs_are_read_as_before():
    found = read_macros([r"\newcommand{\a}{ x_1 }\ExplSyntaxOn\newcommand\b{y}\ExplSyntaxOff\newcommand{\c}{\sum_n:n}"])
    assert [found[name].body for name in "abc"] == [" x_1 ", "y", r"\sum_n:n"]


def test_a_program_survives_being_stored_with_a_corpus():
    found = macros(r"\NewDocumentCommand \m {m} { \clist_use:nn {#1} {\times} }")
    again = read_macros([found["m"].definition()])
    assert again == found
    assert plain_unicode("$\\m{a,b}$", again) == "a × b"


def test_what_grows_without_end_is_left_alone():
    doubling = r"\NewDocumentCommand \m {m} {" + r"\clist_map_inline:nn {a,b,c,d} {" * 12 + "x" + "}" * 12 + "}"
    assert shown(doubling, r"\m{}") == r"\m{}"
    endless = r"\cs_new:Npn \k_e:n #1 { \k_e:n {#1#1} } \k_e:n {x} \newcommand\after{y}"
    assert macros(endless)["after"].body.strip() == "y"
    assert "m" not in macros(
        r"\NewDocumentCommand \mk {m} { \int_step_inline:nn {99999999} { \cs_new:cpn {#1} {} } } \mk{m}"
    )
    for broken in (
        r"\cs_new:Npn",
        r"\clist_map_inline:nn {a",
        "}" * 9,
        r"\exp_args:Nc {",
        r"\newcommand",
        r"\int_eval:n {((}",
    ):
        macros(broken * 200)


def test_a_program_in_a_text_without_marks_is_nothing():
    assert run_program("x_1 ~ y") == "x_1 ~ y"
    with pytest.raises(NotUnderstood):
        run_program(r"\expl{not_known:n}{x}")


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (r"\cs_if_exist:NTF \unknown {\cs_new:Npn \X {a}}{\cs_new:Npn \X {b}}", r"\X = 1"),
        (r"\cs_if_exist:NTF \unknown {\cs_new:Npn \X {a}}{\cs_new:Npn \X {a}}", "a = 1"),
        (r"\cs_if_exist:NT \unknown {\NewDocumentCommand \X {}{a}}", "a = 1"),
        (r"\other_if:nTF {a} {\cs_new:Npn \X {a}}{\cs_new:Npn \X {b}}", r"\X = 1"),
        (r"\cs_new:Npn \X {z} \cs_if_exist:NT \unknown {\cs_set:Npn \X {b}}", r"\X = 1"),
        (r"\str_case:Vn \l_unknown_str {{a}{\cs_new:Npn \X {a}}{b}{\cs_new:Npn \X {b}}}", r"\X = 1"),
        (r"\str_case:xn {\l_unknown_str} {{a}{\cs_new:Npn \X {a}}{b}{\cs_new:Npn \X {b}}}", r"\X = 1"),
        (
            r"\cs_if_exist:NT \unknown { \cs_if_exist:NTF \other {\cs_new:Npn \X {a}} {\cs_new:Npn \X {b}} }",
            r"\X = 1",
        ),
        (
            r"\bool_new:N \g_w_bool \keys_define:nn {p}{w .bool_gset:N = \g_w_bool} "
            r"\bool_if:NTF \g_w_bool {\cs_new:Npn \X {a}}{\cs_new:Npn \X {b}}",
            r"\X = 1",
        ),
        (r"\bool_new:N \g_w_bool \bool_if:NTF \g_w_bool {\cs_new:Npn \X {a}}{\cs_new:Npn \X {b}}", "b = 1"),
    ],
)
def test_a_command_that_depends_on_an_undecided_conditional_is_not_understood(program, text):
    assert shown(program, r"\X=1") == text


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (
            r"\tl_set:Nn \l_a_tl {p} \cs_if_exist:NT \unknown {\tl_set:Nn \l_a_tl {q}} "
            r"\cs_new:Npx \X {\l_a_tl} \cs_new:Npn \Y {\tl_use:N \l_a_tl}",
            r"\X = \Y",
        ),
        (
            r"\cs_if_exist:NTF \unknown {\tl_set:Nn \l_a_tl {q}}{\tl_set:Nn \l_a_tl {q}} "
            r"\cs_new:Npx \X {\l_a_tl} \cs_new:Npn \Y {\tl_use:N \l_a_tl}",
            "q = q",
        ),
        (
            r"\seq_new:N \l_a_seq \seq_put_right:Nn \l_a_seq {A} "
            r"\cs_if_exist:NT \unknown {\seq_put_right:Nn \l_a_seq {B}} "
            r"\cs_new:Npn \X {\seq_use:Nn \l_a_seq {+}} \seq_map_inline:Nn \l_a_seq {\cs_new:Npn \Y {#1}}",
            r"\X = \Y",
        ),
        (
            r"\prop_new:N \l_a_prop \prop_put:Nnn \l_a_prop {k}{1} "
            r"\cs_if_exist:NT \unknown {\prop_put:Nnn \l_a_prop {k}{2}} "
            r"\cs_new:Npn \X {\prop_item:Nn \l_a_prop {k}} \cs_new:Npn \Y {y}",
            r"\X = y",
        ),
        (
            r"\cs_new:Npn \k_f:n #1 {x#1} \cs_if_exist:NT \unknown {\cs_set:Npn \k_f:n #1 {y#1}} "
            r"\NewDocumentCommand \X {} {\k_f:n{1}} \cs_new:Npn \Y {y}",
            r"\X = y",
        ),
        (
            r"\tl_set:Nn \l_a_tl {p} \tl_set:NV \l_a_tl \l_nowhere_tl \cs_new:Npn \X {\l_a_tl} "
            r"\cs_new:Npn \Y {p} \cs_set:Npx \Y {\exp_args:NV \z \l_nowhere_tl}",
            r"\X = \Y",
        ),
    ],
)
def test_values_that_an_undecided_branch_sets_are_not_known(program, text):
    assert shown(program, r"\X=\Y") == text
