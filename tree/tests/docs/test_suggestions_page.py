"""What the page about suggestions shows is what the commands print."""

import re
import shutil

from conftest import ROOT
from naturalproofs.data import primer_folder
from naturalproofs.io.cache import project_cache
from support.command_line import call

PAGE = (ROOT / "docs" / "how-to" / "get-suggestions.md").read_text("utf-8")


def test_the_examples_are_real_output(tmp_path, monkeypatch):
    shutil.copytree(primer_folder(), tmp_path / "primer")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    suggested, indexed = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    command, _, shown = suggested.partition("\n")
    code, out, err = call(*command.split()[2:])
    assert (code, shown) == (0, err + out)
    commands = [line.split()[2:] for line in indexed.split("\n") if line.startswith("$")]
    shutil.rmtree(project_cache(tmp_path / "primer"))
    without_time = re.compile(r"\d+\.\d s")
    printed = without_time.sub("0.3 s", "".join(call(*one)[1] for one in commands))
    for shown in re.findall("…\n(.*?)…\n", indexed, re.DOTALL):
        assert shown in printed
