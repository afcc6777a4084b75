"""The training loop: it learns, and it can be killed at any moment."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from itertools import count

import pytest
import torch
from safetensors.torch import load_file

from conftest import ROOT
from naturalproofs.errors import BadSettings, NotAModel, OutputInTheWay
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural import train as training
from naturalproofs.ranking.neural.methods import Pairwise
from naturalproofs.ranking.neural.store import Checkpoints
from naturalproofs.ranking.neural.train import Trainer, new_fabric
from naturalproofs.ranking.registry import TrainedOn, parse_ranker, save_model
from support.neural_processes import BLOCK_AFTER, MODULES, TRAINED, gradients, trained_weights, training_module

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
    return (fitted.model if hasattr(fitted, "model") else fitted.network).state_dict()


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
    history = fitted.state.history
    assert history[0][0] == 0
    assert fitted.state.best > history[0][2]
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
    said = [process.stdout.readline() for _ in range(BLOCK_AFTER)]
    process.send_signal(signal.SIGKILL)
    errors = process.communicate()[1]
    watchdog.cancel()
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
    assert [path.name for path in (tmp_path / "c").iterdir()] == [f"step-{first.state.step:08d}-done"]


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
    (tmp_path / "c" / "notes.txt").unlink()
    (tmp_path / "c" / "step-by-step").mkdir()
    with pytest.raises(OutputInTheWay, match="no checkpoint"):
        Pairwise(size="tiny").train(few, seed=7, context=TrainContext(tmp_path / "c"))


def test_a_budget_ends_training_early(few, tmp_path):
    module = training_module("pairwise(size='tiny', epochs=1000, patience=0)", few)
    trainer = Trainer(module.settings, Checkpoints(tmp_path, "x"), 0, minutes=0.5, clock=count().__next__)
    state = trainer.run(module, new_fabric(1, 1))
    assert 0 < state.step < 30
    assert state.done
    assert state.seconds >= 30


def test_it_stops_when_nothing_gets_better(few, task, tmp_path):
    ranker = Pairwise(size="tiny", epochs=50, patience=2, learning_rate=0.0, head_rate=0.0, valid_questions=5)
    fitted = ranker.train(few, seed=0, context=TrainContext(tmp_path / "c", task))
    assert len(fitted.state.history) == 3
    assert fitted.state.best_step == 0


def test_settings_that_do_not_exist_are_refused():
    for spec, match in [
        ("pairwise(size='huge')", "size cannot be 'huge'"),
        ("pairwise(size='tiny', loss='none')", "loss cannot be 'none'"),
        ("pairwise(size='tiny', pooling='max')", "pooling cannot be 'max'"),
        (
            "pairwise(size='tiny', preparation='nothing')",
            "preparation cannot be 'nothing'; it is one of: prose, plain, paper",
        ),
        ("joint(size='tiny', init='all')", "init cannot be 'all'"),
        ("autoregressive(size='tiny', choose='best')", "choose cannot be 'best'"),
    ]:
        with pytest.raises(BadSettings, match=match):
            parse_ranker(spec)


@pytest.fixture(scope="module")
def one_process(few, tmp_path_factory):
    """The weights that a single process trains."""
    return trained_weights(TRAINED, tmp_path_factory.mktemp("one"))[0]


def close(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        least = 1e-5 * float(value.abs().max()) + 1e-8
        assert torch.allclose(found[name], value, atol=least, rtol=1e-3), name


def test_two_processes_train_the_model_of_one(one_process, tmp_path):
    process = run("processes", tmp_path)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, output + errors
    close(load_file(tmp_path / "trained.safetensors"), one_process)
    assert int(output.split()[-1]) > 1


def test_two_nodes_have_the_gradients_and_the_model_of_one_process(one_process, few, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "LOCAL_RANK": "0"}
    nodes = [run("node", tmp_path, NODE_RANK=str(rank), **shared) for rank in range(2)]
    for node in nodes:
        output, errors = node.communicate(timeout=600)
        assert node.returncode == 0, output + errors
    for number, spec in enumerate(MODULES):
        close(load_file(tmp_path / f"{number}.safetensors"), gradients(training_module(spec, few), new_fabric(1, 1)))
    for rank in range(2):
        close(load_file(tmp_path / f"node-{rank}.safetensors"), one_process)
