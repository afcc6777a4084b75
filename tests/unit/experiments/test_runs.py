"""Runs in memory and on disk."""

import pytest

from naturalproofs.experiments.evaluation import evaluate
from naturalproofs.experiments.runs import load_run


def test_a_saved_run_is_read_back(primer, tmp_path):
    run = evaluate("frequency", primer, split="valid", protocol="accessible", seed=3)
    run.save(tmp_path / "run")
    assert load_run(tmp_path / "run") == run
    assert (run.spec.split, run.spec.protocol, run.spec.seed) == ("valid", "accessible", 3)
    with pytest.raises(AttributeError):
        run.measures = {}
