"""Saved runs in folders."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.site import Site, load_tasks
from naturalproofs.benchmark.evaluation import Run, RunSpec
from naturalproofs.data import primer_folder
from naturalproofs.errors import SourceNotFound
from naturalproofs.tasks.measures.ranks import RankedQuery
from naturalproofs.workspace import Workspace


def test_runs_are_found_and_grouped_by_task(tmp_path: Path) -> None:
    for number, (method, split) in enumerate([("bm25", "test"), ("tfidf", "test"), ("bm25", "valid")]):
        spec = RunSpec(method, "c", "abc", "fixed", split, "leaf", "clean", 0)
        query = RankedQuery("c:a#0", ("c:b",), (number + 1,), 10, ("c:b",))
        folder = tmp_path / "deep" / f"{method}-{split}"
        folder.parent.mkdir(exist_ok=True)
        Run(spec, (query,), 10, 1.0, {"mAP": float(number)}, {}).save(folder)
    tasks = load_tasks(tmp_path)
    assert [[run.spec.method for run in task.runs] for task in tasks] == [["tfidf", "bm25"], ["bm25"]]
    assert len(tasks[0].table.rows) == 2
    assert tasks[1].table.rows[0][0] == "bm25"
    assert tasks[0].questions == {"c:a": ["c:a#0"]}
    assert load_tasks(None) == ()
    with pytest.raises(SourceNotFound):
        load_tasks(tmp_path / "none")


def test_the_results_page_says_how_many_runs_it_leaves_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        spec = RunSpec(f"method{number}", "c", "abc", "fixed", "test", "leaf", "clean", 0)
        query = RankedQuery("c:a#0", ("c:b",), (1,), 10, ("c:b",))
        Run(spec, (query,), 10, 1.0, {"mAP": 1.0}, {}).save(tmp_path / str(number))
    workspace = Workspace.open(primer_folder())
    assert "too many" not in _results(Site.of(workspace, runs=tmp_path))
    monkeypatch.setattr("naturalproofs.benchmark.evaluation.MOST", 2)
    monkeypatch.setattr("naturalproofs.apps.web.site.MOST", 2)
    page = _results(Site.of(workspace, runs=tmp_path))
    assert "1 run more in this folder" in page
    assert "method2" not in page


def _results(site: Site) -> str:
    with TestClient(create_app(site)) as client:
        return client.get("/results").text
