"""Suites of books: descriptions, finding and caching texts, folds, macro figures and tests over books."""

import json
import shutil

import pytest

from naturalproofs.benchmark import suite as suite_module
from naturalproofs.benchmark.suite import (
    HIT,
    MEASURES,
    BookScores,
    SuiteBook,
    SuiteRun,
    book_results,
    comparisons,
    evaluate_suite,
    export_suite,
    folds,
    held_out_trees,
    load_book,
    load_suite,
    suite_data,
)
from naturalproofs.data import primer_folder
from naturalproofs.errors import BadSchema, NotAModel, OutputInTheWay, SourceNotFound, UnknownName
from naturalproofs.ranking.hybrid.ranker import Shipped
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import TrainSet, retrieval_task
from naturalproofs.tasks.protocols import passage_text, protocol
from naturalproofs.tasks.splits import zero_shot_split

BOOKS = [
    {"name": "one", "path": "one", "group": "ann", "language": "en", "kind": "book", "subject": "algebra"},
    {"name": "two", "path": "two", "group": "ann", "language": "en", "kind": "notes", "subject": "algebra"},
    {"name": "far", "path": "far", "group": "bob", "language": "fr", "kind": "book", "subject": "analysis"},
]


@pytest.fixture
def described(tmp_path):
    """A suite of three books of which two are there."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(BOOKS))
    texts = tmp_path / "texts"
    for name in ("one", "two"):
        shutil.copytree(primer_folder(), texts / name)
    return load_suite(str(file)), texts


def test_the_suite_of_the_package_is_complete():
    books = load_suite("books").books
    assert len(books) > 60
    assert all(b.group and b.language and b.subject and b.kind and b.licence and b.repository for b in books)
    # Three PreTeXt books and Trench were packed without their history.
    assert [b.name for b in books if not b.commit] == ["fcla", "aata", "applied-combinatorics", "trench"]
    assert {b.kind for b in books} == {"book", "thesis", "notes", "blueprint"}


def test_no_texts_are_an_error_that_says_how_to_get_them(tmp_path):
    with pytest.raises(SourceNotFound, match="clone each book at the commit"):
        load_suite("books").found([tmp_path])


@pytest.mark.parametrize(
    "text", ["{", '[{"name": 3}]', '[{"name": "a", "path": "a", "colour": "red"}]', json.dumps([*BOOKS, BOOKS[0]])]
)
def test_bad_descriptions(tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(BadSchema):
        load_suite(str(tmp_path / "s.json"))


def test_unknown_suites():
    with pytest.raises(UnknownName, match="give books, or a JSON file"):
        load_suite("novels")


def test_folds_keep_an_author_together(described):
    suite, _ = described
    by_group = list(folds(suite.books))
    assert [(fold.name, [b.name for b in fold.test]) for fold in by_group] == [
        ("ann", ["one", "two"]),
        ("bob", ["far"]),
    ]
    assert [b.name for b in by_group[0].train] == ["far"]


def test_a_book_is_built_once(described, monkeypatch):
    suite, texts = described
    paths, missing = suite.found([texts])
    assert (set(paths), missing) == ({"one", "two"}, ("far",))
    first = load_book(suite.books[0], paths["one"])

    def build(*_, **__):
        raise AssertionError

    monkeypatch.setattr(suite_module, "build", build)
    assert load_book(suite.books[0], paths["one"]).statements == first.statements
    (texts / "one" / "new.tex").write_text("x")
    with pytest.raises(AssertionError):
        load_book(suite.books[0], paths["one"])


def test_macro_means_count_books(described):
    suite, texts = described
    methods = {"bm25": parse_ranker("bm25"), "recency": lambda book: parse_ranker("recency")}
    runs, missing = evaluate_suite(methods, suite, [texts], protocols=["zero-shot"])
    assert missing == ("far",)
    data = json.loads(json.dumps(suite_data(suite, runs, missing), default=lambda one: {"p": one.p}))
    for row in data["results"]:
        assert set(row["macro"]) == {"mAP", "R@10", "R@10 earlier", "Hit@1"}
        assert row["macro_books"] == 2
        # The same text twice: the macro mean is the figure of one book, and the interval has no width.
        assert row["macro"]["mAP"] == pytest.approx(row["books"]["one"]["mAP"])
        assert row["intervals"]["mAP"] == [pytest.approx(row["macro"]["mAP"])] * 2
        assert row["by"]["kind"]["notes"]["books"] == 1
    assert len(data["comparisons"]) == len(MEASURES)


def scores(method, *values):
    measured = [dict.fromkeys(map(str, MEASURES), value) for value in values]
    books = tuple(BookScores(SuiteBook(f"b{i}", ""), 9, 20, one) for i, one in enumerate(measured))
    return SuiteRun(method, "zero-shot", books, 0.0)


def test_books_are_compared_in_pairs():
    better = [0.5 + 0.01 * i for i in range(12)]
    worse = [value - 0.05 for value in better]
    found = {one.measure: one for one in comparisons([scores("a", *better), scores("b", *worse)])}
    assert found["mAP"].difference == pytest.approx(5)
    assert (found["mAP"].wins, found["mAP"].losses) == (12, 0)
    assert found["mAP"].p == pytest.approx(2 / 2**12)
    assert found["mAP"].adjusted == pytest.approx(2 * len(MEASURES) / 2**12)


def test_what_stands_after_a_proof_is_counted_apart(tmp_path):
    text = r"""\documentclass{article}\newtheorem{lemma}{Lemma}\begin{document}
\begin{lemma}\label{a} Rings are good. \end{lemma}
\begin{lemma}\label{b} Rings are very good. \end{lemma}
\begin{proof} By \ref{a} and \ref{c}. \end{proof}
\begin{lemma}\label{c} Fields are good. \end{lemma}
\end{document}"""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "main.tex").write_text(text)
    (tmp_path / "s.json").write_text(json.dumps([{"name": "one", "path": "one"}]))
    suite, methods = load_suite(str(tmp_path / "s.json")), {"x": parse_ranker("recency")}
    (run,), _ = evaluate_suite(methods, suite, [tmp_path], protocols=["zero-shot"])
    (book,) = run.books
    assert book.forward == 0.5
    assert (book.values["R@10"], book.values["R@10 earlier"]) == (0.5, 1.0)


def test_small_books_are_measured_but_not_averaged():
    run = scores("a", 0.5, 0.9)
    few = BookScores(SuiteBook("few", ""), 9, 3, dict.fromkeys(map(str, MEASURES), 0.1))
    run = SuiteRun(run.method, run.protocol, (*run.books, few), 0.0)
    assert run.results().total(HIT) == pytest.approx(0.7)
    assert book_results(run.books).total(HIT) == pytest.approx(0.5)


def test_a_suite_is_exported_with_licences(described, tmp_path):
    suite, texts = described
    summary = export_suite(suite, [texts], tmp_path / "out")
    assert summary.startswith("2 books, ")
    assert summary.endswith("; not found: far")
    about = json.loads((tmp_path / "out" / "suite.json").read_text())
    assert [one["book"]["name"] for one in about["books"]] == ["one", "two"]
    readme = (tmp_path / "out" / "README.md").read_text()
    assert "| one | ann | en | book |" in readme
    assert "micro-average" in readme
    queries = [json.loads(line) for line in (tmp_path / "out" / "one" / "queries.jsonl").read_text().splitlines()]
    assert len(queries) == about["books"][0]["queries"]
    assert all("position" in query["metadata"] for query in queries)
    # Again, unless somebody has changed it.
    export_suite(suite, [texts], tmp_path / "out")
    (tmp_path / "out" / "one" / "notes.txt").write_text("mine")
    with pytest.raises(OutputInTheWay):
        export_suite(suite, [texts], tmp_path / "out")


def test_exports_show_what_methods_see(described, tmp_path):
    suite, texts = described
    export_suite(suite, [texts], tmp_path / "out")
    corpus = load_book(suite.books[0], texts / "one")
    task = retrieval_task(corpus, zero_shot_split(corpus), "test", protocol("zero-shot"))
    documents = [json.loads(line) for line in (tmp_path / "out" / "one" / "corpus.jsonl").read_text().splitlines()]
    assert [(d["title"], d["text"]) for d in documents] == [(p.title, p.text) for p in task.candidates]
    queries = [json.loads(line) for line in (tmp_path / "out" / "one" / "queries.jsonl").read_text().splitlines()]
    assert [q["metadata"]["position"] for q in queries] == [q.theorem.place.position for q in task.queries]
    assert [q["text"] for q in queries] == [passage_text(q.theorem) for q in task.queries]


def test_the_trees_of_a_book_are_those_trained_without_its_author(described, tmp_path):
    suite, _ = described
    (tmp_path / "folds.json").write_text('{"ann": 1}')
    trees_of = held_out_trees(tmp_path)
    assert trees_of(suite.books[0]) == Shipped(trees=str(tmp_path / "1"))
    with pytest.raises(UnknownName, match="bob"):
        trees_of(suite.books[2])
    with pytest.raises(NotAModel, match=r"placed\.txt"):
        trees_of(suite.books[0]).fit(TrainSet((), ()), seed=0)
    with pytest.raises(NotAModel, match="--folds"):
        held_out_trees(tmp_path / "nowhere")
