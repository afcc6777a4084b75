import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.workspace.search.query import parse_query


def test_every_part_is_read():
    query = parse_query(
        'finite groups "normal subgroup" -abelian -"free group" kind:lemma chapter:"Group theory" $x^2$'
    )
    assert query.words == ("finit", "group")
    assert query.phrases == (("normal", "subgroup"),)
    assert query.excluded == (("abelian",), ("fre", "group"))
    assert query.kinds == ("lemma",)
    assert query.chapters == ("Group theory",)
    assert query.formulas == ("$x^2$",)


def test_stop_words_count_only_alone():
    assert parse_query("when is a map open?").words == ("map", "open")
    assert parse_query("the").words == ("the",)


def test_signs_give_a_formula_away():
    assert parse_query(r"f^{-1}(U) \subset V").formulas == (r"f^{-1}(U) \subset V",)
    assert parse_query("x→y").formulas == ("x→y",)


def test_latex_that_is_pasted_is_no_formula():
    query = parse_query(r"the {\v C}ech complex of Lemma \ref{lemma-a}")
    assert query.words == ("cech", "complex", "lemma")
    assert not query.formulas


def test_a_formula_may_be_part_of_a_word():
    query = parse_query(r"\mathcal{O}_X-module of finite type")
    assert query.formulas == (r"\mathcal{O}_X",)
    assert query.words == ("modul", "finit", "typ")


@pytest.mark.parametrize("text", ["a²+b²=c²", "∀ε ∃δ", "x→y"])
def test_unicode_signs_are_a_formula(text):
    assert parse_query(text).formulas == (text,)


@pytest.mark.parametrize("text", ["definition of metric space", "What is a metric space?", "define the metric space"])
def test_a_definition_can_be_asked_for(text):
    query = parse_query(text)
    assert query.definition
    assert query.subject == "metric space"
    assert query.words == ("metric", "spac")


def test_a_question_without_a_subject_is_only_words():
    assert not parse_query("what is").definition


def test_a_hyphen_in_a_word_excludes_nothing():
    query = parse_query("quasi-compact map")
    assert not query.excluded
    assert query.words == ("quasi", "compact", "map")


def test_only_the_last_word_may_be_unfinished():
    assert parse_query("finite gro").unfinished
    assert not parse_query("finite gro ").unfinished
    assert not parse_query("finite group?").unfinished


@given(st.text(max_size=200))
def test_nothing_typed_is_an_error(text):
    query = parse_query(text)
    assert len(query.words) == len(query.spelt)
