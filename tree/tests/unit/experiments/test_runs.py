"""Runs in memory and on disk."""

import pytest

from naturalproofs.benchmark.evaluation import MANIFEST, check_run_folder, evaluate, load_run
from naturalproofs.errors import OutputInTheWay


def test_a_saved_run_is_read_back(primer, tmp_path):
    run = evaluate("frequency", primer, split="valid", protocol="accessible", seed=3)
    run.save(tmp_path / "run")
    assert load_run(tmp_path / "run") == run
    assert (run.spec.split, run.spec.protocol, run.spec.seed) == ("valid", "accessible", 3)
    with pytest.raises(AttributeError):
        run.measures = {}


@pytest.mark.parametrize("manifest", ["{}", None])
def test_what_is_beside_a_run_is_not_deleted(primer, tmp_path, manifest):
    run = evaluate("frequency", primer, split="valid")
    run.save(tmp_path)
    run.save(tmp_path)
    if manifest is not None:
        (tmp_path / MANIFEST).write_text(manifest)
    (tmp_path / "notes.txt").write_text("mine")
    for refused in (lambda: check_run_folder(tmp_path), lambda: run.save(tmp_path)):
        with pytest.raises(OutputInTheWay):
            refused()
    assert (tmp_path / "notes.txt").read_text() == "mine"
