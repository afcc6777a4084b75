"""The short form of the chaos suite; ``make chaos`` runs the long one."""

import random

import pytest

from chaos.cases import WRITING, kill, mutate, tamper
from chaos.clients import agents, editor
from chaos.material import make_template
from chaos.sandbox import Fault, run_command
from naturalproofs.io import files


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return make_template(tmp_path_factory.mktemp("chaos") / "template")


@pytest.mark.parametrize(
    ("case", "seeds"),
    [(kill, 8), (tamper, 8), (mutate, 25), (agents, 1), (editor, 1)],
    ids=["kill", "tamper", "mutate", "agents", "editor"],
)
def test_nothing_is_lost_and_nothing_crashes(template, tmp_path, monkeypatch, case, seeds):
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    for seed in range(seeds):
        assert case(template, tmp_path / "case", random.Random(seed)).total()


def test_the_sandbox_kills_at_a_write(template):
    """The faults happen: otherwise every case would pass."""
    build = WRITING[0].arguments.split()
    whole = run_command(build, folder=template, writable=[template / "out"])
    assert whole.code == 0
    assert whole.events > 20
    assert run_command(build, folder=template, writable=[template / "out"], fault=Fault("kill", 5)).code == -9
    full = run_command(build, folder=template, writable=[template / "out"], fault=Fault("error", 5, 28))
    assert full.code == 1
    assert "No space left on device" in full.err
    assert run_command(build, folder=template, writable=[template / "out"], fault=Fault("size", 100)).code == 1


def test_the_sandbox_sees_writes_outside(template, tmp_path):
    written = run_command([*WRITING[0].arguments.split()[:-1], tmp_path / "it"], folder=template, writable=())
    assert any(str(tmp_path) in path for path in written.outside)
    assert written.problem[0] == "outside"


def test_the_sandbox_sees_reads_outside(template, tmp_path):
    """The folder `outside` and the passwords stand for everything that no project may lead to."""
    look = ["build", "latex", template / "outside" / "precious.txt", "-o", template / "out" / "it"]
    found = run_command(look, folder=template, writable=[template / "out"])
    assert any(path.startswith("read ") for path in found.outside)
