"""The scanner never fails, and its tokens cover the text exactly; so for whatever reads bytes into statements."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from naturalproofs.sources.latex.project.tree import check_balance
from naturalproofs.sources.latex.read.citations import find_keys
from naturalproofs.sources.latex.scan.arguments import plain_title, read_group, read_option
from naturalproofs.sources.latex.scan.scanner import FULL, STRUCTURE, TokenKind, scan
from naturalproofs.sources.reading.text_files import Positions, decode

PIECES = [
    "\\begin{lemma}", "\\end{lemma}", "\\begin{proof}", "\\end{proof}", "\\begin{verbatim}", "\\end{verbatim}",
    "\\begin", "\\end{", "\\label{a}", "\\label", "\\ref{a}", "\\cref{a,b}", "\\crefrange{a}{b}", "\\hyperref[a]",
    "\\iffalse", "\\ifx", "\\else", "\\fi", "\\iff", "\\verb|", "|", "\\url{", "\\section", "\\input", "\\\\", "\\",
    "%", "\n", "\n\n", "{", "}", "[", "]", "$", "$$", "\\(", "\\]", "*", " ", "\t", "a", "é", "\0", "\u2028", "\r",
]  # fmt: skip

latex = st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200)


@given(latex, st.sampled_from([STRUCTURE, FULL]))
@example("\\verb", STRUCTURE)
@example("\\begin{verbatim}\\end{verbatim", FULL)
def test_tokens_cover_the_text(text, vocabulary):
    tokens = scan(text, vocabulary).tokens
    assert "".join(text[token.start : token.end] for token in tokens) == text
    assert all(token.end > token.start for token in tokens)
    assert [token.start for token in tokens[1:]] == [token.end for token in tokens[:-1]]


@given(latex)
def test_no_two_texts_stand_together(text):
    kinds = [token.kind for token in scan(text).tokens]
    assert (TokenKind.TEXT, TokenKind.TEXT) not in pairwise(kinds)


@given(latex)
def test_problems_point_into_the_text(text):
    for problem in [*scan(text).problems, *check_balance(text)]:
        line, column = Positions(text).line_column(problem.offset)
        assert 0 <= problem.offset <= len(text)
        assert line >= 1
        assert column >= 1


@given(latex)
def test_positions_agree_with_counting(text):
    positions = Positions(text)
    for offset in range(0, len(text) + 1, max(1, len(text) // 7)):
        assert positions.line(offset) == text.count("\n", 0, offset) + 1


@given(st.binary(max_size=400))
def test_any_bytes_can_be_decoded(data):
    decoded = decode(data)
    if decoded.text is None:
        assert decoded.problems
    else:
        assert "\r" not in decoded.text
        assert "\0" not in decoded.text


@given(latex)
def test_valid_utf8_is_read_as_it_is(text):
    decoded = decode(text.encode())
    if decoded.text is not None and not decoded.problems and "\ufeff" not in text:
        assert decoded.text == text.replace("\r\n", "\n").replace("\r", "\n")


@given(latex)
def test_arguments_are_balanced(text):
    for argument in (read_group(text, 0), read_option(text, 0)):
        if argument is not None:
            assert text[argument.start : argument.start + len(argument.text)] == argument.text
            assert argument.end > argument.start


@given(latex)
def test_titles_are_one_line(text):
    assert "\n" not in plain_title(text)


@given(latex)
def test_keys_stand_where_they_are_reported(text):
    for citation in find_keys(text, guess=True):
        assert text[citation.start :].startswith(f"\\{citation.command}")
        for key in citation.keys:
            assert citation.start < key.start < key.end < citation.end
            assert "%" in text[key.start : key.end] or " ".join(text[key.start : key.end].split()) == key.key
