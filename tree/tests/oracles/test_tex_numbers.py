"""Printed numbers against a real TeX run: LaTeX itself says what each label prints."""

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from support.project_listing import read_project

GOLDEN = Path(__file__).parents[1] / "golden" / "projects"
PROJECTS = {
    "inputs": (), "imports": ("import.sty",), "subfiles": ("subfiles.cls",), "newtheorem": ("amsthm.sty",),
    "thmtools": ("thmtools.sty",), "boxes": ("tcolorbox.sty", "mdframed.sty", "shadethm.sty"),
    "environments": (), "counters": ("amsmath.sty",), "counters_in_an_article": ("amsart.cls",),
    "counters_shared_with_sections": ("amsart.cls",), "amsbook": ("amsbook.cls",), "text_references": (),
    "declaring_macros": (),
    "shared_registers": ("aliascnt.sty",),
}  # fmt: skip
"""Golden projects that LaTeX can print, and what it needs for each."""

_LABEL = re.compile(r"\\newlabel\{([^{}]*)\}\{\{([^{}]*)\}")

needs_latexmk = pytest.mark.skipif(shutil.which("latexmk") is None, reason="needs latexmk (Debian: latexmk, texlive)")


def printed(folder: Path, main: Path) -> dict[str, str]:
    """Run LaTeX and read the numbers that it wrote down for the labels."""
    command = ["latexmk", "-pdf", "-f", "-interaction=batchmode", f"-outdir={folder}", main.name]
    subprocess.run(command, cwd=main.parent, capture_output=True, timeout=300, check=False)
    texts = (path.read_text("utf-8", "replace") for path in folder.rglob("*.aux"))
    return {label: number for text in texts for label, number in _LABEL.findall(text) if not label.endswith("@cref")}


def disagreements(project: Path, numbers: dict[str, str]) -> list[tuple[str, str, str | None]]:
    statements = read_project(project).statements
    labelled = [s for s in statements if s.label in numbers]
    assert len(labelled) > len(statements) / 2, "LaTeX knows too few of the labels: did it run?"
    return [(s.label, s.number, numbers[s.label]) for s in labelled if s.number != numbers[s.label]]


@needs_latexmk
def test_the_primer(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(Path(str(files("naturalproofs") / "data" / "primer")), source)
    out = tmp_path / "out"
    for name in ("chapters", "appendix"):
        (out / name).mkdir(parents=True)
    numbers = printed(out, source / "primer.tex")
    statements = read_project(source).statements
    assert sum(s.label in numbers for s in statements) > 570
    assert disagreements(source, numbers) == []
    assert all(s.number for s in statements)


@needs_latexmk
@pytest.mark.parametrize("name", PROJECTS)
def test_a_golden_project(name, tmp_path):
    for needed in PROJECTS[name]:
        found = subprocess.run(["kpsewhich", needed], capture_output=True, check=False)
        if found.returncode:
            pytest.skip(f"needs {needed} in the TeX installation")
    source = tmp_path / "source"
    shutil.copytree(GOLDEN / name, source)
    out = tmp_path / "out"
    for folder in source.rglob("*"):
        if folder.is_dir():
            (out / folder.relative_to(source)).mkdir(parents=True, exist_ok=True)
    out.mkdir(exist_ok=True)
    assert disagreements(source, printed(out, source / "main.tex")) == []
