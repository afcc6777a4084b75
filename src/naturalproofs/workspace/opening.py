"""Opening one path: the project that it belongs to, read through its cache; a corpus folder; or another source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.load import load_path, source_texts
from naturalproofs.errors import NaturalProofsError, SourceNotFound
from naturalproofs.io.archives import is_archive, unpacked
from naturalproofs.io.cache import project_cache
from naturalproofs.io.unsaved import unsaved as reading_unsaved
from naturalproofs.latex.discover import Discovery
from naturalproofs.latex.display import read_macros
from naturalproofs.latex.documents import open_document
from naturalproofs.latex.files import read_bytes
from naturalproofs.latex.main_file import find_main
from naturalproofs.latex.tree import Tree
from naturalproofs.progress import Progress
from naturalproofs.workspace.cache import Cache
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.project import ProjectState, load_manifest, read_project

_ROOT = re.compile(rb"^%\s*!\s*TEX\s+root\s*=\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_DOCUMENT = re.compile(rb"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_HEAD = 2_000
_UP = 3
"""How many folders above a file are searched for its main file."""


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


# The project of a file.


def project_of(path: Path) -> Path:
    """The folder or the main file to read when a user gives this path.

    A chapter leads to the main file that includes it. One of several documents that use one another's labels leads to
    their folder. Any other file is read by itself.
    """
    if not path.is_file():
        return path
    data = read_bytes(path) or b""
    if (named := _ROOT.search(data[:_HEAD])) is not None:
        main = path.parent / named[1].decode("utf-8", "replace")
        if main.is_file() and main.resolve() != path.resolve():
            return main
    here = path.resolve()
    if _DOCUMENT.search(data):
        return path.parent if _has_neighbours(here) else path
    for folder in here.parents[: _UP + 1]:
        known = _indexed(folder, here)
        if known is not None:
            return _as_given(path, known)
        for main in _mains(folder):
            if _includes(main, here):
                return _as_given(path, main)
    return path


def _has_neighbours(main: Path) -> bool:
    """Whether a document uses the labels of others in its folder."""
    manifest = load_manifest(Cache.of(main.parent))
    if manifest is not None and main.name in manifest.snapshot.mains:
        return len(manifest.snapshot.mains) > 1
    tree = Tree(main.parent, [])
    file = tree.open(main)
    others = open_document(tree, file).others if file is not None else ()
    names = {found.name for found in _mains(main.parent)} - {main.name}
    return any(path in names for _, path, _ in others)


def _indexed(folder: Path, file: Path) -> Path | None:
    """The project in a folder whose cache says that it includes a file."""
    for place in sorted(project_cache(folder).glob("*/")):
        manifest = load_manifest(Cache(place))
        if manifest is None:
            continue
        inside = file.relative_to(folder).as_posix()
        holding = [main for main, files in manifest.snapshot.mains.items() if inside in files]
        if holding:
            return folder if place.name == "project" else folder / holding[0]
    return None


def _includes(main: Path, file: Path) -> bool:
    tree = Tree(main.resolve().parent, [])
    opened = tree.open(main.resolve())
    if opened is None:
        return False
    discovery = Discovery(tree)
    discovery.run(opened)
    return any(tree.root / one.path == file for one in discovery.files)


def _mains(folder: Path) -> list[Path]:
    try:
        return find_main(folder)
    except NaturalProofsError:
        return []


def _as_given(path: Path, main: Path) -> Path:
    """The main file as a relative path if the given path was relative."""
    if path.is_absolute():
        return main
    try:
        return Path(main.relative_to(Path.cwd()))
    except ValueError:
        return main
