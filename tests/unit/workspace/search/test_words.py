import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.workspace.search.words import fold, quick_words, spelt, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("group", "Groups"),
        ("finite", "finiteness"),
        ("injective", "injectivity"),
        ("glueing", "glue"),
        ("mapping", "map"),
        ("local", "locally"),
        ("closed", "close"),
        ("Künneth", "kunneth"),
        ("Zorn’s", "zorn"),
        ("localisation", "localization"),
        ("colour", "color"),
    ],
)
def test_forms_of_a_word_are_one(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("ring", "r"), ("string", "str"), ("basis", "base"), ("class", "clas")])
def test_other_words_stay_apart(one, other):
    assert fold(one) != fold(other)


def test_words_know_their_places_and_formulas_are_whole():
    text = r"Let $f : X \to Y$ be a quasi-compact \emph{map}, see \ref{lemma-a} % not this"
    found = list(words(text))
    assert [text[w.start : w.end] for w in found] == [
        "Let", r"$f : X \to Y$", "be", "a", "quasi", "compact", "map", "see"
    ]  # fmt: skip
    assert [w.term for w in found if w.joined] == ["compact"]
    assert [w.term for w in found if w.formula] == [r"$f : X \to Y$"]


def test_displayed_formulas_are_formulas():
    text = "so\n\\begin{align*} a &= b \\end{align*} holds"
    assert [w.formula for w in words(text)] == [False, True, False]


def test_a_formula_that_is_never_closed_swallows_nothing():
    assert [w.term for w in words("one $ two \\( three \\begin{align} four")] == ["one", "two", "thre", "four"]


@given(st.text(alphabet="ab $-\\()[]{}é\u0301'%\n", max_size=80))
def test_quick_words_are_the_words(text):
    slow = [(w.term, w.formula, w.joined) for w in words(text)]
    assert [(t, f, j) for t, f, j in quick_words(text) if f] == [w for w in slow if w[1]]
    assert [t for t, f, _ in quick_words(text) if not f] == [w[0] for w in slow if not w[1]]


def test_the_commonest_spelling_is_shown():
    assert spelt(["group", "x"], ["groups Groups group", "groups"]) == ["groups", "x"]
