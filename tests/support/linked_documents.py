"""Projects of several documents that use one another's labels, and their indexes compared with ones made anew."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from naturalproofs.corpus.load import load_path
from naturalproofs.workspace.index.project import Indexed, index_folder, open_project

NAMES = ("a", "b", "c")
PREAMBLE = "\\documentclass{article}\\usepackage{xr,amsthm,cleveref}\n\\newtheorem{lemma}{Lemma}\n" + "".join(
    f"\\externaldocument[{name}-]{{{name}}}\n" for name in (*NAMES, "far")
)


def write_documents(folder: Path, bodies: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "common.tex").write_text(PREAMBLE)
    for name, body in bodies.items():
        text = f"\\input{{common}}\n\\begin{{document}}\n\\title{{{name}}}\n{body}\n\\end{{document}}\n"
        (folder / f"{name}.tex").write_text(text)


def assert_as_if_new(folder: Path, indexed: Indexed) -> None:
    """What an index gives is what reading everything gives, and its files are those of an index made anew."""
    anew = load_path(folder)
    assert indexed.opened == anew
    assert list(indexed.opened.anchors) == list(anew.anchors)
    twin = folder.parent / "twin" / folder.name
    shutil.copytree(folder, twin, ignore=shutil.ignore_patterns(".naturalproofs"))
    try:
        other = open_project(twin)
        assert indexed.candidates == other.candidates
        assert indexed.macros == other.macros
        assert kept_files(folder) == kept_files(twin)
    finally:
        shutil.rmtree(twin.parent)


def kept_files(project: Path, *below: str) -> dict[str, object]:
    """All that is kept beside a project, but for the time when it was made."""
    root = index_folder(project).joinpath(*below)
    found: dict[str, object] = {
        file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()
    }
    if "index.json" in found:
        found["index.json"] = {**json.loads((root / "index.json").read_text()), "made": 0}
    return found
