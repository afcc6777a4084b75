"""Evaluate, save, compare and reproduce on the command line; figures on real sources."""

import json
import shutil

import pytest

from naturalproofs.benchmark.audit import audit
from naturalproofs.benchmark.evaluation import evaluate, load_run
from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.data import primer_folder
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.protocols import PROTOCOLS
from naturalproofs.tasks.splits import leaf_split
from support.command_line import call

PAPER_TFIDF = "tfidf(tokeniser='simple', sublinear=False, title_weight=1)"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluation") / "primer"
    assert call("build", "latex", primer_folder(), "-o", folder)[0] == 0
    return folder


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol(corpus, name):
    code, out, err = call("evaluate", "bm25", corpus, "--split", "eval", "--protocol", name, "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    keys = {"corpus", "split", "protocol", "method", "queries", "candidates", "measures", "seconds"}
    assert keys <= set(found)
    assert found["protocol"] == name
    assert {"mAP", "R@10", "R@100", "Full@10", "Full@100"} <= set(found["measures"])
    assert 0 < found["measures"]["mAP"] < 100


def test_protocols_order_as_they_should(primer):
    """Taking the query out of its own candidates helps, and so does leaving out what cannot be used."""
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    ranker = parse_ranker("tfidf")
    values = {
        name: evaluate(ranker, primer, splits=splits, split="eval", protocol=name).measures["mAP"] for name in PROTOCOLS
    }
    assert values["paper"] < values["clean"] < values["accessible"]


def test_runs_are_saved_compared_and_checked(corpus, tmp_path):
    for method in ("random", "bm25"):
        assert call("evaluate", method, corpus, "--split", "eval", "-o", tmp_path / method)[0] == 0
    code, out, _ = call("compare", tmp_path / "bm25", tmp_path / "random")
    assert code == 0
    row = next(line for line in out.split("\n") if line.startswith("a  bm25"))
    assert row.count(" b") >= 5
    assert "Where they differ most" in out
    path = tmp_path / "bm25" / "queries.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    code, _, err = call("compare", tmp_path / "bm25", tmp_path / "random")
    assert code == 1
    assert "changed since it was written" in err


def test_show_prints_what_runs_answered(corpus, tmp_path):
    assert call("evaluate", "bm25", corpus, "--split", "eval", "-o", tmp_path / "bm25")[0] == 0
    query = json.loads((tmp_path / "bm25" / "queries.jsonl").read_text().split("\n")[0])
    name = query["query"].partition("#")[0]
    code, out, _ = call("show", corpus, name, "--run", tmp_path / "bm25")
    assert code == 0
    assert f"Ranks of what {query['query']} cites" in out
    assert "Ranked first (* is cited)" in out
    code, _, err = call("show", corpus, "def:group", "--run", tmp_path / "bm25")
    assert code == 1
    assert "has no query for" in err


@pytest.mark.parametrize("by", ["kind", "seen", "size", "category"])
def test_in_groups(corpus, by):
    code, out, _ = call("evaluate", "bm25", corpus, "--split", "eval", "--by", by, "--format", "json")
    assert code == 0
    found = json.loads(out)["groups"]
    assert len(found) >= 2
    assert all(0 <= values["mAP"] <= 100 for values in found.values())
    assert f"By {by}" in call("evaluate", "bm25", corpus, "--split", "eval", "--by", by)[1]


def test_a_run_goes_out_and_comes_back(corpus, tmp_path):
    """Our top 606 as a TREC run, scored as if another program had made it."""
    code, printed, _ = call("evaluate", "bm25", corpus, "--split", "test", "--trec", "606", "-o", tmp_path / "own")
    assert code == 0
    (tmp_path / "own.trec").write_text(printed)
    code, _, said = call(
        "evaluate", "elsewhere", corpus, "--split", "test", "--run", tmp_path / "own.trec", "-o", tmp_path / "other"
    )
    assert code == 0
    assert "605 candidates for a query" in said
    own, other = load_run(tmp_path / "own"), load_run(tmp_path / "other")
    assert other.measures == own.measures
    assert other.spec.method == "elsewhere"
    assert call("leaderboard", tmp_path, "-o", tmp_path / "page.html")[0] == 0


def test_a_trec_run_is_read_by_others(corpus, tmp_path):
    """Our mAP of the hundred best, computed by trec_eval from the exported run and qrels."""
    ir_measures = pytest.importorskip("ir_measures")
    call("evaluate", "bm25", corpus, "--split", "test", "--trec", tmp_path / "run.txt", "-o", tmp_path / "run")
    call("export", corpus, "--to", "trec", "-o", tmp_path / "trec")
    qrels = next(path for path in (tmp_path / "trec").rglob("*") if path.is_file() and "test" in path.name)
    judged = list(ir_measures.read_trec_qrels(str(qrels)))
    ranked = list(ir_measures.read_trec_run(str(tmp_path / "run.txt")))
    theirs = ir_measures.calc_aggregate([ir_measures.RR @ 100, ir_measures.Success @ 10], judged, ranked)
    ours = json.loads((tmp_path / "run" / "run.json").read_text())["measures"]
    assert 100 * theirs[ir_measures.Success @ 10] == pytest.approx(ours["Hit@10"], abs=0.01)
    assert 100 * theirs[ir_measures.RR @ 100] == pytest.approx(ours["RR"], abs=0.3)


def test_tune_records_what_it_tried(corpus, tmp_path):
    choices = ("--try", "k1=0.9|1.5", "--try", "b=0.5|0.75")
    code, out, err = call("tune", "bm25", corpus, *choices, "-o", tmp_path / "trials.jsonl")
    assert code == 0
    trials = [json.loads(line) for line in (tmp_path / "trials.jsonl").read_text().strip().split("\n")]
    assert len(trials) == err.count("\n") == 4
    best = max(trials, key=lambda trial: trial["value"])
    assert out.strip().endswith(best["method"])
    code, _, err = call("tune", "bm25", corpus, *choices, "--split", "test")
    assert code == 1
    assert "test is for reporting" in err


def test_audit(corpus):
    code, out, _ = call("audit", corpus, "--format", "json", "--near", "0.3")
    found = json.loads(out)
    assert (code, found["leak"]) == (0, "")
    assert found["near"]
    assert 0 < found["unseen_gold"] < found["gold"]
    assert "Leak: none" in call("audit", corpus)[1]


def test_audit_of_a_real_split(real_corpus):
    built = real_corpus("stacks", "paper")
    found = audit(built, make_splits(built, Recipe(), built.own_splits))
    assert (found.unseen_gold, found.gold, len(found.same_text)) == (989, 4256, 26)


def test_different_tasks_cannot_be_compared(corpus, tmp_path):
    for split in ("valid", "test"):
        assert call("evaluate", "bm25", corpus, "--split", split, "-o", tmp_path / split)[0] == 0
    code, _, err = call("compare", tmp_path / "valid", tmp_path / "test")
    assert code == 1
    assert "different tasks" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bm26", "CORPUS"], "no method is called"),
        (["bm25", "CORPUS", "--split", "dev"], "no split is called"),
        (["bm25", "CORPUS", "--protocol", "fair"], "no protocol is called"),
        (["recency", "CORPUS"], "use the protocol 'accessible'"),
    ],
)
def test_errors_are_one_clear_line(corpus, arguments, message):
    code, out, err = call("evaluate", *[corpus if a == "CORPUS" else a for a in arguments])
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "split", "measure", "value", "within"),
    [
        ("stacks", "eval", "mAP", 13.5, 1.0),
        ("stacks", "eval", "R@100", 47.8, 2.0),
        ("trench", "test", "mAP", 15.79, 1.0),
        ("stein", "test", "mAP", 16.42, 1.0),
    ],
)
def test_the_papers_tfidf(real_corpus, name, split, measure, value, within):
    built = real_corpus(name, "paper")
    splits = make_splits(built, Recipe(), built.own_splits)
    found = evaluate(PAPER_TFIDF, built, splits=splits, split=split, protocol="paper")
    assert found.measures[measure] == pytest.approx(value, abs=within)


def test_classical_methods_on_stacks(real_corpus):
    built = real_corpus("stacks", "fixed")
    splits = make_splits(built, Recipe(), built.own_splits)
    found = evaluate("fusion", built, splits=splits, split="eval").measures
    assert found["mAP"] >= 27
    assert found["R@10"] >= 38
    assert found["R@100"] >= 69


def test_reproduce_resumes(real_source, tmp_path):
    assert call("build", "stein", real_source("stein"), "-o", tmp_path / "stein", "--rules", "paper")[0] == 0
    arguments = ("reproduce", tmp_path / "stein", "-o", tmp_path / "out", "--format", "json")
    code, first, err = call(*arguments)
    assert code == 0
    assert "cached" not in err
    code, second, err = call(*arguments)
    assert (code, second) == (0, first)
    assert err.count("cached") == err.count("\n")
    table = next(table for table in json.loads(first) if table["table"] == "zero-shot")
    tfidf = next(row for row in table["rows"] if row["label"] == "TF-IDF")
    assert tfidf["measures"]["mAP"]["paper"] == 16.42
    assert table["not computed"]


@pytest.fixture
def suite(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([{"name": "primer", "path": "primer", "kind": "book", "licence": "CC0"}]))
    (tmp_path / "texts").mkdir()
    shutil.copytree(primer_folder(), tmp_path / "texts" / "primer")
    return file, tmp_path / "texts"


def test_reproduce_says_that_the_paper_has_nothing_to_compare_with(corpus, tmp_path):
    code, out, err = call("reproduce", corpus, "-o", tmp_path / "out")
    assert code == 0
    assert "Statements and proofs" in out
    assert "the paper has no tables for the source 'latex'; only statistics follow" in err


def test_a_suite_of_books(suite, tmp_path):
    file, texts = suite
    common = ("--suite", file, "--projects", texts)
    code, out, err = call("evaluate", "bm25", *common, "--no-baselines", "--format", "json")
    assert code == 0, err
    found = json.loads(out)
    assert [(row["method"], row["protocol"]) for row in found["results"]] == [
        ("BM25", "zero-shot"),
        ("BM25", "in-project"),
    ]
    assert set(found["results"][0]["books"]["primer"]) == {"statements", "questions", "mAP", "R@10", "Hit@1"}
    code, out, _ = call("evaluate", "recency", *common, "--protocol", "zero-shot", "--no-baselines")
    assert code == 0
    assert "Macro means over 1 books" in out
    assert call("export", *common, "--to", "beir", "-o", tmp_path / "out")[0] == 0
    assert (tmp_path / "out" / "primer" / "qrels" / "test.tsv").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "bm25"], "Missing argument 'PATH'"),
        (["evaluate", "bm25", "--suite", "books"], "clone each book"),
        (["evaluate", "bm25", "--suite", "books", "--trec", "x"], "--suite takes no"),
        (["export", "--to", "trec", "--suite", "books", "-o", "x"], "--to beir"),
    ],
)
def test_mistakes_with_suites(arguments, message):
    code, _, err = call(*arguments)
    assert code != 0
    assert message in err


def test_an_older_version(corpus):
    code, _, err = call("evaluate", "bm25", corpus, "--older", corpus)
    assert code == 1
    assert "new has no examples" in err
