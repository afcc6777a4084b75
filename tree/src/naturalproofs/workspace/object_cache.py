"""The cache of one corpus or project: objects named by the hash of their contents, and a manifest that names them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TypeVar

import msgspec

from naturalproofs import __version__
from naturalproofs.io.cache import BESIDE, CACHE_VERSION, limit_project_caches, mark_project_used, project_cache
from naturalproofs.io.decoding import decode_json
from naturalproofs.io.files import check_no_links, open_directory, sha256_bytes
from naturalproofs.io.folders import hash_of_lines, json_lines
from naturalproofs.io.memory import StoredList, collector_paused

KEY = f"naturalproofs {__version__}, cache {CACHE_VERSION}"
"""Part of every manifest in a cache."""
_MANIFEST = "manifest.json"
_OBJECTS = "objects"
_NAME = 32
_OURS = re.compile(rf"\.?[0-9a-f]{{{_NAME}}}(\.[0-9a-f]{{8}}\.part)?")
"""Names of objects, those of unfinished writes included."""
_UNUSUAL = re.compile(r"[^\w.-]+")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cache:
    """The folder of one cache. Nothing in it is trusted: what is missing or damaged counts as not cached."""

    folder: Path

    @classmethod
    def of(cls, path: Path) -> Cache:
        """The cache of a folder, or of a main file that was named by itself; it counts as used now."""
        path = path.resolve()
        root, name = (path, "project") if path.is_dir() else (path.parent, f"main-{_UNUSUAL.sub('-', path.stem)}")
        mark_project_used(root)
        return cls(project_cache(root) / name)

    @property
    def trusted_root(self) -> Path:
        """The folder below which no symbolic link is followed: the project for a cache inside it."""
        return self.folder.parent.parent if self.folder.parent.name == BESIDE else self.folder.parent

    def subfolder(self, *names: str) -> Path | None:
        """A folder inside the cache; None if a symbolic link is on the way to it."""
        folder = self.folder.joinpath(*names)
        try:
            check_no_links(self.trusted_root, folder)
        except OSError:
            return None
        return folder

    def get(self, name: str, kind: type[T]) -> T | None:
        """Decode an object; None when it is missing or damaged."""
        if not _OURS.fullmatch(name):
            return None
        try:
            with open_directory(self.trusted_root, self.folder / _OBJECTS) as objects:
                data = objects.read(name)
        except OSError:
            return None
        return decode(data, kind) if sha256_bytes(data)[:_NAME] == name else None

    def put(self, data: bytes) -> str:
        """Store an object; returns its name."""
        name = sha256_bytes(data)[:_NAME]
        with open_directory(self.trusted_root, self.folder / _OBJECTS, create=True) as objects:
            try:
                known = objects.read(name) == data
            except OSError:
                known = False
            if not known:
                objects.write(name, data)
        return name

    def get_lines(self, name: str, kind: type[T]) -> StoredList[T] | None:
        """Open an object of many records, which stay on disk; None when it is missing or damaged."""
        if not _OURS.fullmatch(name):
            return None
        try:
            with open_directory(self.trusted_root, self.folder / _OBJECTS) as objects:
                file = objects.open(name)
        except OSError:
            return None
        if file_digest(file, "sha256").hexdigest()[:_NAME] != name:
            file.close()
            return None
        file.seek(0)
        return StoredList(self.folder / _OBJECTS / name, kind, file)

    def put_lines(self, records: Sequence[object]) -> str:
        """Store an object of many records, which are encoded twice and not held; returns its name."""
        name = hash_of_lines(records)[:_NAME]
        with open_directory(self.trusted_root, self.folder / _OBJECTS, create=True) as objects:
            objects.write(name, json_lines(records))
        return name

    def manifest(self, kind: type[T]) -> T | None:
        """The manifest; None when there is none that this version can use."""
        try:
            with open_directory(self.trusted_root, self.folder) as folder:
                return decode(folder.read(_MANIFEST), kind, json=True)
        except OSError:
            return None

    def commit(self, manifest: object, objects: Collection[str]) -> None:
        """Write the manifest and remove the objects that it does not name, and no other file."""
        if self.folder.parent.name == BESIDE:
            with open_directory(self.trusted_root, self.folder.parent, create=True) as beside:
                beside.write(".gitignore", b"# Made by naturalproofs; it may be removed at any time.\n*\n")
        fresh = not self.folder.is_dir()
        with open_directory(self.trusted_root, self.folder, create=True) as folder:
            folder.write(_MANIFEST, msgspec.json.encode(manifest))
        with open_directory(self.trusted_root, self.folder / _OBJECTS, create=True) as stored:
            for name in stored.names():
                if name not in objects and _OURS.fullmatch(name):
                    stored.remove(name)
        if fresh:
            limit_project_caches()


def encode(record: object) -> bytes:
    """The bytes of a record."""
    return msgspec.msgpack.encode(record)


def decode(data: bytes | None, kind: type[T], *, json: bool = False) -> T | None:
    """A record from its bytes; None for missing data or another layout."""
    if data is None:
        return None
    try:
        with collector_paused():
            return decode_json(data, kind) if json else msgspec.msgpack.decode(data, type=kind)
    except (ValueError, RecursionError):
        return None
