import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.sources.wiki.latex import MACROS, expand_macros


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\map f x", r"f \left( x \right)"),
        (r"\map {f'} {x + 1}", r"f' \left( x + 1 \right)"),
        (r"\map \cl {\set S}", r"\operatorname{cl} \left( \left\{ S \right\} \right)"),
        (r"\innerprod x {y + z}", r"\left\langle x, y + z \right\rangle"),
        (r"\paren {a \paren b}", r"\left( a \left( b \right) \right)"),
        (r"\openint 0 \infty", r"\left( 0 \,.\,.\, \infty \right)"),
        (r"\eqclass x \RR", r"\left[\!\left[ x \right]\!\right]_{\mathcal R}"),
        (r"\R^n", r"\mathbb R^n"),
        (r"\N a", r"\mathbb N a"),
        (r"\ds\sum", r"\displaystyle\sum"),
        (r"\struct {S, \circ}", r"\left( S, \circ \right)"),
        (r"\set {\{ x \}}", r"\left\{ \{ x \} \right\}"),
        (r"\mapsto \setminus \Ring", r"\mapsto \setminus \Ring"),
        (r"\set {x", r"\set {x"),
        (r"\map f", r"\map f"),
        ("plain", "plain"),
    ],
)
def test_own_commands_are_written_out(text, expected):
    assert expand_macros(text) == expected


@given(
    st.text(alphabet="\\{}aRx$ _^")
    | st.lists(st.sampled_from([*(f"\\{m}" for m in MACROS), "{", "}", " ", "x", "$"])).map("".join)
)
def test_any_text_is_read_to_the_end(text):
    assert isinstance(expand_macros(text), str)


def test_meanings_use_only_their_arguments_and_no_own_commands():
    for count, meaning in MACROS.values():
        assert all(f"#{i}" in meaning for i in range(1, count + 1))
        assert f"#{count + 1}" not in meaning
        assert meaning.count("{") == meaning.count("}")
        assert expand_macros(meaning.replace("#", "")) == meaning.replace("#", "") or not count


def test_deep_nesting_ends():
    assert expand_macros(r"\paren {" * 500 + "x" + "}" * 500)
    assert expand_macros(r"\map " * 2000)
