"""What `docs/how-to/add-a-method.md` promises, done with the code on that page in a package of its own."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT
from naturalproofs.data import primer_folder


@pytest.fixture
def package(tmp_path):
    page = (ROOT / "docs" / "how-to" / "add-a-method.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code is not None
    assert len(code[1].strip().split("\n")) < 40
    (tmp_path / "mymethod.py").write_text(code[1])
    entry = re.search(r"^shared-letters = \"(.*)\"$", page, re.MULTILINE)
    assert entry is not None
    info = tmp_path / "mymethod-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mymethod\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[naturalproofs.rankers]\nshared-letters = {entry[1]}\n")
    return tmp_path


def naturalproofs(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "naturalproofs", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_another_packages_method_is_one_of_ours(package):
    naturalproofs(package, "build", "latex", primer_folder(), "-o", package / "primer", "-q")
    out = naturalproofs(
        package, "evaluate", "shared-letters(minimum=3)", package / "primer", "--split", "valid", "--format", "json",
        "-o", package / "mine",
    )  # fmt: skip
    found = json.loads(out)
    assert found["method"] == "shared-letters(minimum=3)"
    assert 0 < found["measures"]["mAP"] < 50
    naturalproofs(package, "evaluate", "bm25", package / "primer", "--split", "valid", "-o", package / "bm25")
    table = naturalproofs(package, "compare", package / "mine", package / "bm25")
    assert "shared-letters(minimum=3)" in table
    mixed = "fusion(parts=('bm25', 'shared-letters'), weights=(1.0, 0.1))"
    assert "mAP" in naturalproofs(package, "evaluate", mixed, package / "primer")
