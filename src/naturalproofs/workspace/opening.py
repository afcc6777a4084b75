"""Opening one path: a LaTeX project through its cache, a corpus folder, or another source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.load import load_path, source_texts
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.archives import is_archive, unpacked
from naturalproofs.io.unsaved import unsaved as reading_unsaved
from naturalproofs.latex.display import read_macros
from naturalproofs.progress import Progress
from naturalproofs.workspace.cache import Cache
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.project import ProjectState, read_project
from naturalproofs.workspace.roots import project_of


def open_corpus(
    path: Path,
    held: Mapping[Path, bytes],
    method: str | None,
    source: str,
    use_cache: bool,
    progress: Progress,
    before: OpenCorpus | None,
) -> OpenCorpus:
    """Open a LaTeX project, one of its files or an archive of it through its cache, anything else as it is."""
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a LaTeX project")
    if path.is_file() and source == "latex":
        path = _source_of(path)
    if source != "latex" or (path.is_dir() and store.is_corpus(path)):
        opened = load_path(path, source, progress)
        cache = Cache.of(path) if use_cache and path.is_dir() else None
        fingerprint = store.load_manifest(path).files.get(store.STATEMENTS, "") if store.is_corpus(path) else ""
        return OpenCorpus(opened, path, method, read_macros(source_texts(opened)), cache, fingerprint)
    with reading_unsaved(held):
        project = project_of(path) if before is None else path
        try:
            state = _read(project, use_cache, progress, before)
        except SourceNotFound:
            # Documents in one folder that are not one project: the one that was named is read by itself.
            if project == path:
                raise
            project, state = path, _read(path, use_cache, progress, before)
    if before is not None and state is before.state:
        return before
    macros = {name: macro for macros in state.macros.values() for name, macro in macros.items()}
    # Only a state whose method was bound is of use, and no chain of states is held.
    before = before.bound_state() if before is not None else None
    used = {file: text for file, text in held.items() if _belongs(file, state)}
    cache = Cache.of(project) if use_cache else None
    return OpenCorpus(state.opened, project, method, macros, cache, state.fingerprint, state, used, before)


def _source_of(file: Path) -> Path:
    """The file itself, or the unpacked contents of an archive; printed documents are refused."""
    with file.open("rb") as stream:
        head = stream.read(8)
    if head.startswith((b"%PDF-", b"%!PS", b"\xf7\x02")):
        raise SourceNotFound(f"{file}: this is a printed document; give its LaTeX source, for instance from arXiv")
    return unpacked(file) if is_archive(file) else file


def _read(path: Path, use_cache: bool, progress: Progress, before: OpenCorpus | None) -> ProjectState:
    cache = Cache.of(path) if use_cache else None
    return read_project(path, cache, progress, before=before.state if before is not None else None)


def _belongs(file: Path, state: ProjectState) -> bool:
    root = (state.opened.root or Path()).resolve()
    return file.is_relative_to(root) and file.relative_to(root).as_posix() in state.snapshot.files


def unsaved_texts(texts: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """The texts that differ from their files."""
    found = {}
    for path, text in texts.items():
        file = path.resolve()
        try:
            same = file.read_bytes() == text
        except OSError:
            same = False
        if not same:
            found[file] = text
    return found
