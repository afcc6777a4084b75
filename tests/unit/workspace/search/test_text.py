import pytest

from naturalproofs.workspace.search.text import fold, one_edit, words


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


def test_money_in_formulas_and_formulas_in_keys_of_the_index():
    text = r"We bet $\$1$ or $\$10-\$2$, the relation \index[names]{refl@$\mathrm{refl}(A)$} holds for $$a\$$$ too"
    assert [w.term for w in words(text) if not w.formula] == "we bet or the relation hold for too".split()


def test_a_formula_that_is_never_closed_swallows_nothing():
    assert [w.term for w in words("one $ two \\( three \\begin{align} four")] == ["one", "two", "thre", "four"]


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("prime", "prim", True),
        ("prime", "primes", True),
        ("prime", "prize", True),
        ("prime", "pirme", True),
        ("prime", "primal", False),
        ("prime", "rpimes", False),
    ],
)
def test_one_edit(one, other, near):
    assert one_edit(one, other) is near
    assert one_edit(other, one) is near
