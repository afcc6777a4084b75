from naturalproofs.ranking.hybrid.candidates import extract_terms, passage_terms, written_words
from naturalproofs.records import Passage


def cut(title, text):
    return passage_terms(Passage("x:1", "theorem", title, text))


def test_words_are_those_outside_formulas_in_the_singular():
    assert cut("", "Let $M$ be flat modules over $R$.")["words"] == ("flat", "module")


def test_text_after_a_displayed_formula_is_no_formula():
    found = cut("", "We have $$ x = y $$ which becomes a sheaf of $R$.")
    assert "sheaf" in found["words"]
    assert "sheaf" not in found["signs"]


def test_letters_keep_their_alphabet():
    assert cut("", r"on $\mathcal{O}_X$ and $\mathcal O$")["signs"] == (r"\mathcal{O}", r"\mathcalO")


def test_the_opening_names_what_a_title_belongs_to():
    assert cut("more morphisms flat descent", "")["opening"] == ("more", "more morphism", "more morphism flat")


def test_empty_texts_have_no_terms():
    found = cut("", "")
    assert found["prose"] == found["tokens"] == found["pairs"] == found["shapes"] == ()


def test_options_of_lists_are_no_words():
    text = "\\begin{enumerate}[label=(\\roman*), leftmargin=2em] \\item Weierstraß is \\emph{good}. \\end{enumerate}"
    assert written_words(text) == {"weierstrass": {"weierstraß"}, "good": {"good"}}
    assert extract_terms("", text)["words"] == ("weierstrass", "good")
