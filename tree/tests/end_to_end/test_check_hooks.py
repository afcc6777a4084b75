"""The pre-commit hook and the GitHub Action: what they run is run."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from support.lint_projects import write_project

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
BROKEN = r"\begin{corollary}\label{a} By \cref{gone}. \end{corollary}"
CLEAN = r"\begin{corollary}\label{a} True. \end{corollary} See \cref{a}."


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(folder / "cache"), **environment}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_hook_checks_the_folder_it_runs_in(tmp_path: Path) -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    assert hook["pass_filenames"] is False
    command = shlex.join([*shlex.split(hook["entry"]), *hook["args"]])
    write_project(tmp_path, BROKEN)
    done = run(command, tmp_path)
    assert done.returncode == 1
    assert "main.tex:9:31: error: no label gone is defined [undefined-reference]" in done.stdout
    write_project(tmp_path, CLEAN)
    done = run(command, tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.strip().endswith("1 statements: no findings")
    assert "\n" not in done.stderr.strip()


def test_the_action_annotates_lines(tmp_path: Path) -> None:
    action = load("action.yml")
    inputs = {name: one["default"] for name, one in action["inputs"].items()}
    step = action["runs"]["steps"][-1]
    given = {**inputs, "arguments": "--ignore unused-label"}
    environment = {
        name: given[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in step["env"].items()
    }
    write_project(tmp_path, BROKEN)
    done = run(step["run"], tmp_path, **environment)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=main.tex,line=9,col=31,title=undefined-reference::")
