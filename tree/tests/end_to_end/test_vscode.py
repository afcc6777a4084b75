"""The extension for VS Code: its manifest agrees with its code, and its client library can talk to the server."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from naturalproofs.apps.cli.main import cli
from naturalproofs.apps.editor.server import SUGGEST
from support.lint_projects import write_project

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text("utf-8"))
CODE = "\n".join(path.read_text("utf-8") for path in sorted((EXTENSION / "src").glob("*.ts")))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]
PACKAGES = EXTENSION / "node_modules"


def test_commands_are_registered_and_declared():
    declared = {one["command"] for one in MANIFEST["contributes"]["commands"]}
    assert set(re.findall(r'registerCommand\("([^"]+)"', CODE)) == declared
    assert {one["command"] for one in MANIFEST["contributes"]["menus"]["commandPalette"]} <= declared
    assert f'"{SUGGEST}"' in CODE
    assert SUGGEST not in declared, "the client registers the commands of the server itself"


def test_settings_are_read_and_declared():
    declared = {name.removeprefix("naturalproofs.") for name in SETTINGS}
    # The client library reads the trace by itself.
    assert set(re.findall(r'read\.get<[^>]+>\("([^"]+)"', CODE)) == declared - {"trace.server"}
    for name, default in re.findall(r'read\.get<[^>]+>\("([^"]+)", ([^)]+)\)', CODE):
        assert json.loads(default) == SETTINGS[f"naturalproofs.{name}"]["default"]
    readme = (EXTENSION / "README.md").read_text("utf-8")
    assert [name for name in SETTINGS if f"`{name}`" not in readme] == []


def test_the_server_that_is_started_exists():
    command, *options = SETTINGS["naturalproofs.arguments"]["default"]
    found = cli.get_command(None, command)
    assert found is not None
    assert set(options) <= {option for one in found.params for option in one.opts}


def test_the_package_names_what_it_needs():
    assert MANIFEST["license"] == "MIT"
    assert (EXTENSION / MANIFEST["icon"]).read_bytes().startswith(b"\x89PNG")
    lock = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))
    assert lock["packages"][""]["dependencies"] == MANIFEST["dependencies"]
    assert lock["packages"][""]["devDependencies"] == MANIFEST["devDependencies"]
    sources = {one["resolved"] for one in lock["packages"].values() if "resolved" in one}
    assert all(source.startswith("https://registry.npmjs.org/") for source in sources)


BODY = r"""
\begin{lemma}[Lagrange]\label{lem:order} The order of a subgroup divides the order of the group. \end{lemma}
\begin{theorem}[Prime order]\label{thm:prime} A group of prime order is cyclic. \end{theorem}
\begin{proof} By \cref{lem:order}. \end{proof}
"""


def test_the_client_library_of_the_editor_understands_the_server(tmp_path):
    node = shutil.which("node")
    if node is None or not (PACKAGES / "vscode-languageserver-protocol").is_dir():
        pytest.skip("needs node and the packages of editors/vscode; run make vscode")
    write_project(tmp_path, BODY)
    script = Path(__file__).with_name("editor_session.mjs")
    command = [node, str(script), str(PACKAGES.parent), sys.executable, str(tmp_path.resolve()), "main.tex"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    told = json.loads(done.stdout)
    assert {"renameProvider", "inlayHintProvider", "workspaceSymbolProvider"} <= set(told["capabilities"])
    assert "lem:order" in told["completion"]
    assert "Lagrange" in told["hover"]
    assert (told["placeholder"], told["renamed"]) == ("lem:order", ["lem:new", "lem:new"])
    assert told["symbols"] == ["Theorem 2 (Prime order)"]
    assert told["hints"] == ["Lemma 1"]
    assert told["ended"] == 0
