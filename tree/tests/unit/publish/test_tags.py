"""Tags stay with their statement: through new statements, renamed labels, changed texts, and removal."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.apps.site.tags import Tagged, assign_tags, format_tags, parse_tags, text_hash
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import BadSchema, TagsExhausted
from naturalproofs.records import Statement


def statement(label: str, text: str, tag: str = "") -> Statement:
    return Statement(f"book:{label}", "theorem", label, "", (text,), tag=tag)


def corpus(*statements: Statement) -> Corpus:
    return Corpus("book", statements, Provenance("latex", "fixed"))


A, B, C = statement("thm:a", "Alpha holds."), statement("thm:b", "Beta holds."), statement("thm:c", "Gamma holds.")


def test_new_statements_get_the_next_tags_and_old_ones_keep_theirs() -> None:
    first = assign_tags(corpus(A, B))
    assert first.of == {"book:thm:a": "0001", "book:thm:b": "0002"}
    second = assign_tags(corpus(C, B, A), first.table)
    assert second.of == {"book:thm:c": "0003", "book:thm:b": "0002", "book:thm:a": "0001"}


def test_a_tag_follows_a_renamed_label_and_the_old_label_is_kept() -> None:
    first = assign_tags(corpus(A, B))
    renamed = replace(A, id="book:thm:first", label="thm:first")
    second = assign_tags(corpus(renamed, B), first.table)
    assert second.of["book:thm:first"] == "0001"
    assert second.table["0001"].old == ("thm:a",)
    back = assign_tags(corpus(A, B), second.table)
    assert back.table["0001"] == Tagged("0001", "thm:a", text_hash(A), ("thm:first",))


def test_a_tag_stays_with_its_label_when_the_text_changes() -> None:
    first = assign_tags(corpus(A))
    changed = replace(A, lines=("Alpha holds always.",))
    second = assign_tags(corpus(changed), first.table)
    assert second.of == first.of
    assert second.table["0001"].text == text_hash(changed) != text_hash(A)


def test_the_tag_of_a_removed_statement_is_never_given_again() -> None:
    first = assign_tags(corpus(A, B))
    second = assign_tags(corpus(A), first.table)
    assert [one.tag for one in second.removed] == ["0002"]
    third = assign_tags(corpus(A, C), second.table)
    assert third.of["book:thm:c"] == "0003"
    again = assign_tags(corpus(A, B, C), third.table)
    assert again.of["book:thm:b"] == "0002"


def test_equal_texts_are_matched_in_order() -> None:
    twins = [statement(f"x{n}", "The same.") for n in range(3)]
    first = assign_tags(corpus(*twins))
    renamed = [statement(f"y{n}", "The same.") for n in range(3)]
    assert list(assign_tags(corpus(*renamed), first.table).of.values()) == ["0001", "0002", "0003"]


def test_renaming_all_labels_at_once_is_followed_through_citations_and_labels() -> None:
    old = statement("lem:x", r"See \cref{thm:a}\label{lem:x} and \eqref{eq:1}.")
    new = statement("lemma-x", r"See \cref{theorem-a}\label{lemma-x} and \eqref{equation-1}.")
    assert text_hash(old) == text_hash(new)


def test_tags_of_the_source_are_kept() -> None:
    own = statement("lemma-q", "Quot.", tag="00AB")
    made = assign_tags(corpus(A, own))
    assert made.of == {"book:thm:a": "00AC", "book:lemma-q": "00AB"}
    odd = statement("odd", "Odd.", tag="not a tag")
    assert assign_tags(corpus(odd)).of == {"book:odd": "0001"}
    taken = statement("late", "Late.", tag="00AC")
    assert assign_tags(corpus(A, own, taken), made.table).of["book:late"] == "00AD"
    renamed = statement("lemma-r", "Quot, rewritten.", tag="00AB")
    assert assign_tags(corpus(A, renamed), made.table).of["book:lemma-r"] == "00AB"


def test_the_last_tag() -> None:
    with pytest.raises(TagsExhausted):
        assign_tags(corpus(A), {"ZZZZ": Tagged("ZZZZ", "gone")})


@given(st.dictionaries(st.text(min_size=1, max_size=12).map(str.strip).filter(bool), st.text(max_size=30), max_size=8))
def test_what_is_written_is_read_again(given_texts: dict[str, str]) -> None:
    made = assign_tags(corpus(*(statement(label, text) for label, text in given_texts.items())))
    assert parse_tags(format_tags(made.table), "tags") == dict(made.table)


def test_the_format_of_stacks_is_read() -> None:
    table = parse_tags("# comment\n0000,introduction-section\n0001,a,b\n\n", "tags")
    assert table["0001"] == Tagged("0001", "a,b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "tags:1: not a tag"),
        ("00a1,label", "tags:1: not a tag"),
        ("0001,", "tags:1: not a tag"),
        ("0001,a\n0001,b", "tags:2: the tag 0001 has two labels"),
        ("0001,a,old", "has only former labels"),
    ],
)
def test_a_file_that_is_none(text: str, message: str) -> None:
    with pytest.raises(BadSchema, match=message):
        parse_tags(text, "tags")
