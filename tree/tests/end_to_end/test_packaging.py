"""What is published: the wheel is made from the sdist, holds every file of the package, and works by itself."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

for needed in ("hatchling", "pip"):
    pytest.importorskip(needed, reason=f"THE WHEEL IS NOT TESTED: it needs {needed}; install the extra 'dev'")


def run(*command: object, folder: Path, **variables: str) -> str:
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, folder=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as opened:
        opened.extractall(folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=source)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_every_file_of_the_package(wheel):
    files = (path for path in (ROOT / "src" / "naturalproofs").rglob("*") if path.is_file() and path.suffix != ".pyc")
    wanted = {path.relative_to(ROOT / "src").as_posix() for path in files}
    # Templates, scripts, styles, icons, the Primer, tables, trees and fonts.
    suffixes = {".css", ".html", ".js", ".json", ".svg", ".tex", ".toml", ".txt", ".woff2"}
    assert suffixes <= {Path(name).suffix for name in wanted}
    with zipfile.ZipFile(wheel) as opened:
        assert wanted == {name for name in opened.namelist() if ".dist-info/" not in name}


def test_the_installed_wheel_runs_the_demo(wheel, tmp_path):
    """In an environment of its own that has only the dependencies of this one."""
    home, work = tmp_path / "venv", tmp_path / "work"
    work.mkdir()
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--no-deps", "--no-index", "--no-compile", wheel, folder=work)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=work, PYTHONPATH="")
    paths = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    Path(site.strip(), "dependencies.pth").write_text("".join(f"{path}\n" for path in paths))
    own = {"PYTHONPATH": "", "NATURALPROOFS_CACHE": str(tmp_path / "cache")}
    program = home / "bin" / "naturalproofs"
    found = json.loads(run(program, "doctor", "--format", "json", folder=work, **own))
    assert (Path(found["package"]).is_relative_to(home), found["problems"]) == (True, [])
    assert "Suggestions" in run(program, "demo", folder=work, **own)
    assert {path.name for path in work.iterdir()} == {"demo"}
