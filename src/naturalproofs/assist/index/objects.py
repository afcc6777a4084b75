"""Objects on disk, named by the hash of their contents: whoever writes them, and however often, nothing is damaged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.folders import write_atomic
from naturalproofs.io.hashing import sha256_bytes

FOLDER = ".naturalproofs"
_OBJECTS = "objects"
_NAME = 32


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of one index."""

    folder: Path

    def get(self, name: str) -> bytes | None:
        """The object of that name; None when it is not there or not what it was."""
        try:
            data = self._path(name).read_bytes()
        except OSError:
            return None
        return data if sha256_bytes(data)[:_NAME] == name else None

    def put(self, data: bytes) -> str:
        """Keep an object; gives its name."""
        name = sha256_bytes(data)[:_NAME]
        path = self._path(name)
        if not (path.is_file() and path.stat().st_size == len(data) and self.get(name) is not None):
            write_atomic(path, data)
        return name

    def sweep(self, kept: Collection[str]) -> None:
        """Remove the objects that nobody names any more; one that another process still reads is read to its end."""
        folder = self.folder / _OBJECTS
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in kept:
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / _OBJECTS / name


def make_folder(root: Path) -> Path:
    """The folder of indexes beside a project, which version control is told to leave out."""
    folder = root / FOLDER
    ignore = folder / ".gitignore"
    if not ignore.is_file():
        write_atomic(ignore, b"# Made by naturalproofs; it may be removed at any time.\n*\n")
    return folder
