import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument

from naturalproofs.apps.editor.positions import Positions, key_at, offset_at, typing_at
from naturalproofs.sources.latex import citations
from naturalproofs.sources.latex.macros.macro import Macro


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


@given(st.text(alphabet="a𝔄é\n", max_size=40), st.integers(0, 6), st.integers(0, 12))
def test_offsets_are_those_of_the_library_for_positions_in_the_text(text, line, character):
    position = types.Position(line, character)
    codec = PositionCodec()
    lines = text.split("\n")
    if line >= len(lines):
        assert offset_at(text, position, codec) == len(text)
        return
    position.character = min(character, codec.client_num_units(lines[line]))
    wanted = TextDocument("file:///a.tex", text).offset_at_position(position) if text else 0
    assert offset_at(text, position, codec) == wanted


@given(st.text(alphabet="a𝔄é\n\x0c\u2028", max_size=40), st.data())
def test_a_range_leads_back_to_its_offsets(text, data):
    start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    codec = PositionCodec()
    found = Positions(codec, {"a.tex": text}).between("a.tex", start, end)
    assert (offset_at(text, found.start, codec), offset_at(text, found.end, codec)) == (start, end)


def test_a_macro_of_the_author_may_be_typed():
    syntax = citations.KeySyntax(
        macros=(Macro.of("thmref", 1, r"Theorem~\ref{thm:#1}"), Macro.of("see", 2, r"#1 \cref{#2}"))
    )
    found = typing_at(r"By \thmref{ma", 13, syntax=syntax)
    assert (found.typed, found.before, found.after) == ("ma", "thm:", "")
    assert typing_at(r"\see{x}{a,b", 11, syntax=syntax).keys == ("a",)
    assert typing_at(r"\see{x", 6, syntax=syntax) is None
