"""The folder of a project: files are found inside it only, and every look-up is recorded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from naturalproofs.io.files import sha256_bytes, unsaved_bytes
from naturalproofs.io.listing import name_of, path_of, resolved, written_paths
from naturalproofs.records import InputFile
from naturalproofs.sources.reading.text_files import read_bytes


class Refused(NamedTuple):
    """Why a file is not read."""

    rule: str
    message: str


Lookup: TypeAlias = tuple[str, tuple[Path, ...], tuple[str, ...]]
"""A name, the folders where it is looked up, and the endings it may have."""


@dataclass(slots=True)
class AccessLog:
    """The files that reading a document opened, and the names that it looked up, in order."""

    opened: dict[Path, None] = field(default_factory=dict)
    lookups: dict[Lookup, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CachedLookup:
    """A name that was looked up, and what was found: a path inside the project, or nothing."""

    name: str
    folders: tuple[str, ...]
    endings: tuple[str, ...]
    found: str


class ProjectFolder:
    """Finds the files of one project."""

    def __init__(self, root: Path) -> None:
        """Bind the folder, outside of which nothing is read."""
        self.root = root.resolve()
        self.encoding = ""
        """The encoding of files that declare none and are not UTF-8."""
        self._found: dict[Lookup, Path | Refused] = {}
        self._digests: dict[Path, str] = {}
        self.files_read: dict[str, InputFile] = {}
        """The files whose bytes were read, by name."""
        self.log = AccessLog()
        """All accesses since the log was last replaced, cached ones included."""

    def name(self, path: Path) -> str:
        """How a file of the project is called."""
        return name_of(path.relative_to(self.root))

    def path(self, name: str) -> Path:
        """Where the file is that is called so."""
        return self.root / path_of(name)

    def digest(self, path: Path) -> str:
        """The hash of a file's bytes; empty if it cannot be read."""
        if path not in self._digests:
            data = read_bytes(path)
            self._digests[path] = "" if data is None else sha256_bytes(data)
        return self._digests[path]

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file, which is listed as read; None if it cannot be read."""
        data = read_bytes(path)
        if data is not None:
            self.files_read.setdefault(self.name(path), input_file(self.name(path), data))
        return data

    def find(self, name: str, folders: Sequence[Path], endings: Sequence[str]) -> Path | Refused:
        """Look for a file in folders, with endings; what lies outside of the project is refused."""
        key = (name, tuple(folders), tuple(endings))
        self.log.lookups[key] = None
        if key not in self._found:
            self._found[key] = self._find(name, folders, endings)
        return self._found[key]

    def look_up(self, lookup: CachedLookup) -> str:
        """What a lookup finds now."""
        folders = tuple(Path(os.path.normpath(self.path(folder))) for folder in lookup.folders)
        found = self.find(lookup.name, folders, lookup.endings)
        return "" if isinstance(found, Refused) else self.name(found)

    def _find(self, name: str, folders: Sequence[Path], endings: Sequence[str]) -> Path | Refused:
        is_outside = False
        for folder in folders:
            for ending in endings:
                path = existing_file(folder, name + ending, self.encoding)
                if path is not None and path.is_relative_to(self.root):
                    return path
                is_outside = is_outside or path is not None
        if is_outside:
            return Refused(
                "outside-project",
                "lies outside of the project's folder and was not read; open the folder that holds both",
            )
        return Refused("missing-file", "no such file in the project")


def input_file(name: str, data: bytes) -> InputFile:
    """The record of a file that was read."""
    return InputFile(name, len(data), sha256_bytes(data))


def existing_file(folder: Path, name: str, encoding: str = "") -> Path | None:
    """The file of this name, symbolic links followed, if there is one."""
    for written in written_paths(name, encoding):
        try:
            path = resolved(folder / written)
            if (path.exists() and not path.is_dir()) or unsaved_bytes(path) is not None:
                return path
        except (OSError, ValueError):
            continue  # A folder that must not be entered, a name that no file can have.
    return None
