"""Objects on disk, named by the hash of their contents: concurrent writers cannot damage them."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.cache import BESIDE
from naturalproofs.io.files import Directory, open_directory
from naturalproofs.io.hashing import sha256_bytes

_OBJECTS = "objects"
_NAME = 32
_OURS = re.compile(rf"\.?[0-9a-f]{{{_NAME}}}(\.[0-9a-f]{{8}})?")
"""Names that `put` gives, those of unfinished writes included."""


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of one index."""

    folder: Path

    def get(self, name: str) -> bytes | None:
        """The object of that name; None when it is missing or damaged."""
        if not _OURS.fullmatch(name):
            return None
        try:
            with self._open() as objects:
                data = objects.read(name)
        except OSError:
            return None
        return data if sha256_bytes(data)[:_NAME] == name else None

    def put(self, data: bytes) -> str:
        """Store an object; returns its name."""
        name = sha256_bytes(data)[:_NAME]
        if self.get(name) is None:
            with self._open(create=True) as objects:
                objects.write(name, data)
        return name

    def write_manifest(self, name: str, data: bytes) -> None:
        """Write a file of the index itself."""
        with open_directory(trusted_root(self.folder), self.folder, create=True) as folder:
            folder.write(name, data)

    def sweep(self, kept: Collection[str]) -> None:
        """Remove the objects that the manifest does not name, and nothing that has another kind of name."""
        with self._open(create=True) as objects:
            for name in objects.names():
                if name not in kept and _OURS.fullmatch(name):
                    objects.remove(name)

    def _open(self, *, create: bool = False) -> AbstractContextManager[Directory]:
        return open_directory(trusted_root(self.folder), self.folder / _OBJECTS, create=create)


def trusted_root(folder: Path) -> Path:
    """The folder below which a cache must not contain links: the project for a cache inside it."""
    return folder.parent.parent if folder.parent.name == BESIDE else folder.parent
