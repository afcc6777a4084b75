import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.editor.positions import key_at, typing_at


@pytest.mark.parametrize(
    ("text", "command", "typed", "keys"),
    [
        (r"by \ref{", "ref", "", ()),
        (r"by \cref{thm:a", "cref", "thm:a", ()),
        (r"by \Cref{thm:a, lem", "Cref", "lem", ("thm:a",)),
        (r"by \eqref {eq", "eqref", "eq", ()),
        (r"\crefrange{a}{b", "crefrange", "b", ()),
        (r"\hyperref[sec:", "hyperref", "sec:", ()),
        ("\\cref{a,\n  b", "cref", "b", ("a",)),
        (r"\myref{x", "myref", "x", ()),
        (r"\vref*{x", "vref", "x", ()),
    ],
)
def test_a_key_is_being_typed(text, command, typed, keys):
    found = typing_at(text + "|rest}", len(text))
    assert (found.command, found.typed, found.keys) == (command, typed, keys)
    assert text[found.start :] == typed


@pytest.mark.parametrize("text", [r"\ref{a}", r"\label{a", r"\emph{x", "ref{a", r"\ref", r"\cref[see", r"\ref{\macro"])
def test_no_key_is_being_typed(text):
    assert typing_at(text, len(text)) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (r"by \ref{th|m:a} and", "thm:a"),
        (r"by \cr|ef{thm:a,lem:b}", "thm:a"),
        (r"by \cref{thm:a, lem:|b}", "lem:b"),
        (r"\label{|thm:a}", "thm:a"),
        (r"\hyperref[se|c]{text}", "sec"),
        ("\\cref{a,\n b|c}", "bc"),
        (r"no k|ey \ref{a}", None),
        (r"\ref{a} |", None),
        (r"\ref{|}", None),
    ],
)
def test_the_key_under_the_cursor(text, key):
    offset = text.index("|")
    found = key_at(text.replace("|", ""), offset)
    assert (found.key if found else None) == key


@given(st.text(alphabet="\\ref{}[],ab\n", max_size=60), st.integers(0, 60))
def test_nothing_typed_breaks_the_cursor(text, offset):
    found = typing_at(text, min(offset, len(text)))
    assert found is None or text[: min(offset, len(text))].endswith(found.typed)
    key_at(text, min(offset, len(text)))
