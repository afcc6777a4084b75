"""Small parts: charts, metrics, values made once, kept indexes, runs in folders, names of hosts."""

import threading
from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.errors import SourceNotFound
from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.experiments.runs import RunSpec, save_run
from naturalproofs.ranking.hybrid import HybridScorer
from naturalproofs.ranking.hybrid.library import Library
from naturalproofs.records import Mention, Place, Statement
from naturalproofs.web.charts import bars, columns, dots
from naturalproofs.web.macros import macros_of, usual_macros
from naturalproofs.web.metrics import Metrics
from naturalproofs.web.once import Once
from naturalproofs.web.reading import Reading, rendered
from naturalproofs.web.runs import load_tasks
from naturalproofs.web.server import Serving, _hosts
from naturalproofs.workspace.kept import kept_folder, prepared, search_index
from naturalproofs.workspace.search import SearchIndex
from naturalproofs.workspace.shelf import Shelf


def test_charts_hold_every_figure() -> None:
    made = columns("Title", [3, 0, 1200], ["0", "1", "2+"], "x", "y")
    assert made.count('class="bar"') == 3
    assert "2+: 1,200" in made
    assert dots("Title", [(1, 100), (10, 1)], "x", "y").count('class="dot"') == 2
    assert 'href="/a"' in bars("Title", [("A & B", 3, "/a")], "x")


def test_empty_charts_are_no_error() -> None:
    assert "<svg" in columns("Title", [], [], "x", "y")
    assert "<svg" in dots("Title", [], "x", "y")
    assert "<ol" in bars("Title", [], "x")


def test_metrics_add_up() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.03, 20.0):
        metrics.count("GET", "/a", 200, seconds)
    text = metrics.text()
    assert 'naturalproofs_requests_total{method="GET",route="/a",status="200"} 3' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="0.005"} 1' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="0.05"} 2' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="+Inf"} 3' in text
    assert 'naturalproofs_request_seconds_sum{route="/a"} 20.031000' in text


def test_a_value_is_made_once_by_whoever_asks() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    once = Once(make)
    threads = [threading.Thread(target=once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert once() == 1
    assert made == [1]


def test_an_error_is_not_kept() -> None:
    answers = iter([ValueError("no"), 7])

    def make() -> int:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    once = Once(make)
    with pytest.raises(ValueError, match="no"):
        once()
    assert once() == 7


def test_an_index_is_made_once_and_a_damaged_one_again(
    primer: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = kept_folder(tmp_path, primer)
    assert search_index(primer, folder).search("compact").total > 0
    monkeypatch.setattr(SearchIndex, "of", lambda *_: pytest.fail("it is kept already"))
    assert search_index(primer, folder).search("compact").total > 0
    monkeypatch.undo()
    (folder / "search" / "search.json").write_text("{", "utf-8")
    assert search_index(primer, folder).search("compact").total > 0


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
    assert search_index(primer, tmp_path).search("compact").total > 0


def test_runs_are_found_and_grouped_by_task(tmp_path: Path) -> None:
    for number, (method, split) in enumerate([("bm25", "test"), ("tfidf", "test"), ("bm25", "valid")]):
        spec = RunSpec(method, "c", "abc", "fixed", split, "leaf", "clean", 0)
        query = RankedQuery("c:a#0", ("c:b",), (number + 1,), 10, ("c:b",))
        folder = tmp_path / "deep" / f"{method}-{split}"
        folder.parent.mkdir(exist_ok=True)
        save_run(folder, spec, (query,), candidates=10, seconds=1, measures={"mAP": float(number)}, intervals={})
    tasks = load_tasks(tmp_path)
    assert [[run.manifest.spec.method for run in task.runs] for task in tasks] == [["tfidf", "bm25"], ["bm25"]]
    assert len(tasks[0].table.rows) == 2
    assert tasks[1].table.rows[0][0] == "bm25"
    assert tasks[0].questions == {"c:a": ["c:a#0"]}
    assert load_tasks(None) == ()
    with pytest.raises(SourceNotFound):
        load_tasks(tmp_path / "none")


def test_only_local_names_unless_told() -> None:
    assert "localhost" in _hosts(Serving(()))
    assert _hosts(Serving((), host="0.0.0.0")) == frozenset()
    assert "a.example" in _hosts(Serving((), host="0.0.0.0", allowed=("A.example",)))
    assert _hosts(Serving((), allowed=("*",))) == frozenset()


def test_usual_macros_are_known_and_files_bring_others(tmp_path: Path) -> None:
    assert "<math" in rendered("$\\Spec(R) \\to \\R$", usual_macros())
    assert 'class="tex"' in rendered("$\\mine{x}$", usual_macros())
    file = tmp_path / "macros.tex"
    file.write_text("\\newcommand{\\mine}[1]{#1^2}", "utf-8")
    assert "<msup>" in rendered("$\\mine{x}$", macros_of((str(file),)))
    with pytest.raises(SourceNotFound):
        macros_of((str(tmp_path / "none"),))


def statement(*lines: str, place: bool = False, mentions: tuple[Mention, ...] = ()) -> Statement:
    where = Place("d", "c", "s", 0) if place else None
    return Statement("c:x", "theorem", "x", "", lines, mentions, form="lemma", number="2", place=where)


def test_a_wiki_is_read_line_by_line(primer: Corpus) -> None:
    made = Reading(primer, {}).statement(statement("Let [[Definition:Group|a group]] be", "* one $\\paren x$", "* two"))
    assert made.count("<p") == 3
    assert made.count('<p class="item">') == 2
    assert "a group" in made
    assert "[[" not in made
    assert "<math" in made


def test_only_what_was_found_is_marked(primer: Corpus) -> None:
    made = Reading(primer, {}).excerpt(statement("x"), "a \ue000b\ue001 c & d", [(6, 7)])
    assert made == "a \ufffdb\ufffd <mark>c</mark> &amp; d"


def test_references_are_named_in_what_is_plain(primer: Corpus) -> None:
    cited = (Mention("thm:lagrange", "cref", 1, "primer:thm:lagrange"),)
    made = Reading(primer, {})
    text = statement("By \\cref{thm:lagrange} and Theorem~\\ref{thm:lagrange}.", place=True, mentions=cited)
    assert made.plain(text) == "By Theorem 3.3.5 and Theorem 3.3.5."
    assert made.statement(text).count('href="/statement/primer:thm:lagrange"') == 2
