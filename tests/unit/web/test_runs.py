"""Saved runs in folders."""

from pathlib import Path

import pytest

from naturalproofs.errors import SourceNotFound
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.experiments.runs import Run, RunSpec
from naturalproofs.web.runs import load_tasks


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
