"""The short form of the chaos suite; ``make chaos`` runs the long one."""

import random
import re

import click
import pytest

from chaos.cases import WRITING, kill, mutate, save, tamper
from chaos.clients import agents, editor, rename
from chaos.material import make_template
from chaos.sandbox import Fault, run_command
from naturalproofs.apps.cli.main import MODULES, cli
from naturalproofs.benchmark.exports import FORMATS
from naturalproofs.io import files


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return make_template(tmp_path_factory.mktemp("chaos") / "template")


@pytest.mark.parametrize(
    ("case", "seeds"),
    [(kill, 8), (rename, 2), (save, 2), (tamper, 8), (mutate, 25), (agents, 2), (editor, 2)],
    ids=["kill", "rename", "save", "tamper", "mutate", "agents", "editor"],
)
def test_nothing_is_lost_and_nothing_crashes(template, tmp_path, monkeypatch, case, seeds):
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    for seed in range(seeds):
        assert case(template, tmp_path / "case", random.Random(seed)).total()


READ = set(
    "--about --main --with --model --baseline --run --macros --older --projects --held-out --runs --suite".split()
)
"""Options that name what is read."""
ELSEWHERE = {("fetch", "--to"), ("reproduce", "--output")}
"""Outputs of commands that need a network or take long, which `test_file_systems` runs."""


def test_every_output_of_every_command_is_tried():
    """A new option that names a file or a folder is here, among those that are read, or among the writing commands."""
    outputs = set()
    for name in MODULES:
        for option in cli.get_command(click.Context(cli), name).params:
            places = re.search("FILE|FOLDER|PATH|DIR|COLLECTION|CORPUS", option.metavar or "")
            if isinstance(option, click.Option) and (places or isinstance(option.type, click.Path)):
                outputs.add((name, option.opts[-1]))
    outputs = {(name, option) for name, option in outputs if option not in READ} - ELSEWHERE
    lines = [writing.arguments.replace(" -o ", " --output ").split() for writing in WRITING]
    tried = {(line[0], word) for line in lines for word in line}
    assert outputs <= tried, outputs - tried
    assert len(outputs) > 15
    assert all(any(line[:4] == ["export", "corpus", "--to", name] for line in lines) for name in FORMATS)


def _take_memory():
    return str(len(bytearray(1 << 30)))


def test_the_sandbox_limits_memory(template):
    build = WRITING[0].arguments.split()
    ended = run_command(build, folder=template, writable=[template / "out"], fault=Fault("allocation", 20_000))
    assert ended.code == 1, ended.err
    assert "memory" in ended.err
    assert ended.problem is None
    little = Fault("memory", 1 << 20)
    taken = run_command(build, folder=template, writable=[template / "out"], fault=little, inspect=_take_memory)
    assert taken.problem[0] == "traceback"
    assert "MemoryError" in taken.err


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
