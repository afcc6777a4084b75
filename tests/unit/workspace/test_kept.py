"""What is prepared from a corpus once and kept."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.ranking.hybrid import HybridScorer
from naturalproofs.ranking.hybrid.library import Library
from naturalproofs.workspace.kept import kept_folder, prepared, search_index
from naturalproofs.workspace.search import SearchIndex, search
from naturalproofs.workspace.shelf import Shelf


def test_an_index_is_made_once_and_a_damaged_one_again(
    primer: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = kept_folder(tmp_path, primer)
    assert search([search_index(primer, folder)], "compact").total > 0
    monkeypatch.setattr(SearchIndex, "build", lambda *_: pytest.fail("it is kept already"))
    assert search([search_index(primer, folder)], "compact").total > 0
    monkeypatch.undo()
    (folder / "search" / "search.sqlite").write_text("{", "utf-8")
    assert search([search_index(primer, folder)], "compact").total > 0


def test_terms_are_cut_once(primer: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = kept_folder(tmp_path, primer)
    monkeypatch.setattr("naturalproofs.workspace.methods.shipped_runs", lambda: False)
    fresh = prepared(Shelf(LoadedCorpus(primer, (), ())), folder)
    monkeypatch.setattr("naturalproofs.workspace.index.terms.cut", lambda *_: pytest.fail("they are kept already"))
    again = prepared(Shelf(LoadedCorpus(primer, (), ())), folder)
    assert list(again.forward.terms) == list(fresh.forward.terms)
    assert prepared(Shelf(LoadedCorpus(primer, (), ())), None).forward is None


def test_the_shipped_ranker_is_prepared_once(primer: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = kept_folder(tmp_path, primer)
    first = prepared(Shelf(LoadedCorpus(primer, (), ())), folder)
    assert first.forward is None, "it has terms of its own"
    assert isinstance(first.advisor, HybridScorer)
    monkeypatch.setattr(Library, "of", lambda *_: pytest.fail("it is kept already"))
    assert isinstance(prepared(Shelf(LoadedCorpus(primer, (), ())), folder).advisor, HybridScorer)


def test_what_cannot_be_kept_is_no_error(primer: Corpus, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", "utf-8")
    assert kept_folder(blocked, primer) is None
    assert kept_folder(None, primer) is None
    (tmp_path / "search").write_text("in the way", "utf-8")
    assert search([search_index(primer, tmp_path)], "compact").total > 0
