"""A path that a person gives: a corpus folder, or a source that is read at once and not stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.build import build
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.resolve import Unresolved
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.unsaved import current_bytes
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Anchor, Diagnostic
from naturalproofs.source import source


@dataclass(frozen=True, slots=True)
class Opened:
    """A corpus, what is known about its making, and its source if that is at hand."""

    corpus: Corpus
    unresolved: tuple[Unresolved, ...]
    diagnostics: tuple[Diagnostic, ...]
    anchors: dict[str, Anchor] | None = None
    """Every label of the source; a stored corpus does not keep them."""
    root: Path | None = None
    """The folder that the paths of the source start from."""


def open_path(path: Path, kind: str = "latex", progress: Progress = silent) -> Opened:
    """Load a corpus folder, or build what lies there in memory.

    Args:
        path: A corpus folder, or a project, or its main file.
        kind: The name of the source, if the path is not a corpus.
        progress: Told how far reading has come.
    """
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a LaTeX project")
    if path.is_dir() and store.is_corpus(path):
        return Opened(store.load(path), tuple(store.load_unresolved(path)), tuple(store.load_diagnostics(path)))
    root = path if path.is_dir() else path.parent
    built = build(source(kind), path, name=project_name(path), progress=progress)
    return Opened(built.corpus, built.unresolved, built.diagnostics, built.anchors, root)


def project_name(path: Path) -> str:
    """What a project is called: by its folder, or by its main file."""
    resolved = path.resolve()
    return (resolved.name if resolved.is_dir() else resolved.stem) or "project"


def source_files(opened: Opened, suffixes: tuple[str, ...] = (".tex", ".sty", ".cls")) -> list[Path]:
    """The source's files, and the style files beside them."""
    if opened.root is None:
        return []
    root = opened.root
    listed = [root / file.path for file in opened.corpus.inputs]
    beside = [file for suffix in suffixes for file in sorted(root.glob(f"*{suffix}"))]
    return [file for file in dict.fromkeys([*beside, *listed]) if file.is_file()]


def source_text(file: Path) -> str:
    """What a file of a source says."""
    return current_bytes(file).decode("utf-8", "replace")


def source_texts(opened: Opened) -> list[str]:
    """The texts of the source's files, and of the style files beside them, for the macros they define."""
    return [source_text(file) for file in source_files(opened)]
