"""What a project looked like when it was read, and what has changed since: the one way to detect changes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.io.unsaved import unsaved_bytes
from naturalproofs.latex.cache import CachedDocument, CachedLookup, look_up
from naturalproofs.latex.documents import printed_numbers
from naturalproofs.latex.main_file import tex_files
from naturalproofs.latex.settings import FILE
from naturalproofs.latex.tree import Tree
from naturalproofs.records import InputFile

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
    """The LaTeX files of the folder, if the main one had to be found."""
    settings: str
    """The hash of ``naturalproofs.toml``."""
    lookups: tuple[CachedLookup, ...]
    """Names that were looked up in the folders of the project, and what was found."""
    mains: dict[str, tuple[str, ...]]
    """Main files, and the files of each document."""
    numbers: str
    """The hash of the numbers in ``.aux`` files."""
    taken: int


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


def take_snapshot(path: Path, documents: Sequence[CachedDocument], inputs: Iterable[InputFile]) -> Snapshot:
    """The state of a project that was just read; a file that changed meanwhile counts as it was read."""
    taken = time.time_ns()
    tree = _tree(path)
    listed = _listed(path, tree)
    hashes = {file.path: file.sha256 for document in documents for file in document.files}
    hashes |= {file.path: file.sha256 for file in inputs}
    hashes |= {name: tree.digest(tree.root / name) for name in listed if name not in hashes}
    files = {name: FileState(digest, *_stamp(tree.root / name)) for name, digest in hashes.items()}
    mains = {document.main: tuple(file.path for file in document.files) for document in documents}
    lookups = dict.fromkeys(lookup for document in documents for lookup in document.lookups)
    return Snapshot(files, listed, tree.digest(tree.root / FILE), tuple(lookups), mains, _numbers(tree, mains), taken)


def compare(path: Path, old: Snapshot) -> Changes:
    """What changed since a snapshot was taken."""
    tree = _tree(path)
    listed = _listed(path, tree)
    changed: list[str] = []
    removed: list[str] = []
    for name, state in old.files.items():
        file = tree.root / name
        if 0 < state.modified < old.taken - _RACY and _stamp(file) == (state.modified, state.size) and state.sha256:
            continue
        now = tree.digest(file)
        if now != state.sha256:
            (changed if now else removed).append(name)
    other = (
        tree.digest(tree.root / FILE) != old.settings
        or any(look_up(tree, lookup) != lookup.found for lookup in old.lookups)
        or _numbers(tree, old.mains) != old.numbers
    )
    added = tuple(name for name in listed if name not in old.files)
    return Changes(tuple(changed), added, tuple(removed), other or set(listed) != set(old.listed))


def _tree(path: Path) -> Tree:
    path = path.resolve()
    return Tree(path if path.is_dir() else path.parent, [])


def _stamp(file: Path) -> tuple[int, int]:
    """Modification time and size; zeros for what is not read from disk."""
    try:
        about = file.stat()
    except OSError:
        return 0, 0
    return (about.st_mtime_ns, about.st_size) if unsaved_bytes(file) is None else (0, 0)


def _listed(path: Path, tree: Tree) -> tuple[str, ...]:
    if not path.is_dir():
        return ()
    # Only a link can lead outside: the folder is resolved, and linked folders are not entered.
    found = (file.resolve() if file.is_symlink() else file for file in tex_files(tree.root))
    return tuple(file.relative_to(tree.root).as_posix() for file in found if file.is_relative_to(tree.root))


def _numbers(tree: Tree, mains: dict[str, tuple[str, ...]]) -> str:
    found = [sorted(printed_numbers(tree, tree.root / main, files).items()) for main, files in mains.items()]
    return sha256_bytes(repr(found).encode("utf-8", "replace")) if any(found) else ""
