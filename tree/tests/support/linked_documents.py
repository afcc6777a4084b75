"""Projects of several documents that use one another's labels, and their caches compared with new ones."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import load_corpus
from naturalproofs.sources.latex import Macro
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.project import Reading, Work, read_project

NAMES = ("a", "b", "c")
PREAMBLE = "\\documentclass{article}\\usepackage{xr,amsthm,cleveref}\n\\newtheorem{lemma}{Lemma}\n" + "".join(
    f"\\externaldocument[{name}-]{{{name}}}\n" for name in (*NAMES, "far")
)


@dataclass(frozen=True)
class Opened:
    """A project and how it was read."""

    corpus: Corpus
    reading: Reading

    @property
    def work(self) -> Work:
        return self.reading.work

    @property
    def macros(self) -> dict[str, dict[str, Macro]]:
        return self.reading.macros


def open_project(path: Path) -> Opened:
    return Opened(*read_project(path, Cache.of(path)))


def write_documents(folder: Path, bodies: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "common.tex").write_text(PREAMBLE)
    for name, body in bodies.items():
        text = f"\\input{{common}}\n\\begin{{document}}\n\\title{{{name}}}\n{body}\n\\end{{document}}\n"
        (folder / f"{name}.tex").write_text(text)


def assert_as_if_new(folder: Path, state: Opened) -> None:
    """What the cache gives is what reading everything gives, and its objects are those of a new cache."""
    fresh = load_corpus(folder)
    assert state.corpus == fresh
    assert list(state.corpus.anchors) == list(fresh.anchors)
    twin = folder.parent / "twin" / folder.name
    shutil.copytree(folder, twin)
    try:
        other = open_project(twin)
        assert state.macros == other.macros
        assert cached_files(folder) == cached_files(twin)
    finally:
        shutil.rmtree(twin.parent)


def cached_files(project: Path, *below: str) -> dict[str, object]:
    """The files of a project's cache, without times."""
    root = Cache.of(project).folder.joinpath(*below)
    found: dict[str, object] = {
        file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()
    }
    if "manifest.json" in found:
        manifest = json.loads((root / "manifest.json").read_text())
        snapshot = manifest["snapshot"]
        files = {name: (state["sha256"], state["size"]) for name, state in snapshot["files"].items()}
        found["manifest.json"] = {**manifest, "snapshot": {**snapshot, "taken": 0, "files": files}}
    return found
