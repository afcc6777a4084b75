"""What a project looked like when it was read, and what has changed since: the one way to detect changes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.io.names import name_of, path_of, resolved
from naturalproofs.io.unsaved import unsaved_bytes
from naturalproofs.latex.project.cache import CachedDocument, CachedLookup, look_up
from naturalproofs.latex.project.choice import CHOICE_FILES
from naturalproofs.latex.project.documents import printed_numbers
from naturalproofs.latex.project.outline import tex_files
from naturalproofs.latex.project.tree import Tree
from naturalproofs.reading.settings import FILE
from naturalproofs.records import InputFile
from naturalproofs.workspace.formats import format_named

_RACY = 2_000_000_000
"""Nanoseconds. A file that was written so shortly before the snapshot may have been written again unnoticed."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file by content, and the modification time and size by which an unchanged file is recognised."""

    sha256: str
    """Empty for a file that cannot be read."""
    modified: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a project; equal states are read to equal corpora."""

    files: dict[str, FileState]
    """All files that were read, or examined to find the main one."""
    listed: tuple[str, ...]
    """The files of the folder that may belong to the project, if the main one had to be found."""
    settings: str
    """The hash of ``naturalproofs.toml`` and of other files that name the main file."""
    root: str
    """The folder that paths are relative to, itself relative to the folder that was opened."""
    lookups: tuple[CachedLookup, ...]
    """Names that were looked up in the folders of the project, and what was found."""
    mains: dict[str, tuple[str, ...]]
    """Main files, and the files of each document."""
    numbers: str
    """The hash of the numbers in ``.aux`` files."""
    taken: int
    source: str = "latex"
    """The name of the source."""

    def root_of(self, path: Path) -> Path:
        """The folder that paths are relative to, for the folder or main file that was opened."""
        return Path(os.path.normpath(_folder(path) / path_of(self.root)))


@dataclass(frozen=True, slots=True)
class Changes:
    """How a project differs from a snapshot."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    other: bool = False
    """Settings, numbers, or the file that a name leads to."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed or self.other)


def take_snapshot(
    path: Path, root: Path, documents: Sequence[CachedDocument], inputs: Iterable[InputFile], source: str
) -> Snapshot:
    """The state of a project that was just read; a file that changed meanwhile counts as it was read.

    Args:
        path: The folder or the main file.
        root: The folder that paths are relative to.
        documents: What was read.
        inputs: The files that were read.
        source: The name of the source.
    """
    taken = time.time_ns()
    tree = Tree(root, [])
    listed = _listed(path, tree, source)
    hashes = {file.path: file.sha256 for document in documents for file in document.files}
    hashes |= {file.path: file.sha256 for file in inputs}
    hashes |= {name: tree.digest(tree.path(name)) for name in listed if name not in hashes}
    files = {name: FileState(digest, *_stamp(tree.path(name))) for name, digest in hashes.items()}
    mains = {document.main: tuple(file.path for file in document.files) for document in documents}
    lookups = dict.fromkeys(lookup for document in documents for lookup in document.lookups)
    root_inside = name_of(os.path.relpath(tree.root, _folder(path)))
    numbers = _numbers(tree, mains)
    return Snapshot(files, listed, _settings(path, tree), root_inside, tuple(lookups), mains, numbers, taken, source)


def compare(path: Path, old: Snapshot) -> Changes:
    """What changed since a snapshot was taken."""
    tree = Tree(old.root_of(path), [])
    listed = _listed(path, tree, old.source)
    changed: list[str] = []
    removed: list[str] = []
    for name, state in old.files.items():
        file = tree.path(name)
        if 0 < state.modified < old.taken - _RACY and _stamp(file) == (state.modified, state.size) and state.sha256:
            continue
        now = tree.digest(file)
        if now != state.sha256:
            (changed if now else removed).append(name)
    other = (
        _settings(path, tree) != old.settings
        or any(look_up(tree, lookup) != lookup.found for lookup in old.lookups)
        or _numbers(tree, old.mains) != old.numbers
    )
    added = tuple(name for name in listed if name not in old.files)
    return Changes(tuple(changed), added, tuple(removed), other or set(listed) != set(old.listed))


def _folder(path: Path) -> Path:
    path = path.resolve()
    return path if path.is_dir() else path.parent


def _settings(path: Path, tree: Tree) -> str:
    folder = _folder(path)
    names = (FILE, *CHOICE_FILES) if path.is_dir() else (FILE,)
    found = [tree.digest(folder / name) for name in names]
    return sha256_bytes(repr(found).encode()) if any(found) else ""


def _stamp(file: Path) -> tuple[int, int]:
    """Modification time and size; zeros for what is not read from disk."""
    try:
        about = file.stat()
    except OSError:
        return 0, 0
    return (about.st_mtime_ns, about.st_size) if unsaved_bytes(file) is None else (0, 0)


def _listed(path: Path, tree: Tree, source: str) -> tuple[str, ...]:
    if not path.is_dir():
        return ()
    own = format_named(source)
    listing = own.files if own is not None else tex_files
    # Only a link can lead outside: the folder is resolved, and linked folders are not entered.
    found = (resolved(file) if file.is_symlink() else file for file in listing(path.resolve()))
    return tuple(tree.name(file) for file in found if file.is_relative_to(tree.root))


def _numbers(tree: Tree, mains: dict[str, tuple[str, ...]]) -> str:
    found = [sorted(printed_numbers(tree, tree.path(main), files).items()) for main, files in mains.items()]
    return sha256_bytes(repr(found).encode("utf-8", "replace")) if any(found) else ""
