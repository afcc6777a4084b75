"""Searching the Primer: what is found, where, and in which order."""

import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import NotAnIndex
from naturalproofs.records import Note, Place, Statement
from naturalproofs.workspace.search import SearchIndex, marked, search
from naturalproofs.workspace.search import index as database
from naturalproofs.workspace.search import index as index_module
from naturalproofs.workspace.search.documents import citation_contexts
from naturalproofs.workspace.search.index import DATABASE


@pytest.fixture(scope="module")
def index(primer):
    return SearchIndex.build(primer)


def labels(found):
    return [hit.statement.label for hit in found.items]


def _statement(label, text, *, title="", kind="theorem", form="lemma", **more):
    return Statement(f"t:{label}", kind, label, title, (text,), form=form, **more)


@pytest.fixture(scope="module")
def small():
    place = Place("t", "Rings", "Ideals", 0)
    return SearchIndex.build(
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
    hit = search([small], query).items[0]
    assert (hit.statement.label, hit.field) == (label, field)


def test_a_number_of_another_form_is_not_meant(small):
    assert "number" not in [hit.field for hit in search([small], "theorem 2.1").items]


def test_formulas_of_the_same_shape_are_found(small):
    assert set(labels(search([small], "$H^j(Z, E) = 0$"))) == {"lem-b", "lem-e"}


def test_phrases_and_exclusions_are_strict(small):
    assert labels(search([small], '"chain complexes"')) == ["lem-e"]
    assert labels(search([small], '"complexes chain"')) == []
    assert "lem-e" not in labels(search([small], "chain -complexes"))
    assert labels(search([small], "chain -complexes"))


def test_filters_are_strict(small):
    assert labels(search([small], "kind:definition")) == ["def-c"]
    assert labels(search([small], "", kinds=["definitions"])) == ["def-c"]
    assert labels(search([small], "", chapters=["ring"])) == ["lem-zorn"]
    assert labels(search([small], "category:topo")) == ["lem-b"]
    assert labels(search([small], "chain kind:corollary")) == []


def test_a_slip_is_forgiven_and_told(small):
    found = search([small], "noetherain ring")
    assert labels(found)[0] == "def-c"
    assert found.corrections == (("noetherain", "noetherian"),)
    assert found.suggestions == ("noetherian ring",)


def test_nothing_found_comes_with_advice(small):
    assert search([small], '"small bound" kind:lemma').suggestions[0] == '"small bound"'
    assert search([small], "zorn kind:corollary").suggestions == ("zorn",)
    assert search([small], "qqqqq").items == ()


def test_more_hits_follow_the_first(index):
    whole = labels(search([index], "group", k=10))
    assert labels(search([index], "group", k=5)) == whole[:5]
    assert search([index], "group", k=3).total > 10


def test_marks_are_the_words_that_match(index):
    for query in ("finite cyclic groups", "prime number"):
        for hit in search([index], query).items:
            words = {hit.snippet[a:b].casefold() for a, b in hit.marks}
            assert all(w.startswith(("finit", "cyclic", "group", "prime", "number", "numer")) for w in words), words
            assert list(hit.marks) == sorted(hit.marks)


def test_marks_cut_no_formula(index):
    hits = [hit for query in ("$x^2$", "$a \\in A$", "group of order $p$") for hit in search([index], query).items]
    assert any(hit.marks for hit in hits)
    for hit in hits:
        for start, end in hit.marks:
            assert hit.snippet.count("$", 0, start) % 2 == 0
            assert hit.snippet.count("$", start, end) % 2 == 0


def test_marked_puts_signs_around_marks():
    assert marked("a finite group", [(2, 8)], "<", ">") == "a <finite> group"


def test_a_stored_index_answers_the_same(primer, index, tmp_path):
    opened = SearchIndex.build(primer, tmp_path / "stored")
    for query in ("lagrange", "finite group", '"finite group"', "$x^2$", "nomral subgroup"):
        assert search([opened], query) == search([index], query)


def test_an_index_of_other_statements_is_built_again(primer, tmp_path):
    first = SearchIndex.open_or_build(primer, tmp_path / "stored")
    again = SearchIndex.open_or_build(primer, tmp_path / "stored")
    assert again.fingerprint == first.fingerprint
    fewer = replace(primer, statements=primer.statements[:9])
    built = SearchIndex.open_or_build(fewer, tmp_path / "stored")
    assert built.fingerprint == SearchIndex.open(tmp_path / "stored", fewer).fingerprint != first.fingerprint
    with pytest.raises(NotAnIndex, match="another corpus"):
        SearchIndex.open(tmp_path / "stored", primer)


def test_an_index_answers_several_threads(index):
    queries = ["finite group", "$x^2$", '"finite group"', "prime"] * 5
    alone = [search([index], query) for query in queries]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda query: search([index], query), queries)) == alone


def test_an_index_of_another_version_is_refused(primer, tmp_path, monkeypatch):
    SearchIndex.build(primer, tmp_path / "stored")
    monkeypatch.setattr("naturalproofs.workspace.search.index.CACHE_VERSION", 0)
    with pytest.raises(NotAnIndex, match="another version"):
        SearchIndex.open(tmp_path / "stored", primer)


@pytest.mark.parametrize("sql", ["CREATE VIEW more AS SELECT 1", "DROP INDEX term_reversed"])
def test_a_database_with_other_tables_is_refused(primer, tmp_path, sql):
    SearchIndex.build(primer, tmp_path / "stored")
    with sqlite3.connect(tmp_path / "stored" / DATABASE) as connection:
        connection.execute(sql)
    with pytest.raises(NotAnIndex, match="unexpected tables"):
        SearchIndex.open(tmp_path / "stored", primer)


def test_damage_that_a_query_meets_is_one_clear_error(primer, tmp_path):
    SearchIndex.build(primer, tmp_path / "stored")
    file = tmp_path / "stored" / DATABASE
    data = bytearray(file.read_bytes())
    data[8192:-4096] = bytes(len(data) - 12288)
    file.write_bytes(data)
    with pytest.raises(NotAnIndex, match="damaged"):
        search([SearchIndex.open(tmp_path / "stored", primer)], "group")


def test_an_index_without_vectors_is_built_again_once_they_can_be_computed(primer, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert SearchIndex.open_or_build(primer, tmp_path / "stored").vectors is None
    assert not SearchIndex.open(tmp_path / "stored", primer).complete
    monkeypatch.undo()
    assert SearchIndex.open_or_build(primer, tmp_path / "stored").vectors is not None


def test_search_needs_no_numpy(primer, index, tmp_path, monkeypatch):
    """An index can be built without numpy, and one with vectors can be searched without it."""
    for package in ("numpy", "scipy", "scipy.sparse", "sklearn"):
        monkeypatch.setitem(sys.modules, package, None)
    alone = SearchIndex.build(primer, tmp_path / "stored")
    assert alone.vectors is None
    query = "the order of a subgroup divides the order of the finite group"
    assert "thm:lagrange" in labels(search([alone], query, k=3))
    monkeypatch.undo()
    with_vectors = SearchIndex.build(primer, tmp_path / "vectors")
    assert with_vectors.vectors is not None
    for package in ("numpy", "scipy", "scipy.sparse", "sklearn"):
        monkeypatch.setitem(sys.modules, package, None)
    opened = SearchIndex.open(tmp_path / "vectors", primer)
    assert labels(search([opened], query)) == labels(search([alone], query))


def test_of_many_statements_a_sample_is_analysed_and_all_get_vectors(primer, index, monkeypatch):
    monkeypatch.setattr(database, "LARGEST_SAMPLE", len(primer.statements) // 2)
    monkeypatch.setattr(database, "BLOCK", 7)
    sampled = SearchIndex.build(primer)
    assert sampled.vectors.shape == index.vectors.shape
    lengths = (sampled.vectors.astype("float32") ** 2).sum(axis=1)
    assert abs(lengths - 1).max() < 0.01
    whole, part = (one.nearest({"group": 1.0, "order": 1.0}, (), 10) for one in (index, sampled))
    assert len(whole.keys() & part.keys()) >= 5


def test_blocks_of_vectors_give_the_same_nearness(primer, index, monkeypatch):
    monkeypatch.setattr(index_module, "BLOCK", 7)
    again = SearchIndex.build(primer)
    whole = range(1, index.size + 1)
    assert again.nearest({"group": 1.0}, whole, 10) == index.nearest({"group": 1.0}, whole, 10)


def test_meaning_finds_more(index):
    found = search([index], "the order of a subgroup divides the order of the finite group", k=200)
    assert {hit.field for hit in found.items} >= {"text", "meaning"}


def test_an_index_cannot_be_written(index):
    with pytest.raises(NotAnIndex, match="readonly"):
        index.rows("DELETE FROM term")


def test_several_corpora_are_searched_as_one(index, small):
    both = search([index, small], "zorn chain", k=20)
    assert {hit.corpus for hit in both.items} == {"primer", "t"}
    assert [hit.score for hit in both.items] == sorted((hit.score for hit in both.items), reverse=True)
    assert {hit.corpus for hit in search([index, small], "chain corpus:t").items} == {"t"}
    assert {hit.corpus for hit in search([index, small], "chain corpus:T").items} == {"t"}


def test_a_word_is_misspelt_only_if_no_corpus_has_it(index, small):
    assert search([index, small], "noetherian").corrections == ()
    assert search([index, small], "noetherain").corrections == (("noetherain", "noetherian"),)


def test_a_corpus_is_chosen_by_its_name_or_a_part_of_it(index, small):
    assert {hit.corpus for hit in search([index, small], "chain corpus:prim").items} == {"primer"}
    assert search([index, small], "chain corpus:nothing").items == ()


@pytest.mark.parametrize("query", ["definition of a ring", "what is a ring?", "Define ring"])
def test_a_definition_that_is_asked_for_comes_first(index, query):
    assert labels(search([index], query))[0] == "def:ring"


def test_a_title_that_reads_like_a_question_is_a_title():
    titled = _statement("thm-a", "Cuts.", title="Definition of Real Numbers")
    defined = _statement("def-a", "The \\emph{real numbers} are complete.", kind="definition", form="definition")
    index = SearchIndex.build(Corpus("t", (defined, titled), Provenance("latex", "fixed")))
    assert labels(search([index], "Definition of Real Numbers"))[0] == "thm-a"
    assert labels(search([index], "what are the real numbers"))[0] == "def-a"


def test_the_definition_of_a_term_comes_first(small):
    corpus = Corpus(
        "t",
        (
            _statement("lem-flat", "A flat module is flat over a flat ring.", title="Flat and flat"),
            _statement("def-flat", "A module is \\emph{flat} if it is exact.", kind="definition", form="definition"),
        ),
        Provenance("latex", "fixed"),
    )
    assert labels(search([SearchIndex.build(corpus)], "flat"))[0] == "def-flat"


def test_a_compound_with_a_formula_does_not_define_its_last_word():
    compound = _statement("def-a", "It is \\emph{$\\sigma$-compact} then.", kind="definition", form="definition")
    assert not SearchIndex.build(Corpus("t", (compound,), Provenance("latex", "fixed"))).defining(["compact"])


def test_others_words_about_a_statement_find_it(primer):
    target = next(s for s in primer.statements if s.proofs and s.proofs[0].references)
    heard = citation_contexts(primer)
    assert heard.of(target.proofs[0].references[0])
    assert heard.of("nothing cites this") == []


def test_every_title_of_the_primer_finds_its_statement(primer, index):
    titled = [s for s in primer.statements if s.title]
    found = [s.id in [hit.id for hit in search([index], s.title, k=5).items] for s in titled]
    assert len(found) > 50
    assert all(found)


@given(st.text(max_size=60))
def test_nothing_that_is_asked_is_an_error(index, text):
    found = search([index], text, k=3)
    assert len(found.items) <= 3
    for hit in found.items:
        assert all(0 <= a < b <= len(hit.snippet) for a, b in hit.marks)


def test_text_that_is_no_unicode_can_be_searched_for(index):
    assert search([index], "\udcffgroup").items


def test_an_empty_corpus_can_be_searched():
    nothing = SearchIndex.build(Corpus("e", (), Provenance("latex", "fixed")))
    assert search([nothing], "x $y$").items == ()
    assert search([nothing], "").total == 0


def test_what_is_known_by_its_title_is_shown_by_what_it_says():
    note = Note("history", ("Named after Nakayama, though Nakayama did not like it.",))
    known = _statement("lem-nak", "A finite module $M = IM$ is zero.", title="Nakayama", notes=(note,))
    index = SearchIndex.build(Corpus("t", (known,), Provenance("latex", "fixed")))
    (hit,) = search([index], "nakayama").items
    assert hit.snippet.startswith("A finite module")


def test_a_snippet_says_where_its_text_is_cut():
    filler = "nothing of note stands here at all " * 12
    texts = ("A lemniscate.", f"A lemniscate {filler}.", f"{filler} a lemniscate.", f"{filler} a lemniscate {filler}.")
    place = Place("t", "Curves", "", 0)
    made = [_statement(f"lem-{at}", text, place=replace(place, position=at)) for at, text in enumerate(texts)]
    index = SearchIndex.build(Corpus("t", tuple(made), Provenance("latex", "fixed")))
    found = {hit.statement.label: hit.cut for hit in search([index], "lemniscate").items}
    assert found == {"lem-0": (False, False), "lem-1": (False, True), "lem-2": (True, False), "lem-3": (True, True)}


def test_an_index_with_lengths_of_other_fields_is_damaged(primer, tmp_path):
    SearchIndex.build(primer, tmp_path / "index")
    with closing(sqlite3.connect(tmp_path / "index" / DATABASE)) as connection, connection:
        connection.execute("""UPDATE meta SET value = replace(value, '"text"', '"tezt"') WHERE key = 'lengths'""")
    with pytest.raises(NotAnIndex, match="damaged"):
        SearchIndex.open(tmp_path / "index", primer)
