"""Suggestions from open corpora."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from naturalproofs import load_corpus, suggest
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import consequences
from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.data import primer_folder
from naturalproofs.errors import UnknownName
from naturalproofs.ranking.hybrid import HybridScorer
from naturalproofs.workspace.explained import Explained
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.shelf import Shelf


@pytest.fixture(scope="module")
def library():
    return Library.open([primer_folder()])


def test_only_what_stands_before_the_proof(library):
    theorem = library.shelf("primer").corpus.find("thm:lagrange")
    found = library.suggest(theorem, k=50)
    assert len(found) == 50
    assert all(item.statement.place.position < theorem.place.position for item in found)
    assert {"primer:def:index", "primer:lem:coset-size"} <= {item.statement.id for item in found}
    assert found.about == theorem.id


def test_a_deferred_proof_may_use_what_stands_before_it(library):
    theorem = library.shelf("primer").corpus.find("thm:sylow-first")
    assert theorem.proofs[0].position > theorem.place.position + 1
    later = [i for i in library.suggest(theorem, k=200) if i.statement.place.position > theorem.place.position]
    assert later
    assert all(item.statement.id != theorem.id for item in later)


def test_what_is_cited_is_not_suggested_again(library):
    theorem = library.shelf("primer").corpus.find("thm:lagrange")
    cited = theorem.proofs[0].references
    assert not {item.statement.id for item in library.suggest(theorem, k=100, cited=cited)} & set(cited)


def test_labels_in_a_pasted_proof_count_as_cited(library):
    found = library.suggest(r"Every coset has as many elements.\begin{proof} By \cref{lem:coset-size,nonsense}", k=20)
    assert found.cited == ("primer:lem:coset-size",)
    assert "primer:lem:coset-size" not in {item.statement.id for item in found}


def test_the_beginning_of_a_proof_changes_what_is_suggested(library):
    plain = library.suggest("The number of elements.", k=5)
    told = library.suggest("The number of elements.", k=5, proof="Take a Cauchy sequence in a complete metric space.")
    assert any("cauchy" in item.statement.label for item in told)
    assert not any("cauchy" in item.statement.label for item in plain)


def test_suggestions_say_why_and_how_sure(library):
    found = library.suggest(library.statement("primer:thm:lagrange"), k=10)
    assert isinstance(library.shelves[0].advisor, HybridScorer)
    assert all(0 < item.probability < 1 for item in found)
    assert [i.probability for i in found] == sorted((i.probability for i in found), reverse=True)
    assert {reason.kind for item in found for reason in item.reasons} >= {"votes", "words", "place"}
    assert all(item.reasons for item in found)
    index = next(item for item in found if item.statement.label == "def:index")
    assert (index.name, index.title, index.citation) == ("Definition 3.3.4", "Index", r"\cref{def:index}")
    assert index.where.endswith("chapters/groups.tex:336")
    assert index.preview.startswith("Let H be a subgroup of a group G.")
    assert "stated just above" in index.why


def test_reasons_read_well(library):
    """They name statements as printed or by title, and show no markup."""
    theorems = list(library.shelves[0].corpus.of_kind("theorem"))[::25]
    said = [line for theorem in theorems for item in library.suggest(theorem, k=5) for line in item.why]
    assert len(said) > 100
    assert not [line for line in said if re.search(r"[\\{}*_]|primer:|(lem|thm|def|prop|cor):", line)]
    votes = [line for line in said if "most similar proofs" in line]
    assert votes
    assert all(re.fullmatch(r"cited by \d+ of the \d+ most similar proofs \([^()].*\)", line) for line in votes)


def test_without_lightgbm_a_fusion_suggests(primer, monkeypatch):
    monkeypatch.setattr("naturalproofs.workspace.methods.NEEDED", ("scipy", "no_such_package"))
    library = Library.of([Shelf(LoadedCorpus(primer, (), ()))])
    found = library.suggest(library.statement("primer:thm:lagrange"), k=10)
    assert isinstance(library.shelves[0].advisor, Explained)
    assert found[0].statement.label == "def:index"
    assert all(0 < item.probability < 1 for item in found)
    assert {reason.kind for item in found for reason in item.reasons} == {"votes", "words", "place"}
    assert len(library.suggest("xyzzy plugh")) == 0


def test_nothing_is_suggested_where_nothing_speaks_for_it(library):
    found = library.suggest("xyzzy plugh")
    assert (len(found), found.expected, found.enough) == (0, None, None)
    first = library.shelves[0].corpus.statements[0]
    assert len(library.suggest(first)) == 0
    assert "<table>" in found._repr_html_()


def test_a_wiki_does_not_suggest_what_rests_on_the_theorem(primer):
    statements = tuple(replace(s, place=None) for s in primer.statements)
    corpus = Corpus("wiki", statements, primer.provenance)
    shelf = Shelf(LoadedCorpus(corpus, (), ()))
    theorem = corpus.by_id["primer:thm:lagrange"]
    found = {item.statement.id for item in Library.of([shelf]).suggest(theorem, k=len(statements))}
    after = {theorem.id, *consequences(shelf.graph, theorem.id)}
    assert len(after) > 5
    assert found
    assert not found & after


def test_several_shelves_cite_others_in_words(library, primer):
    other = Shelf(
        LoadedCorpus(Corpus("other", primer.statements, replace(primer.provenance, title="Another Book")), (), ())
    )
    both = Library.of([library.shelves[0], other])
    found = both.suggest("The order of a subgroup divides the order of the group.", k=10)
    assert {item.corpus for item in found} == {"primer", "other"}
    assert all(item.citation.startswith("Another Book, ") == (item.corpus == "other") for item in found)
    only = both.suggest("The order of a subgroup.", k=3, corpora=["other"])
    assert {item.corpus for item in only} == {"other"}


@pytest.mark.parametrize("method", ["bm25", "recency", "fusion(parts=('tfidf', 'recency'), weights=(1.0, 1.0))"])
def test_any_method_suggests(method):
    found = suggest("A finite group of prime order is cyclic.", primer_folder(), k=3, method=method)
    assert len(found) == 3


def test_python_gives_typed_results_and_a_notebook_shows_them():
    corpus = load_corpus(primer_folder())
    found = suggest(corpus.find("thm:lagrange"), corpus, k=3)
    html = found._repr_html_()
    assert html.count("<tr>") == 4
    assert "<math" in html
    evil = replace(found, query="<script>alert(1)</script>")
    assert "<script>" not in evil._repr_html_()


def test_names_that_are_not_there_are_said(library):
    with pytest.raises(UnknownName, match="there are: primer"):
        library.shelf("stacks")
    with pytest.raises(UnknownName, match="ids look like"):
        library.statement("nonsense")
    with pytest.raises(UnknownName, match="two corpora are called 'primer'"):
        Library.open([primer_folder(), primer_folder()])
    with pytest.raises(UnknownName, match="no method is called"):
        Library.open([primer_folder()], method="nonsense").suggest("x")


def test_many_threads_get_the_same_answer(primer):
    shelf = Shelf(LoadedCorpus(primer, (), ()))
    library = Library.of([shelf])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: [i.statement.id for i in library.suggest("prime order group")], range(32)))
    assert all(answer == answers[0] for answer in answers)
