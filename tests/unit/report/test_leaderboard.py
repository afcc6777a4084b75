"""The leaderboard: tables by task, best first, nothing from outside, and nothing that a name could smuggle in."""

import re
from dataclasses import replace

import pytest

from naturalproofs.apps.report.evaluation import leaderboard_page
from naturalproofs.benchmark.evaluation import evaluate, load_run, run_folders, runs_by_task
from support.command_line import call


@pytest.fixture(scope="module")
def runs(primer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for method, split in (("frequency", "valid"), ("bm25", "valid"), ("tfidf", "test")):
        evaluate(method, primer, split=split).save(folder / f"{method}-{split}")
    return folder


def test_one_table_for_each_task(runs):
    tasks = runs_by_task(runs)
    page = leaderboard_page(list(tasks.values()), "Primer")
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["primer/test, clean", "primer/valid, clean"]
    assert re.findall(r'<th scope="row">(.*?)</th>', page) == ["tfidf", "bm25", "frequency"]
    best = load_run(runs / "bm25-valid")
    low, high = best.intervals["mAP"]
    assert f"<td>{best.measures['mAP']:.2f} ({low:.2f} – {high:.2f})</td>" in page
    assert best.made_by in page
    assert best.made_by.startswith("naturalproofs ")


def test_the_page_stands_alone(runs):
    page = leaderboard_page(list(runs_by_task(runs).values()), "Primer")
    assert not re.findall(r"(?:src|href)=", page)
    assert "default-src 'none'" in page


def test_names_are_escaped(runs):
    run = load_run(runs / "bm25-valid")
    bad = replace(run, spec=replace(run.spec, method="<script>alert(1)</script>", external='"><img>'))
    page = leaderboard_page([[bad]], "<b>")
    assert "<script>alert" not in page
    assert "<img>" not in page
    assert "<title>&lt;b&gt;</title>" in page


def test_the_command(runs, tmp_path):
    code, printed, _ = call("leaderboard", runs, "-o", tmp_path / "page.html")
    assert code == 0
    assert printed.strip().endswith("page.html: 3 runs of 2 tasks")
    assert call("leaderboard", runs / "bm25-valid", "-o", tmp_path / "page.html")[0] == 0
    (tmp_path / "mine.html").write_text("<p>mine</p>")
    assert call("leaderboard", runs, "-o", tmp_path / "mine.html")[0] == 1
    assert call("leaderboard", tmp_path, "-o", tmp_path / "other.html")[0] == 1


def test_runs_that_are_too_many_are_not_left_out_silently(runs, tmp_path, monkeypatch):
    monkeypatch.setattr("naturalproofs.benchmark.evaluation.MOST", 1)
    code, _, said = call("leaderboard", runs, "-o", tmp_path / "page.html")
    assert code == 0
    assert said.startswith(f"{len(run_folders(runs)) - 1:,} runs are left out: 1 of a folder are read;")
    assert call("leaderboard", *run_folders(runs), "-o", tmp_path / "page.html")[2] == ""
