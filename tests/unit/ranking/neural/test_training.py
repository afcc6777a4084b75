"""The loop: it learns, it can be killed at any moment, and several processes do what one does."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
import torch

from conftest import ROOT
from naturalproofs.errors import NotAModel, OutputInTheWay, UnknownName
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.models import TrainedOn, save_model
from naturalproofs.ranking.neural import training
from naturalproofs.ranking.neural.pairwise import Pairwise
from naturalproofs.ranking.registry import parse_ranker

QUICK = (
    "pairwise(size='tiny', epochs=2, learning_rate=0.001, valid_questions=15, valid_candidates=60, batch_tokens=1500,"
    " negatives=20)"
)
QUICK_DECODER = (
    "autoregressive(size='tiny', epochs=3, batch_tokens=400, valid_questions=10, valid_candidates=40, decoder_layers=1,"
    " retrieved=2, patience=0)"
)


@pytest.fixture
def at_once(monkeypatch):
    """A checkpoint after every step."""
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)


@pytest.fixture(scope="module")
def joint(few, tmp_path_factory):
    """A joint model for others to stand on."""
    folder = tmp_path_factory.mktemp("joint") / "model"
    spec = "joint(size='tiny', epochs=1, init='none')"
    save_model(
        folder, parse_ranker(spec).fit(few, seed=0), method=spec, seed=0, seconds=1.0,
        trained_on=TrainedOn("primer", "0", "fixed", "leaf", "clean", 40),
    )  # fmt: skip
    return folder


def weights(fitted):
    return (fitted.model if hasattr(fitted, "model") else fitted.sequencer).state_dict()


def same(first, second):
    ours, theirs = weights(first), weights(second)
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


class Interrupted(Exception):
    """Stands for anything that stops a process."""


def interrupted_after(steps):
    said = []

    def tell(*step):
        said.append(step)
        if len(said) == steps:
            raise Interrupted

    return tell


def test_it_learns(task, tmp_path):
    spec = "pairwise(size='tiny', epochs=3, learning_rate=0.001, valid_questions=46, valid_candidates=200)"
    fitted = parse_ranker(spec).train(task.train, seed=0, context=TrainContext(tmp_path / "c", task))
    history = fitted.progress.history
    assert history[0][0] == 0
    assert fitted.progress.best > history[0][2]
    assert history[-1][1] < 0.7 * history[1][1]


@pytest.mark.parametrize("steps", [1, 3, 6])
@pytest.mark.parametrize("spec", [QUICK, QUICK_DECODER])
def test_interrupted_anywhere_it_goes_on_to_the_same_result(at_once, few, task, tmp_path, joint, spec, steps):
    ranker = parse_ranker(spec)
    if spec == QUICK_DECODER:
        ranker = replace(ranker, start=str(joint))
    whole = ranker.train(few, seed=7, context=TrainContext(tmp_path / "whole", task))
    broken = TrainContext(tmp_path / "broken", task, progress=interrupted_after(steps))
    with pytest.raises(Interrupted):
        ranker.train(few, seed=7, context=broken)
    resumed = ranker.train(few, seed=7, context=TrainContext(tmp_path / "broken", task, resume=True))
    assert same(whole, resumed)
    assert not same(whole, ranker.train(few, seed=8, context=TrainContext(tmp_path / "other", task)))


def run(what, folder, **environment):
    where = os.pathsep.join([str(ROOT / "tests"), *sys.path])
    return subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "support" / "neural_processes.py"), what, str(folder)],
        env={**os.environ, "PYTHONPATH": where, "OMP_NUM_THREADS": "1", **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_killed_without_warning_it_goes_on_to_the_same_result(few, task, tmp_path):
    spec = QUICK.replace("epochs=2", "epochs=6")
    process = run("kill", tmp_path / "killed", SPEC=spec)
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    said = [process.stdout.readline() for _ in range(5)]
    process.send_signal(signal.SIGKILL)
    errors = process.communicate()[1]
    watchdog.cancel()
    assert process.returncode == -signal.SIGKILL, errors
    assert all("tokens/s" in line for line in said), errors
    assert list((tmp_path / "killed").glob("step-*"))
    assert not list((tmp_path / "killed").glob("*-done"))
    ranker = parse_ranker(spec)
    resumed = ranker.train(few, seed=7, context=TrainContext(tmp_path / "killed", task, resume=True))
    assert same(ranker.train(few, seed=7, context=TrainContext(tmp_path / "whole", task)), resumed)


def test_a_finished_training_is_not_done_again(few, task, tmp_path):
    ranker = parse_ranker(QUICK)
    first = ranker.train(few, seed=1, context=TrainContext(tmp_path / "c", task))
    said = []
    again = ranker.train(
        few, seed=1, context=TrainContext(tmp_path / "c", task, resume=True, progress=lambda *step: said.append(step))
    )
    assert len(said) == 1
    assert same(first, again)
    assert [path.name for path in (tmp_path / "c").iterdir()] == [f"step-{first.progress.step:08d}-done"]


def test_a_damaged_checkpoint_does_not_count(at_once, few, task, tmp_path):
    ranker = parse_ranker(QUICK)
    with pytest.raises(Interrupted):
        ranker.train(few, seed=7, context=TrainContext(tmp_path / "c", task, progress=interrupted_after(3)))
    (good,) = (tmp_path / "c").glob("step-*")
    shutil.copytree(good, tmp_path / "c" / "step-00000099")
    (tmp_path / "c" / "step-00000099" / "weights.safetensors").write_bytes(b"cut off")
    (tmp_path / "c" / ".step-00000100.x.part").mkdir()
    resumed = ranker.train(few, seed=7, context=TrainContext(tmp_path / "c", task, resume=True))
    assert same(ranker.train(few, seed=7, context=TrainContext(tmp_path / "whole", task)), resumed)


def test_checkpoints_of_something_else_are_refused(at_once, few, task, tmp_path):
    with pytest.raises(Interrupted):
        Pairwise(size="tiny").train(few, seed=7, context=TrainContext(tmp_path / "c", progress=interrupted_after(3)))
    with pytest.raises(NotAModel, match="other settings or data"):
        Pairwise(size="tiny").train(few, seed=8, context=TrainContext(tmp_path / "c", resume=True))
    (tmp_path / "c" / "notes.txt").write_text("mine")
    with pytest.raises(OutputInTheWay, match="no checkpoint"):
        Pairwise(size="tiny").train(few, seed=7, context=TrainContext(tmp_path / "c"))
    assert (tmp_path / "c" / "notes.txt").read_text() == "mine"


def test_a_budget_ends_training_early(few, task, tmp_path):
    ranker = Pairwise(size="tiny", epochs=1000, patience=0, valid_questions=5, valid_candidates=20)
    fitted = ranker.train(few, seed=0, context=TrainContext(tmp_path / "c", task, minutes=0.01))
    assert 0 < fitted.progress.step < 1000
    assert fitted.progress.done


def test_it_stops_when_nothing_gets_better(few, task, tmp_path):
    ranker = Pairwise(size="tiny", epochs=50, patience=2, learning_rate=0.0, head_rate=0.0, valid_questions=5)
    fitted = ranker.train(few, seed=0, context=TrainContext(tmp_path / "c", task))
    assert len(fitted.progress.history) == 3
    assert fitted.progress.best_step == 0


def test_settings_that_do_not_exist_are_refused(few):
    for spec, match in [
        ("pairwise(size='huge')", "no size is called 'huge'"),
        ("pairwise(size='tiny', loss='none')", "loss cannot be 'none'"),
        ("pairwise(size='tiny', pooling='max')", "pooling cannot be 'max'"),
        ("pairwise(size='tiny', hard=1, hard_from='far')", "hard_from cannot be 'far'"),
        ("joint(size='tiny', init='all')", "init cannot be 'all'"),
        ("autoregressive(size='tiny', choose='best')", "choose cannot be 'best'"),
    ]:
        with pytest.raises(UnknownName, match=match):
            parse_ranker(spec).fit(few, seed=0)


def test_two_processes_have_the_gradients_of_one_and_train_a_model(few, tmp_path):
    pytest.importorskip("lightning_fabric", reason="needs lightning-fabric")
    from safetensors.torch import load_file

    from naturalproofs.ranking.neural.team import Team
    from support.neural_processes import LEARNERS, gradients, learner_of

    process = run("together", tmp_path)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, output + errors
    for number, spec in enumerate(LEARNERS):
        expected, found = gradients(learner_of(spec, few), Team()), load_file(tmp_path / f"{number}.safetensors")
        assert found.keys() == expected.keys(), spec
        for name, value in expected.items():
            least = 1e-5 * float(value.abs().max()) + 1e-8
            assert torch.allclose(found[name], value, atol=least, rtol=1e-3), (spec, name)
    told, steps = map(int, output.split()[-2:])
    assert told >= steps > 1
