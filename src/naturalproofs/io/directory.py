"""Folders reached without following symbolic links: for writing and deleting where someone else made the folders."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Directory:
    """An open directory descriptor. Names given to its methods are single file names, never paths."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, name: str) -> bytes:
        """The contents of a regular file."""
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._descriptor)
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(f"{name}: not a regular file")
            return stream.read()

    def write(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name, then rename it; a link of that name is replaced, not followed."""
        scratch = f".{name}.{secrets.token_hex(4)}"
        handle = os.open(scratch, _WRITE, 0o666, dir_fd=self._descriptor)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.rename(scratch, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(scratch, dir_fd=self._descriptor)
            raise

    def names(self) -> list[str]:
        """The names of the entries."""
        with os.scandir(self._descriptor) as entries:
            return [entry.name for entry in entries]

    def remove(self, name: str) -> None:
        """Remove an entry that is not a folder; a link is removed, not what it leads to."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)


@contextlib.contextmanager
def open_directory(root: Path, folder: Path, *, create: bool = False) -> Iterator[Directory]:
    """Open a folder at or below a trusted root.

    Args:
        root: A folder that the user chose; links on the way to it are followed.
        folder: The folder to open; no component of it below the root may be a link.
        create: Whether to make what is missing.

    Raises:
        OSError: A component is a link, is not a folder, or does not exist.
    """
    if create:
        root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folder.relative_to(root).parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
            below = os.open(part, _OPEN, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield Directory(descriptor)
    finally:
        os.close(descriptor)


def check_no_links(root: Path, folder: Path) -> None:
    """Raise an error if a component of a folder below a trusted root is a symbolic link."""
    path = root
    for part in folder.relative_to(root).parts:
        path /= part
        if path.is_symlink():
            raise OSError(f"{path}: is a symbolic link, and caches do not follow links")
