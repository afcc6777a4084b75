"""Opening one path: the project that it belongs to, read through its cache; a corpus folder; or another source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.load import load_path, source_macros
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import project_cache
from naturalproofs.io.names import name_of, path_of
from naturalproofs.io.unsaved import unsaved as reading_unsaved
from naturalproofs.latex.display import Macro
from naturalproofs.latex.project.choice import choose_documents, home_folder, main_of, uses_other_documents
from naturalproofs.latex.project.outline import read_outline
from naturalproofs.progress import Progress
from naturalproofs.source import detect_source
from naturalproofs.workspace.cache import Cache
from naturalproofs.workspace.document_macros import ProjectMacros
from naturalproofs.workspace.formats import format_named, format_of
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.project import DOCUMENT, ProjectState, cached_state, load_manifest, read_project
from naturalproofs.workspace.snapshot import Changes

_UP = 3
"""How many folders above a file are searched for its main file."""


def open_corpus(
    path: Path,
    held: Mapping[Path, bytes],
    method: str | None,
    source: str | None,
    use_cache: bool,
    progress: Progress,
    before: OpenCorpus | None,
) -> OpenCorpus:
    """Open a project, one of its files or an archive of it through its cache, anything else as it is.

    Without the name of a source, that of the path is detected.
    """
    if before is not None and before.state is not None:
        source = before.state.snapshot.source
    elif source is None or source == "latex" or format_named(source) is not None:
        path = given_source(path)
        source = source or detect_source(path)
    elif not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a project")
    if (source != "latex" and format_named(source) is None) or (path.is_dir() and store.is_corpus(path)):
        opened = load_path(path, source, progress)
        cache = Cache.of(path) if use_cache and path.is_dir() else None
        fingerprint = store.load_manifest(path).files.get(store.STATEMENTS, "") if store.is_corpus(path) else ""
        return OpenCorpus(opened, path, method, source_macros(opened), cache, fingerprint)
    with reading_unsaved(held):
        project = project_of(path) if before is None else path
        try:
            state = _read(project, use_cache, progress, before, source)
        except SourceNotFound:
            # Documents in one folder that are not one project: the one that was named is read by itself.
            if project == path:
                raise
            project, state = path, _read(path, use_cache, progress, before, source)
    if before is not None and state is before.state:
        return before
    macros = _project_macros(state.macros)
    # Only a state whose method was bound is of use, and no chain of states is held.
    before = before.bound_state() if before is not None else None
    used = {file: text for file, text in held.items() if _belongs(file, state)}
    cache = Cache.of(project) if use_cache else None
    return OpenCorpus(state.opened, project, method, macros, cache, state.fingerprint, state, used, before)


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Whether a project has an index in the cache, and how it differs from it."""

    project: Path
    files: int = 0
    """How many files the index was made from."""
    changes: Changes | None = None
    """None if there is no index, or one of another version."""


def index_status(path: Path) -> IndexStatus:
    """The state of the index of what a user gives: a project, one of its files or an archive of it."""
    path = given_source(path)
    project = project_of(path)
    for place in dict.fromkeys((project, path)):
        known = cached_state(place, Cache.of(place))
        if known is not None:
            return IndexStatus(place, len(known[0].snapshot.files), known[1])
    return IndexStatus(project)


def _project_macros(files: Mapping[str, Mapping[str, Macro]]) -> Mapping[str, Macro]:
    """The macros of all files together, and those of documents that differ."""
    own = {name.removeprefix(DOCUMENT): macros for name, macros in files.items() if name.startswith(DOCUMENT)}
    shared = (macros for name, macros in files.items() if not name.startswith(DOCUMENT))
    common = {name: macro for macros in shared for name, macro in macros.items()}
    return ProjectMacros(common, own) if own else common


def _read(path: Path, use_cache: bool, progress: Progress, before: OpenCorpus | None, source: str) -> ProjectState:
    cache = Cache.of(path) if use_cache else None
    return read_project(path, cache, progress, before=before.state if before is not None else None, kind=source)


def _belongs(file: Path, state: ProjectState) -> bool:
    root = (state.opened.root or Path()).resolve()
    return file.is_relative_to(root) and name_of(file.relative_to(root)) in state.snapshot.files


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
    if (own := format_of(path)) is not None:
        return own.project_of(path)
    here = path.resolve()
    outline = read_outline(here, here.name)
    if outline.root:
        named = Path(os.path.normpath(path.parent / outline.root))
        root = next((one for one in (named, named.with_name(f"{named.name}.tex")) if one.is_file()), None)
        if root is not None and root.resolve() != here:
            return root
    if outline.is_main:
        return path.parent if _has_neighbours(here) else path
    for folder in here.parents[: _UP + 1]:
        if folder != here.parent and folder in (home_folder(), Path(folder.anchor)):
            break
        main = _indexed(folder, here) or _including(folder, here)
        if main is not None:
            return _as_given(path, main)
        if (folder / ".git").exists():
            break
    return path


def lacks_main(path: Path) -> bool:
    """Whether a file is only a part of a LaTeX document: what `project_of` gives when no main file includes it."""
    if not path.is_file() or format_of(path) is not None:
        return False
    return not read_outline(path, path.name).is_main


def _has_neighbours(main: Path) -> bool:
    """Whether a document uses the labels of others in its folder."""
    manifest = load_manifest(Cache.of(main.parent))
    if manifest is not None and name_of(main.name) in manifest.snapshot.mains:
        return len(manifest.snapshot.mains) > 1
    if not uses_other_documents(main):
        return False
    try:
        choice = choose_documents(main.parent)
    except SourceNotFound:
        return False
    return main.name in choice.mains and len(choice.mains) > 1


def _indexed(folder: Path, file: Path) -> Path | None:
    """The project in a folder whose cache says that it includes a file."""
    for place in sorted(project_cache(folder).glob("*/")):
        manifest = load_manifest(Cache(place))
        if manifest is None or not file.is_relative_to(root := manifest.snapshot.root_of(folder)):
            continue
        inside = name_of(file.relative_to(root))
        holding = [main for main, files in manifest.snapshot.mains.items() if inside in files]
        if holding:
            return folder if place.name == "project" else root / path_of(holding[0])
    return None


def _including(folder: Path, file: Path) -> Path | None:
    """The main file in a folder whose document includes a file."""
    try:
        found = main_of(file, folder)
    except SourceNotFound:
        return None
    return folder / found if found is not None else None


def _as_given(path: Path, main: Path) -> Path:
    """The main file as a relative path if the given path was relative."""
    if path.is_absolute():
        return main
    try:
        return Path(main.relative_to(Path.cwd()))
    except ValueError:
        return main
