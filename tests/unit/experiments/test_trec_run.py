"""TREC runs made elsewhere: scored as trec_eval scores them, and what is wrong with them is named."""

import pytest
import pytrec_eval

from naturalproofs.benchmark.evaluation import evaluate, evaluate_run, load_run, read_trec_run
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.tasks.dataset import plain_id, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split


@pytest.fixture(scope="module")
def splits(primer):
    return leaf_split(primer, ReferenceGraph.of(primer))


@pytest.fixture(scope="module")
def own(primer, splits):
    return evaluate("bm25", primer, splits=splits, split="valid", depth=1_000)


def written(tmp_path, lines):
    path = tmp_path / "run.trec"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_our_own_run_gives_our_own_figures(primer, splits, own, tmp_path):
    path = tmp_path / "bm25.trec"
    path.write_bytes(own.to_trec())
    run, report = evaluate_run(path, primer, splits, name="elsewhere", split="valid")
    assert run.measures == own.measures
    assert run.spec.method == "elsewhere"
    assert run.spec.external
    assert report.missing == report.other_split == []
    assert report.not_candidates == 0
    run.save(tmp_path / "saved")
    assert load_run(tmp_path / "saved") == run


def test_scores_count_and_ties_are_broken_as_by_trec_eval(primer, splits, tmp_path):
    task = retrieval_task(primer, splits, "valid", protocol("clean"))
    candidates = [plain_id(passage.id, primer.name) for passage in task.candidates][:200]
    lines, run = [], {}
    for number, query in enumerate(task.queries):
        name = plain_id(query.id, primer.name)
        scores = {
            key: float((7 * place + number) % 5)
            for place, key in enumerate(candidates)
            if key != plain_id(query.theorem.id, primer.name)
        }
        run[name] = scores
        # The ranks say the opposite of the scores.
        lines += [f"{name} Q0 {key} {round(9 - score)} {score} tag" for key, score in scores.items()]
    qrels = {
        plain_id(query.id, primer.name): {plain_id(key, primer.name): 1 for key in query.gold} for query in task.queries
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recip_rank"}).evaluate(run)
    found, _ = evaluate_run(written(tmp_path, lines), primer, splits, split="valid")
    for name, measure in (("map", "mAP"), ("recip_rank", "RR")):
        mean = 100 * sum(values[name] for values in theirs.values()) / len(theirs)
        assert found.measures[measure] == pytest.approx(mean, abs=1e-4)
    assert found.spec.method == "tag"


def test_the_theorem_itself_is_left_out(primer, splits, own, tmp_path):
    lines = own.to_trec().decode().splitlines()
    themselves = {line.split()[0]: line.split()[0].rpartition("#")[0] for line in lines}
    first = [f"{query} Q0 {theorem} 0 9.0 x" for query, theorem in themselves.items()]
    run, report = evaluate_run(written(tmp_path, [*first, *lines]), primer, splits, split="valid")
    assert report.not_candidates == len(first)
    assert run.measures == own.measures


def test_missing_queries_count_as_missed_and_are_named(primer, splits, own, tmp_path):
    lines = own.to_trec().decode().splitlines()
    one = lines[0].split()[0]
    run, report = evaluate_run(
        written(tmp_path, [line for line in lines if line.split()[0] == one]), primer, splits, split="valid"
    )
    assert len(report.missing) == len(own.queries) - 1
    assert any("count as missed" in message for message in report.messages())
    assert run.measures["R@100"] < own.measures["R@100"]
    assert len(run.queries) == len(own.queries)


def test_queries_of_another_split_are_reported(primer, splits, own, tmp_path):
    other = evaluate("frequency", primer, splits=splits, split="test")
    path = written(tmp_path, (own.to_trec() + other.to_trec()).decode().splitlines())
    run, report = evaluate_run(path, primer, splits, split="valid")
    assert len(report.other_split) == len(other.queries)
    assert run.measures == own.measures
    path.write_bytes(other.to_trec())
    with pytest.raises(BadSchema, match="--split"):
        evaluate_run(path, primer, splits, split="valid")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 d 1 0.5", "run.trec:1: not a line"),
        ("q Q0 d 1 high tag", "not a line"),
        ("q Q0 d 1 nan tag", "not a line"),
        ("x" * 20_000, "not a line"),
        ("q Q0 d 1 0.5 tag\nq Q0 d 2 0.4 tag", "run.trec:2: d stands twice"),
    ],
)
def test_malformed_lines_are_named(tmp_path, line, message):
    with pytest.raises(BadSchema, match=message):
        read_trec_run(written(tmp_path, [line]))


def test_unknown_ids_are_named(primer, splits, own, tmp_path):
    line = own.to_trec().decode().splitlines()[0]
    query, _, document, *_ = line.split()
    with pytest.raises(BadSchema, match=r"1 query \(nobody\) not of this corpus"):
        evaluate_run(written(tmp_path, [line.replace(query, "nobody")]), primer, splits, split="valid")
    with pytest.raises(BadSchema, match=r"1 document \(nothing\) not of this corpus"):
        evaluate_run(written(tmp_path, [line.replace(document, "nothing")]), primer, splits, split="valid")
    with pytest.raises(SourceNotFound, match="no such file"):
        evaluate_run(tmp_path / "none", primer, splits)
