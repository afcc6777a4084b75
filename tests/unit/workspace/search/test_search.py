"""Searching the Primer: what is found, where, and in which order."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import NotAnIndex
from naturalproofs.records import Note, Place, Statement
from naturalproofs.workspace.search import SearchIndex, marked, search
from naturalproofs.workspace.search.citations import cited_as
from naturalproofs.workspace.search.settings import Settings


@pytest.fixture(scope="module")
def index(primer):
    return SearchIndex.of(primer)


def labels(found):
    return [hit.card.label for hit in found.items]


def _statement(label, text, *, title="", kind="theorem", form="lemma", **more):
    return Statement(f"t:{label}", kind, label, title, (text,), form=form, **more)


@pytest.fixture(scope="module")
def small():
    place = Place("t", "Rings", "Ideals", 0)
    return SearchIndex.of(
        Corpus(
            "t",
            (
                _statement("lem-zorn", "Every chain has a bound.", title="Zorn", number="2.1", tag="00AB", place=place),
                _statement("lem-b", "A quasi-compact space with $H^i(X, F) = 0$ is small.", categories=("Topology",)),
                _statement("def-c", "A ring is Noetherian if chains stop.", kind="definition", form="definition"),
                _statement("rings-lemma-bound", "Nothing about it.", notes=(Note("slogan", ("Towers terminate.",)),)),
                _statement("lem-e", "With $H^n(Y, G) = 0$ for the Künneth map, see \\emph{chain complexes}."),
            ),
            Provenance("latex", "fixed"),
        )
    )


@pytest.mark.parametrize(
    ("query", "label", "field"),
    [
        ("lem-zorn", "lem-zorn", "label"),
        ("T:LEM-ZORN", "lem-zorn", "label"),
        ("lemma-bound", "rings-lemma-bound", "label"),
        ("00ab", "lem-zorn", "tag"),
        ("tag 00AB", "lem-zorn", "tag"),
        ("2.1", "lem-zorn", "number"),
        ("Lemma 2.1", "lem-zorn", "number"),
        ("zorn", "lem-zorn", "title"),
        ("every chains", "lem-zorn", "text"),
        ("quasicompact", "lem-b", "text"),
        ("kunneth", "lem-e", "text"),
        ("towers terminate", "rings-lemma-bound", "note"),
        ("$H^i(X, F) = 0$", "lem-b", "formula"),
        ("$H^n(Y,G)=0$", "lem-e", "formula"),
        ("noeth", "def-c", "text"),
    ],
)
def test_what_is_asked_for_comes_first(small, query, label, field):
    hit = small.search(query).items[0]
    assert (hit.card.label, hit.field) == (label, field)


def test_a_number_of_another_form_is_not_meant(small):
    assert "number" not in [hit.field for hit in small.search("theorem 2.1").items]


def test_formulas_of_the_same_shape_are_found(small):
    assert set(labels(small.search("$H^j(Z, E) = 0$"))) == {"lem-b", "lem-e"}


def test_phrases_and_exclusions_are_strict(small):
    assert labels(small.search('"chain complexes"')) == ["lem-e"]
    assert labels(small.search('"complexes chain"')) == []
    assert "lem-e" not in labels(small.search("chain -complexes"))
    assert labels(small.search("chain -complexes"))


def test_filters_are_strict(small):
    assert labels(small.search("kind:definition")) == ["def-c"]
    assert labels(small.search("", kinds=["definitions"])) == ["def-c"]
    assert labels(small.search("", chapters=["ring"])) == ["lem-zorn"]
    assert labels(small.search("category:topo")) == ["lem-b"]
    assert labels(small.search("chain kind:corollary")) == []


def test_a_slip_is_forgiven_and_told(small):
    found = small.search("noetherain ring")
    assert labels(found)[0] == "def-c"
    assert found.corrections == (("noetherain", "noetherian"),)
    assert found.suggestions == ("noetherian ring",)


def test_nothing_found_comes_with_advice(small):
    assert small.search('"small bound" kind:lemma').suggestions[0] == '"small bound"'
    assert small.search("zorn kind:corollary").suggestions == ("zorn",)
    assert small.search("qqqqq").items == ()


def test_pages_follow_one_another(index):
    whole = labels(index.search("group", k=10))
    assert labels(index.search("group", k=5)) + labels(index.search("group", k=5, start=5)) == whole
    assert index.search("group", k=3).total > 10


def test_marks_are_the_words_that_match(index):
    for query in ("finite cyclic groups", "prime number"):
        for hit in index.search(query).items:
            words = {hit.snippet[a:b].casefold() for a, b in hit.marks}
            assert all(w.startswith(("finit", "cyclic", "group", "prime", "number", "numer")) for w in words), words
            assert list(hit.marks) == sorted(hit.marks)


def test_marks_cut_no_formula(index):
    hits = [hit for query in ("$x^2$", "$a \\in A$", "group of order $p$") for hit in index.search(query).items]
    assert any(hit.marks for hit in hits)
    for hit in hits:
        for start, end in hit.marks:
            assert hit.snippet.count("$", 0, start) % 2 == 0
            assert hit.snippet.count("$", start, end) % 2 == 0


def test_marked_puts_signs_around_marks():
    assert marked("a finite group", [(2, 8)], "<", ">") == "a <finite> group"


def test_a_kept_index_answers_the_same(index, tmp_path):
    index.keep(tmp_path / "kept")
    opened = SearchIndex.open(tmp_path / "kept")
    assert isinstance(opened.made.words.impacts, np.memmap)
    for query in ("lagrange", "finite group", '"finite group"', "$x^2$", "nomral subgroup"):
        assert opened.search(query) == index.search(query)


def test_an_index_of_other_weights_is_refused(primer, tmp_path):
    SearchIndex.of(primer, Settings(meaning=0.9)).keep(tmp_path / "kept")
    with pytest.raises(NotAnIndex, match="another version"):
        SearchIndex.open(tmp_path / "kept")


def test_several_corpora_are_searched_as_one(index, small):
    both = search([index, small], "zorn chain", k=20)
    assert {hit.corpus for hit in both.items} == {"primer", "t"}
    assert [hit.score for hit in both.items] == sorted((hit.score for hit in both.items), reverse=True)
    assert {hit.corpus for hit in search([index, small], "chain corpus:t").items} == {"t"}
    # "noetherian" is no slip though one of the corpora does not know it.
    assert search([index, small], "noetherian").corrections == ()


def test_others_words_about_a_statement_find_it(primer):
    target = next(s for s in primer.statements if s.proofs and s.proofs[0].references)
    heard = cited_as(primer)
    assert set(heard) <= set(primer.by_id)
    assert target.proofs[0].references[0] in heard


def test_every_title_of_the_primer_finds_its_statement(primer, index):
    titled = [s for s in primer.statements if s.title]
    found = [s.id in [hit.id for hit in index.search(s.title, k=5).items] for s in titled]
    assert len(found) > 50
    assert all(found)


@given(st.text(max_size=60))
def test_nothing_that_is_asked_is_an_error(index, text):
    found = index.search(text, k=3)
    assert len(found.items) <= 3
    for hit in found.items:
        assert all(0 <= a < b <= len(hit.snippet) for a, b in hit.marks)


def test_an_empty_corpus_can_be_searched():
    nothing = SearchIndex.of(Corpus("e", (), Provenance("latex", "fixed")))
    assert nothing.search("x $y$").items == ()
    assert replace(nothing, name="f").search("").total == 0


def test_what_is_known_by_its_title_is_shown_by_what_it_says():
    note = Note("history", ("Named after Nakayama, though Nakayama did not like it.",))
    known = _statement("lem-nak", "A finite module $M = IM$ is zero.", title="Nakayama", notes=(note,))
    (hit,) = SearchIndex.of(Corpus("t", (known,), Provenance("latex", "fixed"))).search("nakayama").items
    assert hit.snippet.startswith("A finite module")
